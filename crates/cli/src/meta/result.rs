//! What `qcast meta` prints. `docs/reference/output/meta.md` defines every name.

use queuecast_evaluate::sites::SitesSummary;
use queuecast_evaluate::{Replicates, Spread};
use serde::Serialize;

use crate::output::{Report, Sheet, grouped};

/// Every strategy.
#[derive(Serialize)]
pub struct MetaResult {
    pub sites: Vec<String>,
    pub processors: Vec<u32>,
    pub policy: String,
    pub replicates: u32,
    pub strategies: Vec<StrategyResult>,
}

/// One strategy over replicates.
#[derive(Serialize)]
pub struct StrategyResult {
    strategy: String,
    jobs: u64,
    wait_seconds: Spread,
    /// Against the first strategy, replicate by replicate.
    wait_change_percent: Spread,
    turnaround_seconds: Spread,
    bounded_slowdown: Spread,
    within_1_hour: Spread,
    over_1_day: Spread,
    share_by_site: Vec<f64>,
}

impl StrategyResult {
    /// From the runs of a strategy, and of the first one.
    pub fn new(strategy: String, runs: &[SitesSummary], first: &[SitesSummary]) -> Self {
        let over = |runs: &[SitesSummary], figure: fn(&SitesSummary) -> f64| -> Replicates {
            runs.iter().map(figure).collect()
        };
        let spread = |figure| over(runs, figure).spread();
        let wait = |runs| over(runs, |summary| summary.wait_seconds);
        let sites = runs.first().map_or(0, |run| run.share_by_site.len());
        let share =
            |site: usize| runs.iter().map(|run| run.share_by_site[site]).sum::<f64>() / (runs.len() as f64).max(1.0);
        Self {
            strategy,
            jobs: runs.first().map_or(0, |run| run.jobs),
            wait_seconds: wait(runs).spread(),
            wait_change_percent: wait(runs).percent_over(&wait(first)).spread(),
            turnaround_seconds: spread(|summary| summary.turnaround_seconds),
            bounded_slowdown: spread(|summary| summary.bounded_slowdown),
            within_1_hour: spread(|summary| summary.within_1_hour),
            over_1_day: spread(|summary| summary.over_1_day),
            share_by_site: (0..sites).map(share).collect(),
        }
    }
}

impl Report for MetaResult {
    fn tables(&self) -> Vec<Sheet> {
        let mut waits = Sheet::new([
            "strategy",
            "wait, min",
            "low 95 %",
            "high 95 %",
            "change",
            "low 95 %",
            "high 95 %",
            "up to 1 h",
            "over 1 day",
            "slowdown",
        ]);
        let minutes = |seconds: f64| format!("{:.1}", seconds / 60.0);
        let percent = |value: f64| format!("{value:+.1} %");
        let share = |value: f64| format!("{:.1} %", 100.0 * value);
        for strategy in &self.strategies {
            let (wait, change) = (strategy.wait_seconds, strategy.wait_change_percent);
            waits.add([
                strategy.strategy.clone(),
                minutes(wait.mean),
                minutes(wait.low95),
                minutes(wait.high95),
                percent(change.mean),
                percent(change.low95),
                percent(change.high95),
                share(strategy.within_1_hour.mean),
                share(strategy.over_1_day.mean),
                format!("{:.1}", strategy.bounded_slowdown.mean),
            ]);
        }
        let mut places =
            Sheet { columns: vec!["where jobs ran".to_owned(), "processors".to_owned()], rows: Vec::new() };
        places.columns.extend(self.strategies.iter().map(|strategy| strategy.strategy.clone()));
        for (site, name) in self.sites.iter().enumerate() {
            let row = [name.clone(), grouped(u64::from(self.processors[site]))];
            let shares = self.strategies.iter().map(|strategy| share(strategy.share_by_site[site]));
            places.add(row.into_iter().chain(shares));
        }
        vec![waits, places]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["strategy", "name", "mean", "sd", "low95", "high95"]);
        for strategy in &self.strategies {
            let figures = [
                ("wait_seconds", strategy.wait_seconds),
                ("wait_change_percent", strategy.wait_change_percent),
                ("turnaround_seconds", strategy.turnaround_seconds),
                ("bounded_slowdown", strategy.bounded_slowdown),
                ("within_1_hour", strategy.within_1_hour),
                ("over_1_day", strategy.over_1_day),
            ];
            for (name, Spread { mean, sd, low95, high95 }) in figures {
                let words = [strategy.strategy.clone(), name.to_owned()];
                sheet.add(words.into_iter().chain([mean, sd, low95, high95].map(|value| value.to_string())));
            }
        }
        sheet
    }
}
