//! The measures of one simulated schedule (R-MET-1 to R-MET-3, R-P4).

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::{Machine, Seconds, Time};
use serde::Serialize;

use crate::accuracy::{AccuracySummary, AccuracySums};
use crate::classes::{ClassSummary, ClassSums, LENGTH_CLASSES, SIZE_CLASSES};
use crate::distribution::Distribution;
use crate::fairness::{FairnessSummary, UserSums};
use crate::reservations::{ReservationSummary, ReservationSums};

/// max(1, (wait + run) / max(run, threshold)).
pub fn bounded_slowdown(wait: Seconds, run: Seconds, threshold: Seconds) -> f64 {
    ((wait + run).as_f64() / run.max(threshold).as_f64().max(1.0)).max(1.0)
}

/// Observes a simulation and adds up its measures.
#[derive(Clone, Debug)]
pub struct Measures {
    machine: Machine,
    slowdown_threshold: Seconds,
    wait: Distribution,
    slowdown: Distribution,
    accuracy: AccuracySums,
    reservations: ReservationSums,
    by_size: ClassSums<u32, { SIZE_CLASSES.len() }>,
    by_length: ClassSums<i64, { LENGTH_CLASSES.len() }>,
    users: UserSums,
    backfilled: u64,
    busy_processor_seconds: f64,
    first_submission: Option<Time>,
    last_end: Option<Time>,
}

/// What came out. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Jobs that ran.
    pub jobs: u64,
    /// Time in the queue.
    pub wait: WaitSummary,
    /// Bounded slowdown.
    pub bounded_slowdown: SlowdownSummary,
    /// Busy processors over all processors, from the first submission to the last end.
    pub utilisation: f64,
    /// From the first submission to the last end.
    pub makespan_seconds: f64,
    /// The share of jobs that overtook another.
    pub backfilled: f64,
    /// How good the run-time predictions were.
    pub accuracy: AccuracySummary,
    /// Whether promised starts were kept.
    pub reservations: ReservationSummary,
    /// How evenly users were served.
    pub fairness: FairnessSummary,
    /// By processors.
    pub by_size: Vec<ClassSummary>,
    /// By run time.
    pub by_length: Vec<ClassSummary>,
}

/// Time in the queue, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the usual statistics under their usual names")]
pub struct WaitSummary {
    pub mean: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

/// Bounded slowdown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the usual statistics under their usual names")]
pub struct SlowdownSummary {
    /// Run times below this count as this, in seconds.
    pub threshold: f64,
    pub mean: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Measures {
    /// Nothing measured yet, for schedules of `machine`.
    pub fn new(machine: Machine, slowdown_threshold: Seconds) -> Self {
        Self {
            machine,
            slowdown_threshold,
            wait: Distribution::default(),
            slowdown: Distribution::default(),
            accuracy: AccuracySums::default(),
            reservations: ReservationSums::default(),
            by_size: ClassSums::new(SIZE_CLASSES),
            by_length: ClassSums::new(LENGTH_CLASSES),
            users: UserSums::default(),
            backfilled: 0,
            busy_processor_seconds: 0.0,
            first_submission: None,
            last_end: None,
        }
    }

    /// What came out so far.
    pub fn summary(&mut self) -> Summary {
        let jobs = self.wait.count() as u64;
        let makespan = match (self.first_submission, self.last_end) {
            (Some(first), Some(last)) => (last - first).as_f64(),
            _ => 0.0,
        };
        let capacity = f64::from(self.machine.processors) * makespan;
        let [wait_p50, wait_p95, wait_p99] = self.wait.quantiles([0.50, 0.95, 0.99]);
        let [slowdown_p50, slowdown_p95, slowdown_p99] = self.slowdown.quantiles([0.50, 0.95, 0.99]);
        Summary {
            jobs,
            wait: WaitSummary {
                mean: self.wait.mean(),
                p50: wait_p50,
                p95: wait_p95,
                p99: wait_p99,
                max: self.wait.max(),
            },
            bounded_slowdown: SlowdownSummary {
                threshold: self.slowdown_threshold.as_f64(),
                mean: self.slowdown.mean(),
                p50: slowdown_p50,
                p95: slowdown_p95,
                p99: slowdown_p99,
                max: self.slowdown.max(),
            },
            utilisation: if capacity > 0.0 { self.busy_processor_seconds / capacity } else { 0.0 },
            makespan_seconds: makespan,
            backfilled: self.backfilled as f64 / (jobs as f64).max(1.0),
            accuracy: self.accuracy.summary(),
            reservations: self.reservations.summary(),
            fairness: self.users.summary(),
            by_size: self.by_size.summary(),
            by_length: self.by_length.summary(),
        }
    }
}

impl Observer for Measures {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        let (submission, outcome) = (job.submission, &job.outcome);
        let run = outcome.run();
        let wait = job.wait().as_f64();
        let slowdown = bounded_slowdown(job.wait(), run, self.slowdown_threshold);
        self.wait.add(wait);
        self.slowdown.add(slowdown);
        self.accuracy.add(run, &job.accuracy);
        self.reservations.add(job.promised, outcome.started);
        self.by_size.add(submission.request.processors, wait, slowdown);
        self.by_length.add(run.0, wait, slowdown);
        self.users.add(submission.user, wait, slowdown);
        self.backfilled += u64::from(job.backfilled);
        self.busy_processor_seconds += run.as_f64() * f64::from(submission.request.processors);
        let first = self.first_submission.get_or_insert(submission.submitted);
        *first = (*first).min(submission.submitted);
        self.last_end = self.last_end.max(Some(outcome.ended));
    }
}

/// The headline figures by the names they have in JSON and CSV.
pub const FIGURES: [&str; 21] = [
    "wait.mean",
    "wait.p50",
    "wait.p95",
    "wait.p99",
    "wait.max",
    "bounded_slowdown.mean",
    "bounded_slowdown.p50",
    "bounded_slowdown.p95",
    "bounded_slowdown.p99",
    "bounded_slowdown.max",
    "utilisation",
    "backfilled",
    "accuracy.mae",
    "accuracy.mae_over_mean_run",
    "accuracy.relative",
    "accuracy.underpredicted",
    "accuracy.weighted.absolute",
    "accuracy.weighted.relative",
    "reservations.violated_share",
    "fairness.wait_worst_user",
    "fairness.jain_index",
];

impl Summary {
    /// The headline figures by the names they have in JSON and CSV: what shaking gives intervals for.
    pub fn figures(&self) -> [(&'static str, f64); FIGURES.len()] {
        let weighted = &self.accuracy.weighted;
        let values = [
            self.wait.mean,
            self.wait.p50,
            self.wait.p95,
            self.wait.p99,
            self.wait.max,
            self.bounded_slowdown.mean,
            self.bounded_slowdown.p50,
            self.bounded_slowdown.p95,
            self.bounded_slowdown.p99,
            self.bounded_slowdown.max,
            self.utilisation,
            self.backfilled,
            self.accuracy.mae,
            self.accuracy.mae_over_mean_run,
            self.accuracy.relative,
            self.accuracy.underpredicted,
            weighted.absolute,
            weighted.relative,
            self.reservations.violated_share,
            self.fairness.wait_worst_user,
            self.fairness.jain_index,
        ];
        std::array::from_fn(|index| (FIGURES[index], values[index]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowdown_is_bounded_on_both_sides() {
        let slowdown = |wait, run| bounded_slowdown(Seconds(wait), Seconds(run), Seconds(10));
        assert!((slowdown(0, 100) - 1.0).abs() < 1e-12, "no wait, no slowdown");
        assert!((slowdown(300, 100) - 4.0).abs() < 1e-12);
        assert!((slowdown(99, 1) - 10.0).abs() < 1e-12, "a second counts as ten");
        assert!((slowdown(5, 1) - 1.0).abs() < 1e-12, "never below one");
        assert!((slowdown(0, 0) - 1.0).abs() < 1e-12);
    }
}
