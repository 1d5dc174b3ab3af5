//! Jobs that ask for the same, together: what one of them cannot have in a pass, none of them can.

use std::collections::HashMap;

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::cluster::{Cap, Cluster, Counts, Load};
use super::job::{Chunk, Demand, Holding, Layout, PoolSet, QueuedJob};
use super::nodes::NodeSet;

/// What some jobs ask for, with everything worked out for each pool or node.
#[derive(Clone, Debug)]
pub struct Shape {
    pub planned: Seconds,
    pub caps: Vec<Counts>,
    /// What counts against caps: as much as it would hold in its first pool.
    pub counted: Amount,
    pub counted_nodes: u32,
    /// The pools nobody behind it may use in the main pass, and its own.
    pub bars: u64,
    pub pools: u64,
    /// The classes it may put out.
    pub preempts: u32,
    pub reservation: Option<u32>,
    /// The heterogeneous job it is a component of.
    pub together: Option<u32>,
    /// In pools: how many parts, and what a part and all of them come to in each.
    pub parts: u32,
    pub places: Vec<Place>,
    /// On nodes.
    pub on_nodes: OnNodes,
}

impl Shape {
    /// How much one of these jobs counts for against a limit.
    pub fn load(&self, counts: &Counts) -> Load {
        Load { units: counts.units, nodes: self.counted_nodes, amount: self.counted }
    }
}

/// What is asked for of one pool.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub pool: u8,
    pub part: Amount,
    pub all: Amount,
}

/// What is asked for of single nodes.
#[derive(Clone, Debug)]
pub struct OnNodes {
    pub chunks: u32,
    pub chunk: Amount,
    pub layout: Layout,
    /// The nodes it may have.
    pub nodes: NodeSet,
    /// The nodes on which Slurm lets jobs end when it plans this one; those it may have among them.
    pub ends_on: NodeSet,
    /// Those of them it must have.
    pub required: NodeSet,
    /// It cannot do with fewer, were they all empty.
    pub least_nodes: u32,
}

/// In how many pools a job may be at once.
const POOLS_AT_ONCE: usize = 4;

impl Shape {
    pub fn new(demand: &Demand, planned: Seconds, cluster: &Cluster) -> Self {
        let pools: Vec<u8> = (0_u8..64)
            .zip(&cluster.pools)
            .filter(|(pool, _)| demand.pools.0 & (1 << pool) != 0)
            .map(|(pool, _)| pool)
            .collect();
        let parts = pools.first().map_or(demand.chunks, |pool| parts(demand, cluster.pools[usize::from(*pool)].node));
        let places: Vec<Place> = (pools.iter())
            .map(|&pool| {
                let part = part(demand, cluster.pools[usize::from(pool)].node);
                Place { pool, part, all: part.times(parts) }
            })
            .collect();
        let takes_whole_nodes = demand.layout.whole_nodes || demand.chunk == Chunk::WholeNode;
        Self {
            planned,
            pools: demand.pools.0,
            bars: demand.bars.0,
            counted: places.first().map_or(Amount::NONE, |place| place.all),
            counted_nodes: if takes_whole_nodes { parts } else { demand.layout.nodes_min },
            caps: demand.caps.clone(),
            preempts: demand.preempts,
            reservation: demand.reservation,
            together: demand.together,
            parts,
            places,
            on_nodes: OnNodes::new(demand, cluster),
        }
    }

    /// Whether it fits into what is free in each pool.
    pub fn fits(&self, free: impl Fn(u8) -> Amount) -> bool {
        match self.places.as_slice() {
            [] => false,
            [place] => free(place.pool).holds(place.all),
            _ => self.spread(free).is_some(),
        }
    }

    /// How it is spread over pools: as much as possible into the first that has anything, then the next.
    pub fn spread(&self, free: impl Fn(u8) -> Amount) -> Option<Holding> {
        let mut holding = Holding::new();
        let mut missing = self.parts;
        for place in &self.places {
            let parts = free(place.pool).holds_times(place.part, missing);
            if parts > 0 || missing == 0 {
                if holding.len() == POOLS_AT_ONCE {
                    return None;
                }
                holding.push((u32::from(place.pool), place.part.times(parts)));
                missing -= parts;
            }
            if missing == 0 {
                return Some(holding);
            }
        }
        None
    }
}

/// Into how many parts a job is counted in pools of such nodes: nodes if it asks something of each, chunks otherwise.
fn parts(demand: &Demand, node: Amount) -> u32 {
    let layout = &demand.layout;
    match demand.chunk {
        Chunk::Share(chunk) if layout.whole_nodes => {
            let on_a_node = node.holds_times(chunk, layout.on_a_node_max).max(1);
            demand.chunks.div_ceil(on_a_node).max(layout.nodes_min)
        }
        Chunk::Share(_) if layout.each_node != Amount::NONE => layout.nodes_min.max(1),
        Chunk::Share(_) | Chunk::WholeNode => demand.chunks,
    }
}

/// What each part comes to in a pool of such nodes.
fn part(demand: &Demand, node: Amount) -> Amount {
    let layout = &demand.layout;
    if layout.whole_nodes {
        return node;
    }
    match demand.chunk {
        Chunk::WholeNode => node,
        Chunk::Share(chunk) if layout.each_node != Amount::NONE => {
            let mut part = chunk.times(demand.chunks.div_ceil(layout.nodes_min.max(1)));
            part += layout.each_node;
            part
        }
        Chunk::Share(chunk) => chunk,
    }
}

impl OnNodes {
    fn new(demand: &Demand, cluster: &Cluster) -> Self {
        let (chunk, whole_nodes) = match demand.chunk {
            Chunk::Share(chunk) => (chunk, demand.layout.whole_nodes),
            Chunk::WholeNode => (Amount::NONE, true),
        };
        let of_pools = |pools: PoolSet| -> NodeSet {
            let in_pools = (0_u32..).zip(&cluster.nodes).filter(|(_, node)| pools.0 & (1 << node.pool) != 0);
            in_pools.map(|(place, _)| place).collect()
        };
        let mut ends_on = of_pools(PoolSet(demand.ends_in.0 | demand.pools.0));
        let mut required = NodeSet::default();
        if let Some(named) = &demand.named {
            ends_on.remove_all(&named.excluded);
            required.copy_from(&named.required);
        }
        let inside = |blocked: &&super::Blocked| Some(blocked.reservation) == demand.reservation;
        if demand.reservation.is_some() {
            ends_on.keep_only(&cluster.blocked.iter().filter(inside).map(|blocked| blocked.place).collect());
        }
        let mut nodes = ends_on.clone();
        nodes.keep_only(&of_pools(demand.pools));
        let layout = Layout { whole_nodes, ..demand.layout };
        let mut asked = Self { chunks: demand.chunks, chunk, layout, nodes, ends_on, required, least_nodes: 0 };
        let rooms = cluster.pools.iter().map(|pool| asked.room(pool.node, pool.node));
        let most_on_a_node = rooms.max().unwrap_or(0).max(1);
        asked.least_nodes = asked.layout.nodes_min.max(asked.chunks.div_ceil(most_on_a_node));
        asked
    }

    /// Whether there is no room for it on a node without a free processor.
    pub fn asks_for_processors(&self) -> bool {
        self.layout.whole_nodes || self.chunk.processors > 0 || self.layout.each_node.processors > 0
    }

    /// How many chunks a node of this size takes with so much of it free.
    pub fn room(&self, size: Amount, free: Amount) -> u32 {
        let layout = &self.layout;
        let mut left = free;
        if layout.whole_nodes {
            if !free.holds(size) {
                return 0;
            }
            left = size;
        }
        if !left.holds(layout.each_node) {
            return 0;
        }
        left -= layout.each_node;
        let chunks = left.holds_times(self.chunk, layout.on_a_node_max.min(self.chunks));
        if chunks < layout.on_a_node_min { 0 } else { chunks }
    }

    /// What so many chunks hold on a node of this size.
    pub fn held(&self, size: Amount, chunks: u32) -> Amount {
        if self.layout.whole_nodes {
            return size;
        }
        let mut held = self.chunk.times(chunks);
        held += self.layout.each_node;
        held
    }
}

/// Whether a limit holds such a job back.
pub fn is_capped(caps: &[Cap], shape: &Shape, now: Time) -> bool {
    shape
        .caps
        .iter()
        .any(|counts| caps[counts.cap as usize].holds_back(counts.held_by, shape.load(counts), shape.planned, now))
}

/// The shapes of a queue, and which is whose.
pub fn shapes(cluster: &Cluster, jobs: &[QueuedJob]) -> (Vec<Shape>, Vec<u32>) {
    let mut known: HashMap<(&Demand, Seconds), u32> = HashMap::new();
    let mut shapes = Vec::new();
    let of = jobs.iter().map(|job| {
        *known.entry((&job.demand, job.planned)).or_insert_with(|| {
            shapes.push(Shape::new(&job.demand, job.planned, cluster));
            u32::try_from(shapes.len() - 1).expect("fewer than 2^32 jobs wait")
        })
    });
    let of = of.collect();
    (shapes, of)
}
