//! `--details` and `--replicate-values` of `qcast allocate`: what every job chose, and the figures of every replicate.

use queuecast_evaluate::mouldable::AllocationSummary;
use queuecast_simulate::mouldable::AllocatedJob;

use super::contender::Contender;
use crate::details::{Column, Details, Kind};

/// A row is a job of one strategy in one replicate; `job` is its place in the order of submission, for made-up jobs have no number.
pub const JOB_COLUMNS: [Column; 10] = [
    ("strategy", Kind::Text),
    ("predictor", Kind::Text),
    ("queue_times", Kind::Text),
    ("replicate", Kind::Integer),
    ("job", Kind::Integer),
    ("submitted_seconds", Kind::Number),
    ("sequential_seconds", Kind::Number),
    ("processors", Kind::Integer),
    ("wait_seconds", Kind::Number),
    ("run_seconds", Kind::Number),
];

/// A row is a figure of one strategy in one replicate.
pub const REPLICATE_COLUMNS: [Column; 6] = [
    ("strategy", Kind::Text),
    ("predictor", Kind::Text),
    ("queue_times", Kind::Text),
    ("replicate", Kind::Integer),
    ("figure", Kind::Text),
    ("value", Kind::Number),
];

/// Writes what every job chose.
pub fn add_jobs(details: &mut Details, contender: &Contender, replicate: u32, allocated: &[AllocatedJob]) {
    let (strategy, predictor) = (contender.to_string(), contender.predictor());
    for (place, job) in (1_u32..).zip(allocated) {
        details.add(&[
            strategy.as_str().into(),
            predictor.as_deref().into(),
            contender.queue_times().into(),
            replicate.into(),
            place.into(),
            job.job.submitted_seconds().into(),
            job.job.sequential_seconds.into(),
            job.processors.into(),
            (job.turnaround_seconds() - job.run_seconds).into(),
            job.run_seconds.into(),
        ]);
    }
}

/// Writes the figures of one replicate.
pub fn add_figures(values: &mut Details, contender: &Contender, replicate: u32, summary: &AllocationSummary) {
    let (strategy, predictor) = (contender.to_string(), contender.predictor());
    let AllocationSummary { turnaround_seconds, wait_seconds, run_seconds, processors, utilisation, .. } = *summary;
    for (figure, value) in [
        ("turnaround_seconds", turnaround_seconds),
        ("wait_seconds", wait_seconds),
        ("run_seconds", run_seconds),
        ("processors", processors),
        ("utilisation", utilisation),
    ] {
        values.add(&[
            strategy.as_str().into(),
            predictor.as_deref().into(),
            contender.queue_times().into(),
            replicate.into(),
            figure.into(),
            value.into(),
        ]);
    }
}
