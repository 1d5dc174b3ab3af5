//! Jobs as Slurm's scheduler sees them.

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;

/// Which pools a job may use, by place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PoolSet(pub u64);

impl PoolSet {
    /// With this pool too.
    #[must_use]
    pub fn with(self, pool: usize) -> Self {
        Self(self.0 | 1 << pool)
    }

    /// The pools.
    pub fn pools(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |pool| self.0 & (1 << pool) != 0)
    }
}

/// One of the equal parts a job is made of: its share of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chunk {
    /// So much.
    Share(Amount),
    /// A node of whatever pool it comes from.
    WholeNode,
}

/// What a job asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    /// How many chunks.
    pub chunks: u32,
    /// What each is.
    pub chunk: Chunk,
    /// Where they may be.
    pub pools: PoolSet,
    /// The limits it counts against, by place in [`Cluster::caps`](super::Cluster::caps).
    pub caps: Vec<u32>,
}

/// A job in the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedJob {
    /// What it asks for.
    pub demand: Demand,
    /// How long Slurm plans it to run: its limit.
    pub planned: Seconds,
    /// Whether it may start now. One that depends on another or begins later may not, until it is said.
    pub eligible: bool,
}

/// How many chunks a job has in which pools; at most four of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocation {
    parts: [(u8, u32); PARTS],
    count: u8,
}

/// In how many pools a job may be at once.
pub const PARTS: usize = 4;

impl Allocation {
    /// Adds chunks in a pool; `false` if it is in too many already.
    pub fn add(&mut self, pool: u8, chunks: u32) -> bool {
        let place = usize::from(self.count);
        if place == PARTS {
            return false;
        }
        self.parts[place] = (pool, chunks);
        self.count += 1;
        true
    }

    /// The pools, with the chunks in each.
    pub fn parts(&self) -> &[(u8, u32)] {
        &self.parts[..usize::from(self.count)]
    }
}

/// A job that runs when the scheduler is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningNow {
    /// What it holds in which pools.
    pub holds: Vec<(u8, Amount)>,
    /// When Slurm plans it to end.
    pub planned_end: Time,
    /// The limits it counts against; what it holds of them is already taken off.
    pub caps: Vec<u32>,
}
