//! A job of `squeue --json`, `scontrol show job --json` and REST `/slurm/.../jobs`.
//!
//! Source: 22.05 (v0.0.38) and v0.0.40 to v0.0.45. `start_time` and `end_time` of a job that has not started or ended
//! are plans: of a job that waits, whatever flags it has from an earlier attempt, the start is kept as one; the planned end of
//! a running job is its start and its limit, and is left out.

use queuecast_workload::{Seconds, Time};

use super::field::{Field, Problem};
use super::layout;
use super::number::Number;
use queuecast_records::{BaseState, ExitCode, JobKey, JobPart, JobRecord, JobState};

pub(super) fn decode(job: &Field<'_>) -> Result<JobRecord, Problem> {
    let states = job.words("job_state")?;
    if states.is_empty() {
        return Err(job.required("job_state").map_or_else(|problem| problem, |field| field.not("a state")));
    }
    let state = JobState::from_words(states);
    let job_id = job.required_count("job_id")?;
    let submitted = job.time("submit_time")?;
    let key = JobKey {
        cluster: job.text("cluster")?,
        job_id,
        part: part(job)?,
        submitted: submitted.ok_or_else(|| match job.required("submit_time") {
            Ok(field) => field.not("a time of submission"),
            Err(problem) => problem,
        })?,
        sluid: match job.get("step_id") {
            Some(step) => Some(step.text("sluid")?).filter(|sluid| !sluid.is_empty()),
            None => None,
        },
    };
    let mut record = JobRecord::new(key, state);
    record.name = job.text("name")?;
    record.user = job.text("user_name")?;
    record.user_id = job.small_count("user_id")?;
    record.account = job.text("account")?;
    record.partitions = job.names("partition")?;
    record.qos = job.text("qos")?;
    record.exit_code = exit_code(job)?;
    record.eligible = job.time("eligible_time")?;
    // 22.05 writes null for a job without a limit, so null is no reason to lose the job.
    if !job.has("time_limit") {
        job.required("time_limit")?;
    }
    record.limit = job.limit("time_limit")?;
    record.nodes = job.text("nodes")?;
    let (start, end) = (job.time("start_time")?, job.time("end_time")?);
    match state.base {
        BaseState::Pending => record.planned_start = start,
        BaseState::Running | BaseState::Suspended => record.started = start,
        // Whoever left without having got nodes never started; Slurm gives the end for a start (22.05, 26.05).
        _ => (record.started, record.ended) = (start.filter(|_| !record.nodes.is_empty()), end),
    }
    if let (Some(started), Some(ended)) = (record.started, record.ended) {
        record.elapsed = elapsed(job, started, ended)?.filter(|&elapsed| elapsed >= Seconds::ZERO);
    }
    record.time_min_minutes = job.small_count("time_minimum")?.filter(|&minutes| minutes > 0);
    record.requested = job.tres("tres_req_str")?;
    record.allocated = job.tres("tres_alloc_str")?;
    record.requested.cpus = record.requested.cpus.or(job.count("cpus")?);
    record.requested.nodes = record.requested.nodes.or(job.count("node_count")?);
    record.exclusive = exclusive(job)?;
    record.features = job.text("features")?;
    record.reservation = job.text("resv_name")?;
    record.required_nodes = job.text("required_nodes")?;
    record.excluded_nodes = job.text("excluded_nodes")?;
    record.priority = job.count("priority")?;
    record.reason = job.text("state_reason")?;
    record.dependency = job.text("dependency")?;
    record.restarts = job.small_count("restart_cnt")?;
    record.flags = job.words("flags")?.join(",");
    record.admin_comment = job.text("admin_comment")?;
    record.comment = job.text("comment")?;
    record.submit_line = job.text("submit_line")?;
    record.layout = layout::decode(job)?;
    record.licenses = job.text("licenses")?;
    record.nice = nice(job)?;
    record.deadline = job.time("deadline")?;
    record.throttle = job.small_count("array_max_tasks")?.filter(|&tasks| tasks > 0);
    Ok(record)
}

/// `shared` is one word or null in 22.05, an array from v0.0.40 on: `none` is whole nodes, `user` and `mcs` are nodes
/// kept from strangers, `shared` nodes gladly shared, and nothing at all a job that did not say. In v0.0.45 the array
/// is empty of jobs that were submitted with `--exclusive` too (26.05.3, where v0.0.44 still says `none` of the same
/// jobs), so there it says nothing; that version is known by having lost the field `power`.
fn exclusive(job: &Field<'_>) -> Result<Option<bool>, Problem> {
    let is_old = job.get("job_state").is_some_and(|state| state.str().is_some());
    let words = job.words("shared")?;
    let is_said = job.has("shared") && (!words.is_empty() || is_old || job.has("power"));
    Ok(is_said.then(|| words.contains(&"none")))
}

/// A number with a sign. 22.05 writes null for a job that is as nice as any (tried), and -1 is not without limit here.
fn nice(job: &Field<'_>) -> Result<Option<i64>, Problem> {
    let Some(field) = job.get("nice") else { return Ok(job.has("nice").then_some(0)) };
    Ok(field.signed()?.filter(|nice| nice.unsigned_abs() < NICE_MAX))
}

/// No job is nicer; what is beyond is Slurm's word for a number that is not set.
const NICE_MAX: u64 = 0x8000_0000;

/// How long it ran, without the time it was suspended: as squeue reckons (`job_time_used`), what it had run when it was last
/// suspended, and from when it was last suspended or resumed. Whoever ends suspended ends, for Slurm, when that began.
fn elapsed(job: &Field<'_>, started: Time, ended: Time) -> Result<Option<Seconds>, Problem> {
    let Some(changed) = job.time("suspend_time")? else { return Ok(Some(ended - started)) };
    let ran_before = job.count("pre_sus_time")?.and_then(|seconds| i64::try_from(seconds).ok()).map(Seconds);
    Ok(ran_before.filter(|&ran| ran <= Seconds::MAX).map(|ran| ran + (ended - changed)))
}

/// Slurm writes 0 for "not part of an array" and "not part of a heterogeneous job".
fn part(job: &Field<'_>) -> Result<JobPart, Problem> {
    let tasks = job.text("array_task_string")?;
    if let Some(array_job_id) = job.count("array_job_id")?.filter(|&id| id > 0) {
        if let Some(task) = job.small_count("array_task_id")? {
            return Ok(JobPart::ArrayTask { array_job_id, task });
        }
        if !tasks.is_empty() {
            let limit = job.count("array_max_tasks")?.filter(|&limit| limit > 0);
            let tasks = match limit {
                Some(limit) if !tasks.contains('%') => format!("{tasks}%{limit}"),
                _ => tasks,
            };
            return Ok(JobPart::ArrayRemainder { array_job_id, tasks });
        }
    }
    if let Some(het_job_id) = job.count("het_job_id")?.filter(|&id| id > 0) {
        let offset = job.small_count("het_job_offset")?.unwrap_or(0);
        return Ok(JobPart::HetComponent { het_job_id, offset });
    }
    Ok(JobPart::Whole)
}

/// A wait status in one number in 22.05, taken apart from v0.0.40 on.
fn exit_code(job: &Field<'_>) -> Result<Option<ExitCode>, Problem> {
    let Some(code) = job.get("exit_code") else { return Ok(None) };
    if code.has("return_code") {
        return parted_exit_code(&code);
    }
    match code.number()? {
        Number::Is(status) => {
            let status = u32::try_from(status).map_err(|_| code.not("an exit code"))?;
            Ok(Some(ExitCode { return_code: status >> 8 & 0xff, signal: status & 0x7f }))
        }
        Number::NotSet | Number::Infinite => Ok(None),
    }
}

/// `{"return_code", "signal": {"id"}}`, which accounting writes too; 22.05 has `signal` only where there was one.
pub(super) fn parted_exit_code(code: &Field<'_>) -> Result<Option<ExitCode>, Problem> {
    let return_code = code.small_count("return_code")?.unwrap_or(0);
    let signal = match code.get("signal") {
        Some(signal) => {
            let name = if signal.has("id") { "id" } else { "signal_id" };
            signal.small_count(name)?.unwrap_or(0)
        }
        None => 0,
    };
    Ok(Some(ExitCode { return_code, signal }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::TimeLimit;

    fn decoded(json: &str) -> Result<JobRecord, Problem> {
        decode(&Field::root(&serde_json::from_str(json).expect("JSON")))
    }

    /// Seen in 22.05: `--time=UNLIMITED` is null there.
    #[test]
    fn a_job_without_a_limit_is_not_lost() {
        let job = decoded(r#"{"job_id":2,"job_state":"PENDING","submit_time":5,"time_limit":null,"shared":"user"}"#);
        let job = job.expect("a job");
        assert_eq!((job.limit, job.exclusive), (TimeLimit::NotKnown, Some(false)));
        assert!(decoded(r#"{"job_id":2,"job_state":"PENDING","submit_time":5}"#).is_err());
    }
}
