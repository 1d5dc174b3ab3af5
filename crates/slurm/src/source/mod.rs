//! Asking Slurm, and nothing else: who waits and runs, what became of jobs, which nodes there are, and by which rules.
//!
//! For: one interface ([`Source`]) whatever a site offers. Every question has a deadline and a limit on how much may be
//! answered, so that a hung controller costs seconds and not the asker.
//!
//! Not for: when to ask and how often, which is the asker's; telling Slurm anything.
//!
//! slurmrestd ([`Rest`]) where there is one, else the commands ([`Commands`]), and
//! where those have no JSON, before 21.08, their text ([`TextCommands`]).

mod commands;
mod kept;
mod numbers;
mod programs;
mod question;
mod rest;
mod text_commands;

pub use commands::Commands;
pub use kept::KeptAnswers;
pub use question::{AnswerLimits, SourceError};
pub use rest::{Rest, Token};
pub use text_commands::TextCommands;

use queuecast_workload::Time;

use crate::record::{
    ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord, ReservationRecord, UserRecord,
};

/// What was answered: records, and what could not be read, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<T> {
    /// The records that could.
    pub records: Vec<T>,
    /// What is wrong with the others.
    pub problems: Vec<String>,
}

/// From when on and until when accounting is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first second.
    pub from: Time,
    /// The last.
    pub to: Time,
}

/// Where Slurm can be asked.
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

    /// The users of accounting, with what they are beyond users; those who are more, with their number where this machine knows it.
    fn users(&self) -> Result<Reading<UserRecord>, SourceError>;

    /// How the scheduler is doing.
    fn diagnostics(&self) -> Result<Diagnostics, SourceError>;
}
