//! From a situation and what is said of it to what is published.

use std::sync::Arc;

use queuecast_records::{JobPart, JobRecord};

use queuecast_forecast::estimate::JobForecast;
use queuecast_site::published::PublishedJob;

/// A job as it is published.
pub fn published(record: &JobRecord, forecast: JobForecast, kept: bool) -> PublishedJob {
    let has = if record.started.is_some() { &record.allocated } else { &record.requested };
    PublishedJob {
        job_id: record.key.job_id,
        part: record.key.part.clone(),
        name: record.name.clone(),
        user: record.user.clone(),
        user_id: record.user_id,
        account: record.account.clone(),
        partitions: record.partitions.clone(),
        qos: record.qos.clone(),
        submitted: record.key.submitted,
        started: record.started,
        limit: record.limit.seconds(),
        nodes: has.nodes,
        cpus: has.cpus,
        reason: record.reason.clone(),
        slurm_estimated_start: record.planned_start,
        forecast,
        kept,
    }
}

/// Whether a forecast of it will ever be scored. Of the rest of an array nobody can say whose start was meant: its tasks become jobs
/// of their own when they start.
pub fn can_be_scored(record: &JobRecord) -> bool {
    !matches!(record.key.part, JobPart::ArrayRemainder { .. })
}

/// In order of number, which is what readers search by.
pub fn in_order(mut jobs: Vec<PublishedJob>) -> Arc<[PublishedJob]> {
    jobs.sort_by_key(|job| job.job_id);
    jobs.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::test_records::waiting;

    #[test]
    fn a_task_is_scored_and_the_rest_of_its_array_is_not() {
        let mut job = waiting(7, 1);
        assert!(can_be_scored(&job));
        job.key.part = JobPart::ArrayTask { array_job_id: 7, task: 2 };
        assert!(can_be_scored(&job));
        job.key.part = JobPart::ArrayRemainder { array_job_id: 7, tasks: "3-9%2".to_owned() };
        assert!(!can_be_scored(&job));
    }
}
