//! Forecasts scored as their jobs start.

use std::collections::BTreeMap;

use queuecast_forecast::{ForecastJob, ForecastObserver};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::Serialize;

use super::sums::{COVERAGE_LEVELS, RELIABILITY_LEVELS, Sums};

const WEEK_SECONDS: i64 = 7 * 24 * 3_600;
const RESAMPLES: usize = 1_000;

/// Upper ends of the bins of predicted waits by which calibration is shown, in seconds; the last is open.
const PREDICTED_BINS: [f64; 7] = [60.0, 600.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0, 86_400.0];

/// Observes a replay and scores what was said of a part of its jobs: those before only teach.
#[derive(Clone, Debug)]
pub struct WaitScores {
    from: u64,
    to: u64,
    weeks: BTreeMap<i64, Sums>,
    by_predicted: [BinSums; PREDICTED_BINS.len() + 1],
}

#[derive(Clone, Copy, Debug, Default)]
struct BinSums {
    predicted_seconds: f64,
    sums: Sums,
}

/// A 95 % interval from resampling weeks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low95: f64,
    /// Upper end.
    pub high95: f64,
}

/// How often the class was right, as shares of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassAccuracy {
    /// One class named.
    pub single: f64,
    /// Two.
    pub two: f64,
    /// Three.
    pub three: f64,
    /// What always saying "up to an hour" gives.
    pub majority: f64,
    /// The same of jobs that waited for more than an hour.
    pub single_over_1h: f64,
    /// Two classes.
    pub two_over_1h: f64,
    /// Three.
    pub three_over_1h: f64,
    /// Mean negative logarithm of the probability of what came.
    pub log_loss: f64,
    /// Mean squared distance of the probabilities from what came.
    pub brier: f64,
}

/// How far the time was off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WaitError {
    /// Mean absolute error in seconds.
    pub mae: f64,
    /// The same over the mean wait.
    pub mae_over_mean_wait: f64,
    /// Mean absolute logarithm of (1 + predicted) over (1 + actual).
    pub log_ratio: f64,
    /// Share of jobs within a minute.
    pub within_1_minute: f64,
    /// Within ten.
    pub within_10_minutes: f64,
}

/// Central ranges: how often they held what came, as shares, and how wide they were.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Of the 50 % range.
    pub p50: f64,
    /// Of the 80 % range.
    pub p80: f64,
    /// Of the 90 % range.
    pub p90: f64,
    /// Of the 95 % range.
    pub p95: f64,
    /// Mean width over the mean wait, of each in this order.
    pub width_over_mean_wait: [f64; COVERAGE_LEVELS.len()],
}

/// The bound that is meant to hold for 95 % of the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bound {
    /// How often it did.
    pub coverage: f64,
    /// Its mean over the mean wait.
    pub over_mean_wait: f64,
}

/// Jobs of which about the same wait was said.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Longest wait said, in seconds; none for the last bin.
    pub up_to_seconds: Option<f64>,
    /// How many.
    pub jobs: f64,
    /// Mean of what was said.
    pub predicted_seconds: f64,
    /// Mean of what came.
    pub actual_seconds: f64,
    /// Coverage of the 90 % range.
    pub coverage_p90: f64,
    /// Coverage of the 95 % bound.
    pub bound_coverage: f64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitSummary {
    /// Jobs scored.
    pub jobs: f64,
    /// Their mean wait.
    pub mean_wait_seconds: f64,
    /// Classes.
    pub classes: ClassAccuracy,
    /// Times.
    pub error: WaitError,
    /// Ranges.
    pub coverage: Coverage,
    /// The bound.
    pub bound95: Bound,
    /// Mean continuous ranked probability score in seconds.
    pub crps: f64,
    /// The same over the mean wait.
    pub crps_over_mean_wait: f64,
    /// Mean pinball loss over quantiles from 5 to 95 %, in seconds.
    pub pinball: f64,
    /// Share of jobs at or below the quantile of each level.
    pub reliability: Vec<(f64, f64)>,
    /// Where what came lay in its distribution, in twentieths: all alike if the distributions are right.
    pub places: Vec<f64>,
    /// By what was said.
    pub by_predicted: Vec<CalibrationBin>,
    /// 95 % intervals of some of the above, by name.
    pub intervals: BTreeMap<&'static str, Interval>,
}

impl WaitScores {
    /// Scores jobs from one place in the order of submission up to, not including, another, counted from zero.
    pub fn new(from: u64, to: u64) -> Self {
        Self { from, to, weeks: BTreeMap::new(), by_predicted: [BinSums::default(); PREDICTED_BINS.len() + 1] }
    }

    /// What came out; `seed` decides the resampling.
    pub fn summary(&self, seed: u64) -> WaitSummary {
        let weeks: Vec<Sums> = self.weeks.values().copied().collect();
        let total = weeks.iter().fold(Sums::default(), |total, week| total.plus(week));
        let mean_wait = total.wait_seconds / total.jobs;
        WaitSummary {
            jobs: total.jobs,
            mean_wait_seconds: mean_wait,
            classes: classes(&total),
            error: WaitError {
                mae: total.error_seconds / total.jobs,
                mae_over_mean_wait: total.error_seconds / total.wait_seconds,
                log_ratio: total.log_error / total.jobs,
                within_1_minute: total.within_a_minute / total.jobs,
                within_10_minutes: total.within_ten_minutes / total.jobs,
            },
            coverage: {
                let [p50, p80, p90, p95] = total.covered.map(|covered| covered / total.jobs);
                let width_over_mean_wait = total.width_seconds.map(|width| width / total.wait_seconds);
                Coverage { p50, p80, p90, p95, width_over_mean_wait }
            },
            bound95: Bound {
                coverage: total.within_bound / total.jobs,
                over_mean_wait: total.bound_seconds / total.wait_seconds,
            },
            crps: total.crps_seconds / total.jobs,
            crps_over_mean_wait: total.crps_seconds / total.wait_seconds,
            pinball: total.pinball_seconds / total.jobs,
            reliability: RELIABILITY_LEVELS
                .into_iter()
                .zip(total.below_quantile)
                .map(|(level, below)| (level, below / total.jobs))
                .collect(),
            places: total.places.iter().map(|jobs| jobs / total.jobs).collect(),
            by_predicted: self.calibration(),
            intervals: intervals(&weeks, seed),
        }
    }

    fn calibration(&self) -> Vec<CalibrationBin> {
        let ends = PREDICTED_BINS.into_iter().map(Some).chain([None]);
        let bins = ends.zip(&self.by_predicted).filter(|(_, bin)| bin.sums.jobs > 0.0);
        bins.map(|(up_to_seconds, BinSums { predicted_seconds, sums })| CalibrationBin {
            up_to_seconds,
            jobs: sums.jobs,
            predicted_seconds: predicted_seconds / sums.jobs,
            actual_seconds: sums.wait_seconds / sums.jobs,
            coverage_p90: sums.covered[2] / sums.jobs,
            bound_coverage: sums.within_bound / sums.jobs,
        })
        .collect()
    }
}

fn classes(total: &Sums) -> ClassAccuracy {
    let over_an_hour = total.jobs - total.up_to_an_hour;
    ClassAccuracy {
        single: total.single / total.jobs,
        two: total.two / total.jobs,
        three: total.three / total.jobs,
        majority: total.up_to_an_hour / total.jobs,
        single_over_1h: total.single_over_an_hour / over_an_hour,
        two_over_1h: total.two_over_an_hour / over_an_hour,
        three_over_1h: total.three_over_an_hour / over_an_hour,
        log_loss: total.log_loss / total.jobs,
        brier: total.brier / total.jobs,
    }
}

/// A figure by name.
type Figure = (&'static str, fn(&Sums) -> f64);

/// The figures that get an interval.
const WITH_INTERVALS: [Figure; 9] = [
    ("classes.single", |sums| sums.single / sums.jobs),
    ("classes.two", |sums| sums.two / sums.jobs),
    ("classes.three", |sums| sums.three / sums.jobs),
    ("classes.majority", |sums| sums.up_to_an_hour / sums.jobs),
    ("classes.single_over_1h", |sums| sums.single_over_an_hour / (sums.jobs - sums.up_to_an_hour)),
    ("error.mae_over_mean_wait", |sums| sums.error_seconds / sums.wait_seconds),
    ("bound95.coverage", |sums| sums.within_bound / sums.jobs),
    ("bound95.over_mean_wait", |sums| sums.bound_seconds / sums.wait_seconds),
    ("crps_over_mean_wait", |sums| sums.crps_seconds / sums.wait_seconds),
];

fn intervals(weeks: &[Sums], seed: u64) -> BTreeMap<&'static str, Interval> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut figures: Vec<Vec<f64>> = vec![Vec::new(); WITH_INTERVALS.len()];
    if !weeks.is_empty() {
        for _ in 0..RESAMPLES {
            let drawn = (0..weeks.len()).map(|_| &weeks[generator.random_range(0..weeks.len())]);
            let total = drawn.fold(Sums::default(), |total, week| total.plus(week));
            for (values, (_, figure)) in figures.iter_mut().zip(WITH_INTERVALS) {
                values.push(figure(&total));
            }
        }
    }
    let interval = |values: &mut Vec<f64>| {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let at = |per_mille: usize| values.get(values.len() * per_mille / 1_000).copied().unwrap_or(f64::NAN);
        Interval { low95: at(25), high95: at(975) }
    };
    WITH_INTERVALS.iter().zip(&mut figures).map(|((name, _), values)| (*name, interval(values))).collect()
}

impl ForecastObserver for WaitScores {
    fn started(&mut self, job: ForecastJob<'_>) {
        if !(self.from..self.to).contains(&job.submission.job.0) {
            return;
        }
        let sums = Sums::of(&job);
        let week = self.weeks.entry(job.submission.submitted.0.div_euclid(WEEK_SECONDS)).or_default();
        *week = week.plus(&sums);
        let predicted = job.forecast.point_seconds;
        let bin = &mut self.by_predicted[PREDICTED_BINS.iter().filter(|end| predicted > **end).count()];
        bin.predicted_seconds += predicted;
        bin.sums = bin.sums.plus(&sums);
    }
}

#[cfg(test)]
mod tests {
    use queuecast_forecast::{WaitDistribution, WaitForecast};
    use queuecast_workload::{JobId, Request, Seconds, Submission, Time};

    use super::*;

    fn submission(job: u64, submitted: i64) -> Submission {
        Submission {
            job: JobId(job),
            submitted: Time(submitted),
            request: Request { processors: 1 },
            limit: None,
            user: None,
            group: None,
            program: None,
            queue: None,
            partition: None,
        }
    }

    fn scored(said: &[f64], waits: &[i64]) -> WaitSummary {
        let mut scores = WaitScores::new(0, 1_000);
        for (index, (said, wait)) in said.iter().zip(waits).enumerate() {
            let forecast = WaitForecast::from_distribution(WaitDistribution::of([*said]));
            let submission = submission(index as u64, 200_000 * index as i64);
            scores.started(ForecastJob { submission: &submission, forecast: &forecast, wait: Seconds(*wait) });
        }
        scores.summary(1)
    }

    #[test]
    fn a_forecast_that_is_always_right_has_every_score() {
        let summary = scored(&[0.0, 5_000.0, 90_000.0, 30.0], &[0, 5_000, 90_000, 30]);
        let shares = [summary.classes.single, summary.classes.two, summary.bound95.coverage, summary.coverage.p50];
        assert!(shares.iter().all(|share| (share - 1.0).abs() < 1e-12), "{summary:?}");
        assert!(summary.error.mae.abs() < 1e-12 && summary.crps.abs() < 1e-12);
        assert!((summary.classes.majority - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_majority_answer_never_knows_who_waits_for_long() {
        let summary = scored(&[0.0; 4], &[0, 5_000, 90_000, 30]);
        assert!((summary.classes.single - 0.5).abs() < 1e-12);
        assert!(summary.classes.single_over_1h.abs() < 1e-12);
        // Classes up to three hours are named as two.
        assert!((summary.classes.two - 0.75).abs() < 1e-12);
        assert!((summary.error.mae_over_mean_wait - 1.0).abs() < 1e-3, "{:?}", summary.error);
    }

    #[test]
    fn only_the_part_asked_for_is_scored() {
        let mut scores = WaitScores::new(10, 20);
        let forecast = WaitForecast::from_distribution(WaitDistribution::of([0.0]));
        for job in 0..30 {
            let submission = submission(job, 0);
            scores.started(ForecastJob { submission: &submission, forecast: &forecast, wait: Seconds(0) });
        }
        assert!((scores.summary(1).jobs - 10.0).abs() < 1e-12);
    }

    #[test]
    fn intervals_hold_the_figure_and_the_same_seed_gives_the_same() {
        let waits: Vec<i64> = (0..400).map(|index| if index % 3 == 0 { 8_000 } else { 10 }).collect();
        let summary = scored(&vec![0.0; waits.len()], &waits);
        let interval = summary.intervals["classes.single"];
        assert!(interval.low95 < summary.classes.single && summary.classes.single < interval.high95, "{interval:?}");
        assert_eq!(summary.intervals, scored(&vec![0.0; waits.len()], &waits).intervals);
    }
}
