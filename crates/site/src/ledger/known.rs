//! What is known of an attempt, and what stage that is.
//!
//! Not for: its description (name, limit, resources), which the store keeps beside it.

use queuecast_workload::Time;

/// Who told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Teller {
    /// The controller's queue: prompt.
    Queue,
    /// Accounting: late, and exact.
    Accounting,
}

/// Who told, and when we were told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    /// Who.
    pub by: Teller,
    /// When the reading was made, by the cluster's clock.
    pub at: Time,
}

/// An attempt that is neither in the queue any more nor explained by accounting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// What became of it is not known.
    Lost(Time),
    /// The waiting rest of an array of which nothing is left: its tasks have become jobs of their own.
    Dissolved(Time),
}

/// What is known of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// When it started, if it is known to have.
    pub started: Option<Time>,
    /// When it left, having started or not.
    pub left: Option<Time>,
    /// Whether it vanished. Only an attempt that has not left can have.
    pub absence: Option<Absence>,
    /// Whose description of it is kept.
    pub told: Telling,
}

/// Where an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has not started.
    Waiting,
    /// It runs, or is suspended.
    Running {
        /// Since when.
        started: Time,
    },
    /// It ran and ended, however it ended.
    Ended {
        /// When it started.
        started: Time,
        /// When it ended.
        ended: Time,
    },
    /// It left without having started.
    Withdrawn {
        /// When.
        at: Time,
    },
    /// It vanished; what became of it is not known.
    Lost {
        /// When that was found.
        at: Time,
    },
    /// The rest of an array, all of whose tasks have become jobs of their own.
    Dissolved {
        /// When that was found.
        at: Time,
    },
}

impl Known {
    /// Its stage.
    pub fn stage(&self) -> Stage {
        match (self.started, self.left, self.absence) {
            (Some(started), Some(ended), _) => Stage::Ended { started, ended },
            (None, Some(at), _) => Stage::Withdrawn { at },
            (_, None, Some(Absence::Lost(at))) => Stage::Lost { at },
            (_, None, Some(Absence::Dissolved(at))) => Stage::Dissolved { at },
            (Some(started), None, None) => Stage::Running { started },
            (None, None, None) => Stage::Waiting,
        }
    }
}

impl Stage {
    /// Whether the attempt may still be heard of in the queue.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::Running { .. })
    }

    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running { .. } => "running",
            Self::Ended { .. } => "ended",
            Self::Withdrawn { .. } => "withdrawn",
            Self::Lost { .. } => "lost",
            Self::Dissolved { .. } => "dissolved",
        }
    }
}
