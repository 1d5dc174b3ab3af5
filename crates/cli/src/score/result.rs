//! The scorecard as tables, JSON and CSV.

use queuecast_api::score::{FiguresResponse, ScoreGroupResponse, ScoreResponse};
use serde::Serialize;

use crate::ask::inert::inert;
use crate::output::{self, Report, Sheet, grouped, not_a_formula, or_dash, percent};

/// The scorecard.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct ScoreResult {
    answer: ScoreResponse,
}

/// What the rows of a table are.
const FIRST: &str = "first";
const ALL: &str = "all";

impl ScoreResult {
    /// The names in it are foreign, and are made harmless here, for every format alike.
    pub fn new(mut answer: ScoreResponse) -> Self {
        let groups = answer.overall.iter_mut().chain(&mut answer.by_partition).chain(&mut answer.by_class);
        for group in groups {
            group.name = inert(&group.name);
        }
        Self { answer }
    }

    /// Every group with what it is a group of.
    fn groups(&self) -> impl Iterator<Item = (&'static str, &ScoreGroupResponse)> {
        let named = |kind: &'static str| move |group| (kind, group);
        let overall = self.answer.overall.iter().map(named("overall"));
        let partitions = self.answer.by_partition.iter().map(named("partition"));
        overall.chain(partitions).chain(self.answer.by_class.iter().map(named("class")))
    }

    fn table(&self, title: &str, figures: impl Fn(&ScoreGroupResponse) -> &FiguresResponse) -> Sheet {
        let mut sheet = Sheet::new([
            title,
            "jobs",
            "forecasts",
            "in 50 %",
            "in 80 %",
            "in 95 %",
            "80 % width",
            "median error",
            "within 10 min",
        ]);
        for (kind, group) in self.groups() {
            let figures = figures(group);
            let coverage = |share: fn(&FiguresResponse) -> Option<f64>| or_dash(share(figures).map(percent));
            sheet.add([
                row_name(kind, group),
                grouped(figures.jobs),
                grouped(figures.forecasts),
                coverage(|figures| figures.coverage.map(|coverage| coverage.p50)),
                coverage(|figures| figures.coverage.map(|coverage| coverage.p80)),
                coverage(|figures| figures.coverage.map(|coverage| coverage.p95)),
                duration(figures.range80_median_width_seconds),
                duration(figures.median_absolute_error_seconds),
                or_dash(figures.within_10_minutes.map(percent)),
            ]);
        }
        sheet
    }

    /// The same moments with Slurm's estimates.
    fn slurm_table(&self, title: &str, figures: impl Fn(&ScoreGroupResponse) -> &FiguresResponse) -> Sheet {
        let mut sheet = Sheet::new([
            title,
            "Slurm: error",
            "within 10 min",
            "Queuecast: error",
            "within 10 min",
            "no estimate",
            "too late",
        ]);
        for (kind, group) in self.groups() {
            let slurm = &figures(group).slurm;
            sheet.add([
                row_name(kind, group),
                duration(slurm.median_absolute_error_seconds),
                or_dash(slurm.within_10_minutes.map(percent)),
                duration(slurm.ours_median_absolute_error_seconds),
                or_dash(slurm.ours_within_10_minutes.map(percent)),
                or_dash(slurm.missing.map(percent)),
                or_dash(slurm.too_late.map(percent)),
            ]);
        }
        sheet
    }
}

fn row_name(kind: &str, group: &ScoreGroupResponse) -> String {
    if kind == "overall" { "all".to_owned() } else { format!("{kind} {}", group.name) }
}

impl ScoreResult {
    /// Ours beside what is weighed into it, each by itself.
    fn experts(&self) -> Option<Sheet> {
        let overall = self.answer.overall.as_ref()?;
        let all = overall.all.experts.as_ref()?;
        let first = overall.first.experts.as_ref().map_or(&[][..], |first| &first.members);
        let mut sheet = Sheet::new([
            "each component alone",
            "first: median error",
            "mean error",
            "all: median error",
            "mean error",
        ]);
        for (place, answer) in all.members.iter().enumerate() {
            let first = first.get(place);
            sheet.add([
                inert(&answer.name),
                duration(first.map(|first| first.median_absolute_error_seconds)),
                duration(first.map(|first| first.mean_absolute_error_seconds)),
                duration(Some(answer.median_absolute_error_seconds)),
                duration(Some(answer.mean_absolute_error_seconds)),
            ]);
        }
        Some(sheet)
    }

    /// Simple answers that have been nearer for a month.
    fn better(&self) -> Option<Sheet> {
        let better = &self.answer.better_for_a_month;
        let mut sheet =
            Sheet::new(["better than Queuecast for a month", "forecasts", "number", "its median error", "Queuecast"]);
        for one in better {
            sheet.add([
                inert(&one.name),
                inert(&one.of),
                grouped(one.forecasts),
                duration(Some(one.median_absolute_error_seconds)),
                duration(Some(one.ours_median_absolute_error_seconds)),
            ]);
        }
        (!better.is_empty()).then_some(sheet)
    }
}

impl Report for ScoreResult {
    fn tables(&self) -> Vec<Sheet> {
        if self.groups().next().is_none() {
            return vec![Sheet::new([
                "No forecast has been scored yet. A stored forecast is scored when its job starts.",
            ])];
        }
        let mut tables = vec![
            self.table("first forecasts", |group| &group.first),
            self.slurm_table("Slurm, first forecasts", |group| &group.first),
            self.table("all forecasts", |group| &group.all),
            self.slurm_table("Slurm, all forecasts", |group| &group.all),
        ];
        tables.extend(self.experts());
        tables.extend(self.better());
        tables
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "kind",
            "name",
            "forecasts_kept",
            "jobs",
            "forecasts",
            "coverage_p50",
            "coverage_p80",
            "coverage_p90",
            "coverage_p95",
            "range80_median_width_seconds",
            "median_absolute_error_seconds",
            "within_10_minutes",
            "slurm_median_absolute_error_seconds",
            "slurm_within_10_minutes",
            "slurm_blank",
            "slurm_too_late",
            "slurm_ours_median_absolute_error_seconds",
            "slurm_ours_within_10_minutes",
        ]);
        for (kind, group) in self.groups() {
            for (which, figures) in [(FIRST, &group.first), (ALL, &group.all)] {
                let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
                let coverage = figures.coverage;
                sheet.add([
                    kind.to_owned(),
                    not_a_formula(&group.name),
                    which.to_owned(),
                    figures.jobs.to_string(),
                    figures.forecasts.to_string(),
                    number(coverage.map(|coverage| coverage.p50)),
                    number(coverage.map(|coverage| coverage.p80)),
                    number(coverage.map(|coverage| coverage.p90)),
                    number(coverage.map(|coverage| coverage.p95)),
                    number(figures.range80_median_width_seconds),
                    number(figures.median_absolute_error_seconds),
                    number(figures.within_10_minutes),
                    number(figures.slurm.median_absolute_error_seconds),
                    number(figures.slurm.within_10_minutes),
                    number(figures.slurm.missing),
                    number(figures.slurm.too_late),
                    number(figures.slurm.ours_median_absolute_error_seconds),
                    number(figures.slurm.ours_within_10_minutes),
                ]);
            }
        }
        sheet
    }
}

fn duration(seconds: Option<f64>) -> String {
    or_dash(seconds.map(output::duration))
}
