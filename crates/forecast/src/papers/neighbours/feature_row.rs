//! The 19 features as plain numbers, and which of them are times.

pub(crate) use crate::features::FEATURES;

/// The features of a job, none below zero, in the paper's order.
pub(crate) type FeatureRow = [f64; FEATURES];

/// Which features are seconds or processor-seconds; the others are counts.
#[rustfmt::skip]
pub(crate) const ARE_SECONDS: [bool; FEATURES] = [
    false, true, // the job
    false, false, false, true, false, true, true, true, // the queue
    false, false, false, true, false, true, true, true, false, // the machine
];
