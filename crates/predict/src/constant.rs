//! The same prediction for every job: R-T1, and with one second the information-less predictor of Talby et al.

use queuecast_workload::{Seconds, Submission};

use crate::RuntimeModel;

/// Predicts the same run time for every job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant(pub Seconds);

impl RuntimeModel for Constant {
    fn predict(&self, _job: &Submission) -> Option<Seconds> {
        Some(self.0)
    }
}
