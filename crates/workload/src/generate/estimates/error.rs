//! Why the model refuses its parameters.

use crate::Seconds;

/// Why the model refuses its parameters.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum EstimateError {
    /// The largest estimate leaves no room for twenty popular times, or is longer than any time the core knows.
    #[error("the largest estimate is {maximum}; expected 60 s to {}", Seconds::MAX)]
    Maximum {
        /// The largest estimate asked for.
        maximum: Seconds,
    },
    /// A supplied time is no possible estimate.
    #[error("the supplied estimate of {time} must be positive and not above the largest, {maximum}")]
    SuppliedTime {
        /// The supplied time.
        time: Seconds,
        /// The largest estimate.
        maximum: Seconds,
    },
    /// A supplied share is no share.
    #[error("the share of the supplied estimate of {time} is {per_cent} %; expected above 0 % and at most 100 %")]
    SuppliedShare {
        /// The supplied time.
        time: Seconds,
        /// Its share.
        per_cent: f64,
    },
    /// A time was supplied more than once.
    #[error("the estimate of {time} is supplied twice")]
    SuppliedTwice {
        /// The time.
        time: Seconds,
    },
    /// More pairs were supplied than there are popular times to replace.
    #[error("{given} estimates are supplied; the maximum is {most} (20 if the largest is one of them)")]
    TooManySupplied {
        /// How many were supplied.
        given: usize,
        /// How many have room.
        most: usize,
    },
    /// The supplied shares are more than everybody.
    #[error("the supplied shares sum to {sum} %")]
    SuppliedSum {
        /// Their sum in per cent.
        sum: f64,
    },
}
