//! Why the model refuses its parameters.

use crate::Seconds;

/// Why the model refuses its parameters.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum EstimateError {
    /// The largest estimate leaves no room for twenty popular times, or is longer than any time the core knows.
    #[error("the largest estimate is {maximum}; it must lie between 60 s and {}", Seconds::MAX)]
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
    #[error("the supplied estimate of {time} has a share of {per_cent} %; it must be above 0 and at most 100")]
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
    #[error("{given} estimates are supplied; at most {most} have room (20 if the largest is one of them)")]
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
