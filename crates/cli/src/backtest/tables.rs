//! A back-test as tables and CSV.

use queuecast_site::backtest::{GroupKind, in_words};

use super::experts::contest_figures;
use super::limit_tables::condition_figures;
use super::result::{BacktestResult, ErrorFigures, GroupFigures};
use crate::output::{Report, Sheet, grouped, not_a_formula, or_dash, percent};

/// In minutes, with a decimal where it matters.
pub fn minutes(seconds: f64) -> String {
    let decimals = usize::from(seconds < 6_000.0);
    format!("{:.decimals$} min", seconds / 60.0)
}

impl BacktestResult {
    /// How many days there are between the first job counted and the last.
    pub fn days(&self) -> f64 {
        (self.to - self.from) as f64 / 86_400.0
    }

    /// What was looked at.
    fn setting(&self) -> Sheet {
        let mut sheet = Sheet::new([self.trace.as_str(), ""]);
        let mut row = |name: &str, value: String| sheet.add([name.to_owned(), value]);
        row("jobs counted", format!("{} of {}", grouped(self.jobs), grouped(self.history_jobs)));
        row("days", format!("{:.1}", self.days()));
        row("queue forecast", format!("{} times, {} forecasts", grouped(self.moments), grouped(self.forecasts)));
        row("of jobs that never started", grouped(self.never_started));
        row("no estimate", grouped(self.no_estimate));
        for pool in &self.machine {
            let name = if pool.partitions.is_empty() {
                "in use at once".to_owned()
            } else {
                format!("in use at once: {}", pool.partitions.join(", "))
            };
            let nodes = if pool.nodes > 0 { format!(", {} nodes", grouped(pool.nodes)) } else { String::new() };
            let gpus = if pool.gpus > 0 { format!(", {} GPUs", grouped(pool.gpus)) } else { String::new() };
            row(&name, format!("{} processors{nodes}{gpus}", grouped(pool.processors)));
        }
        sheet
    }

    /// Ours beside the plan and the last waits, for the groups of these kinds.
    pub fn contest(title: &str, groups: &[GroupFigures], kinds: &[GroupKind]) -> Sheet {
        let mut sheet = Sheet::new([
            title,
            "forecasts",
            "in 50 %",
            "in 80 %",
            "in 95 %",
            "80 % width",
            "ours: median",
            "mean",
            "10 min",
            "plan: median",
            "mean",
            "10 min",
            "too late",
            "blank",
            "last waits: median",
            "mean",
            "10 min",
        ]);
        for group in groups.iter().filter(|group| kinds.contains(&group.kind)) {
            let share = |share: Option<f64>| or_dash(share.map(percent));
            let error = |seconds: Option<f64>| or_dash(seconds.map(minutes));
            let errors = |errors: &ErrorFigures| {
                [error(errors.median_absolute_error_seconds), error(errors.mean_absolute_error_seconds)]
                    .into_iter()
                    .chain([share(errors.within_10_minutes)])
            };
            let coverage = [
                group.title(),
                grouped(group.forecasts),
                share(group.coverage.map(|coverage| coverage.p50)),
                share(group.coverage.map(|coverage| coverage.p80)),
                share(group.coverage.map(|coverage| coverage.p95)),
                error(group.range80_median_width_seconds),
            ];
            let plan = errors(&group.plan.errors).chain([share(group.plan.too_late), share(group.plan.blank)]);
            sheet.add(coverage.into_iter().chain(errors(&group.ours)).chain(plan).chain(errors(&group.last_waits)));
        }
        sheet
    }

    fn reliability(&self) -> Sheet {
        let mut sheet = Sheet::new(["said to have started by then", "first forecasts: had", "all forecasts: had"]);
        let had = |shares: Option<[f64; 9]>, place: usize| or_dash(shares.map(|shares| percent(shares[place])));
        for (place, said) in self.reliability.said.iter().enumerate() {
            sheet.add([percent(*said), had(self.reliability.first, place), had(self.reliability.all, place)]);
        }
        sheet
    }

    /// The waits by class.
    pub fn wait_table(&self) -> Sheet {
        let mut sheet = Sheet::new(["waits: limit", "processors", "jobs", "mean", "median"]);
        for class in &self.waits {
            sheet.add([
                class.limit.to_owned(),
                class.processors.to_owned(),
                grouped(class.jobs),
                minutes(class.mean_seconds),
                minutes(class.median_seconds),
            ]);
        }
        sheet
    }

    /// What a daemon said, beside what Slurm itself planned.
    fn kept(&self) -> Option<Sheet> {
        let kept = self.kept.as_ref()?;
        let mut sheet = Sheet::new([
            "kept by the daemon",
            "forecasts",
            "in 80 %",
            "ours there: error",
            "Slurm's own: error",
            "blank",
        ]);
        for group in kept.overall.iter().chain(&kept.by_partition) {
            for (which, figures) in [("first", &group.first), ("all", &group.all)] {
                sheet.add([
                    format!("{}, {which}", group.name),
                    grouped(figures.forecasts),
                    or_dash(figures.coverage.map(|coverage| percent(coverage.p80))),
                    or_dash(figures.slurm.ours_median_absolute_error_seconds.map(minutes)),
                    or_dash(figures.slurm.median_absolute_error_seconds.map(minutes)),
                    or_dash(figures.slurm.blank.map(percent)),
                ]);
            }
        }
        Some(sheet)
    }
}

impl Report for BacktestResult {
    fn tables(&self) -> Vec<Sheet> {
        use GroupKind::{Class, Overall, Partition, WaitLeft};
        let mut tables = vec![self.setting()];
        tables.extend(self.kept());
        tables.push(Self::contest("first forecasts", &self.first, &[Overall, Partition, WaitLeft]));
        tables.push(Self::contest("all forecasts", &self.all, &[Overall, Partition, WaitLeft]));
        tables.push(Self::contest("first forecasts by class", &self.first, &[Class]));
        tables.extend(self.expert_tables());
        let better = self.better_in_words();
        if !better.is_empty() {
            let mut sheet = Sheet::new(["a simple answer was better"]);
            for sentence in better {
                sheet.add([sentence]);
            }
            tables.push(sheet);
        }
        tables.extend([self.worst_table(), self.reliability(), self.wait_table(), self.limit_table()]);
        tables.extend([self.promise_table(), self.risk_table(), self.limit_class_table()]);
        tables
    }

    /// One figure a line: JSON's names, from the outside in.
    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["table", "kind", "name", "figure", "value"]);
        let mut add = |table: &str, kind: &str, name: &str, figure: &str, value: Option<f64>| {
            let value = value.map_or_else(String::new, |value| value.to_string());
            sheet.add([table.to_owned(), kind.to_owned(), not_a_formula(name), figure.to_owned(), value]);
        };
        for (table, groups) in [("first", &self.first), ("all", &self.all)] {
            for group in groups {
                let kind = match group.kind {
                    GroupKind::Overall => "overall",
                    GroupKind::Partition => "partition",
                    GroupKind::Class => "class",
                    GroupKind::WaitLeft => "wait_left",
                };
                for (figure, value) in group_figures(group) {
                    add(table, kind, &group.name, &figure, value);
                }
            }
        }
        for (table, shares) in [("first", self.reliability.first), ("all", self.reliability.all)] {
            for (said, had) in self.reliability.said.iter().zip(shares.into_iter().flatten()) {
                add("reliability", table, &said.to_string(), "had_started", Some(had));
            }
        }
        for (table, contest) in [("first", &self.experts.first), ("later", &self.experts.later)] {
            for (name, figure, value) in contest_figures(contest) {
                add("experts", table, name, figure, Some(value));
            }
        }
        for class in &self.waits {
            let name = in_words(class.limit, class.processors);
            for (figure, value) in [
                ("jobs", class.jobs as f64),
                ("mean_seconds", class.mean_seconds),
                ("median_seconds", class.median_seconds),
            ] {
                add("waits", "class", &name, figure, Some(value));
            }
        }
        for line in &self.limits {
            let promised = line.promised.map_or_else(String::new, |promised| promised.to_string());
            for (figure, value) in [
                ("jobs", Some(line.jobs as f64)),
                ("killed", line.killed.map(|killed| killed.share)),
                ("killed_low", line.killed.map(|killed| killed.low)),
                ("killed_high", line.killed.map(|killed| killed.high)),
                ("median_limit_seconds", Some(line.median_limit_seconds)),
                ("median_of_asked", Some(line.median_of_asked)),
                ("median_share_of_asked", Some(line.median_share_of_asked)),
                ("sum_share_of_asked", Some(line.sum_share_of_asked)),
                ("unchanged", Some(line.unchanged)),
                ("ninetieth_user_killed", line.ninetieth_user_killed),
            ] {
                add("limits", &line.who, &promised, figure, value);
            }
        }
        for line in &self.limit_conditions {
            let promised = line.promised.to_string();
            for (figure, value) in condition_figures(line) {
                add("limit_conditions", &promised, "", &figure, value);
            }
        }
        sheet
    }
}

fn group_figures(group: &GroupFigures) -> Vec<(String, Option<f64>)> {
    let coverage = group.coverage;
    let mut figures = vec![
        ("forecasts".to_owned(), Some(group.forecasts as f64)),
        ("coverage.p50".to_owned(), coverage.map(|coverage| coverage.p50)),
        ("coverage.p80".to_owned(), coverage.map(|coverage| coverage.p80)),
        ("coverage.p90".to_owned(), coverage.map(|coverage| coverage.p90)),
        ("coverage.p95".to_owned(), coverage.map(|coverage| coverage.p95)),
        ("range80_median_width_seconds".to_owned(), group.range80_median_width_seconds),
    ];
    for (who, errors) in [("ours", &group.ours), ("plan", &group.plan.errors), ("last_waits", &group.last_waits)] {
        figures.extend([
            (format!("{who}.median_absolute_error_seconds"), errors.median_absolute_error_seconds),
            (format!("{who}.mean_absolute_error_seconds"), errors.mean_absolute_error_seconds),
            (format!("{who}.within_10_minutes"), errors.within_10_minutes),
        ]);
    }
    figures.extend([("plan.blank".to_owned(), group.plan.blank), ("plan.too_late".to_owned(), group.plan.too_late)]);
    figures
}
