//! A job of `sacct --json` and REST `/slurmdb/.../jobs`.
//!
//! Source: 22.05 (v0.0.38) and v0.0.40 to v0.0.45. The start of a job cancelled while it was pending is 4294967294
//! there, that of a pending one 0: neither is a time. In 22.05 it may also be its end (seen in our lab), where the text says
//! `None`: whoever got no nodes never started. Steps are passed over.

use queuecast_workload::Seconds;

use super::field::{Field, Problem};
use super::number::Number;
use super::queue_job::parted_exit_code;
use queuecast_records::{JobKey, JobPart, JobRecord, JobState, Tres};

/// What accounting says of a job that never got any.
const NO_NODES: &str = "None assigned";

pub(super) fn decode(job: &Field<'_>) -> Result<JobRecord, Problem> {
    let state_field = job.required("state")?;
    let words = state_field.words("current")?;
    if words.is_empty() {
        return Err(state_field.required("current").map_or_else(|problem| problem, |field| field.not("a state")));
    }
    let time = job.required("time")?;
    let submitted = time.time("submission")?.ok_or_else(|| match time.required("submission") {
        Ok(field) => field.not("a time of submission"),
        Err(problem) => problem,
    })?;
    let key = JobKey {
        cluster: job.text("cluster")?,
        job_id: job.required_count("job_id")?,
        part: part(job)?,
        submitted,
        sluid: Some(job.text("sluid")?).filter(|sluid| !sluid.is_empty()),
    };
    let mut record = JobRecord::new(key, JobState::from_words(words));
    record.name = job.text("name")?;
    record.user = job.text("user")?;
    record.account = job.text("account")?;
    record.partitions = job.names("partition")?;
    record.qos = job.text("qos")?;
    record.exit_code = match job.get("exit_code") {
        Some(code) => parted_exit_code(&code)?,
        None => None,
    };
    record.eligible = time.time("eligible")?;
    time.required("start")?;
    record.started = time.time("start")?;
    time.required("end")?;
    record.ended = time.time("end")?;
    record.elapsed = seconds(&time, "elapsed")?;
    record.suspended = seconds(&time, "suspended")?;
    // Not asked for loudly: a job without a limit may have none here.
    record.limit = time.limit("limit")?;
    if let Some(tres) = job.get("tres") {
        record.requested = resources(&tres, "requested")?;
        record.allocated = resources(&tres, "allocated")?;
    }
    if let Some(required) = job.get("required") {
        record.requested.cpus = record.requested.cpus.or(required.count("CPUs")?);
    }
    record.allocated.nodes = record.allocated.nodes.or(job.count("allocation_nodes")?.filter(|&nodes| nodes > 0));
    record.nodes = job.text("nodes")?;
    if record.nodes == NO_NODES {
        record.started = None;
    }
    // From v0.0.45 on: `NODE` is whole nodes, `NO` none; other words keep strangers off.
    record.exclusive = job.words("exclusive")?.first().map(|&word| word == "NODE");
    record.features = job.text("constraints")?;
    if let Some(reservation) = job.get("reservation") {
        // 22.05 writes a number, 0, in the place of the name.
        record.reservation = reservation.text("name")?;
    }
    record.priority = job.count("priority")?;
    record.reason = state_field.text("reason")?;
    record.restarts = job.small_count("restart_cnt")?;
    record.flags = job.words("flags")?.join(",");
    if let Some(comment) = job.get("comment") {
        record.admin_comment = comment.text("administrator")?;
        record.comment = comment.text("job")?;
    }
    record.submit_line = job.text("submit_line")?;
    Ok(record)
}

fn seconds(time: &Field<'_>, name: &str) -> Result<Option<Seconds>, Problem> {
    let Some(field) = time.get(name) else { return Ok(None) };
    match field.number()? {
        Number::Is(seconds) if (0..=Seconds::MAX.0).contains(&seconds) => Ok(Some(Seconds(seconds))),
        Number::Is(_) => Err(field.not("a span of seconds")),
        Number::NotSet | Number::Infinite => Ok(None),
    }
}

fn part(job: &Field<'_>) -> Result<JobPart, Problem> {
    if let Some(array) = job.get("array")
        && let Some(array_job_id) = array.count("job_id")?.filter(|&id| id > 0)
    {
        if let Some(task) = array.small_count("task_id")? {
            return Ok(JobPart::ArrayTask { array_job_id, task });
        }
        let tasks = array.text("task")?;
        if !tasks.is_empty() {
            return Ok(JobPart::ArrayRemainder { array_job_id, tasks });
        }
    }
    if let Some(het) = job.get("het")
        && let Some(het_job_id) = het.count("job_id")?.filter(|&id| id > 0)
    {
        return Ok(JobPart::HetComponent { het_job_id, offset: het.small_count("job_offset")?.unwrap_or(0) });
    }
    Ok(JobPart::Whole)
}

/// `[{"type":"gres","name":"gpu:a100","count":2}]`; -2 or null is what was not measured.
pub(super) fn resources(tres: &Field<'_>, name: &str) -> Result<Tres, Problem> {
    let mut found = Tres::default();
    let mut typed_gpus = None;
    let Some(list) = tres.get(name) else { return Ok(found) };
    for resource in list.items()? {
        let count = resource.count("count")?;
        let kind = resource.text("type")?;
        let resource_name = resource.text("name")?;
        match (kind.as_str(), resource_name.as_str()) {
            ("cpu", _) => found.cpus = count,
            ("mem", _) => found.memory_mebibytes = count,
            ("node", _) => found.nodes = count,
            ("billing", _) => found.billing = count,
            ("gres", "gpu") => found.gpus = count,
            ("gres", name) if name.starts_with("gpu:") => {
                typed_gpus = Some(count.unwrap_or(0).saturating_add(typed_gpus.unwrap_or(0)));
            }
            _ => {}
        }
    }
    found.gpus = found.gpus.or(typed_gpus);
    Ok(found)
}
