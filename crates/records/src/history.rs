//! From records to the product's jobs.
//!
//! For: one job of a trace per attempt, with names numbered in order of appearance, so that everything that learns from
//! a log can learn from Slurm's accounting.
//!
//! Not for: reading; cleaning (`queuecast_workload::clean`).
//!
//! What is decided here:
//!
//! * **Attempts.** Slurm writes a record for each run of a requeued job, with a new time of submission; each is a job
//!   here. So is each part of a resized job: Slurm closes the record at the resize (`RESIZING`) and opens one submitted
//!   at that moment (by its source, `_setup_job_start_msg`; not recorded).
//! * **Run time** is `Elapsed`, which stands still while a job is suspended (seen in 26.05); where it is missing, end
//!   less start less suspension. A job that never started, has not ended, or ended before it started has none.
//! * **Wait** is from submission to start, as the Standard Workload Format has it, whatever the job waited for. A start
//!   before the submission leaves it unknown.
//! * **Processors** are the CPUs allocated, which is what the job held (whole nodes, if it was exclusive); those
//!   requested, where nothing was allocated.
//! * **Names.** User, account (group), job name (program), QOS (queue) and first partition are numbered from 1.
//! * **REVOKED** records are siblings of a federated job that ran elsewhere: left out, and counted.
//! * **Status.** COMPLETED is completed. CANCELLED, PREEMPTED, DEADLINE and requeued attempts are cancelled: somebody
//!   ended them. FAILED, TIMEOUT, `NODE_FAIL`, `BOOT_FAIL` and `OUT_OF_MEMORY` are failed. A closed part of a resized
//!   job is a part.

use std::collections::HashMap;

use queuecast_workload::swf::SwfRecord;
use queuecast_workload::{
    GroupId, JobId, PartitionId, ProgramId, QueueId, Recorded, Request, Seconds, Status, Submission, Time, TracedJob,
    UserId,
};

use crate::{BaseState, JobRecord, JobState, StateFlag};

/// One attempt at a job, as far as it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Slurm's number for the job.
    pub number: i64,
    /// When it was submitted, in Unix time.
    pub submitted: Time,
    /// Processors it held or would hold; `None` where Slurm says neither.
    pub processors: Option<u32>,
    /// Its limit.
    pub limit: Option<Seconds>,
    /// Who submitted it.
    pub user: Option<UserId>,
    /// The account.
    pub group: Option<GroupId>,
    /// The job's name.
    pub program: Option<ProgramId>,
    /// The quality of service.
    pub queue: Option<QueueId>,
    /// The partition.
    pub partition: Option<PartitionId>,
    /// Seconds in the queue, if it started.
    pub wait: Option<Seconds>,
    /// Run time, if it started and ended.
    pub run: Option<Seconds>,
    /// How it ended.
    pub status: Status,
}

impl Attempt {
    /// The job of a trace; `None` if it has not run to an end or its size is not known.
    pub fn traced(&self) -> Option<TracedJob> {
        Some(TracedJob {
            number: self.number,
            submission: Submission {
                job: JobId(0),
                submitted: self.submitted,
                request: Request { processors: self.processors? },
                limit: self.limit,
                user: self.user,
                group: self.group,
                program: self.program,
                queue: self.queue,
                partition: self.partition,
            },
            recorded: Recorded { wait: self.wait, run: self.run?, status: self.status },
        })
    }

    /// The line of a log for it, times counted from the Unix epoch; what is not known is -1.
    pub fn swf(&self) -> SwfRecord {
        let label = |number: Option<u32>| number.map_or(-1, i64::from);
        let span = |span: Option<Seconds>| span.map_or(-1, |span| span.0);
        SwfRecord {
            job_number: self.number,
            submit_time: self.submitted.0,
            wait_time: span(self.wait),
            run_time: span(self.run),
            allocated_processors: label(self.processors),
            requested_processors: label(self.processors),
            requested_time: span(self.limit),
            status: match self.status {
                Status::Failed => 0,
                Status::Completed => 1,
                Status::Partial => 2,
                Status::Cancelled => 5,
                Status::Unknown => -1,
            },
            user: label(self.user.map(|user| user.0)),
            group: label(self.group.map(|group| group.0)),
            executable: label(self.program.map(|program| program.0)),
            queue: label(self.queue.map(|queue| queue.0)),
            partition: label(self.partition.map(|partition| partition.0)),
            ..SwfRecord::UNKNOWN
        }
    }
}

/// Turns records into attempts, and remembers which number each name has.
#[derive(Debug, Default)]
pub struct History {
    users: Numbering,
    /// By the number that the machine gives a user.
    users_by_id: HashMap<u32, UserId>,
    accounts: Numbering,
    programs: Numbering,
    qos: Numbering,
    partitions: Numbering,
    revoked: u64,
}

impl History {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The attempt this record tells of; `None` for a sibling that ran elsewhere.
    pub fn attempt(&mut self, job: &JobRecord) -> Option<Attempt> {
        if job.state.flags.has(StateFlag::Revoked) {
            self.revoked += 1;
            return None;
        }
        let submitted = job.key.submitted;
        let started = job.started.filter(|_| has_started(job.state));
        let processors = [job.allocated.cpus, job.requested.cpus].into_iter().flatten().find(|&cpus| cpus > 0);
        Some(Attempt {
            number: i64::try_from(job.key.job_id).unwrap_or(-1),
            submitted,
            processors: processors.and_then(|cpus| u32::try_from(cpus).ok()),
            limit: job.limit.seconds(),
            user: self.whose(job),
            group: self.accounts.number(&job.account).map(GroupId),
            program: self.programs.number(&job.name).map(ProgramId),
            queue: self.qos.number(&job.qos).map(QueueId),
            partition: job.partitions.first().and_then(|name| self.partitions.number(name)).map(PartitionId),
            wait: started.filter(|&started| started >= submitted).map(|started| started - submitted),
            run: started.filter(|_| job.state.has_ended()).and_then(|started| run(job, started)),
            status: status(job.state),
        })
    }

    /// Whose it is. A manager that cannot resolve a user leaves the name out and still says the machine's number: those are not many unknown people, but one for each
    /// number, and the same as under their name.
    fn whose(&mut self, job: &JobRecord) -> Option<UserId> {
        let Some(user_id) = job.user_id else { return self.users.number(&job.user).map(UserId) };
        if let Some(&known) = self.users_by_id.get(&user_id).filter(|_| job.user.is_empty()) {
            return Some(known);
        }
        // No user of a machine can be called so.
        let number =
            if job.user.is_empty() { self.users.number(&format!("#{user_id}")) } else { self.users.number(&job.user) };
        let user = number.map(UserId)?;
        self.users_by_id.insert(user_id, user);
        Some(user)
    }

    /// The number of a user's name, if it has appeared.
    pub fn user(&self, name: &str) -> Option<UserId> {
        self.users.known(name).map(UserId)
    }

    /// The number of a job's name, if it has appeared.
    pub fn program(&self, name: &str) -> Option<ProgramId> {
        self.programs.known(name).map(ProgramId)
    }

    /// The number of a partition, if it has appeared.
    pub fn partition(&self, name: &str) -> Option<PartitionId> {
        self.partitions.known(name).map(PartitionId)
    }

    /// How many siblings that ran elsewhere were left out.
    pub fn revoked(&self) -> u64 {
        self.revoked
    }
}

/// A pending job's start is a plan; a requeued attempt is PENDING in its base state and has run.
fn has_started(state: JobState) -> bool {
    state.base != BaseState::Pending || state.has_ended()
}

fn run(job: &JobRecord, started: Time) -> Option<Seconds> {
    let ended = job.ended?;
    let run = match job.elapsed {
        Some(elapsed) => elapsed,
        None => ended - started - job.suspended.unwrap_or(Seconds::ZERO),
    };
    // The second part of a resized job may keep the first's start.
    let since_submission = ended - job.key.submitted;
    let run = if started < job.key.submitted { run.min(since_submission) } else { run };
    (ended >= started && run >= Seconds::ZERO).then_some(run)
}

fn status(state: JobState) -> Status {
    if state.flags.has(StateFlag::Resizing) {
        return Status::Partial;
    }
    if state.flags.has(StateFlag::Requeued) {
        return Status::Cancelled;
    }
    match state.base {
        BaseState::Completed => Status::Completed,
        BaseState::Cancelled | BaseState::Preempted | BaseState::Deadline => Status::Cancelled,
        BaseState::Failed | BaseState::Timeout | BaseState::NodeFail | BaseState::BootFail | BaseState::OutOfMemory => {
            Status::Failed
        }
        BaseState::Pending | BaseState::Running | BaseState::Suspended | BaseState::Other => Status::Unknown,
    }
}

/// Names numbered from 1 in order of appearance. No name has no number. Users choose the names, so the hash is one they
/// cannot steer.
#[derive(Debug, Default)]
struct Numbering(HashMap<String, u32>);

impl Numbering {
    fn known(&self, name: &str) -> Option<u32> {
        self.0.get(name).copied()
    }

    fn number(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        if let Some(&number) = self.0.get(name) {
            return Some(number);
        }
        let number = u32::try_from(self.0.len() + 1).ok()?;
        self.0.insert(name.to_owned(), number);
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobKey, JobPart, JobState};

    fn of(user: &str, user_id: Option<u32>) -> JobRecord {
        let key =
            JobKey { cluster: "alpha".to_owned(), job_id: 1, part: JobPart::Whole, submitted: Time(1), sluid: None };
        JobRecord { user: user.to_owned(), user_id, ..JobRecord::new(key, JobState::default()) }
    }

    /// Where the controller cannot resolve names, or else every job would be of somebody else, and one person's six jobs those of a crowd.
    #[test]
    fn who_has_no_name_is_known_by_number_and_is_the_same_as_under_a_name() {
        let mut history = History::new();
        let mut whose = |user: &str, user_id| history.attempt(&of(user, user_id)).expect("it ran here").user;
        let nameless = whose("", Some(7));
        assert!(nameless.is_some() && nameless == whose("", Some(7)) && nameless != whose("", Some(8)));
        let alice = whose("alice", Some(1_000));
        assert_eq!((whose("", Some(1_000)), whose("alice", None)), (alice, alice));
        assert_ne!(alice, nameless);
        assert_eq!(whose("", None), None, "nobody can say");
    }
}
