//! Made-up jobs for tests.

use queuecast_workload::{Status, Time};

use super::past_job::{Fate, PastJob, Resources};
use super::past_jobs::PastJobs;

/// A job of one processor, with an hour's limit.
pub fn job(arrived: i64, wait_seconds: u32, run_seconds: u32) -> PastJob {
    let one = Resources { nodes: 1, processors: 1, gpus: 0 };
    PastJob {
        number: arrived,
        arrived: Time(arrived),
        wait_seconds,
        run_seconds,
        limit_seconds: 3_600,
        priority: 0,
        asked: one,
        held: one,
        user: 1,
        group: 1,
        program: 1,
        queue: 1,
        partition: 1,
        fate: Fate::Ended,
        status: Status::Completed,
    }
}

/// A job that left after a while.
pub fn withdrawn(arrived: i64, wait_seconds: u32) -> PastJob {
    PastJob { fate: Fate::Withdrawn, status: Status::Cancelled, ..job(arrived, wait_seconds, 0) }
}

/// Of one partition.
pub fn history(jobs: Vec<PastJob>) -> PastJobs {
    PastJobs { jobs, partitions: vec!["batch".to_owned()], sharing: vec![0, 1], ..PastJobs::default() }
}
