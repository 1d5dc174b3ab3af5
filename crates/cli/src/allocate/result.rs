//! What `qcast allocate` prints. `docs/reference/output/allocate.md` defines every name.

use queuecast_evaluate::mouldable::AllocationSummary;
use queuecast_evaluate::{Replicates, Spread};
use serde::Serialize;

use super::contender::{Alone, Contender, Run};
use crate::output::{Report, Sheet, or_dash};

/// Every strategy.
#[derive(Serialize)]
pub struct Allocation {
    pub replicates: u32,
    pub strategies: Vec<StrategyResult>,
}

/// One strategy over replicates.
#[derive(Serialize)]
pub struct StrategyResult {
    strategy: String,
    predictor: Option<String>,
    queue_times: Option<&'static str>,
    jobs: f64,
    turnaround_seconds: Spread,
    /// Against the first strategy, replicate by replicate.
    turnaround_change_percent: Spread,
    wait_seconds: Spread,
    run_seconds: Spread,
    processors: Spread,
    utilisation: Spread,
    alone: Option<AloneResult>,
}

/// What a job gains that follows the strategy alone.
#[derive(Serialize)]
struct AloneResult {
    rebels: Spread,
    rebel_share: Spread,
    saving_seconds_per_job: Spread,
    rebel_saving_median_seconds: Option<Spread>,
    rebel_saving_mean_seconds: Option<Spread>,
    loser_share: Spread,
    loss_seconds: Option<Spread>,
}

impl StrategyResult {
    /// From the runs of a strategy, and of the first one.
    pub fn new(contender: &Contender, runs: &[Run], first: &[Run]) -> Self {
        let over = |runs: &[Run], figure: fn(&AllocationSummary) -> f64| -> Replicates {
            runs.iter().map(|run| figure(&run.system)).collect()
        };
        let spread = |figure| over(runs, figure).spread();
        let turnaround = |runs| over(runs, |summary| summary.turnaround_seconds);
        let alone: Option<Vec<Alone>> = runs.iter().map(|run| run.alone).collect();
        Self {
            strategy: contender.to_string(),
            predictor: contender.predictor(),
            queue_times: contender.queue_times(),
            jobs: spread(|summary| summary.jobs as f64).mean,
            turnaround_seconds: turnaround(runs).spread(),
            turnaround_change_percent: turnaround(runs).percent_over(&turnaround(first)).spread(),
            wait_seconds: spread(|summary| summary.wait_seconds),
            run_seconds: spread(|summary| summary.run_seconds),
            processors: spread(|summary| summary.processors),
            utilisation: spread(|summary| summary.utilisation),
            alone: alone.map(|alone| AloneResult::new(&alone)),
        }
    }

    fn name(&self) -> String {
        match (self.predictor.as_deref(), self.queue_times) {
            (Some(which), _) | (None, Some(which)) => format!("{} / {which}", self.strategy),
            (None, None) => self.strategy.clone(),
        }
    }
}

impl AloneResult {
    fn new(alone: &[Alone]) -> Self {
        let spread = |figure: fn(&Alone) -> f64| alone.iter().map(figure).collect::<Replicates>().spread();
        // Over those replicates in which there is anybody; a single one without makes the mean of the others none the worse.
        let of_some = |figure: fn(&Alone) -> f64| {
            let values: Vec<f64> = alone.iter().map(figure).filter(|value| value.is_finite()).collect();
            (!values.is_empty()).then(|| values.into_iter().collect::<Replicates>().spread())
        };
        Self {
            rebels: spread(|alone| alone.rebels),
            rebel_saving_median_seconds: of_some(|alone| alone.rebel_saving_median_seconds),
            rebel_saving_mean_seconds: of_some(|alone| alone.rebel_saving_mean_seconds),
            loss_seconds: of_some(|alone| alone.loss_seconds),
            rebel_share: spread(|alone| alone.rebel_share),
            saving_seconds_per_job: spread(|alone| alone.saving_seconds_per_job),
            loser_share: spread(|alone| alone.loser_share),
        }
    }
}

impl Report for Allocation {
    fn tables(&self) -> Vec<Sheet> {
        let mut system = Sheet::new([
            "if all follow it",
            "turnaround",
            "low 95 %",
            "high 95 %",
            "change",
            "low 95 %",
            "high 95 %",
            "wait",
            "run",
            "processors",
            "utilisation",
        ]);
        let mut alone = Sheet::new([
            "if one follows it alone",
            "rebels",
            "of jobs",
            "saved a job",
            "saved a rebel, median",
            "mean",
            "rebels that lose",
            "lost a loser",
        ]);
        let seconds = |value: f64| format!("{value:.0} s");
        let percent = |value: f64| format!("{value:+.1} %");
        for result in &self.strategies {
            let Spread { mean, low95, high95, .. } = result.turnaround_seconds;
            let change = result.turnaround_change_percent;
            system.add([
                result.name(),
                seconds(mean),
                seconds(low95),
                seconds(high95),
                percent(change.mean),
                percent(change.low95),
                percent(change.high95),
                seconds(result.wait_seconds.mean),
                seconds(result.run_seconds.mean),
                format!("{:.1}", result.processors.mean),
                format!("{:.3}", result.utilisation.mean),
            ]);
            if let Some(own) = &result.alone {
                let share = |share: f64| or_dash(share.is_finite().then(|| format!("{:.1} %", 100.0 * share)));
                let of_some = |figure: &Option<Spread>| or_dash(figure.map(|figure| seconds(figure.mean)));
                alone.add([
                    result.name(),
                    format!("{:.0}", own.rebels.mean),
                    share(own.rebel_share.mean),
                    seconds(own.saving_seconds_per_job.mean),
                    of_some(&own.rebel_saving_median_seconds),
                    of_some(&own.rebel_saving_mean_seconds),
                    share(own.loser_share.mean),
                    of_some(&own.loss_seconds),
                ]);
            }
        }
        let mut sheets = vec![system];
        sheets.extend((!alone.rows.is_empty()).then_some(alone));
        sheets
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["strategy", "predictor", "queue_times", "name", "mean", "sd", "low95", "high95"]);
        for result in &self.strategies {
            let mut figures = vec![
                ("turnaround_seconds", result.turnaround_seconds),
                ("turnaround_change_percent", result.turnaround_change_percent),
                ("wait_seconds", result.wait_seconds),
                ("run_seconds", result.run_seconds),
                ("processors", result.processors),
                ("utilisation", result.utilisation),
            ];
            if let Some(alone) = &result.alone {
                figures.extend([
                    ("alone.rebels", alone.rebels),
                    ("alone.rebel_share", alone.rebel_share),
                    ("alone.saving_seconds_per_job", alone.saving_seconds_per_job),
                    ("alone.loser_share", alone.loser_share),
                ]);
                let of_some = [
                    ("alone.rebel_saving_median_seconds", alone.rebel_saving_median_seconds),
                    ("alone.rebel_saving_mean_seconds", alone.rebel_saving_mean_seconds),
                    ("alone.loss_seconds", alone.loss_seconds),
                ];
                figures.extend(of_some.into_iter().filter_map(|(name, figure)| Some((name, figure?))));
            }
            for (name, Spread { mean, sd, low95, high95 }) in figures {
                let words = [
                    result.strategy.clone(),
                    result.predictor.clone().unwrap_or_default(),
                    result.queue_times.unwrap_or_default().to_owned(),
                    name.to_owned(),
                ];
                sheet.add(words.into_iter().chain([mean, sd, low95, high95].map(|value| value.to_string())));
            }
        }
        sheet
    }
}
