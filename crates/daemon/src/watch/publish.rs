//! From a situation and what is said of it to what is published.

use std::sync::Arc;

use queuecast_slurm::record::JobRecord;

use crate::published::{JobForecast, PublishedJob};

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
        slurm_planned_start: record.planned_start,
        forecast,
        kept,
    }
}

/// In order of number, which is what readers search by.
pub fn in_order(mut jobs: Vec<PublishedJob>) -> Arc<[PublishedJob]> {
    jobs.sort_by_key(|job| job.job_id);
    jobs.into()
}
