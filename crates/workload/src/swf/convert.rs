//! From a log's record to the product's job and back.
//!
//! Not for: dropping jobs that are strange but could be replayed ([`crate::clean`]).
//!
//! Source: R-P1 for which processors count; the format's definition for statuses.

use serde::Serialize;
use thiserror::Error;

use crate::{
    GroupId, JobId, PartitionId, ProgramId, QueueId, Recorded, Request, Seconds, Status, Submission, Time, TracedJob,
    UserId,
};

use super::record::{Field, SwfRecord};

/// Why a record is not a job that can be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error, Serialize)]
pub enum Unusable {
    /// The submit time is unknown.
    #[error("the submit time is unknown")]
    NoSubmitTime,
    /// Neither requested nor allocated processors are positive.
    #[error("the requested and the allocated processors are unknown")]
    NoProcessors,
    /// The run time is unknown.
    #[error("the run time is unknown")]
    NoRunTime,
    /// A count or a number of a user and the like is beyond 32 bits.
    #[error("the {0} is larger than 4,294,967,295")]
    OutOfRange(Field),
}

impl SwfRecord {
    /// The job of this record: processors requested if known, else allocated; a limit if the requested time is
    /// positive; what is negative is unknown. The handle is zero until whoever feeds the job gives it one.
    pub fn to_traced(&self) -> Result<TracedJob, Unusable> {
        if self.submit_time < 0 {
            return Err(Unusable::NoSubmitTime);
        }
        let processors = self.processors_in_range()?;
        if self.run_time < 0 {
            return Err(Unusable::NoRunTime);
        }
        Ok(TracedJob {
            number: self.job_number,
            submission: Submission {
                job: JobId(0),
                submitted: Time(self.submit_time),
                request: Request { processors },
                limit: (self.requested_time > 0).then_some(Seconds(self.requested_time)),
                user: self.label(Field::User)?.map(UserId),
                group: self.label(Field::Group)?.map(GroupId),
                program: self.label(Field::Executable)?.map(ProgramId),
                queue: self.label(Field::Queue)?.map(QueueId),
                partition: self.label(Field::Partition)?.map(PartitionId),
            },
            recorded: Recorded {
                wait: (self.wait_time >= 0).then_some(Seconds(self.wait_time)),
                run: Seconds(self.run_time),
                status: status_from_number(self.status),
            },
        })
    }

    /// The record of a job with the wait a schedule gave it: what a simulation writes.
    pub fn from_traced(job: &TracedJob, wait: Seconds) -> Self {
        let submission = &job.submission;
        let processors = i64::from(submission.request.processors);
        let label = |number: Option<u32>| number.map_or(-1, i64::from);
        Self {
            job_number: job.number,
            submit_time: submission.submitted.0,
            wait_time: wait.0,
            run_time: job.recorded.run.0,
            allocated_processors: processors,
            requested_processors: processors,
            requested_time: submission.limit.map_or(-1, |limit| limit.0),
            status: status_to_number(job.recorded.status),
            user: label(submission.user.map(|user| user.0)),
            group: label(submission.group.map(|group| group.0)),
            executable: label(submission.program.map(|program| program.0)),
            queue: label(submission.queue.map(|queue| queue.0)),
            partition: label(submission.partition.map(|partition| partition.0)),
            ..Self::UNKNOWN
        }
    }

    fn processors_in_range(&self) -> Result<u32, Unusable> {
        let processors = self.processors().ok_or(Unusable::NoProcessors)?;
        let field = if self.requested_processors > 0 { Field::RequestedProcessors } else { Field::AllocatedProcessors };
        u32::try_from(processors).map_err(|_| Unusable::OutOfRange(field))
    }

    fn label(&self, field: Field) -> Result<Option<u32>, Unusable> {
        match self.integer(field) {
            Some(number) if number >= 0 => u32::try_from(number).map(Some).map_err(|_| Unusable::OutOfRange(field)),
            _ => Ok(None),
        }
    }
}

fn status_from_number(number: i64) -> Status {
    match number {
        0 => Status::Failed,
        1 => Status::Completed,
        2..=4 => Status::Partial,
        5 => Status::Cancelled,
        _ => Status::Unknown,
    }
}

/// The three kinds of part are one status here, so a part is written as 2, a part that is to be continued.
fn status_to_number(status: Status) -> i64 {
    match status {
        Status::Failed => 0,
        Status::Completed => 1,
        Status::Partial => 2,
        Status::Cancelled => 5,
        Status::Unknown => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: SwfRecord = SwfRecord {
        job_number: 17,
        submit_time: 100,
        wait_time: 7,
        run_time: 60,
        allocated_processors: 8,
        requested_processors: 8,
        requested_time: 120,
        status: 1,
        user: 0,
        queue: 3,
        ..SwfRecord::UNKNOWN
    };

    #[test]
    fn a_record_becomes_a_job_and_comes_back() {
        let job = RECORD.to_traced().expect("usable");
        assert_eq!(job.number, 17);
        assert_eq!(job.submission.request.processors, 8);
        assert_eq!(job.submission.user, Some(UserId(0)));
        assert_eq!(job.submission.group, None);
        assert_eq!(job.recorded, Recorded { wait: Some(Seconds(7)), run: Seconds(60), status: Status::Completed });
        assert_eq!(SwfRecord::from_traced(&job, Seconds(7)), RECORD);
    }

    #[test]
    fn what_the_log_does_not_know_is_none() {
        let record = SwfRecord { wait_time: -1, requested_time: 0, status: -1, user: -1, ..RECORD };
        let job = record.to_traced().expect("usable");
        assert_eq!(job.recorded.wait, None);
        assert_eq!(job.recorded.status, Status::Unknown);
        assert_eq!(job.submission.limit, None);
        assert_eq!(job.submission.user, None);
    }

    #[test]
    fn unusable_records_say_why() {
        let cases = [
            (SwfRecord { submit_time: -1, ..RECORD }, Unusable::NoSubmitTime),
            (SwfRecord { allocated_processors: -1, requested_processors: 0, ..RECORD }, Unusable::NoProcessors),
            (SwfRecord { run_time: -1, ..RECORD }, Unusable::NoRunTime),
            (SwfRecord { user: 1 << 32, ..RECORD }, Unusable::OutOfRange(Field::User)),
            (SwfRecord { requested_processors: 1 << 32, ..RECORD }, Unusable::OutOfRange(Field::RequestedProcessors)),
            (
                SwfRecord { requested_processors: -1, allocated_processors: 1 << 32, ..RECORD },
                Unusable::OutOfRange(Field::AllocatedProcessors),
            ),
        ];
        for (record, expected) in cases {
            assert_eq!(record.to_traced(), Err(expected));
        }
        assert!(SwfRecord { run_time: 0, ..RECORD }.to_traced().is_ok(), "an instant job can be replayed");
    }
}
