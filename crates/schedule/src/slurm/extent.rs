//! How much of a machine a job takes, in nodes.
//!
//! For: telling people how much work stands in a queue. They ask for tasks, nodes or parts of nodes, and a sum needs one unit.
//!
//! Not for: scheduling, which counts each kind of resource (`shape`).

use queuecast_workload::Seconds;

use super::amount::Amount;
use super::job::{Chunk, Demand};

impl Demand {
    /// The fewest nodes of this size that hold it, were they empty; `None` if they are too small for it.
    pub fn fewest_nodes(&self, node: Amount) -> Option<u32> {
        let layout = &self.layout;
        let chunk = match self.chunk {
            Chunk::Share(chunk) => chunk,
            Chunk::WholeNode => Amount::NONE,
        };
        if !node.holds(layout.each_node) {
            return None;
        }
        let mut left = node;
        left -= layout.each_node;
        let on_a_node = left.holds_times(chunk, layout.on_a_node_max.min(self.chunks));
        let is_of_use = on_a_node >= layout.on_a_node_min.max(1);
        is_of_use.then(|| self.chunks.div_ceil(on_a_node).max(layout.nodes_min))
    }

    /// What it takes of nodes of this size in so long, in seconds of a node; `None` if they are too small for it.
    ///
    /// Whole nodes count whole. Of nodes that it shares the part counts that it takes of the kind it takes most of: whoever has all GPUs of
    /// a node, or all its memory, leaves little to others, however few processors they have.
    pub fn node_seconds(&self, node: Amount, planned: Seconds) -> Option<u64> {
        let nodes = self.fewest_nodes(node)?;
        let seconds = u128::from(planned.0.max(0).unsigned_abs());
        let whole = u128::from(nodes) * seconds;
        let taken = match self.chunk {
            Chunk::Share(chunk) if !self.layout.whole_nodes => {
                let mut held = chunk.times(self.chunks);
                held += self.layout.each_node.times(nodes);
                let part = |held: i64, of: i64| {
                    let (held, of) = (u128::from(held.max(0).unsigned_abs()), u128::from(of.max(1).unsigned_abs()));
                    (held * seconds).div_ceil(of)
                };
                part(held.processors, node.processors)
                    .max(part(held.memory_mebibytes, node.memory_mebibytes))
                    .max(part(held.gpus, node.gpus))
                    .min(whole)
            }
            Chunk::Share(_) | Chunk::WholeNode => whole,
        };
        Some(u64::try_from(taken).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::{Layout, PoolSet};
    use super::*;

    const NODE: Amount = Amount { processors: 16, memory_mebibytes: 64_000, gpus: 4 };
    const HOUR: Seconds = Seconds(3_600);

    /// So many tasks of one processor, on as many nodes as they need.
    fn tasks(count: u32) -> Demand {
        let chunk = Chunk::Share(Amount::processors(1));
        Demand { layout: Layout::anyhow(), ..Demand::of(count, chunk, PoolSet(1)) }
    }

    fn taken(demand: &Demand) -> (Option<u32>, Option<u64>) {
        (demand.fewest_nodes(NODE), demand.node_seconds(NODE, HOUR))
    }

    #[test]
    fn tasks_count_as_the_nodes_that_hold_them() {
        assert_eq!(taken(&tasks(32)), (Some(2), Some(7_200)));
        assert_eq!(taken(&tasks(24)), (Some(2), Some(5_400)), "half of the second is left to others");
        let four_each = Demand { layout: Layout { on_a_node_max: 4, ..Layout::anyhow() }, ..tasks(32) };
        assert_eq!(taken(&four_each), (Some(8), Some(7_200)), "a quarter of each of eight");
    }

    #[test]
    fn whole_nodes_count_whole_whatever_is_done_on_them() {
        assert_eq!(taken(&Demand::of(3, Chunk::WholeNode, PoolSet(1))), (Some(3), Some(3 * 3_600)));
        let exclusive = Layout { whole_nodes: true, ..Layout::anyhow() };
        assert_eq!(taken(&Demand { layout: exclusive, ..tasks(17) }), (Some(2), Some(7_200)));
        let spread = Layout { nodes_min: 5, ..exclusive };
        assert_eq!(taken(&Demand { layout: spread, ..tasks(17) }), (Some(5), Some(5 * 3_600)));
    }

    #[test]
    fn a_part_of_a_node_counts_as_the_part_of_what_it_takes_most_of() {
        let share = |share: Amount| taken(&Demand::of(1, Chunk::Share(share), PoolSet(1)));
        assert_eq!(share(Amount::processors(4)), (Some(1), Some(900)));
        assert_eq!(share(Amount { processors: 1, memory_mebibytes: 32_000, gpus: 0 }), (Some(1), Some(1_800)));
        assert_eq!(share(Amount { processors: 1, memory_mebibytes: 0, gpus: 4 }), (Some(1), Some(3_600)));
        let gpus = Amount { gpus: 2, ..Amount::NONE };
        let by_node = Layout { nodes_min: 2, each_node: gpus, ..Layout::anyhow() };
        assert_eq!(taken(&Demand { layout: by_node, ..tasks(2) }), (Some(2), Some(3_600)), "half the GPUs of two");
    }

    #[test]
    fn on_nodes_that_are_too_small_it_takes_nothing() {
        let wide = Demand::of(1, Chunk::Share(Amount::processors(17)), PoolSet(1));
        assert_eq!(taken(&wide), (None, None));
        let gpus = Layout { each_node: Amount { gpus: 5, ..Amount::NONE }, ..Layout::anyhow() };
        assert_eq!(taken(&Demand { layout: gpus, ..tasks(1) }), (None, None));
    }
}
