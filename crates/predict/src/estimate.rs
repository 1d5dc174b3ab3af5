//! The user's own limit as the prediction: what plain EASY plans with (R-T1).

use queuecast_workload::{Seconds, Submission};

use crate::RuntimeModel;

/// Predicts that every job uses its whole limit. Jobs without one are planned for [`Seconds::MAX`]: they hold
/// their processors "for ever", which is all that can honestly be said of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate;

impl RuntimeModel for Estimate {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        job.limit
    }
}
