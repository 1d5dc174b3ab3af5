//! How long forecasts take: a stopwatch around a forecaster.

use std::time::{Duration, Instant};

use queuecast_forecast::{SiteState, WaitForecast, WaitForecaster};
use queuecast_workload::{Outcome, Submission, Time};
use serde::Serialize;

/// A forecaster whose answers are timed one by one.
pub struct Timed<F> {
    forecaster: F,
    forecasts: Vec<Duration>,
}

/// How long a forecast took, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "units belong in the names programs read")]
pub struct Latency {
    pub mean_milliseconds: f64,
    pub p50_milliseconds: f64,
    pub p99_milliseconds: f64,
    pub max_milliseconds: f64,
}

impl<F> Timed<F> {
    pub fn new(forecaster: F) -> Self {
        Self { forecaster, forecasts: Vec::new() }
    }

    /// Of the forecasts that were scored.
    pub fn latency(self, from: u64, to: u64) -> Latency {
        let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(self.forecasts.len());
        let mut took: Vec<f64> =
            self.forecasts[place(from)..place(to)].iter().map(|took| took.as_secs_f64() * 1e3).collect();
        took.sort_by(f64::total_cmp);
        let at = |per_mille: usize| {
            let rank = (took.len() * per_mille).div_ceil(1_000).clamp(1, took.len().max(1)) - 1;
            took.get(rank).copied().unwrap_or(0.0)
        };
        Latency {
            mean_milliseconds: took.iter().sum::<f64>() / (took.len() as f64).max(1.0),
            p50_milliseconds: at(500),
            p99_milliseconds: at(990),
            max_milliseconds: at(1_000),
        }
    }
}

impl<F: WaitForecaster> WaitForecaster for Timed<F> {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let begun = Instant::now();
        let forecast = self.forecaster.on_arrival(job, state, now);
        self.forecasts.push(begun.elapsed());
        forecast
    }
    fn on_start(&mut self, job: &Submission, now: Time) {
        self.forecaster.on_start(job, now);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.forecaster.on_end(job, outcome);
    }
}
