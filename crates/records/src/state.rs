//! What became of a job: one base state, and flags beside it.
//!
//! For: reading `["PENDING","REQUEUED"]` (JSON from v0.0.40) and `REQUEUED` (text, and JSON of 22.05) as the same
//! thing. Text, and JSON of 22.05, show one word only: where that word is a flag, the base state is the one Slurm stores with
//! it. That is PENDING for REQUEUED and the like. A job that is COMPLETING or CONFIGURING has nodes: RUNNING is the nearest
//! that can be said of it.
//!
//! Not for: what a state means for a run time ([`crate::history`]).
//!
//! Source: job states of squeue(1); slurm.h. A word of a newer Slurm is [`BaseState::Other`], not an error.

/// A job's base state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "Slurm's own words")]
pub enum BaseState {
    #[default]
    Pending,
    Running,
    Suspended,
    Completed,
    Cancelled,
    Failed,
    Timeout,
    NodeFail,
    Preempted,
    BootFail,
    Deadline,
    OutOfMemory,
    /// A word this program does not know.
    Other,
}

/// What Slurm says beside the base state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "Slurm's own words")]
pub enum StateFlag {
    Requeued,
    RequeueHold,
    RequeueFederation,
    SpecialExit,
    Resizing,
    Configuring,
    Completing,
    Signaling,
    Stopped,
    StageOut,
    PowerUpNode,
    Revoked,
    ReservationDeletedHold,
    LaunchFailed,
    ReconfigureFailed,
    Expediting,
}

/// Flags of jobs that have nodes.
const WITH_NODES: [StateFlag; 6] = [
    StateFlag::Configuring,
    StateFlag::Completing,
    StateFlag::Signaling,
    StateFlag::Stopped,
    StateFlag::StageOut,
    StateFlag::PowerUpNode,
];

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StateFlags(u32);

/// A base state with its flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct JobState {
    /// The base state.
    pub base: BaseState,
    /// The flags.
    pub flags: StateFlags,
}

impl StateFlags {
    /// Whether the flag is there.
    pub fn has(self, flag: StateFlag) -> bool {
        self.0 & (1 << flag as u32) != 0
    }

    /// With this flag.
    #[must_use]
    pub fn with(self, flag: StateFlag) -> Self {
        Self(self.0 | 1 << flag as u32)
    }
}

impl JobState {
    /// The state these words say, in any case: 22.05 writes some of them small.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut base = None;
        let mut flags = StateFlags::default();
        for word in words {
            match Word::parse(word) {
                Word::Base(found) => base = base.or(Some(found)),
                Word::Flag(flag) => flags = flags.with(flag),
            }
        }
        let has_nodes = WITH_NODES.iter().any(|flag| flags.has(*flag));
        let alone = if has_nodes { BaseState::Running } else { BaseState::Pending };
        Self { base: base.unwrap_or(alone), flags }
    }

    /// Whether it has left the machine and will not be heard of again under this key.
    pub fn has_ended(self) -> bool {
        let is_over = !matches!(self.base, BaseState::Pending | BaseState::Running | BaseState::Suspended);
        is_over || self.flags.has(StateFlag::Requeued) || self.flags.has(StateFlag::Resizing)
    }
}

enum Word {
    Base(BaseState),
    Flag(StateFlag),
}

impl Word {
    fn parse(word: &str) -> Self {
        use BaseState as B;
        use StateFlag as F;
        let upper;
        let word = if word.bytes().any(|byte| byte.is_ascii_lowercase()) {
            upper = word.to_ascii_uppercase();
            upper.as_str()
        } else {
            word
        };
        match word {
            "COMPLETED" => Self::Base(B::Completed),
            "PENDING" => Self::Base(B::Pending),
            "RUNNING" => Self::Base(B::Running),
            "SUSPENDED" => Self::Base(B::Suspended),
            "CANCELLED" => Self::Base(B::Cancelled),
            "FAILED" => Self::Base(B::Failed),
            "TIMEOUT" => Self::Base(B::Timeout),
            "NODE_FAIL" => Self::Base(B::NodeFail),
            "PREEMPTED" => Self::Base(B::Preempted),
            "BOOT_FAIL" => Self::Base(B::BootFail),
            "DEADLINE" => Self::Base(B::Deadline),
            "OUT_OF_MEMORY" => Self::Base(B::OutOfMemory),
            "REQUEUED" => Self::Flag(F::Requeued),
            "REQUEUE_HOLD" => Self::Flag(F::RequeueHold),
            "REQUEUE_FED" => Self::Flag(F::RequeueFederation),
            "SPECIAL_EXIT" => Self::Flag(F::SpecialExit),
            "RESIZING" => Self::Flag(F::Resizing),
            "CONFIGURING" => Self::Flag(F::Configuring),
            "COMPLETING" => Self::Flag(F::Completing),
            "SIGNALING" => Self::Flag(F::Signaling),
            "STOPPED" => Self::Flag(F::Stopped),
            "STAGE_OUT" => Self::Flag(F::StageOut),
            "POWER_UP_NODE" => Self::Flag(F::PowerUpNode),
            "REVOKED" => Self::Flag(F::Revoked),
            "RESV_DEL_HOLD" => Self::Flag(F::ReservationDeletedHold),
            "LAUNCH_FAILED" => Self::Flag(F::LaunchFailed),
            "RECONFIG_FAIL" => Self::Flag(F::ReconfigureFailed),
            "EXPEDITING" => Self::Flag(F::Expediting),
            _ => Self::Base(B::Other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requeued_attempt_is_the_same_in_text_and_in_json() {
        let text = JobState::from_words(["REQUEUED"]);
        assert_eq!(text, JobState::from_words(["PENDING", "REQUEUED"]));
        assert!(text.has_ended());
        assert!(!JobState::from_words(["PENDING"]).has_ended());
    }

    #[test]
    fn a_job_that_is_completing_does_not_wait() {
        // Seen live: for some seconds at its end 22.05 says only COMPLETING of a job.
        for word in ["COMPLETING", "CONFIGURING", "STAGE_OUT"] {
            assert_eq!(JobState::from_words([word]).base, BaseState::Running, "{word}");
        }
        assert_eq!(JobState::from_words(["REVOKED"]).base, BaseState::Pending);
    }

    #[test]
    fn flags_stand_beside_the_base_state() {
        let state = JobState::from_words(["COMPLETED", "COMPLETING"]);
        assert_eq!(state.base, BaseState::Completed);
        assert!(state.flags.has(StateFlag::Completing) && !state.flags.has(StateFlag::Revoked));
        assert_eq!(JobState::from_words(["SOMETHING_NEW"]).base, BaseState::Other);
        assert_eq!(JobState::from_words(["running"]).base, BaseState::Running);
    }
}
