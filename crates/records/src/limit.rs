//! A time limit: whole minutes, or one of Slurm's words.
//!
//! Not for: deciding what a job without a limit is planned with.
//!
//! Source: sacct(1) `TimelimitRaw`; the words `UNLIMITED`, `Partition_Limit` and `INVALID` of Slurm's `mins2time_str`
//! and sacct's print.c. Only `UNLIMITED` was recorded.

use queuecast_workload::Seconds;

/// The limit at which a job is killed, or a partition's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeLimit {
    /// Not said, or `INVALID`.
    #[default]
    NotKnown,
    /// Whatever the partition's limit is.
    PartitionLimit,
    /// None.
    Unlimited,
    /// So many minutes.
    Minutes(u32),
}

impl TimeLimit {
    /// The limit as a span; `None` where there is none or it is not known. Zero minutes is what Slurm writes for a job
    /// that was never given one.
    pub fn seconds(self) -> Option<Seconds> {
        match self {
            Self::Minutes(minutes) if minutes > 0 => Some(Seconds(i64::from(minutes) * 60)),
            _ => None,
        }
    }
}
