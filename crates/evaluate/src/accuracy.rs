//! How good the run-time predictions were: R-MET-2 and R-MET-3.

use queuecast_simulate::{PredictionAccuracy, absolute_inaccuracy, relative_accuracy};
use queuecast_workload::Seconds;
use serde::Serialize;

/// Sums over jobs.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccuracySums {
    jobs: u64,
    without_prediction: u64,
    run: f64,
    absolute: f64,
    relative: f64,
    underpredicted: u64,
    misses: u64,
    weighted_absolute: f64,
    weighted_relative: f64,
    averaged_absolute: f64,
    averaged_relative: f64,
}

/// How good the predictions were, averaged over jobs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AccuracySummary {
    /// Jobs of which nothing at all was known, not even a limit: they count in nothing below.
    pub without_prediction: u64,
    /// Mean absolute error of the first prediction, in seconds.
    pub mae: f64,
    /// The same over the mean run time.
    pub mae_over_mean_run: f64,
    /// Mean relative accuracy of the first prediction, 0 to 1.
    pub relative: f64,
    /// The share of jobs whose first prediction was too short.
    pub underpredicted: f64,
    /// How many predictions a job outlived, on average.
    pub misses_per_job: f64,
    /// Each prediction weighted by how long it stood.
    pub weighted: WeightedAccuracy,
}

/// Accuracy over a job's whole stay, from submission to end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WeightedAccuracy {
    /// Mean absolute inaccuracy in seconds (Talby et al., equation 2).
    pub absolute: f64,
    /// Mean relative accuracy (likewise).
    pub relative: f64,
    /// Absolute inaccuracy of the time-averaged prediction, the reading of Tsafrir et al.
    pub of_averaged_prediction_absolute: f64,
    /// Relative accuracy of the time-averaged prediction.
    pub of_averaged_prediction_relative: f64,
}

impl AccuracySums {
    #[inline]
    pub fn add(&mut self, run: Seconds, accuracy: &PredictionAccuracy) {
        if accuracy.first == Seconds::MAX {
            // Planned for ever: said by nobody, and no error can be measured from it.
            self.without_prediction += 1;
            return;
        }
        let absolute = absolute_inaccuracy(run, accuracy.first);
        let relative = relative_accuracy(run, accuracy.first);
        self.jobs += 1;
        self.run += run.as_f64();
        self.absolute += absolute;
        self.relative += relative;
        self.underpredicted += u64::from(accuracy.first < run);
        self.misses += u64::from(accuracy.misses);
        if let Some(over_stay) = &accuracy.over_stay {
            let (run, averaged) = (run.as_f64(), over_stay.averaged_prediction);
            self.weighted_absolute += over_stay.absolute;
            self.weighted_relative += over_stay.relative;
            self.averaged_absolute += (run - averaged).abs();
            let equal = run.total_cmp(&averaged).is_eq();
            self.averaged_relative += if equal { 1.0 } else { run.min(averaged) / run.max(averaged) };
        } else {
            self.weighted_absolute += absolute;
            self.weighted_relative += relative;
            self.averaged_absolute += absolute;
            self.averaged_relative += relative;
        }
    }

    pub fn summary(&self) -> AccuracySummary {
        let jobs = (self.jobs as f64).max(1.0);
        AccuracySummary {
            without_prediction: self.without_prediction,
            mae: self.absolute / jobs,
            mae_over_mean_run: if self.run > 0.0 { self.absolute / self.run } else { 0.0 },
            relative: self.relative / jobs,
            underpredicted: self.underpredicted as f64 / jobs,
            misses_per_job: self.misses as f64 / jobs,
            weighted: WeightedAccuracy {
                absolute: self.weighted_absolute / jobs,
                relative: self.weighted_relative / jobs,
                of_averaged_prediction_absolute: self.averaged_absolute / jobs,
                of_averaged_prediction_relative: self.averaged_relative / jobs,
            },
        }
    }
}
