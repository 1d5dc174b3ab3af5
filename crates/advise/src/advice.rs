//! What people can act on: limits, partitions, widths, and what would let a job start earlier.
//!
//! For: the values that an [`Adviser`](crate::Adviser) returns and the interface writes.
//!
//! Not for: how they are found (`queuecast_site::adviser`); who may see them (`queuecast_daemon::api`).

use queuecast_forecast::estimate::JobForecast;
use queuecast_workload::Seconds;

use crate::adviser::HypotheticalJob;
use crate::change::Effect;
use crate::limit::{Basis, HeavyTail, LimitRecord, Verdict};
use crate::width::SpeedupLaw;

/// A job that advice is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one for a question, not many")]
pub enum Subject {
    /// One that waits, by Slurm's own number.
    Waiting(u64),
    /// One that somebody thinks of submitting.
    Hypothetical(HypotheticalJob),
}

/// Limits to choose from.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitAdvice {
    /// The limit it asks for, or would get.
    pub asked: Seconds,
    /// The share of run times beyond it, as far as is known.
    pub risk: f64,
    /// What is said of it with that.
    pub as_asked: JobForecast,
    /// The limits, from the least risk on.
    pub choices: Vec<LimitChoice>,
    /// The least risk of any shorter limit; `None` if what is asked for is too short to be shortened.
    pub lowest_risk: Option<f64>,
    /// The runs that the advice rests on; `None` if there are hardly any like it.
    pub basis: Option<Basis>,
    /// If the user's runs have a heavy tail.
    pub heavy_tail: Option<HeavyTail>,
}

/// A limit, what it risks and what it buys.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitChoice {
    /// The share of jobs like this one that may be killed: the promise.
    pub accepted: f64,
    /// What to ask for.
    pub limit: Seconds,
    /// The share of jobs like this one that run longer, calibrated by how well it is known; within the promise, unless the limit is kept.
    pub risk: f64,
    /// Why it is this one.
    pub verdict: Verdict,
    /// How the promise was kept so far.
    pub kept: LimitRecord,
    /// What would be said of it.
    pub forecast: JobForecast,
    /// What that does to its start.
    pub effect: Option<Effect>,
}

/// A partition, and what would be said of a job there.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its name.
    pub partition: String,
    /// What would be said.
    pub forecast: JobForecast,
}

/// How a job gets faster on more, as far as whoever asks says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SizeQuestion {
    /// The law; `None` to learn it from earlier runs.
    pub law: Option<SpeedupLaw>,
    /// How long it runs on the width it asks for; `None` to take what such jobs did.
    pub run: Option<Seconds>,
    /// The widths; empty for those worth asking about.
    pub widths: Vec<u32>,
}

/// What a job could have, each with each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableRequest {
    /// Nodes.
    pub nodes: Vec<u32>,
    /// Limits.
    pub limits: Vec<Seconds>,
    /// GPUs in all; empty for the job's own.
    pub gpus: Vec<u32>,
    /// Whether in every partition that takes jobs too, by name, besides the job's own.
    pub every_partition: bool,
}

impl TableRequest {
    /// The same job with each of them but nodes and limits; these partitions take jobs.
    pub fn choices(&self, job: &HypotheticalJob, partitions: &[&str]) -> Vec<HypotheticalJob> {
        let others = partitions.iter().filter(|name| self.every_partition && job.partition.as_deref() != Some(**name));
        let there = std::iter::once(job.clone()).chain(others.map(|name| job.in_partition(name)));
        let with_gpus = |job: HypotheticalJob| match self.gpus.as_slice() {
            [] => vec![job],
            gpus => gpus.iter().map(|gpus| job.with_gpus(*gpus)).collect(),
        };
        there.flat_map(with_gpus).collect()
    }
}

/// One choice and number of nodes, with every limit.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    /// The partition; `None` for the default one.
    pub partition: Option<String>,
    /// GPUs in all.
    pub gpus: Option<u32>,
    /// Nodes.
    pub nodes: u32,
    /// In no order.
    pub cells: Vec<TableCell>,
}

impl TableRow {
    /// Of this choice on so many nodes.
    pub fn of(choice: &HypotheticalJob, nodes: u32, cells: Vec<TableCell>) -> Self {
        Self { partition: choice.partition.clone(), gpus: choice.gpus, nodes, cells }
    }
}

/// A limit, and what would be said of a job with it.
#[derive(Clone, Debug, PartialEq)]
pub struct TableCell {
    /// The limit.
    pub limit: Seconds,
    /// What would be said.
    pub forecast: JobForecast,
}

/// What would be said of a job on several widths.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeAdvice {
    /// What widths are counted in.
    pub unit: WidthUnit,
    /// The width it asks for.
    pub asked: u32,
    /// The law that run times follow here.
    pub law: LawUsed,
    /// From the narrowest on.
    pub widths: Vec<Width>,
}

/// What widths are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WidthUnit {
    /// Nodes.
    Nodes,
    /// CPUs.
    Cpus,
}

/// Where a law comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum LawUsed {
    /// Whoever asked said so.
    Given,
    /// It was learnt from earlier runs.
    Learnt {
        /// The share that is done by one.
        serial_fraction: f64,
        /// From so many runs.
        runs: u64,
        /// On so many widths.
        widths: u64,
    },
}

/// A width, and what would be said of a job on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// How many nodes or CPUs.
    pub width: u32,
    /// How long it runs there, in the middle.
    pub run: Seconds,
    /// The limit it would ask for: as much longer or shorter as its run.
    pub limit: Seconds,
    /// What would be said.
    pub forecast: JobForecast,
}

/// What holds a job, and what would help.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// Who stands before it where it may run.
    pub ahead: Ahead,
    /// What holds it: by how much it would start earlier without. They do not add up: two may hold it at once.
    pub holds: Vec<Hold>,
    /// What would help, the most helpful first.
    pub changes: Vec<ChangeAdvice>,
    /// How many futures were played for each.
    pub futures: u64,
}

/// Who stands before a job in the nodes it may have, as classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// Everybody.
    pub all: AheadCount,
    /// Of these, the same user's.
    pub own_jobs: u64,
    /// By what they ask for, the most work first.
    pub classes: Vec<AheadClass>,
}

/// So many jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AheadCount {
    /// Jobs.
    pub jobs: u64,
    /// Of so many users.
    pub users: u64,
    /// What they ask for, in nodes times limits.
    pub node_seconds: u64,
}

/// Jobs that ask for about the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AheadClass {
    /// At least so many nodes.
    pub nodes_from: u32,
    /// At most so many; `None` for any number.
    pub nodes_to: Option<u32>,
    /// A limit of at most this; `None` for any.
    pub limit_to: Option<Seconds>,
    /// How many there are.
    pub count: AheadCount,
}

/// Something that holds a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// What.
    pub what: Holder,
    /// What would happen without.
    pub effect: Effect,
}

/// What can hold a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Those who stand before it.
    Queue,
    /// Those who run: even first in the queue it would wait for them.
    Running,
    /// Nodes reserved for others.
    Reservations,
    /// A limit that it shares with others.
    SharedLimits,
    /// Another job.
    Dependency,
    /// Its own begin.
    Begin,
}

/// A change that would help.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeAdvice {
    /// What to change.
    pub change: JobChange,
    /// What that does to its start.
    pub effect: Effect,
    /// What would then be said of it.
    pub forecast: JobForecast,
}

/// What its owner can change about a waiting job.
#[derive(Clone, Debug, PartialEq)]
pub enum JobChange {
    /// Another limit.
    Limit {
        /// What it asks for.
        from: Seconds,
        /// What it could ask for.
        to: Seconds,
        /// The share of its run times beyond that, as far as is known.
        risk: f64,
    },
    /// Another number of nodes. It would run longer on fewer, which is in its outlook and not in the effect.
    Nodes {
        /// What it asks for.
        from: u64,
        /// What it could ask for.
        to: u64,
    },
    /// Another partition.
    Partition {
        /// Those it may run in.
        from: Vec<String>,
        /// The one it could run in.
        to: String,
    },
    /// Not the whole of its nodes.
    ShareNodes,
}
