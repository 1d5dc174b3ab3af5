//! A record's job: from attributes to what every manager says.
//!
//! Not for: which records belong together (`read`).

use queuecast_records::{ExitCode, JobKey, JobRecord, JobState, TimeLimit, Tres};
use queuecast_workload::{Seconds, Time};

use crate::attributes::Attributes;
use crate::line::{JobName, Kind};
use crate::open_jobs::SoFar;
use crate::resources::{is_exclusive, on_hosts, on_vnodes, selected};

/// What PBS calls the project of a job that was given none.
const NO_PROJECT: &[u8] = b"_pbs_project_default";

/// Of exit statuses, those the server itself makes up (`job.h`).
const KILLED_AT_VMEM: i64 = -26;
const KILLED_AT_MEM: i64 = -27;
const KILLED_AT_WALLTIME: i64 = -29;
/// Above it a status is a signal.
const SIGNAL: i64 = 256;

/// The attempt that a record of this kind tells of; `None` where the record does not say when the job was submitted.
pub(crate) fn record(name: JobName, kind: Kind, said: &Attributes<'_>, so_far: SoFar) -> Option<JobRecord> {
    let created = said.created.or(said.queued)?;
    let submitted = so_far.requeued.map_or(created, |requeued| requeued.max(created));
    let key = JobKey { cluster: name.server, job_id: name.number, part: name.part, submitted, sluid: None };
    let mut job = JobRecord::new(key, state(kind, said, so_far));
    job.name = text(said.job_name);
    job.user = text(said.user);
    job.account = account(said);
    job.partitions = if said.queue.is_empty() { Vec::new() } else { vec![text(said.queue)] };
    job.eligible = said.eligible.map(|eligible| eligible.max(submitted));
    job.limit = limit(said.limit_seconds);
    job.requested = requested(said);
    job.exclusive = is_exclusive(said.place);
    job.reservation = text(said.reservation);
    job.dependency = text(said.depend);
    job.restarts = said.run_count.and_then(|count| u32::try_from(count.saturating_sub(1)).ok());
    if kind != Kind::Queued {
        job.started = said.started;
        (job.allocated, job.nodes) = allocated(said);
    }
    if matches!(kind, Kind::Ended | Kind::Requeued) {
        job.ended = said.ended;
        job.exit_code = exit_code(said.exit_status);
        if so_far.was_suspended {
            (job.elapsed, job.suspended) = with_suspension(said);
        }
    }
    Some(job)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn account(said: &Attributes<'_>) -> String {
    let project = if said.project == NO_PROJECT { b"" } else { said.project };
    text([said.account, project].into_iter().find(|name| !name.is_empty()).unwrap_or(said.group))
}

/// Records have whole minutes, as Slurm has; a job is not killed before its last second.
fn limit(seconds: Option<u64>) -> TimeLimit {
    let minutes = seconds.map(|seconds| u32::try_from(seconds.div_ceil(60)));
    minutes.map_or(TimeLimit::NotKnown, |minutes| minutes.map_or(TimeLimit::Unlimited, TimeLimit::Minutes))
}

fn requested(said: &Attributes<'_>) -> Tres {
    let chunks = selected(said.select);
    Tres {
        cpus: said.cpus.or(chunks.cpus),
        memory_mebibytes: said.memory_mebibytes.or(chunks.memory_mebibytes),
        nodes: said.nodes.or(chunks.nodes),
        gpus: said.gpus.or(chunks.gpus),
        billing: None,
    }
}

/// What it got, and on which hosts.
fn allocated(said: &Attributes<'_>) -> (Tres, String) {
    let (hosts, cpus_on_hosts) = on_hosts(said.exec_host);
    if hosts.is_empty() {
        return (on_vnodes(said.exec_vnode), String::new());
    }
    let on_vnodes = on_vnodes(said.exec_vnode);
    let tres = Tres { cpus: on_vnodes.cpus.or(Some(cpus_on_hosts)), nodes: Some(hosts.len() as u64), ..on_vnodes };
    (tres, text(&hosts.join(&b','.to_owned())))
}

fn state(kind: Kind, said: &Attributes<'_>, so_far: SoFar) -> JobState {
    JobState::from_words([match kind {
        Kind::Queued => "PENDING",
        Kind::Started => "RUNNING",
        Kind::Requeued => "REQUEUED",
        _ => outcome(said, so_far),
    }])
}

fn outcome(said: &Attributes<'_>, so_far: SoFar) -> &'static str {
    match said.exit_status {
        Some(0) => "COMPLETED",
        Some(KILLED_AT_WALLTIME) => "TIMEOUT",
        Some(KILLED_AT_MEM | KILLED_AT_VMEM) => "OUT_OF_MEMORY",
        _ if so_far.is_deleted => "CANCELLED",
        Some(status) if status > SIGNAL && has_reached_limit(said) => "TIMEOUT",
        _ => "FAILED",
    }
}

fn has_reached_limit(said: &Attributes<'_>) -> bool {
    let used = said.used_seconds.or_else(|| between(said.started, said.ended));
    said.limit_seconds.zip(used).is_some_and(|(limit, used)| used >= limit)
}

fn between(started: Option<Time>, ended: Option<Time>) -> Option<u64> {
    u64::try_from((ended? - started?).0).ok()
}

/// Run time and suspension of a job that was suspended.
fn with_suspension(said: &Attributes<'_>) -> (Option<Seconds>, Option<Seconds>) {
    let Some(used) = said.used_seconds.and_then(|used| i64::try_from(used).ok()) else { return (None, None) };
    let suspended = between(said.started, said.ended).and_then(|span| i64::try_from(span).ok());
    (Some(Seconds(used)), suspended.map(|span| Seconds((span - used).max(0))))
}

fn exit_code(status: Option<i64>) -> Option<ExitCode> {
    let status = u32::try_from(status?).ok()?;
    Some(match status.checked_sub(256) {
        Some(signal) => ExitCode { return_code: 0, signal },
        None => ExitCode { return_code: status, signal: 0 },
    })
}
