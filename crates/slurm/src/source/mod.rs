//! Asking Slurm, and nothing else: who waits and runs, what became of jobs, which nodes there are.
//!
//! For: one interface ([`Source`]) whatever a site offers. Every question has a deadline and a limit on how much may be
//! answered, so that a hung controller costs seconds and not the asker.
//!
//! Not for: when to ask and how often, which is the asker's; telling Slurm anything.
//!
//! slurmrestd ([`Rest`]) where there is one, else the commands ([`Commands`]).

mod commands;
mod question;
mod rest;

pub use commands::Commands;
pub use question::{AnswerLimits, SourceError};
pub use rest::{Rest, Token};

use queuecast_workload::Time;

use crate::record::{JobRecord, NodeRecord};

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
}
