//! Jobs that ask for the same, together: what one of them cannot have in a pass, none of them can.

use std::collections::HashMap;

use queuecast_workload::Seconds;

use super::amount::Amount;
use super::cluster::Cluster;
use super::job::{Allocation, Chunk, Demand, QueuedJob};

/// What some jobs ask for, with everything worked out for each pool.
#[derive(Clone, Debug)]
pub struct Shape {
    pub chunks: u32,
    pub planned: Seconds,
    /// Where, and what a chunk and all chunks come to there.
    pub places: Vec<Place>,
    pub pools: u64,
    pub caps: Vec<u32>,
    /// What counts against caps: as much as it would hold in its first pool.
    pub counted: Amount,
}

#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub pool: u8,
    pub chunk: Amount,
    pub all: Amount,
}

impl Shape {
    fn new(demand: &Demand, planned: Seconds, cluster: &Cluster) -> Self {
        let places: Vec<Place> = (0_u8..64)
            .zip(&cluster.pools)
            .filter(|(pool, _)| demand.pools.0 & (1 << pool) != 0)
            .map(|(pool, of)| {
                let chunk = match demand.chunk {
                    Chunk::Share(amount) => amount,
                    Chunk::WholeNode => of.node,
                };
                Place { pool, chunk, all: chunk.times(demand.chunks) }
            })
            .collect();
        Self {
            chunks: demand.chunks,
            planned,
            pools: places.iter().fold(0, |set, place| set | 1 << place.pool),
            counted: places.first().map_or(Amount::NONE, |place| place.all),
            places,
            caps: demand.caps.clone(),
        }
    }

    /// Whether it fits into what is free in each pool.
    pub fn fits(&self, free: impl Fn(u8) -> Amount) -> bool {
        match self.places.as_slice() {
            [] => false,
            [place] => free(place.pool).holds(place.all),
            _ => self.allocation(free).is_some(),
        }
    }

    /// How it is spread: as much as possible into the first pool that has anything, then the next.
    pub fn allocation(&self, free: impl Fn(u8) -> Amount) -> Option<Allocation> {
        let mut allocation = Allocation::default();
        let mut missing = self.chunks;
        for place in &self.places {
            let chunks = free(place.pool).holds_times(place.chunk, missing);
            if chunks > 0 || missing == 0 {
                if !allocation.add(place.pool, chunks) {
                    return None;
                }
                missing -= chunks;
            }
            if missing == 0 {
                return Some(allocation);
            }
        }
        None
    }

    /// What the chunks of an allocation come to, pool by pool.
    pub fn amounts(&self, allocation: &Allocation) -> impl Iterator<Item = (u8, Amount)> {
        let parts = *allocation;
        (0..parts.parts().len()).map(move |part| {
            let (pool, chunks) = parts.parts()[part];
            let place = self.places.iter().find(|place| place.pool == pool);
            (pool, place.map_or(Amount::NONE, |place| place.chunk.times(chunks)))
        })
    }
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
