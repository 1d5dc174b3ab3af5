//! A resource manager that is simulated: jobs come, our own model of Slurm starts them, they end, are withdrawn, fail and are tried again.
//!
//! For: the truth. What the daemon is told of it is another matter (`source`).
//!
//! Not for: everything Slurm does. There are whole jobs, arrays whose waiting rest is one record, attempts that a failed node ends and that
//! are tried again under the same number, jobs on hold, and jobs that their owners withdraw.

use queuecast_records::{
    BaseState, JobKey, JobPart, JobRecord, JobState, NodeRecord, PartitionRecord, TimeLimit, Tres,
};
use queuecast_schedule::slurm::{
    Amount, Chunk, Cluster, Demand, Lumps, Pool, PoolSet, QueuedJob, RunningNow, SlurmScheduler, SlurmSettings,
};
use queuecast_workload::{Seconds, Time};
use rand::RngExt;
use rand_pcg::Pcg64;

/// The machine.
pub const NODES: u32 = 12;
/// For how long the controller remembers a job that has ended.
const REMEMBERED: i64 = 300;
/// Users, so that run times can be learnt of each.
const USERS: u32 = 6;

/// Where an attempt stands, in truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It waits.
    Waiting,
    /// It runs.
    Running {
        /// Since when.
        started: i64,
    },
    /// It has left.
    Over {
        /// When it started, if it did.
        started: Option<i64>,
        /// When it left.
        ended: i64,
        /// How.
        state: BaseState,
    },
}

/// One attempt at a job.
#[derive(Clone, Debug)]
pub struct TrueJob {
    /// Its number.
    pub job_id: u64,
    /// The array and the task, if it is one.
    pub task: Option<(u64, u32)>,
    /// Whether it is the waiting rest of an array.
    pub is_rest: bool,
    /// The tasks that wait as one, if it is.
    rest: Vec<u32>,
    /// When it was submitted.
    pub submitted: i64,
    /// Where it stands.
    pub phase: Phase,
    /// From when on accounting knows each of its phases.
    recorded: Vec<(i64, Phase)>,
    /// By how much accounting's times lie beside the queue's.
    accounting_off_by: i64,
    is_held: bool,
    /// Whether another attempt has taken its place in the queue.
    is_replaced: bool,
    user: u32,
    nodes: u32,
    limit_minutes: u32,
    run: i64,
    priority: u64,
    withdrawn_at: Option<i64>,
    fails_after: Option<i64>,
}

/// The manager.
pub struct Manager {
    /// Every attempt there ever was.
    pub jobs: Vec<TrueJob>,
    /// Things that have happened to jobs.
    pub events: u64,
    now: i64,
    next_id: u64,
    next_arrival: i64,
    /// Accounting is told everything so much later.
    pub accounting_lag: i64,
}

impl Manager {
    /// Nobody is there yet.
    pub fn new(now: i64) -> Self {
        Self { jobs: Vec::new(), events: 0, now, next_id: 100, next_arrival: now, accounting_lag: 0 }
    }

    /// Lets time pass up to here. Nobody comes any more once `is_closed`.
    pub fn pass(&mut self, until: i64, is_closed: bool, random: &mut Pcg64) {
        while self.now < until {
            self.now = (self.now + 5).min(until);
            let before = self.events;
            while !is_closed && self.next_arrival <= self.now {
                self.arrive(random);
            }
            for place in 0..self.jobs.len() {
                self.leave(place, random);
            }
            if self.events > before {
                self.start(random);
            }
        }
    }

    /// How many wait or run.
    pub fn open(&self) -> usize {
        self.jobs.iter().filter(|job| !matches!(job.phase, Phase::Over { .. })).count()
    }

    fn arrive(&mut self, random: &mut Pcg64) {
        let run = [10, 30, 60, 150, 300, 600][random.random_range(0..6_usize)] + random.random_range(0..30);
        let tasks = if random.random_bool(0.08) { random.random_range(2..6_u32) } else { 0 };
        let job_id = self.next_id;
        self.next_id += 1;
        let job = TrueJob {
            job_id,
            task: None,
            is_rest: tasks > 0,
            rest: (0..tasks).collect(),
            submitted: self.next_arrival,
            phase: Phase::Waiting,
            recorded: Vec::new(),
            accounting_off_by: i64::from(random.random_range(0..8_u8) / 6),
            is_held: random.random_bool(0.03),
            is_replaced: false,
            user: random.random_range(0..USERS),
            nodes: random.random_range(1..5),
            limit_minutes: u32::try_from(run / 60).unwrap_or(0) * random.random_range(1..8)
                + random.random_range(1..20),
            run,
            priority: random.random_range(1..1_000),
            withdrawn_at: random.random_bool(0.07).then(|| self.next_arrival + random.random_range(1..4_000)),
            fails_after: random.random_bool(0.04).then(|| random.random_range(1..run)),
        };
        self.jobs.push(job);
        self.enter(self.jobs.len() - 1, Phase::Waiting);
        self.next_arrival += random.random_range(1..130);
    }

    /// A phase begins.
    fn enter(&mut self, place: usize, phase: Phase) {
        let job = &mut self.jobs[place];
        job.phase = phase;
        job.recorded.push((self.now + self.accounting_lag, phase));
        self.events += 1;
    }

    fn leave(&mut self, place: usize, random: &mut Pcg64) {
        let job = &self.jobs[place];
        let is_withdrawn = job.withdrawn_at.is_some_and(|at| at <= self.now);
        match job.phase {
            Phase::Over { .. } => {}
            Phase::Waiting if is_withdrawn => {
                self.enter(place, Phase::Over { started: None, ended: self.now, state: BaseState::Cancelled });
            }
            Phase::Waiting => {
                // Somebody lets it go.
                if job.is_held && random.random_bool(0.01) {
                    self.jobs[place].is_held = false;
                    self.events += 1;
                }
            }
            Phase::Running { started } => {
                let limit = i64::from(job.limit_minutes) * 60;
                let end = |after: i64, state| (started + after <= self.now).then_some((started + after, state));
                let over = job
                    .fails_after
                    .and_then(|after| end(after, BaseState::NodeFail))
                    .or_else(|| is_withdrawn.then_some((self.now, BaseState::Cancelled)))
                    .or_else(|| {
                        end(job.run.min(limit), if job.run > limit { BaseState::Timeout } else { BaseState::Completed })
                    });
                let Some((ended, state)) = over else { return };
                self.enter(place, Phase::Over { started: Some(started), ended, state });
                if state == BaseState::NodeFail {
                    self.try_again(place);
                }
            }
        }
    }

    /// The same job, submitted again by the manager itself.
    fn try_again(&mut self, place: usize) {
        self.jobs[place].is_replaced = true;
        let again = TrueJob {
            submitted: self.now,
            recorded: Vec::new(),
            is_replaced: false,
            fails_after: None,
            ..self.jobs[place].clone()
        };
        self.jobs.push(again);
        self.enter(self.jobs.len() - 1, Phase::Waiting);
    }

    /// Starts whom our model of Slurm starts.
    fn start(&mut self, random: &mut Pcg64) {
        let mut queue: Vec<usize> = (0..self.jobs.len()).filter(|place| self.may_start(*place)).collect();
        queue.sort_by_key(|place| (std::cmp::Reverse(self.jobs[*place].priority), *place));
        let running = self.jobs.iter().filter_map(|job| match job.phase {
            Phase::Running { started } => Some(RunningNow {
                holds: vec![(0, Amount::processors(i64::from(job.nodes)))],
                planned_end: Time(started + i64::from(job.limit_minutes) * 60),
                caps: Vec::new(),
                class: None,
            }),
            _ => None,
        });
        let asked: Vec<QueuedJob> = queue
            .iter()
            .map(|place| QueuedJob {
                demand: Demand::of(self.jobs[*place].nodes, Chunk::WholeNode, PoolSet(1)),
                planned: Seconds(i64::from(self.jobs[*place].limit_minutes) * 60),
                eligible: true,
                class: None,
            })
            .collect();
        let mut started = Vec::new();
        SlurmScheduler::new(cluster(), &asked, running.collect()).pass(Time(self.now), true, &mut started);
        for index in started {
            self.begin(queue[index.0 as usize], random);
        }
    }

    fn may_start(&self, place: usize) -> bool {
        self.jobs[place].phase == Phase::Waiting && !self.jobs[place].is_held
    }

    /// Starts a job, or the first task of a rest.
    fn begin(&mut self, place: usize, random: &mut Pcg64) {
        let now = self.now;
        if !self.jobs[place].is_rest {
            self.enter(place, Phase::Running { started: now });
            return;
        }
        let array = self.jobs[place].job_id;
        let task = self.jobs[place].rest.remove(0);
        let is_last = self.jobs[place].rest.is_empty();
        let of_task = TrueJob {
            job_id: if is_last { array } else { self.next_id },
            task: Some((array, task)),
            is_rest: false,
            rest: Vec::new(),
            recorded: Vec::new(),
            run: self.jobs[place].run + random.random_range(0..40),
            withdrawn_at: None,
            ..self.jobs[place].clone()
        };
        self.next_id += u64::from(!is_last);
        if is_last {
            // Nothing is left of it, and accounting never hears of a rest.
            self.jobs[place].is_replaced = true;
            self.jobs[place].phase = Phase::Over { started: None, ended: now, state: BaseState::Cancelled };
        }
        self.jobs.push(of_task);
        self.enter(self.jobs.len() - 1, Phase::Running { started: now });
    }

    /// The queue as the controller shows it.
    pub fn queue(&self) -> Vec<JobRecord> {
        let is_shown = |job: &&TrueJob| match job.phase {
            Phase::Over { ended, .. } => !job.is_replaced && self.now - ended <= REMEMBERED,
            _ => true,
        };
        self.jobs.iter().filter(is_shown).map(|job| job.record(job.phase, 0, self.now)).collect()
    }

    /// What accounting knows by now of attempts that were eligible, ran or ended in a period.
    pub fn accounting(&self, from: i64, to: i64) -> Vec<JobRecord> {
        let told = self.jobs.iter().filter(|job| job.is_in_accounting()).filter_map(|job| {
            let (_, phase) = job.recorded.iter().rev().find(|(known, _)| *known <= self.now)?;
            let ended = match phase {
                Phase::Over { ended, .. } => *ended + job.accounting_off_by,
                _ => i64::MAX,
            };
            (job.submitted <= to && ended >= from).then(|| job.record(*phase, job.accounting_off_by, self.now))
        });
        told.collect()
    }

    /// The nodes.
    pub fn nodes() -> Vec<NodeRecord> {
        let node = |number: u32| NodeRecord {
            name: format!("n{number}"),
            states: vec!["IDLE".to_owned()],
            cpus: 1,
            partitions: vec!["batch".to_owned()],
            ..NodeRecord::default()
        };
        (1..=NODES).map(node).collect()
    }

    /// The partition.
    pub fn partitions() -> Vec<PartitionRecord> {
        vec![PartitionRecord { name: "batch".to_owned(), is_default: true, ..PartitionRecord::default() }]
    }
}

impl TrueJob {
    /// Whether accounting is ever told of it: not of the waiting rest of an array, nor of one that never could have started.
    pub fn is_in_accounting(&self) -> bool {
        let never_could =
            self.is_held && !matches!(self.phase, Phase::Over { started: Some(_), .. } | Phase::Running { .. });
        !self.is_rest && !never_could
    }

    /// When accounting says it started and left, once it knows everything.
    pub fn accounted(&self) -> (Option<i64>, Option<i64>) {
        let off = self.accounting_off_by;
        match self.phase {
            Phase::Waiting => (None, None),
            Phase::Running { started } => (Some(started + off), None),
            Phase::Over { started, ended, .. } => (started.map(|started| started + off), Some(ended + off)),
        }
    }

    /// What tells it from all others.
    pub fn part(&self) -> JobPart {
        match self.task {
            Some((array_job_id, task)) => JobPart::ArrayTask { array_job_id, task },
            None if !self.is_rest => JobPart::Whole,
            None => {
                let tasks = self.rest.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
                JobPart::ArrayRemainder { array_job_id: self.job_id, tasks }
            }
        }
    }

    fn record(&self, phase: Phase, off: i64, now: i64) -> JobRecord {
        let key = JobKey {
            cluster: "box".to_owned(),
            job_id: self.job_id,
            part: self.part(),
            submitted: Time(self.submitted),
            sluid: None,
        };
        let base = match phase {
            Phase::Waiting => BaseState::Pending,
            Phase::Running { .. } => BaseState::Running,
            Phase::Over { state, .. } => state,
        };
        let mut record = JobRecord::new(key, JobState { base, ..JobState::default() });
        record.user = format!("user{}", self.user);
        record.user_id = Some(1_000 + self.user);
        record.name = format!("name{}", self.user % 3);
        "all".clone_into(&mut record.account);
        record.partitions = vec!["batch".to_owned()];
        "normal".clone_into(&mut record.qos);
        record.limit = TimeLimit::Minutes(self.limit_minutes);
        record.priority = Some(if self.is_held { 0 } else { self.priority });
        if self.is_held { "JobHeldUser" } else { "Priority" }.clone_into(&mut record.reason);
        record.eligible = (!self.is_held).then_some(Time(self.submitted));
        record.requested =
            Tres { cpus: Some(u64::from(self.nodes)), nodes: Some(u64::from(self.nodes)), ..Tres::default() };
        let (started, ended) = match phase {
            Phase::Waiting => (None, None),
            Phase::Running { started } => (Some(started), None),
            Phase::Over { started, ended, .. } => (started, Some(ended)),
        };
        record.started = started.map(|started| Time(started + off));
        record.ended = ended.map(|ended| Time(ended + off));
        if let Some(started) = started {
            record.allocated = record.requested;
            record.nodes = format!("n[1-{}]", self.nodes);
            record.elapsed = Some(Seconds(ended.unwrap_or(now) - started));
        }
        record
    }
}

/// The machine as our model of Slurm sees it.
fn cluster() -> Cluster {
    let settings = SlurmSettings {
        backfill_interval: Seconds(0),
        window: Seconds(86_400),
        resolution: Seconds(60),
        lumps: Lumps::NONE,
        jobs_tested: usize::MAX,
        main_depth: usize::MAX,
        reservations: 3,
        backfills: true,
    };
    Cluster { pools: vec![Pool { node: Amount::processors(1), nodes: NODES }], settings, ..Cluster::default() }
}
