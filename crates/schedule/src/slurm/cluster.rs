//! The machine and how it is scheduled.

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;

/// Nodes that are alike: of one size, in the same partitions, with the same features. Those that are down or drained are not
/// counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// What one node has.
    pub node: Amount,
    /// How many nodes.
    pub nodes: u32,
}

/// One node, where nodes are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The pool it belongs to.
    pub pool: u8,
    /// Nodes of less weight are taken first (slurm.conf(5), `Weight`).
    pub weight: u32,
}

/// Something that jobs cannot have for a while: nodes in a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// At which place: a pool or, where nodes are told apart, a node.
    pub place: u32,
    /// How much. Of a node always all of it.
    pub amount: Amount,
    /// The reservation, by number: jobs in it may have its nodes, and no others.
    pub reservation: u32,
    /// From when.
    pub from: Time,
    /// Until when.
    pub until: Time,
}

/// A limit on what jobs of one kind may hold together: a quality of service, a user in it, the tasks of an array, licences of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// How many more jobs may run, or how many licences are left. Below zero where jobs count that the limit does not hold.
    pub jobs: i64,
    /// How many more nodes they may hold.
    pub nodes: i64,
    /// How much more they may hold; see [`Amount::UNLIMITED`].
    pub amount: Amount,
    /// How much may be before those that run, in seconds of each kind (`GrpTRESRunMins`); see [`Work`].
    pub work: Option<Work>,
}

impl Cap {
    /// No limit.
    pub const NONE: Self = Self { jobs: 1 << 60, nodes: 1 << 60, amount: Amount::UNLIMITED, work: None };
}

/// Which of the things that a [`Cap`] limits it limits for a job. The job counts against all of them, held by them or not: a limit
/// that another puts out of force for one job is still used up by that job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Things(u8);

impl Things {
    /// None: the job only counts.
    pub const NONE: Self = Self(0);
    /// The number of jobs.
    pub const JOBS: Self = Self(1);
    /// Nodes.
    pub const NODES: Self = Self(2);
    /// Processors.
    pub const PROCESSORS: Self = Self(4);
    /// Memory.
    pub const MEMORY: Self = Self(8);
    /// GPUs.
    pub const GPUS: Self = Self(16);
    /// What is before those that run.
    pub const WORK: Self = Self(32);
    /// All of them.
    pub const ALL: Self = Self(63);

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// These and those.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These without those.
    #[must_use]
    pub fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    fn has(self, one: Self) -> bool {
        self.0 & one.0 != 0
    }
}

/// That a job counts against a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts {
    /// The limit, by place in [`Cluster::caps`].
    pub cap: u32,
    /// What of it holds the job.
    pub held_by: Things,
    /// As how many jobs it counts: as one, or as many as the licences it needs.
    pub units: u32,
}

impl Counts {
    /// As one job.
    pub fn once(cap: u32, held_by: Things) -> Self {
        Self { cap, held_by, units: 1 }
    }
}

/// How much a job counts for: the units of [`Counts`], and what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Jobs, or licences.
    pub units: u32,
    /// Nodes.
    pub nodes: u32,
    /// What it holds on them.
    pub amount: Amount,
}

impl Cap {
    /// Whether it holds a job of this size back, of which it limits these things.
    pub fn holds_back(&self, things: Things, load: Load, planned: Seconds, now: Time) -> bool {
        let Load { units, nodes, amount } = load;
        let counted = |thing: Things, amount: i64| if things.has(thing) { amount } else { 0 };
        let limited = Amount {
            processors: counted(Things::PROCESSORS, amount.processors),
            memory_mebibytes: counted(Things::MEMORY, amount.memory_mebibytes),
            gpus: counted(Things::GPUS, amount.gpus),
        };
        (things.has(Things::JOBS) && self.jobs < i64::from(units))
            || (things.has(Things::NODES) && self.nodes < i64::from(nodes))
            || !self.amount.holds(limited)
            || (things.has(Things::WORK) && self.work.is_some_and(|work| !work.has_room(amount, planned, now)))
    }

    /// A job begins that counts against it.
    pub fn begin(&mut self, load: Load, planned_end: Time) {
        let Load { units, nodes, amount } = load;
        self.jobs -= i64::from(units);
        self.nodes -= i64::from(nodes);
        self.amount -= amount;
        if let Some(work) = &mut self.work {
            work.begin(amount, planned_end);
        }
    }

    /// And ends.
    pub fn end(&mut self, load: Load, planned_end: Time) {
        let Load { units, nodes, amount } = load;
        self.jobs += i64::from(units);
        self.nodes += i64::from(nodes);
        self.amount += amount;
        if let Some(work) = &mut self.work {
            work.end(amount, planned_end);
        }
    }
}

/// A limit on what running jobs have before them: what each holds, times what is left of its limit. It falls as they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// So much at once.
    most: Amount,
    /// What those who run hold.
    held: Amount,
    /// What they hold times when they are planned to end.
    until: Amount,
}

impl Work {
    /// So much of each kind, in seconds, nobody running.
    pub fn of(most: Amount) -> Self {
        Self { most, held: Amount::NONE, until: Amount::NONE }
    }

    /// Somebody runs until then.
    pub fn begin(&mut self, amount: Amount, planned_end: Time) {
        self.held += amount;
        self.until += amount.times_seconds(planned_end.0);
    }

    /// And no longer.
    pub fn end(&mut self, amount: Amount, planned_end: Time) {
        self.held -= amount;
        self.until -= amount.times_seconds(planned_end.0);
    }

    /// Whether somebody with so much for so long may begin now.
    pub fn has_room(&self, amount: Amount, planned: Seconds, now: Time) -> bool {
        let mut left = self.most;
        left -= self.until;
        left += self.held.times_seconds(now.0);
        left.holds(amount.times_seconds(planned.0))
    }
}

/// When Slurm asks when a job could start, it takes running jobs off in order of their planned ends, a lump at a time: those that end
/// within a window, as if all ended with the last. All windows begin with the first end and each is twice as long as the one before, so
/// that plans for far ahead are coarse, and late. This decides how long the head waits more than anything else in its plan.
///
/// Source: `_will_run_test` of `select/cons_tres`, alike from 20.02 on, and `bf_window_linear` in slurm.conf(5); seen in the plans of a live
/// 22.05.8. (That a lump ends with 200 jobs changes nothing: nobody looks whether the job fits then.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lumps {
    /// The first window.
    pub first: Seconds,
    /// By how much each is longer than the one before (`bf_window_linear`); `None` for twice as long.
    pub longer_by: Option<Seconds>,
}

impl Lumps {
    /// Everybody ends when planned.
    pub const NONE: Self = Self { first: Seconds::ZERO, longer_by: None };
}

impl Default for Lumps {
    fn default() -> Self {
        Self { first: Seconds(30), longer_by: None }
    }
}

/// How Slurm is told to schedule (`SchedulerParameters`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlurmSettings {
    /// Seconds from the beginning of one backfill pass to the next, at the least (`bf_interval`).
    pub backfill_interval: Seconds,
    /// How far ahead times are reserved (`bf_window`).
    pub window: Seconds,
    /// To what planned ends are rounded up (`bf_resolution`).
    pub resolution: Seconds,
    /// How Slurm lumps the ends of running jobs together when it plans.
    pub lumps: Lumps,
    /// How many jobs backfill looks at (`bf_max_job_test`).
    pub jobs_tested: usize,
    /// How many jobs the main pass looks at (`default_queue_depth`).
    pub main_depth: usize,
    /// How many jobs backfill reserves times for. Slurm does for all it looks at; fewer are quicker to play, and where the
    /// site says so (`bf_job_part_count_reserve`) there are fewer.
    pub reservations: usize,
    /// Whether there is backfill at all.
    pub backfills: bool,
}

impl Default for SlurmSettings {
    /// As Slurm is if nothing is said (slurm.conf(5)).
    fn default() -> Self {
        Self {
            backfill_interval: Seconds(30),
            window: Seconds(86_400),
            resolution: Seconds(60),
            lumps: Lumps::default(),
            jobs_tested: 500,
            main_depth: 100,
            reservations: usize::MAX,
            backfills: true,
        }
    }
}

/// The machine: its pools, what is blocked, the limits, and how it is scheduled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    /// At most 64.
    pub pools: Vec<Pool>,
    /// The nodes one by one, in Slurm's order. None where they are counted in their pools only.
    pub nodes: Vec<Node>,
    /// What is blocked.
    pub blocked: Vec<Blocked>,
    /// The limits, to which jobs refer by place, with what running jobs leave of them.
    pub caps: Vec<Cap>,
    /// How it is scheduled.
    pub settings: SlurmSettings,
}

impl Cluster {
    /// Everything there is at each place: in each pool or, where nodes are told apart, on each node.
    pub fn capacity(&self) -> Vec<Amount> {
        if self.nodes.is_empty() {
            self.pools.iter().map(|pool| pool.node.times(pool.nodes)).collect()
        } else {
            self.nodes.iter().map(|node| self.pools[usize::from(node.pool)].node).collect()
        }
    }
}
