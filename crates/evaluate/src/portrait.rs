//! What a schedule looked like, beyond its figures: the data behind the curves of a report.
//!
//! Not for: figures ([`crate::Summary`]) or drawing (`queuecast-report`).

use queuecast_workload::{Seconds, TracedJob};
use rayon::prelude::*;

use crate::{AccuracyHistogram, Comparison, TimeBins, Timeline};

/// One configuration's replay of the log as it is.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// Waiting jobs and busy processors over time.
    pub timeline: Timeline,
    /// Run times over predictions.
    pub accuracy: AccuracyHistogram,
}

impl Comparison {
    /// Replays every configuration once more, in bins of time that all of them share, and calls `on_replayed` after
    /// each. It takes a replay of its own because the bins depend on when the last configuration is done.
    pub fn portraits(&self, jobs: &[TracedJob], on_replayed: &(dyn Fn() + Sync)) -> Vec<Portrait> {
        let origin = jobs.first().map(|job| job.submission.submitted).unwrap_or_default();
        let spans = self.compared().iter().map(|compared| compared.summary.makespan_seconds);
        #[expect(clippy::cast_possible_truncation, reason = "a makespan is a whole number of seconds")]
        let span = Seconds(spans.fold(0.0, f64::max) as i64);
        let bins = TimeBins::covering(origin, span);
        let portraits = self.compared().par_iter().map(|compared| {
            let mut timeline = Timeline::new(bins);
            let mut accuracy = AccuracyHistogram::default();
            compared.configuration.simulate(jobs.iter().copied(), &mut (&mut timeline, &mut accuracy));
            on_replayed();
            Portrait { timeline, accuracy }
        });
        portraits.collect()
    }
}
