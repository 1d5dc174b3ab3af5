//! Who starts when, in a replay: one of our policies, or one from elsewhere.
//!
//! Not for: whoever plays the future, which only our own policies can (`queuecast-forecast`).

use std::fmt;

use queuecast_schedule::{ForeignPolicy, PolicySpecification};

/// A policy that a log can be replayed under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayPolicy {
    /// One of ours.
    Ours(PolicySpecification),
    /// Somebody else's.
    Foreign(ForeignPolicy),
}

impl From<PolicySpecification> for ReplayPolicy {
    fn from(policy: PolicySpecification) -> Self {
        Self::Ours(policy)
    }
}

impl fmt::Display for ReplayPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours(policy) => policy.fmt(f),
            Self::Foreign(policy) => policy.fmt(f),
        }
    }
}
