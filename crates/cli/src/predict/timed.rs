//! How long predictions take: a stopwatch around a predictor.

use std::time::{Duration, Instant};

use queuecast_predict::{Outlived, Revisions, RuntimePredictor};
use queuecast_workload::{Outcome, Seconds, Submission, Time};
use serde::Serialize;

/// A predictor whose answers to arrivals are timed one by one, and the rest together.
pub struct Timed<P> {
    predictor: P,
    predictions: Vec<Duration>,
    learning: Duration,
}

/// How long a prediction took, in microseconds, the clock's own time included; and learning, an end.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "units belong in the names programs read")]
pub struct Latency {
    pub p50_microseconds: f64,
    pub p99_microseconds: f64,
    pub max_microseconds: f64,
    pub learn_mean_microseconds: f64,
}

impl<P> Timed<P> {
    pub fn new(predictor: P) -> Self {
        Self { predictor, predictions: Vec::new(), learning: Duration::ZERO }
    }

    pub fn latency(mut self) -> Latency {
        self.predictions.sort_unstable();
        let count = self.predictions.len();
        let at = |per_mille: usize| {
            let rank = (count * per_mille).div_ceil(1_000).clamp(1, count.max(1)) - 1;
            self.predictions.get(rank).map_or(0.0, |took| took.as_secs_f64() * 1e6)
        };
        Latency {
            p50_microseconds: at(500),
            p99_microseconds: at(990),
            max_microseconds: at(1_000),
            learn_mean_microseconds: self.learning.as_secs_f64() * 1e6 / (count as f64).max(1.0),
        }
    }
}

impl<P: RuntimePredictor> RuntimePredictor for &mut Timed<P> {
    fn on_arrival(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) -> Seconds {
        let begun = Instant::now();
        let planned = self.predictor.on_arrival(job, now, revisions);
        self.predictions.push(begun.elapsed());
        planned
    }
    fn on_start(&mut self, job: &Submission, now: Time, revisions: &mut Revisions) {
        self.predictor.on_start(job, now, revisions);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome, revisions: &mut Revisions) {
        let begun = Instant::now();
        self.predictor.on_end(job, outcome, revisions);
        self.learning += begun.elapsed();
    }
    fn on_outlived(&mut self, job: &Submission, miss: &Outlived, now: Time, revisions: &mut Revisions) -> Seconds {
        self.predictor.on_outlived(job, miss, now, revisions)
    }
}
