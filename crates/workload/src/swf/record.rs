//! One job line as the log has it: 18 numbers under their full names, `-1` kept where the log does not know.
//!
//! Not for: meaning. Which processors count and what a usable job is, is decided in [`super::convert`].
//!
//! Source: the format's definition, version 2.2, whose field numbers are those of [`Field`].

use std::fmt;

use serde::Serialize;

/// A job line of the Standard Workload Format. Negative means unknown, as in the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SwfRecord {
    /// 1: the job's number, usually counted from 1 in order of submission.
    pub job_number: i64,
    /// 2: seconds from the log's start to the submission.
    pub submit_time: i64,
    /// 3: seconds in the queue.
    pub wait_time: i64,
    /// 4: seconds of wall-clock run time.
    pub run_time: i64,
    /// 5: processors it got.
    pub allocated_processors: i64,
    /// 6: mean CPU seconds over its processors; the one field in which logs have fractions.
    pub average_cpu_time: f64,
    /// 7: mean kilobytes used per processor.
    pub used_memory: i64,
    /// 8: processors it asked for.
    pub requested_processors: i64,
    /// 9: the user's estimate of the run time, in seconds.
    pub requested_time: i64,
    /// 10: kilobytes asked for per processor.
    pub requested_memory: i64,
    /// 11: how it ended: 0 failed, 1 completed, 2 to 4 one part of a job, 5 cancelled.
    pub status: i64,
    /// 12: who submitted it.
    pub user: i64,
    /// 13: the submitter's group.
    pub group: i64,
    /// 14: what was run.
    pub executable: i64,
    /// 15: the queue; by convention 0 is interactive.
    pub queue: i64,
    /// 16: the partition.
    pub partition: i64,
    /// 17: the job this one had to wait for.
    pub preceding_job: i64,
    /// 18: seconds between that job's end and this submission.
    pub think_time: i64,
}

impl SwfRecord {
    /// A record in which nothing is known: the start of one built field by field.
    pub const UNKNOWN: Self = Self {
        job_number: -1,
        submit_time: -1,
        wait_time: -1,
        run_time: -1,
        allocated_processors: -1,
        average_cpu_time: -1.0,
        used_memory: -1,
        requested_processors: -1,
        requested_time: -1,
        requested_memory: -1,
        status: -1,
        user: -1,
        group: -1,
        executable: -1,
        queue: -1,
        partition: -1,
        preceding_job: -1,
        think_time: -1,
    };

    /// The processors the job holds in a replay: those requested where the log knows them, else those allocated;
    /// `None` where neither is positive.
    pub fn processors(&self) -> Option<i64> {
        [self.requested_processors, self.allocated_processors].into_iter().find(|&processors| processors > 0)
    }

    /// The whole number in a field, or `None` for the one field with fractions, the average CPU time.
    pub fn integer(&self, field: Field) -> Option<i64> {
        Some(match field {
            Field::JobNumber => self.job_number,
            Field::SubmitTime => self.submit_time,
            Field::WaitTime => self.wait_time,
            Field::RunTime => self.run_time,
            Field::AllocatedProcessors => self.allocated_processors,
            Field::AverageCpuTime => return None,
            Field::UsedMemory => self.used_memory,
            Field::RequestedProcessors => self.requested_processors,
            Field::RequestedTime => self.requested_time,
            Field::RequestedMemory => self.requested_memory,
            Field::Status => self.status,
            Field::User => self.user,
            Field::Group => self.group,
            Field::Executable => self.executable,
            Field::Queue => self.queue,
            Field::Partition => self.partition,
            Field::PrecedingJob => self.preceding_job,
            Field::ThinkTime => self.think_time,
        })
    }

    /// Whether the log knows this field of this job.
    pub fn knows(&self, field: Field) -> bool {
        self.integer(field).map_or(self.average_cpu_time >= 0.0, |value| value >= 0)
    }
}

macro_rules! fields {
    ($($number:literal $variant:ident $name:literal),* $(,)?) => {
        /// A field of the format, with the number and the name by which messages and tables call it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field {
            $(#[doc = concat!("Field ", $number, ", `", $name, "`.")] $variant,)*
        }

        impl Field {
            /// All of them, in the order of a line.
            pub const ALL: [Self; 18] = [$(Self::$variant),*];

            /// The number the format's definition gives it, from 1.
            pub fn number(self) -> u8 {
                match self { $(Self::$variant => $number,)* }
            }

            /// Its full name, that of the field of [`SwfRecord`].
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

fields! {
    1 JobNumber "job_number",
    2 SubmitTime "submit_time",
    3 WaitTime "wait_time",
    4 RunTime "run_time",
    5 AllocatedProcessors "allocated_processors",
    6 AverageCpuTime "average_cpu_time",
    7 UsedMemory "used_memory",
    8 RequestedProcessors "requested_processors",
    9 RequestedTime "requested_time",
    10 RequestedMemory "requested_memory",
    11 Status "status",
    12 User "user",
    13 Group "group",
    14 Executable "executable",
    15 Queue "queue",
    16 Partition "partition",
    17 PrecedingJob "preceding_job",
    18 ThinkTime "think_time",
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Field {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_numbers_count_from_one_in_line_order() {
        let numbers: Vec<u8> = Field::ALL.iter().map(|field| field.number()).collect();
        assert_eq!(numbers, (1..=18).collect::<Vec<u8>>());
    }

    #[test]
    fn requested_processors_win_over_allocated_ones_unless_unknown() {
        let both = SwfRecord { requested_processors: 8, allocated_processors: 16, ..SwfRecord::UNKNOWN };
        assert_eq!(both.processors(), Some(8));
        let allocated_only = SwfRecord { requested_processors: 0, ..both };
        assert_eq!(allocated_only.processors(), Some(16));
        assert_eq!(SwfRecord::UNKNOWN.processors(), None);
    }

    #[test]
    fn zero_is_known_and_minus_one_is_not() {
        let record = SwfRecord { user: 0, average_cpu_time: 0.5, ..SwfRecord::UNKNOWN };
        let known: Vec<Field> = Field::ALL.into_iter().filter(|&field| record.knows(field)).collect();
        assert_eq!(known, [Field::AverageCpuTime, Field::User]);
    }
}
