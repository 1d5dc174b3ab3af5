//! By what was said: whether short forecasts are kept as well as long ones.

use queuecast_forecast::{DurationCounts, ForecastJob};
use serde::Serialize;

use super::sums::Sums;

/// Upper ends of the bins of predicted waits by which calibration is shown, in seconds; the last is open.
pub const PREDICTED_BINS: [f64; 7] = [60.0, 600.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0, 86_400.0];

/// Jobs of which about the same wait was said.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Longest wait said, in seconds; none for the last bin.
    pub up_to_seconds: Option<f64>,
    /// How many.
    pub jobs: f64,
    /// Mean of what was said.
    pub predicted_seconds: f64,
    /// Its median, within two per cent.
    pub predicted_median_seconds: f64,
    /// Mean of what came.
    pub actual_seconds: f64,
    /// Its median, within two per cent.
    pub actual_median_seconds: f64,
    /// Coverage of the 80 % range.
    pub coverage_p80: f64,
    /// The same with jobs in a step of their distribution counted in parts.
    pub coverage_p80_at_random: f64,
    /// Of the 90 % range.
    pub coverage_p90: f64,
    /// Of the 95 % range.
    pub coverage_p95: f64,
    /// Coverage of the 95 % bound.
    pub bound_coverage: f64,
}

/// Adds up jobs by what was said of them.
#[derive(Clone, Debug, Default)]
pub struct PredictedBins {
    bins: [BinSums; PREDICTED_BINS.len() + 1],
}

#[derive(Clone, Debug, Default)]
struct BinSums {
    predicted_seconds: f64,
    predicted: DurationCounts,
    actual: DurationCounts,
    sums: Sums,
}

impl PredictedBins {
    /// One more job, with its scores.
    pub fn add(&mut self, job: &ForecastJob<'_>, sums: &Sums) {
        let predicted = job.forecast.point_seconds;
        let bin = &mut self.bins[PREDICTED_BINS.iter().filter(|end| predicted > **end).count()];
        bin.predicted_seconds += predicted;
        bin.predicted.add(predicted);
        bin.actual.add(job.wait.as_f64());
        bin.sums = bin.sums.plus(sums);
    }

    /// The bins that have any, from the shortest.
    pub fn summary(&self) -> Vec<CalibrationBin> {
        let ends = PREDICTED_BINS.into_iter().map(Some).chain([None]);
        let bins = ends.zip(&self.bins).filter(|(_, bin)| bin.sums.jobs > 0.0);
        bins.map(|(up_to_seconds, bin)| {
            let share = |part: f64| part / bin.sums.jobs;
            let [_, coverage_p80, coverage_p90, coverage_p95] = bin.sums.covered.map(share);
            CalibrationBin {
                up_to_seconds,
                jobs: bin.sums.jobs,
                predicted_seconds: share(bin.predicted_seconds),
                predicted_median_seconds: bin.predicted.median_seconds().unwrap_or(f64::NAN),
                actual_seconds: share(bin.sums.wait_seconds),
                actual_median_seconds: bin.actual.median_seconds().unwrap_or(f64::NAN),
                coverage_p80,
                coverage_p80_at_random: share(bin.sums.covered_at_random[1]),
                coverage_p90,
                coverage_p95,
                bound_coverage: share(bin.sums.within_bound),
            }
        })
        .collect()
    }
}
