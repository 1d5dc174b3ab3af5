//! How good the forecasts were, as an answer: ours beside Slurm's own plan, overall, by partition and by class.
//!
//! For: the scorecard of `/v1/score`, what a forecast's answer says of others like it, and what is left of it where jobs
//! are private.
//!
//! Not for: the judging itself (`queuecast_forecast::score`).

use queuecast_forecast::CLASS_BOUNDS;
use queuecast_forecast::score::{Coverage, Figures, Score};
use queuecast_workload::Seconds;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Groups of fewer jobs are not shown to those who may not see the jobs.
pub const LEAST_JOBS_OF_A_GROUP: u64 = 5;

/// With fewer forecasts nothing is said of how good such forecasts were lately.
pub const LEAST_FORECASTS_LATELY: u64 = 30;

/// The scorecard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoreAnswer {
    /// All jobs together; `null` if there are none to show yet.
    pub overall: Option<ScoreGroupAnswer>,
    /// By partition.
    pub by_partition: Vec<ScoreGroupAnswer>,
    /// By class: how long the wait was that was left when the forecast was made.
    pub by_class: Vec<ScoreGroupAnswer>,
}

/// The figures of some jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoreGroupAnswer {
    /// Which: `all`, a partition's name or a class's.
    pub name: String,
    /// Of the first forecast of every job.
    pub first: FiguresAnswer,
    /// Of every forecast that was kept.
    pub all: FiguresAnswer,
}

/// How good some forecasts were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FiguresAnswer {
    /// Forecasts.
    pub forecasts: u64,
    /// Jobs they were of.
    pub jobs: u64,
    /// How often the start came within the range; `null` without forecasts.
    pub coverage: Option<CoverageAnswer>,
    /// How wide the 80 % range was: half were narrower.
    pub range80_median_width_seconds: Option<f64>,
    /// How far the median was off: half were nearer.
    pub median_absolute_error_seconds: Option<f64>,
    /// The share whose median was off by at most ten minutes.
    pub within_10_minutes: Option<f64>,
    /// Slurm's own plan at the same moments.
    pub slurm: SlurmFiguresAnswer,
}

/// Shares of starts that came within the range of this name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoverageAnswer {
    /// Of the 50 % range.
    pub p50: f64,
    /// Of the 80 % range.
    pub p80: f64,
    /// Of the 90 % range.
    pub p90: f64,
    /// Of the 95 % range.
    pub p95: f64,
}

/// How good Slurm's own plan was. Blank ones have no error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SlurmFiguresAnswer {
    /// How far it was off: half were nearer.
    pub median_absolute_error_seconds: Option<f64>,
    /// The share of those with a plan that was off by at most ten minutes.
    pub within_10_minutes: Option<f64>,
    /// The share for which Slurm had planned nothing.
    pub blank: Option<f64>,
    /// The share of its plans that were after the real start.
    pub too_late: Option<f64>,
    /// Our own error at the moments at which Slurm had a plan: what to compare its error with.
    pub ours_median_absolute_error_seconds: Option<f64>,
    /// Our own share within ten minutes at those moments.
    pub ours_within_10_minutes: Option<f64>,
}

/// How good forecasts like this one were lately.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LatelyAnswer {
    /// Of this partition.
    pub partition: String,
    /// So many.
    pub forecasts: u64,
    /// The share of starts within the 80 % range.
    pub coverage80: f64,
    /// How far the median was off: half were nearer.
    pub median_absolute_error_seconds: f64,
}

impl From<&Score> for ScoreAnswer {
    fn from(score: &Score) -> Self {
        let overall = group("all", Some(&score.first.overall), &score.all.overall);
        let partitions = score.all.by_partition.iter();
        let classes = score.first.by_wait_left.iter().zip(&score.all.by_wait_left).enumerate();
        Self {
            overall: Some(overall).filter(|overall| overall.all.forecasts > 0),
            by_partition: partitions.map(|(name, all)| group(name, score.first.by_partition.get(name), all)).collect(),
            by_class: classes
                .filter(|(_, (_, all))| all.forecasts > 0)
                .map(|(place, (first, all))| group(&class_name(place), Some(first), all))
                .collect(),
        }
    }
}

fn group(name: &str, first: Option<&Figures>, all: &Figures) -> ScoreGroupAnswer {
    ScoreGroupAnswer {
        name: name.to_owned(),
        first: first.map(FiguresAnswer::from).unwrap_or_default(),
        all: all.into(),
    }
}

fn class_name(place: usize) -> String {
    let hours = |bound: &Seconds| bound.0 / 3_600;
    match (CLASS_BOUNDS.get(place), CLASS_BOUNDS.last()) {
        (Some(bound), _) => format!("up to {} h", hours(bound)),
        (None, longest) => format!("more than {} h", longest.map_or(0, hours)),
    }
}

impl From<&Figures> for FiguresAnswer {
    fn from(figures: &Figures) -> Self {
        let slurm = &figures.slurm;
        let coverage = |coverage: Coverage| CoverageAnswer {
            p50: coverage.range50.share,
            p80: coverage.range80.share,
            p90: coverage.range90.share,
            p95: coverage.range95.share,
        };
        Self {
            forecasts: figures.forecasts,
            jobs: figures.jobs,
            coverage: figures.coverage.map(coverage),
            range80_median_width_seconds: figures.median_width_seconds,
            median_absolute_error_seconds: figures.errors.map(|errors| errors.median_seconds),
            within_10_minutes: figures.errors.map(|errors| errors.within_ten_minutes),
            slurm: SlurmFiguresAnswer {
                median_absolute_error_seconds: slurm.errors.map(|errors| errors.median_seconds),
                within_10_minutes: slurm.errors.map(|errors| errors.within_ten_minutes),
                blank: slurm.share_blank,
                too_late: slurm.share_too_late,
                ours_median_absolute_error_seconds: slurm.our_errors.map(|errors| errors.median_seconds),
                ours_within_10_minutes: slurm.our_errors.map(|errors| errors.within_ten_minutes),
            },
        }
    }
}

impl ScoreAnswer {
    /// How good forecasts in the first of these partitions that has enough were lately.
    pub fn lately(&self, partitions: &[String]) -> Option<LatelyAnswer> {
        partitions.iter().find_map(|partition| {
            let figures = &self.by_partition.iter().find(|group| group.name == *partition)?.all;
            let enough = figures.forecasts >= LEAST_FORECASTS_LATELY;
            let (coverage, median_absolute_error_seconds) = (figures.coverage?, figures.median_absolute_error_seconds?);
            enough.then(|| LatelyAnswer {
                partition: partition.clone(),
                forecasts: figures.forecasts,
                coverage80: coverage.p80,
                median_absolute_error_seconds,
            })
        })
    }

    /// Without the groups in which single jobs might be recognised.
    #[must_use]
    pub fn without_small_groups(&self) -> Self {
        Self {
            overall: self.overall.clone().filter(is_large_enough),
            by_partition: without_small(&self.by_partition),
            by_class: without_small(&self.by_class),
        }
    }
}

fn is_large_enough(group: &ScoreGroupAnswer) -> bool {
    group.all.jobs >= LEAST_JOBS_OF_A_GROUP && group.first.jobs >= LEAST_JOBS_OF_A_GROUP
}

/// What is left out must not be the difference between all and the rest: if it is only a few jobs in all, the smallest
/// group that would have been shown goes with it.
fn without_small(groups: &[ScoreGroupAnswer]) -> Vec<ScoreGroupAnswer> {
    let (mut shown, hidden): (Vec<_>, Vec<_>) = groups.iter().cloned().partition(is_large_enough);
    let hidden_jobs: u64 = hidden.iter().map(|group| group.first.jobs.min(group.all.jobs)).sum();
    if !hidden.is_empty() && hidden_jobs < LEAST_JOBS_OF_A_GROUP {
        let smallest = shown.iter().enumerate().min_by_key(|(_, group)| group.all.jobs).map(|(place, _)| place);
        if let Some(place) = smallest {
            shown.remove(place);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_workload::Time;

    fn scored(name: &str, jobs: u64) -> ScoreGroupAnswer {
        let figures = FiguresAnswer {
            forecasts: 3 * jobs,
            jobs,
            coverage: Some(CoverageAnswer { p50: 0.5, p80: 0.82, p90: 0.9, p95: 0.95 }),
            median_absolute_error_seconds: Some(240.0),
            ..FiguresAnswer::default()
        };
        ScoreGroupAnswer { name: name.to_owned(), first: figures.clone(), all: figures }
    }

    fn names(groups: &[ScoreGroupAnswer]) -> Vec<&str> {
        groups.iter().map(|group| group.name.as_str()).collect()
    }

    #[test]
    fn a_few_jobs_are_not_shown_and_not_to_be_had_by_subtraction_either() {
        let answer = |groups: &[(&str, u64)]| ScoreAnswer {
            overall: Some(scored("all", groups.iter().map(|(_, jobs)| jobs).sum())),
            by_partition: groups.iter().map(|(name, jobs)| scored(name, *jobs)).collect(),
            by_class: Vec::new(),
        };
        let shown = answer(&[("batch", 500), ("gpu", 40), ("secret", 2)]).without_small_groups();
        assert_eq!(names(&shown.by_partition), ["batch"], "gpu hides how many are in secret");
        let shown = answer(&[("batch", 500), ("gpu", 40), ("a", 3), ("b", 4)]).without_small_groups();
        assert_eq!(names(&shown.by_partition), ["batch", "gpu"]);
        let shown = answer(&[("batch", 500), ("gpu", 5)]).without_small_groups();
        assert_eq!(names(&shown.by_partition), ["batch", "gpu"]);
        assert_eq!(answer(&[("batch", 4)]).without_small_groups(), ScoreAnswer::default());
    }

    #[test]
    fn nothing_is_said_of_lately_before_thirty_forecasts() {
        let partitions = ["gpu".to_owned(), "batch".to_owned()];
        let score = |batch| ScoreAnswer {
            by_partition: vec![scored("gpu", 2), scored("batch", batch)],
            ..ScoreAnswer::default()
        };
        assert_eq!(score(9).lately(&partitions), None);
        let lately = score(10).lately(&partitions).expect("thirty forecasts");
        assert_eq!((lately.partition.as_str(), lately.forecasts), ("batch", 30));
        assert_eq!(score(10).lately(&[]), None);
    }

    #[test]
    fn what_was_scored_is_answered_overall_by_partition_and_by_class() {
        let mut keeper = queuecast_forecast::score::Scorekeeper::new();
        for wait in [600, 600, 90_000] {
            keeper.add(&queuecast_forecast::score::ScoredForecast {
                partition: "batch".to_owned(),
                submitted: Time(wait),
                made: Time(1_000_000),
                first: true,
                said: [Time(1_000_600); 9],
                raw: [Time(1_000_600); 9],
                slurm_said: Some(Time(1_000_900)),
                started: Time(1_000_000 + wait),
            });
        }
        let answer = ScoreAnswer::from(&keeper.score());
        let overall = answer.overall.expect("three forecasts");
        assert_eq!((overall.first.forecasts, overall.all.forecasts), (3, 3));
        assert!((overall.all.coverage.expect("three forecasts").p80 - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(overall.all.slurm.median_absolute_error_seconds, Some(300.0));
        assert_eq!(overall.all.slurm.ours_median_absolute_error_seconds, Some(0.0));
        assert_eq!(names(&answer.by_partition), ["batch"]);
        assert_eq!(names(&answer.by_class), ["up to 1 h", "more than 24 h"]);
        assert_eq!(ScoreAnswer::from(&Score::default()), ScoreAnswer::default());
    }
}
