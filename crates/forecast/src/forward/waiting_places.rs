//! Who waits, by place in order of arrival, with the least of every sixteen beside it.
//!
//! For: the scan for somebody who fits a hole. Most passes find nobody, and the sixteen's least processors and least
//! plan say so for all of them at once; so a queue of hundreds costs a few dozen comparisons.
//!
//! Not for: other orders than arrival. Flat tables, because every future begins with a copy of them.

use queuecast_workload::Seconds;

const BLOCK: usize = 16;
/// In `processors` where nobody waits (any more, or yet): no hole is that wide.
const NOBODY: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct WaitingPlaces {
    processors: Vec<u32>,
    planned: Vec<Seconds>,
    /// The least of each block; not always of the same job.
    block_processors: Vec<u32>,
    block_planned: Vec<Seconds>,
    /// Nobody waits before this place.
    first: usize,
    /// Nobody asks for fewer. A lower bound: it is put right only when a scan needs it.
    narrowest: u32,
    waiting: usize,
}

impl WaitingPlaces {
    /// So many places, at all of which nobody waits.
    pub fn reset(&mut self, places: usize) {
        let blocks = places.div_ceil(BLOCK);
        self.block_processors.clear();
        self.block_processors.resize(blocks, NOBODY);
        self.block_planned.clear();
        self.block_planned.resize(blocks, Seconds::MAX);
        self.processors.clear();
        self.processors.resize(blocks * BLOCK, NOBODY);
        self.planned.clear();
        self.planned.resize(blocks * BLOCK, Seconds::MAX);
        self.first = 0;
        self.narrowest = NOBODY;
        self.waiting = 0;
    }

    /// As `other` is, in the memory that is there.
    pub fn copy(&mut self, other: &Self) {
        self.processors.clone_from(&other.processors);
        self.planned.clone_from(&other.planned);
        self.block_processors.clone_from(&other.block_processors);
        self.block_planned.clone_from(&other.block_planned);
        (self.first, self.narrowest, self.waiting) = (other.first, other.narrowest, other.waiting);
    }

    /// Room for more places at the end.
    pub fn grow(&mut self, places: usize) {
        let blocks = places.div_ceil(BLOCK).max(self.block_processors.len());
        self.block_processors.resize(blocks, NOBODY);
        self.block_planned.resize(blocks, Seconds::MAX);
        self.processors.resize(blocks * BLOCK, NOBODY);
        self.planned.resize(blocks * BLOCK, Seconds::MAX);
    }

    pub fn insert(&mut self, place: usize, processors: u32, planned: Seconds) {
        self.processors[place] = processors;
        self.planned[place] = planned;
        let block = place / BLOCK;
        self.block_processors[block] = self.block_processors[block].min(processors);
        self.block_planned[block] = self.block_planned[block].min(planned);
        self.first = self.first.min(place);
        self.narrowest = self.narrowest.min(processors);
        self.waiting += 1;
    }

    pub fn remove(&mut self, place: usize) {
        self.processors[place] = NOBODY;
        self.planned[place] = Seconds::MAX;
        let block = place / BLOCK;
        let within = block * BLOCK..(block + 1) * BLOCK;
        self.block_processors[block] =
            self.processors[within.clone()].iter().fold(NOBODY, |least, &own| least.min(own));
        self.block_planned[block] = self.planned[within].iter().fold(Seconds::MAX, |least, &own| least.min(own));
        self.waiting -= 1;
    }

    /// Who has waited longest, and how many processors it asks for.
    pub fn head(&mut self) -> Option<(usize, u32)> {
        if self.waiting == 0 {
            return None;
        }
        while self.processors[self.first] == NOBODY {
            self.first += 1;
        }
        Some((self.first, self.processors[self.first]))
    }

    /// Whether anybody asks for no more than that.
    pub fn anybody_within(&mut self, processors: u32) -> bool {
        if processors < self.narrowest {
            return false;
        }
        self.narrowest = self.block_processors[self.first / BLOCK..].iter().fold(NOBODY, |least, &own| least.min(own));
        self.narrowest <= processors
    }

    /// The first from `place` on who fits: within `free`, and either planned no longer than `before_shadow` or within
    /// `extra`. With whom it is, what it asks for and what is planned.
    pub fn find(&self, place: usize, free: u32, before_shadow: Seconds, extra: u32) -> Option<(usize, u32, Seconds)> {
        let fits =
            |processors: u32, planned: Seconds| processors <= free && (planned <= before_shadow || processors <= extra);
        for block in place / BLOCK..self.block_processors.len() {
            if !fits(self.block_processors[block], self.block_planned[block]) {
                continue;
            }
            for place in place.max(block * BLOCK)..(block + 1) * BLOCK {
                let (processors, planned) = (self.processors[place], self.planned[place]);
                if fits(processors, planned) {
                    return Some((place, processors, planned));
                }
            }
        }
        None
    }
}
