//! How good run-time predictions are, with no schedule in between, and beside them what knowing nothing would give.

use queuecast_simulate::{FinishedJob, Observer, PredictionAccuracy};
use queuecast_workload::Seconds;
use serde::Serialize;

use crate::AccuracySummary;
use crate::accuracy::AccuracySums;

/// Observes a replay and scores its predictions, from one job on: what comes before only teaches the predictor.
#[derive(Clone, Debug, Default)]
pub struct PredictionScores {
    score_from: u64,
    sums: AccuracySums,
    runs: Vec<Seconds>,
}

/// What came out. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictionSummary {
    /// Jobs scored.
    pub jobs: u64,
    /// Their mean run time.
    pub mean_run_seconds: f64,
    /// How good the predictions were.
    pub accuracy: AccuracySummary,
}

impl PredictionScores {
    /// Scores the jobs with this handle and later ones.
    pub fn from_job(score_from: u64) -> Self {
        Self { score_from, ..Self::default() }
    }

    /// What came out so far.
    pub fn summary(&self) -> PredictionSummary {
        let total: f64 = self.runs.iter().map(|run| run.as_f64()).sum();
        PredictionSummary {
            jobs: self.runs.len() as u64,
            mean_run_seconds: total / (self.runs.len() as f64).max(1.0),
            accuracy: self.sums.summary(),
        }
    }

    /// The constant that would have had the smallest mean absolute error, the median, and how good it would have been:
    /// what a predictor must beat to have learnt anything.
    pub fn best_constant(&self) -> (Seconds, AccuracySummary) {
        let mut sorted = self.runs.clone();
        sorted.sort_unstable();
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(Seconds(1)).max(Seconds(1));
        let mut sums = AccuracySums::default();
        for run in sorted {
            sums.add(run, &PredictionAccuracy { first: median, misses: u32::from(run > median), over_stay: None });
        }
        (median, sums.summary())
    }
}

impl Observer for PredictionScores {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        if job.submission.job.0 >= self.score_from {
            self.sums.add(job.outcome.run(), &job.accuracy);
            self.runs.push(job.outcome.run());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_constant_is_the_median() {
        let runs = [5, 1_000, 10, 12, 7].map(Seconds).to_vec();
        let scores = PredictionScores { runs, ..PredictionScores::default() };
        let (constant, accuracy) = scores.best_constant();
        assert_eq!(constant, Seconds(10));
        assert!((accuracy.mae - f64::from(5 + 990 + 2 + 3) / 5.0).abs() < 1e-9);
    }
}
