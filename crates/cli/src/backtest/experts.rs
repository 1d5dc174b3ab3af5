//! Ours beside each expert by itself, whoever was better for a month, and what was worst: as figures, tables and CSV.

use queuecast_evaluate::wait::{Compared, ratio_by_weeks};
use queuecast_forecast::pooled::EXPERTS;
use queuecast_forecast::score::BetterForAMonth;
use queuecast_site::backtest::{ANSWERS, Contest, Contests, Worst};
use serde::Serialize;

use super::result::BacktestResult;
use crate::ask::inert::inert;
use crate::output::{Sheet, duration, grouped, or_dash, percent};

/// Of jobs that had just come, and of those that had waited.
#[derive(Serialize)]
pub struct ExpertContests {
    pub first: ExpertContest,
    pub later: ExpertContest,
}

/// Ours and the experts at the same moments.
#[derive(Serialize)]
pub struct ExpertContest {
    pub forecasts: u64,
    /// Ours first.
    pub members: Vec<AnswerFigures>,
}

/// How good one answer was.
#[derive(Serialize)]
pub struct AnswerFigures {
    pub name: &'static str,
    pub coverage_p80: f64,
    pub median_absolute_error_seconds: f64,
    pub crps_seconds: f64,
    /// Our CRPS over this one's, with an interval by weeks.
    pub ours_over_its_crps: Option<Compared>,
}

/// Simple answers that were nearer.
#[derive(Serialize)]
pub struct BetterFigures {
    pub first: Vec<BetterForAMonth>,
    pub all: Vec<BetterForAMonth>,
}

/// A first forecast that was far off.
#[derive(Serialize)]
pub struct WorstForecast {
    pub job: i64,
    pub partition: String,
    pub made: i64,
    /// How much longer it was said to wait.
    pub forecast_p10_seconds: i64,
    pub forecast_p50_seconds: i64,
    pub forecast_p90_seconds: i64,
    /// How much longer it waited.
    pub actual_seconds: i64,
    pub nearest_expert: &'static str,
    pub nearest_expert_forecast_seconds: i64,
}

const OURS: [&str; 2] = ["ours", "pooled"];

/// An expert as a person would call it.
fn in_words(name: &str) -> &'static str {
    match name {
        "simulation" => "simulation",
        "simulation:repaired" => "simulation, learned priority order",
        "recent" => "recent waits, partition",
        "recent:class" => "recent waits, similar jobs",
        "recent:user" => "recent waits, same user",
        "forest" => "random forest",
        "plan" => "limit-based estimate",
        "pooled" => "Queuecast, raw ranges",
        _ => "Queuecast",
    }
}

impl ExpertContests {
    pub fn new(contests: &Contests, seed: u64) -> Self {
        let of = |contest: &Contest| ExpertContest::new(contest, seed);
        Self { first: of(&contests.first), later: of(&contests.later) }
    }
}

impl ExpertContest {
    fn new(contest: &Contest, seed: u64) -> Self {
        if contest.forecasts == 0 {
            return Self { forecasts: 0, members: Vec::new() };
        }
        let distances = contest.mean_distances();
        let ratio = |place: usize| {
            let weeks: Vec<[f64; 2]> = contest.weeks.values().map(|week| [week[0], week[place]]).collect();
            ratio_by_weeks(&weeks, seed)
        };
        let answer = |place: usize| AnswerFigures {
            name: place.checked_sub(OURS.len()).map_or_else(|| OURS[place], |expert| EXPERTS[expert]),
            coverage_p80: contest.held[place] as f64 / contest.forecasts as f64,
            median_absolute_error_seconds: contest.errors[place].median_seconds().unwrap_or(0.0),
            crps_seconds: distances[place],
            // Where nobody is ever off there is nothing to divide by.
            ours_over_its_crps: (place > 0 && distances[place] > 0.0).then(|| ratio(place)),
        };
        Self { forecasts: contest.forecasts, members: (0..ANSWERS).map(answer).collect() }
    }

    fn table(&self, title: &str) -> Sheet {
        let mut sheet =
            Sheet::new([title, "in 80 %", "median error", "CRPS", "Queuecast's / its CRPS", "low 95 %", "high 95 %"]);
        for answer in &self.members {
            let ratio = answer.ours_over_its_crps;
            let shown = |value: Option<f64>| or_dash(value.map(|value| format!("{value:.2}")));
            sheet.add([
                in_words(answer.name).to_owned(),
                percent(answer.coverage_p80),
                duration(answer.median_absolute_error_seconds),
                duration(answer.crps_seconds),
                shown(ratio.map(|ratio| ratio.value)),
                shown(ratio.map(|ratio| ratio.interval.low95)),
                shown(ratio.map(|ratio| ratio.interval.high95)),
            ]);
        }
        sheet
    }
}

impl BetterFigures {
    pub fn new([first, all]: [Vec<BetterForAMonth>; 2]) -> Self {
        Self { first, all }
    }
}

impl WorstForecast {
    pub fn new(worst: &Worst) -> Self {
        let [low, middle, high] = worst.said.map(|said| said.0);
        Self {
            job: worst.job,
            partition: inert(&worst.partition),
            made: worst.made.0,
            forecast_p10_seconds: low,
            forecast_p50_seconds: middle,
            forecast_p90_seconds: high,
            actual_seconds: worst.came.0,
            nearest_expert: worst.nearest.0,
            nearest_expert_forecast_seconds: worst.nearest.1.0,
        }
    }
}

impl BacktestResult {
    /// Ours beside each expert: of first forecasts and of later ones.
    pub fn expert_tables(&self) -> [Sheet; 2] {
        let title = |what: &str, contest: &ExpertContest| format!("{what} ({})", grouped(contest.forecasts));
        [
            self.experts.first.table(&title("each component alone, first forecasts", &self.experts.first)),
            self.experts.later.table(&title("each component alone, later forecasts", &self.experts.later)),
        ]
    }

    /// Who was nearer than ours for a month, in a sentence each.
    pub fn better_in_words(&self) -> Vec<String> {
        let first = self.better_for_a_month.first.iter().map(|better| sentence("First forecasts", better));
        let all = self.better_for_a_month.all.iter().map(|better| sentence("All forecasts", better));
        first.chain(all).collect()
    }

    /// The first forecasts that were furthest off.
    pub fn worst_table(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "largest errors: job",
            "partition",
            "forecast wait",
            "80 % range",
            "actual wait",
            "position",
            "nearest component",
            "its forecast",
        ]);
        for worst in &self.worst {
            let wait = |seconds: i64| duration(seconds as f64);
            let [low, high] = [worst.forecast_p10_seconds, worst.forecast_p90_seconds];
            let which = if worst.actual_seconds < low {
                "below the range"
            } else if worst.actual_seconds > high {
                "above the range"
            } else {
                "within the range"
            };
            sheet.add([
                worst.job.to_string(),
                worst.partition.clone(),
                wait(worst.forecast_p50_seconds),
                format!("{} to {}", wait(low), wait(high)),
                wait(worst.actual_seconds),
                which.to_owned(),
                in_words(worst.nearest_expert).to_owned(),
                wait(worst.nearest_expert_forecast_seconds),
            ]);
        }
        sheet
    }
}

/// That a simple answer was nearer.
fn sentence(what: &str, better: &BetterForAMonth) -> String {
    format!(
        "{what} of the last month: median error {} for \u{201c}{}\u{201d}, {} for Queuecast ({} forecasts).",
        duration(better.median_seconds),
        in_words(better.name),
        duration(better.our_median_seconds),
        grouped(better.forecasts)
    )
}

/// The figures of a contest by JSON's names.
pub fn contest_figures(contest: &ExpertContest) -> Vec<(&'static str, &'static str, f64)> {
    let of = |answer: &AnswerFigures| {
        let ratio = answer.ours_over_its_crps.map(|ratio| {
            [
                ("ours_over_its_crps.value", ratio.value),
                ("ours_over_its_crps.low95", ratio.interval.low95),
                ("ours_over_its_crps.high95", ratio.interval.high95),
            ]
        });
        let own = [
            ("coverage_p80", answer.coverage_p80),
            ("median_absolute_error_seconds", answer.median_absolute_error_seconds),
            ("crps_seconds", answer.crps_seconds),
        ];
        let name = answer.name;
        let all: Vec<_> = own.into_iter().chain(ratio.into_iter().flatten()).collect();
        all.into_iter().map(move |(figure, value)| (name, figure, value))
    };
    contest.members.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expert_has_words_of_its_own() {
        let mut words: Vec<&str> = EXPERTS.into_iter().chain(OURS).chain(["plan"]).map(in_words).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), EXPERTS.len() + OURS.len() + 1);
    }

    #[test]
    fn who_was_nearer_is_told_with_both_errors() {
        let better = BetterForAMonth {
            name: "recent:user",
            forecasts: 1_200,
            users: 5,
            median_seconds: 180.0,
            our_median_seconds: 240.0,
        };
        assert_eq!(
            sentence("First forecasts", &better),
            "First forecasts of the last month: median error 3.0 min for \u{201c}recent waits, same user\u{201d}, 4.0 min for Queuecast (1,200 \
             forecasts)."
        );
    }
}
