//! `--over-long`: jobs that ran longer than the longest limit there is.
//!
//! The paper (Tsafrir, Etsion and Feitelson, 1.1) kills a job that reaches its limit and lets no limit exceed the
//! site's maximum (1.2), so that none of its jobs runs longer; what it did with the few of its logs that did is not
//! said. To raise the maximum to the longest of them would give a fifth of all jobs a limit that the site never had.

use clap::ValueEnum;
use queuecast_workload::Seconds;
use queuecast_workload::swf::SwfRecord;

use crate::output::grouped;

/// What becomes of a job that ran longer than the maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OverLong {
    /// Cut the run time at the maximum.
    #[default]
    Cut,
    /// Leave the job out.
    Drop,
    /// Keep the run time and raise the maximum to the longest run time; for phi, raise only the limit of the job.
    Raise,
}

impl OverLong {
    /// The job as it is given a limit, if it is.
    pub fn within(self, record: SwfRecord, maximum: Seconds) -> Option<SwfRecord> {
        match self {
            _ if record.run_time <= maximum.0 => Some(record),
            Self::Cut => Some(SwfRecord { run_time: maximum.0, ..record }),
            Self::Drop => None,
            Self::Raise => Some(record),
        }
    }

    /// As it is typed.
    pub fn option(self) -> &'static str {
        match self {
            Self::Cut => " --over-long cut",
            Self::Drop => " --over-long drop",
            Self::Raise => " --over-long raise",
        }
    }
}

/// How many jobs ran too long.
#[derive(Clone, Copy, Debug, Default)]
pub struct OverLongCounts {
    cut: u64,
    dropped: u64,
}

impl OverLongCounts {
    /// Counts a job that became this.
    pub fn add(&mut self, record: &SwfRecord, within: Option<&SwfRecord>) {
        self.cut += u64::from(within.is_some_and(|within| within.run_time < record.run_time));
        self.dropped += u64::from(within.is_none());
    }

    /// What the person is told, if there was any.
    pub fn in_words(self, maximum: Seconds) -> Option<String> {
        let (count, done) = match self {
            Self { cut: 0, dropped: 0 } => return None,
            Self { cut, dropped: 0 } => (cut, "were cut at this maximum"),
            Self { dropped, .. } => (dropped, "were left out"),
        };
        Some(format!("note: {} jobs that ran longer than {maximum} {done}; see --over-long", grouped(count)))
    }
}
