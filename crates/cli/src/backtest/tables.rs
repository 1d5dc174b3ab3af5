//! A back-test as tables and CSV.

use queuecast_site::backtest::{GroupKind, in_words};

use super::experts::contest_figures;
use super::limit_tables::condition_figures;
use super::result::{BacktestResult, ErrorFigures, GroupFigures};
use crate::output::{Report, Sheet, duration, grouped, not_a_formula, or_dash, percent};

impl BacktestResult {
    /// How many days there are between the first job counted and the last.
    pub fn days(&self) -> f64 {
        (self.to - self.from) as f64 / 86_400.0
    }

    /// What was looked at.
    fn setting(&self) -> Sheet {
        let mut sheet = Sheet::new([self.trace.as_str(), ""]);
        let mut row = |name: &str, value: String| sheet.add([name.to_owned(), value]);
        row("jobs scored", format!("{} of {}", grouped(self.jobs), grouped(self.history_jobs)));
        row("days", format!("{:.1}", self.days()));
        row("forecast times", grouped(self.moments));
        row("forecasts", grouped(self.forecasts));
        row("forecasts of jobs that never started", grouped(self.never_started));
        row("jobs without a forecast", grouped(self.no_forecast));
        for pool in &self.machine {
            let name = if pool.partitions.is_empty() {
                "machine".to_owned()
            } else {
                format!("machine, partition {}", pool.partitions.join(", "))
            };
            let nodes = if pool.nodes > 0 { format!(", {} nodes", grouped(pool.nodes)) } else { String::new() };
            let gpus = if pool.gpus > 0 { format!(", {} GPUs", grouped(pool.gpus)) } else { String::new() };
            row(&name, format!("{} processors{nodes}{gpus}", grouped(pool.processors)));
        }
        sheet
    }

    /// Coverage and errors of Queuecast's forecasts, for the groups of these kinds.
    pub fn accuracy(title: &str, groups: &[GroupFigures], kinds: &[GroupKind]) -> Sheet {
        let mut sheet = Sheet::new([
            title,
            "forecasts",
            "in 50 %",
            "in 80 %",
            "in 95 %",
            "80 % width",
            "median error",
            "mean error",
            "within 10 min",
        ]);
        for group in groups.iter().filter(|group| kinds.contains(&group.kind)) {
            let coverage = [
                group.title(),
                grouped(group.forecasts),
                share(group.coverage.map(|coverage| coverage.p50)),
                share(group.coverage.map(|coverage| coverage.p80)),
                share(group.coverage.map(|coverage| coverage.p95)),
                or_dash(group.range80_median_width_seconds.map(duration)),
            ];
            sheet.add(coverage.into_iter().chain(errors(&group.ours)));
        }
        sheet
    }

    /// Errors of the limit-based estimate and of recent waits at the same moments, for the groups of these kinds.
    pub fn simpler_methods(title: &str, groups: &[GroupFigures], kinds: &[GroupKind]) -> Sheet {
        let mut sheet = Sheet::new([
            title,
            "limit-based: error",
            "mean",
            "10 min",
            "no estimate",
            "too late",
            "recent waits: error",
            "mean",
            "10 min",
        ]);
        for group in groups.iter().filter(|group| kinds.contains(&group.kind)) {
            let plan =
                errors(&group.plan.errors).into_iter().chain([share(group.plan.missing), share(group.plan.too_late)]);
            sheet.add([group.title()].into_iter().chain(plan).chain(errors(&group.last_waits)));
        }
        sheet
    }

    fn reliability(&self) -> Sheet {
        let mut sheet = Sheet::new(["forecast probability", "started, first forecasts", "started, all forecasts"]);
        let had = |shares: Option<[f64; 9]>, place: usize| or_dash(shares.map(|shares| percent(shares[place])));
        for (place, said) in self.reliability.shares.iter().enumerate() {
            sheet.add([percent(*said), had(self.reliability.first, place), had(self.reliability.all, place)]);
        }
        sheet
    }

    /// The waits by class.
    pub fn wait_table(&self) -> Sheet {
        let mut sheet = Sheet::new(["waits: time limit", "processors", "jobs", "mean", "median"]);
        for class in &self.waits {
            sheet.add([
                class.limit.to_owned(),
                class.processors.to_owned(),
                grouped(class.jobs),
                duration(class.mean_seconds),
                duration(class.median_seconds),
            ]);
        }
        sheet
    }

    /// What a daemon said, beside what Slurm itself planned.
    fn kept(&self) -> Option<Sheet> {
        let kept = self.stored_forecasts.as_ref()?;
        let mut sheet =
            Sheet::new(["stored forecasts", "forecasts", "in 80 %", "Queuecast: error", "Slurm: error", "no estimate"]);
        for group in kept.overall.iter().chain(&kept.by_partition) {
            for (which, figures) in [("first", &group.first), ("all", &group.all)] {
                sheet.add([
                    format!("{}, {which}", group.name),
                    grouped(figures.forecasts),
                    or_dash(figures.coverage.map(|coverage| percent(coverage.p80))),
                    or_dash(figures.slurm.ours_median_absolute_error_seconds.map(duration)),
                    or_dash(figures.slurm.median_absolute_error_seconds.map(duration)),
                    or_dash(figures.slurm.missing.map(percent)),
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
        let kinds = [Overall, Partition, WaitLeft];
        tables.push(Self::accuracy("first forecasts", &self.first, &kinds));
        tables.push(Self::simpler_methods("simpler methods, first", &self.first, &kinds));
        tables.push(Self::accuracy("all forecasts", &self.all, &kinds));
        tables.push(Self::simpler_methods("simpler methods, all", &self.all, &kinds));
        tables.push(Self::accuracy("first forecasts by class", &self.first, &[Class]));
        tables.push(Self::simpler_methods("simpler methods, first, by class", &self.first, &[Class]));
        tables.extend(self.expert_tables());
        let better = self.better_in_words();
        if !better.is_empty() {
            let mut sheet = Sheet::new(["a simpler method was better"]);
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
            for (said, had) in self.reliability.shares.iter().zip(shares.into_iter().flatten()) {
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
            let promised = line.max_risk.map_or_else(String::new, |promised| promised.to_string());
            for (figure, value) in [
                ("jobs", Some(line.jobs as f64)),
                ("killed", line.killed.map(|killed| killed.share)),
                ("killed_low", line.killed.map(|killed| killed.low)),
                ("killed_high", line.killed.map(|killed| killed.high)),
                ("median_limit_seconds", Some(line.median_limit_seconds)),
                ("median_of_requested", Some(line.median_of_requested)),
                ("median_share_of_requested", Some(line.median_share_of_requested)),
                ("sum_share_of_requested", Some(line.sum_share_of_requested)),
                ("unchanged", Some(line.unchanged)),
                ("ninetieth_user_killed", line.ninetieth_user_killed),
            ] {
                add("limits", &line.method, &promised, figure, value);
            }
        }
        for line in &self.limit_conditions {
            let promised = line.max_risk.to_string();
            for (figure, value) in condition_figures(line) {
                add("limit_conditions", &promised, "", &figure, value);
            }
        }
        sheet
    }
}

fn share(share: Option<f64>) -> String {
    or_dash(share.map(percent))
}

/// Median error, mean error, and share of errors up to ten minutes.
fn errors(errors: &ErrorFigures) -> [String; 3] {
    let error = |seconds: Option<f64>| or_dash(seconds.map(duration));
    [
        error(errors.median_absolute_error_seconds),
        error(errors.mean_absolute_error_seconds),
        share(errors.within_10_minutes),
    ]
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
    figures
        .extend([("plan.missing".to_owned(), group.plan.missing), ("plan.too_late".to_owned(), group.plan.too_late)]);
    figures
}
