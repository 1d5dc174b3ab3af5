//! Jobs as Slurm's scheduler sees them.

use std::sync::Arc;

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::cluster::Counts;
use super::nodes::NodeSet;

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

/// One of the equal parts a job is made of: its share of one node, or one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chunk {
    /// So much.
    Share(Amount),
    /// A node of whatever pool it comes from.
    WholeNode,
}

/// How the chunks lie on nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Fewest nodes.
    pub nodes_min: u32,
    /// Most nodes.
    pub nodes_max: u32,
    /// A node with room for fewer chunks is of no use.
    pub on_a_node_min: u32,
    /// At most so many chunks are on a node.
    pub on_a_node_max: u32,
    /// What every node used costs beside its chunks: memory and GPUs that are asked for by node.
    pub each_node: Amount,
    /// Whether nodes are taken whole, whatever the chunks need of them.
    pub whole_nodes: bool,
}

impl Layout {
    /// Every chunk on a node of its own.
    pub const fn one_each(chunks: u32) -> Self {
        Self {
            nodes_min: chunks,
            nodes_max: chunks,
            on_a_node_min: 1,
            on_a_node_max: 1,
            each_node: Amount::NONE,
            whole_nodes: false,
        }
    }

    /// Wherever there is room, as many on a node as it holds.
    pub const fn anyhow() -> Self {
        Self {
            nodes_min: 1,
            nodes_max: u32::MAX,
            on_a_node_min: 1,
            on_a_node_max: u32::MAX,
            each_node: Amount::NONE,
            whole_nodes: false,
        }
    }
}

/// Nodes by name: those a job must have, and those it must not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NamedNodes {
    /// All of these.
    pub required: NodeSet,
    /// None of these.
    pub excluded: NodeSet,
}

/// What a job asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    /// How many chunks.
    pub chunks: u32,
    /// What each is.
    pub chunk: Chunk,
    /// How they lie on nodes.
    pub layout: Layout,
    /// Where they may be.
    pub pools: PoolSet,
    /// Nodes by name, where they are told apart.
    pub named: Option<Arc<NamedNodes>>,
    /// The limits it counts against.
    pub caps: Vec<Counts>,
    /// The pools that nobody behind it may use in the main pass while it waits: those of its partitions.
    pub bars: PoolSet,
    /// The pools on which Slurm lets jobs end, one after the other, when it plans this one: also nodes whose GPUs are of another model.
    pub ends_in: PoolSet,
    /// The reservation it runs in, by number.
    pub reservation: Option<u32>,
    /// The classes of running jobs it may put out, one bit each.
    pub preempts: u32,
    /// The heterogeneous job it is a component of, by number: all of them start in one pass of backfill, or none.
    pub together: Option<u32>,
}

impl Demand {
    /// So many chunks, each on a node of its own, somewhere in these pools.
    pub fn of(chunks: u32, chunk: Chunk, pools: PoolSet) -> Self {
        Self {
            chunks,
            chunk,
            layout: Layout::one_each(chunks),
            pools,
            named: None,
            caps: Vec::new(),
            bars: pools,
            ends_in: pools,
            reservation: None,
            preempts: 0,
            together: None,
        }
    }
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
    /// The class it is in when it runs, for those who may put it out; 0 to 31.
    pub class: Option<u8>,
}

/// What a job holds: so much at which place, a pool or, where nodes are told apart, a node.
pub type Holding = Vec<(u32, Amount)>;

/// A job that runs when the scheduler is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningNow {
    /// What it holds where.
    pub holds: Holding,
    /// When Slurm plans it to end.
    pub planned_end: Time,
    /// The limits it counts against; what it holds of them is already taken off.
    pub caps: Vec<Counts>,
    /// The class it is in, for those who may put it out.
    pub class: Option<u8>,
}
