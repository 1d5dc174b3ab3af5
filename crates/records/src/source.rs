//! Asking a resource manager, and nothing else: who waits and runs, what became of jobs, which nodes there are, and by which rules.
//!
//! For: one interface ([`Source`]) whichever manager it is and whatever it offers.
//!
//! Not for: when to ask and how often, which is the asker's; telling it anything.

use std::error::Error;
use std::io;
use std::time::Duration;

use queuecast_workload::Time;

use crate::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};

/// How long and how much an answer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerLimits {
    /// Whoever takes longer is ended.
    pub patience: Duration,
    /// Whoever says more is ended.
    pub bytes: u64,
}

impl Default for AnswerLimits {
    /// Ten seconds; half a gibibyte, some 100,000 jobs in JSON.
    fn default() -> Self {
        Self { patience: Duration::from_secs(10), bytes: 512 * 1024 * 1024 }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The command is not there, or may not be run.
    #[error("cannot run {program}: {error}; check that the Slurm commands are in PATH")]
    NotRun {
        /// Which.
        program: String,
        /// Why not.
        error: io::Error,
    },
    /// Nobody is there.
    #[error("cannot reach {program}: {said}; check that {program} is running, and its socket or address")]
    Unreachable {
        /// Which.
        program: String,
        /// Why.
        said: String,
    },
    /// It did not end in time.
    #[error("{program} did not respond within {} s and was stopped; check whether slurmctld or slurmdbd is down or busy", .patience.as_secs())]
    TooLate {
        /// Which.
        program: String,
        /// How long it was waited for.
        patience: Duration,
    },
    /// It said more than is taken.
    #[error("{program} returned more than {bytes} bytes and was stopped; request less data")]
    TooMuch {
        /// Which.
        program: String,
        /// How much is taken.
        bytes: u64,
    },
    /// It failed.
    #[error("{program}: {said}")]
    Refused {
        /// Which.
        program: String,
        /// The last it said.
        said: String,
    },
    /// Its answer is not what was asked for.
    #[error("{program}: {error}")]
    NotUnderstood {
        /// Which.
        program: String,
        /// Why.
        error: Box<dyn Error + Send + Sync>,
    },
}

impl SourceError {
    /// Every word that [`Self::code`] may be.
    pub const CODES: [&'static str; 6] =
        ["not_run", "unreachable", "too_late", "too_much", "refused", "not_understood"];

    /// What is wrong, in a word that stays the same.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotRun { .. } => "not_run",
            Self::Unreachable { .. } => "unreachable",
            Self::TooLate { .. } => "too_late",
            Self::TooMuch { .. } => "too_much",
            Self::Refused { .. } => "refused",
            Self::NotUnderstood { .. } => "not_understood",
        }
    }
}

/// What was answered: records, and what could not be read, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<T> {
    /// The records that could.
    pub records: Vec<T>,
    /// What is wrong with the others, of the first thousand.
    pub problems: Vec<String>,
    /// How many others there are.
    pub bad_records: u64,
}

/// So many problems of one answer are told of one by one.
pub const MOST_PROBLEMS: usize = 1_000;

impl<T> Reading<T> {
    /// All of these could be read.
    pub fn of(records: Vec<T>) -> Self {
        Self { records, problems: Vec::new(), bad_records: 0 }
    }

    /// One more could not.
    pub fn add_problem(&mut self, problem: impl FnOnce() -> String) {
        self.bad_records += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem());
        }
    }
}

/// From when on and until when accounting is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first second.
    pub from: Time,
    /// The last.
    pub to: Time,
}

/// Where a resource manager can be asked.
pub trait Source {
    /// Everybody who waits or runs, and who ended so lately that the controller still remembers.
    fn queue(&self) -> Result<Reading<JobRecord>, SourceError>;

    /// Every attempt at a job that was eligible, ran or ended in a period. A job that was never eligible (held, begins later,
    /// depends) is in the queue only.
    fn accounting(&self, period: Period) -> Result<Reading<JobRecord>, SourceError>;

    /// The nodes.
    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError>;

    /// The partitions, hidden ones too.
    fn partitions(&self) -> Result<Reading<PartitionRecord>, SourceError>;

    /// The reservations.
    fn reservations(&self) -> Result<Reading<ReservationRecord>, SourceError>;

    /// How the cluster is set up, as far as its scheduling depends on it.
    fn configuration(&self) -> Result<ClusterConfiguration, SourceError>;

    /// The qualities of service, of accounting: a site without slurmdbd has none to tell of.
    fn qos(&self) -> Result<Reading<QosRecord>, SourceError>;

    /// The associations of accounting, of all clusters it knows.
    fn associations(&self) -> Result<Reading<AssociationRecord>, SourceError>;

    /// What everybody was meant to have and what they used, as the controller sees it. Without multifactor priority there is none.
    fn shares(&self) -> Result<Reading<ShareRecord>, SourceError>;

    /// The users of accounting, with what they are beyond users; those who are more, with their number where this machine knows it.
    fn users(&self) -> Result<Reading<UserRecord>, SourceError>;

    /// How the scheduler is doing.
    fn diagnostics(&self) -> Result<Diagnostics, SourceError>;
}
