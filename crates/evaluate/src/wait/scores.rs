//! Forecasts scored as their jobs start.

use std::collections::BTreeMap;

use queuecast_forecast::{DurationCounts, ForecastJob, ForecastObserver, median_of_all};

use super::against::{Against, Span, WeekOfBoth};
use super::hour::HourCounts;
use super::predicted::PredictedBins;
use super::resampling::{difference, intervals};
use super::summary::{Bound95, ClassAccuracy, Coverage, WaitError, WaitSummary};
use super::sums::{RELIABILITY_LEVELS, Sums};
use crate::Resampled;

const WEEK_SECONDS: i64 = 7 * 24 * 3_600;

/// Observes a replay and scores what was said of a part of its jobs: those before only teach. What it holds grows with the
/// weeks of the log, not with its jobs.
#[derive(Clone, Debug)]
pub struct WaitScores {
    from: u64,
    to: u64,
    weeks: BTreeMap<i64, Sums>,
    by_predicted: PredictedBins,
    within_an_hour: HourCounts,
    errors: BTreeMap<i64, DurationCounts>,
    widths: DurationCounts,
}

impl WaitScores {
    /// Scores jobs from one place in the order of submission up to, not including, another, counted from zero.
    pub fn new(from: u64, to: u64) -> Self {
        Self {
            from,
            to,
            weeks: BTreeMap::new(),
            by_predicted: PredictedBins::default(),
            within_an_hour: HourCounts::default(),
            errors: BTreeMap::new(),
            widths: DurationCounts::default(),
        }
    }

    /// What came out; `seed` decides the resampling.
    pub fn summary(&self, seed: u64) -> WaitSummary {
        let weeks: Vec<Sums> = self.weeks.values().copied().collect();
        let total = weeks.iter().fold(Sums::default(), |total, week| total.plus(week));
        let share = |part: f64| part / total.jobs;
        let over_wait = |part: f64| part / total.wait_seconds;
        WaitSummary {
            jobs: total.jobs,
            mean_wait_seconds: share(total.wait_seconds),
            classes: classes(&total),
            error: WaitError {
                mae: share(total.error_seconds),
                median: median_of_all(self.errors.values()),
                mae_over_mean_wait: over_wait(total.error_seconds),
                log_ratio: share(total.log_error),
                within_1_minute: share(total.within_a_minute),
                within_10_minutes: share(total.within_ten_minutes),
                over_response_time: total.response_error / total.response_jobs,
            },
            coverage: {
                let [p50, p80, p90, p95] = total.covered.map(share);
                let width_over_mean_wait = total.width_seconds.map(over_wait);
                let p80_median_width_seconds = median_of_all([&self.widths]);
                let at_random = total.covered_at_random.map(share);
                Coverage { p50, p80, p90, p95, at_random, p80_median_width_seconds, width_over_mean_wait }
            },
            bound95: Bound95 { coverage: share(total.within_bound), over_mean_wait: over_wait(total.bound_seconds) },
            crps: share(total.crps_seconds),
            crps_over_mean_wait: over_wait(total.crps_seconds),
            pinball: share(total.pinball_seconds),
            reliability: RELIABILITY_LEVELS.into_iter().zip(total.below_quantile.map(share)).collect(),
            places: total.places.map(share).into(),
            within_1h: self.within_an_hour.summary(),
            by_predicted: self.by_predicted.summary(),
            intervals: intervals(&weeks, seed),
        }
    }

    /// How much larger the figure of this name is than another method's of the same jobs, with an interval from resampling
    /// the same weeks for both; `None` for a figure without intervals.
    pub fn difference(&self, other: &Self, figure: &str, seed: u64) -> Option<Resampled> {
        let of_other = |week: &i64| other.weeks.get(week).copied().unwrap_or_default();
        let pairs: Vec<[Sums; 2]> = self.weeks.iter().map(|(week, own)| [*own, of_other(week)]).collect();
        difference(&pairs, figure, seed)
    }

    /// How this compares with another method's forecasts of the same jobs, in the whole log or in its last weeks.
    pub fn against(&self, other: &Self, weeks: Span, seed: u64) -> Against {
        let from = match weeks {
            Span::Whole => i64::MIN,
            Span::Last(weeks) => self.weeks.keys().next_back().map_or(i64::MIN, |last| last - weeks + 1),
        };
        let pairs = self.weeks.range(from..).map(|(week, own)| WeekOfBoth {
            crps_seconds: [own.crps_seconds, other.weeks.get(week).map_or(0.0, |other| other.crps_seconds)],
            errors: [self, other].map(|scores| scores.errors.get(week).cloned().unwrap_or_default()),
        });
        Against::of(&pairs.collect::<Vec<_>>(), seed)
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

impl ForecastObserver for WaitScores {
    fn started(&mut self, job: ForecastJob<'_>) {
        if !(self.from..self.to).contains(&job.submission.job.0) {
            return;
        }
        let sums = Sums::of(&job);
        let week = job.submission.submitted.0.div_euclid(WEEK_SECONDS);
        let in_week = self.weeks.entry(week).or_default();
        *in_week = in_week.plus(&sums);
        self.by_predicted.add(&job, &sums);
        self.within_an_hour.add(&job);
        self.errors.entry(week).or_default().add((job.forecast.point_seconds - job.wait.as_f64()).abs());
        self.widths.add(sums.width_seconds[1]);
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
    fn a_stated_probability_is_held_against_what_came() {
        let mut scores = WaitScores::new(0, 1_000);
        // Four in five futures within the hour are stated; every second job takes longer.
        let forecast = WaitForecast::from_distribution(WaitDistribution::of([0.0, 10.0, 60.0, 600.0, 9_000.0]));
        for job in 0..10 {
            let (submission, wait) = (submission(job, 0), Seconds(if job % 2 == 0 { 5 } else { 5_000 }));
            scores.started(ForecastJob { submission: &submission, forecast: &forecast, wait });
        }
        let summary = scores.summary(1);
        let [bin] = summary.within_1h.bins.as_slice() else { panic!("one probability, {:?}", summary.within_1h) };
        assert!((bin.from - 0.8).abs() < 1e-9 && (bin.stated - 0.8).abs() < 1e-9 && (bin.came - 0.5).abs() < 1e-9);
        assert_eq!((summary.within_1h.precision, summary.within_1h.recall), (Some(0.5), Some(1.0)));
        let [bin] = summary.by_predicted.as_slice() else { panic!("one forecast, {:?}", summary.by_predicted) };
        assert_eq!((bin.up_to_seconds, bin.jobs), (Some(60.0), 10.0));
        assert!((bin.predicted_median_seconds - 60.0).abs() <= 1.0 && (bin.coverage_p80 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_error_in_response_time_counts_the_limit_and_only_jobs_that_have_one() {
        let mut scores = WaitScores::new(0, 1_000);
        let forecast = WaitForecast::from_distribution(WaitDistribution::of([400.0]));
        for (job, limit) in [(0, Some(Seconds(900))), (1, None)] {
            let submission = Submission { limit, ..submission(job, 0) };
            scores.started(ForecastJob { submission: &submission, forecast: &forecast, wait: Seconds(100) });
        }
        assert!((scores.summary(1).error.over_response_time - 0.3).abs() < 1e-9);
    }

    #[test]
    fn methods_that_differ_alike_every_week_differ_beyond_doubt() {
        let scores = |named: fn(u64) -> f64| {
            let mut scores = WaitScores::new(0, 1_000);
            for job in 0..200 {
                let forecast = WaitForecast::from_distribution(WaitDistribution::of([named(job)]));
                let submission = submission(job, 100_000 * job as i64);
                scores.started(ForecastJob { submission: &submission, forecast: &forecast, wait: Seconds(0) });
            }
            scores
        };
        let (always, mostly) = (scores(|_| 0.0), scores(|job| if job % 4 == 0 { 9_000.0 } else { 0.0 }));
        let difference = always.difference(&mostly, "classes.single", 1).expect("it has an interval");
        assert!((difference.value - 0.25).abs() < 1e-9 && difference.low95 > 0.1, "{difference:?}");
        assert_eq!(always.difference(&mostly, "nothing", 1), None);
    }

    #[test]
    fn intervals_hold_the_figure_and_the_same_seed_gives_the_same() {
        let waits: Vec<i64> = (0..400).map(|index| if index % 3 == 0 { 8_000 } else { 10 }).collect();
        let summary = scored(&vec![0.0; waits.len()], &waits);
        let interval = summary.intervals["classes.single"];
        assert!(interval.low95 < summary.classes.single && summary.classes.single < interval.high95, "{interval:?}");
        assert!(summary.intervals.keys().all(|name| summary.figure(name).is_some()), "a name that is no figure");
        assert_eq!(summary.intervals, scored(&vec![0.0; waits.len()], &waits).intervals);
    }
}
