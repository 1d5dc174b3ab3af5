//! What one record claims: that its attempt started, that it left, or neither.
//!
//! Not for: whether that is news (`advance`).
//!
//! A state without the time that belongs to it claims less, not a made-up time: `squeue` shows a job that is being requeued
//! as REQUEUED with neither, and such a record only says that there is such a job.

use queuecast_records::{BaseState, JobRecord, StateFlag};
use queuecast_workload::Time;

/// What a record claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub started: Option<Time>,
    pub left: Option<Time>,
}

impl Claim {
    pub fn of(record: &JobRecord) -> Self {
        if record.state.flags.has(StateFlag::Revoked) {
            return Self { started: None, left: Some(record.ended.unwrap_or(record.key.submitted)) };
        }
        let has_ended = record.state.has_ended();
        // Whatever a job that waits has for a start is a plan.
        let may_have_started = has_ended || record.state.base != BaseState::Pending;
        Self { started: record.started.filter(|_| may_have_started), left: record.ended.filter(|_| has_ended) }
    }

    /// How far along it says its attempt is.
    pub fn rank(self) -> u8 {
        match self {
            Self { left: Some(_), .. } => 2,
            Self { started: Some(_), .. } => 1,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_records::{JobKey, JobPart, JobState};

    use super::*;

    fn claim(words: &[&str], started: Option<i64>, ended: Option<i64>) -> (Option<i64>, Option<i64>) {
        let key = JobKey { cluster: "c".into(), job_id: 1, part: JobPart::Whole, submitted: Time(100), sluid: None };
        let mut record = JobRecord::new(key, JobState::from_words(words.iter().copied()));
        (record.started, record.ended) = (started.map(Time), ended.map(Time));
        let claim = Claim::of(&record);
        (claim.started.map(|time| time.0), claim.left.map(|time| time.0))
    }

    #[test]
    fn a_state_claims_what_its_times_bear_out() {
        assert_eq!(claim(&["PENDING"], None, None), (None, None));
        assert_eq!(claim(&["RUNNING"], Some(110), None), (Some(110), None));
        assert_eq!(claim(&["RUNNING"], None, None), (None, None));
        assert_eq!(claim(&["SUSPENDED"], Some(110), None), (Some(110), None));
        assert_eq!(claim(&["COMPLETED"], Some(110), Some(120)), (Some(110), Some(120)));
        assert_eq!(claim(&["CANCELLED"], None, Some(120)), (None, Some(120)));
        assert_eq!(claim(&["COMPLETED", "COMPLETING"], Some(110), None), (Some(110), None));
    }

    #[test]
    fn a_plan_is_no_start() {
        assert_eq!(claim(&["PENDING"], Some(500), None), (None, None));
    }

    #[test]
    fn a_closed_attempt_is_one_only_with_its_times() {
        assert_eq!(claim(&["REQUEUED"], Some(110), Some(120)), (Some(110), Some(120)));
        assert_eq!(claim(&["PENDING", "REQUEUED"], None, None), (None, None));
        assert_eq!(claim(&["RUNNING", "RESIZING"], Some(110), None), (Some(110), None));
        assert_eq!(claim(&["RESIZING"], Some(110), Some(120)), (Some(110), Some(120)));
    }

    #[test]
    fn a_sibling_that_ran_elsewhere_never_started_here() {
        assert_eq!(claim(&["REVOKED"], Some(110), Some(120)), (None, Some(120)));
        assert_eq!(claim(&["REVOKED"], None, None), (None, Some(100)));
    }

    #[test]
    fn a_word_of_a_newer_slurm_claims_only_its_times() {
        assert_eq!(claim(&["HIBERNATING"], None, None), (None, None));
        assert_eq!(claim(&["HIBERNATING"], Some(110), None), (Some(110), None));
    }
}
