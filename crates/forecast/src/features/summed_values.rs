//! Values in order, each with what the jobs that have it add up to, so that the sum over all lower ones is quick.
//!
//! For: ranks and sums among half a million jobs, exactly, while jobs come and go.
//!
//! Not for: finding jobs; it knows values only. Jobs with the same value share an entry, and as users round their
//! limits there are far fewer values than jobs.
//!
//! A B-tree with the sum of every child kept beside it: a question adds up what is left of one path, a change adds to
//! the sums along one path. It is of the same kind as the scheduler's `summed_list`, which searches by sums that cannot
//! be subtracted and has no use for this question. The crates that offer sums in a tree (`augmented-rbtree`, and
//! `wabi_tree` for ranks only) are young.

use super::tally::Tally;

/// Entries of a node before it is split. From 16 to 128 `examples/feature_rate.rs` showed no difference above its
/// noise.
const CAPACITY: usize = 64;
/// Below this a node is joined with its neighbour, if that leaves [`ROOMY`]: a tree that has shrunk is as quick as one
/// that never grew.
const SPARSE: usize = CAPACITY / 4;
/// At most so many entries after a join, so that the next few do not split it again.
const ROOMY: usize = CAPACITY * 3 / 4;

/// Values with sums.
#[derive(Clone, Debug)]
pub(super) struct SummedValues<V> {
    root: Node<V>,
}

/// Values with their sums, or children with the first value and the sum of each. Leaves are all at the same depth, and
/// only the root may be empty.
#[derive(Clone, Debug)]
struct Node<V> {
    values: Vec<V>,
    tallies: Vec<Tally>,
    /// None in a leaf.
    children: Vec<Node<V>>,
}

impl<V: Copy + Ord> Default for SummedValues<V> {
    fn default() -> Self {
        Self { root: Node { values: Vec::new(), tallies: Vec::new(), children: Vec::new() } }
    }
}

impl<V: Copy + Ord> SummedValues<V> {
    /// Adds to what the jobs with this value add up to; a value with no jobs left is forgotten.
    pub(super) fn add(&mut self, value: V, change: Tally) {
        self.root.add(value, change);
        if self.root.values.len() > CAPACITY {
            let second = self.root.split();
            let first = std::mem::replace(
                &mut self.root,
                Node { values: vec![second.values[0]], tallies: vec![second.tally()], children: vec![second] },
            );
            self.root.insert_child(0, first);
        }
        if self.root.children.len() == 1
            && let Some(only) = self.root.children.pop()
        {
            self.root = only;
        }
    }

    /// What the jobs with a lower value add up to.
    pub(super) fn below(&self, value: V) -> Tally {
        let mut sum = Tally::default();
        let mut node = &self.root;
        loop {
            let lower = node.values.partition_point(|other| *other < value);
            // Of children that begin below the value all but the last end below it, too.
            let Some(child) = lower.checked_sub(1).and_then(|last| node.children.get(last)) else {
                sum += node.tallies[..lower].iter().sum();
                return sum;
            };
            sum += node.tallies[..lower - 1].iter().sum();
            node = child;
        }
    }
}

impl<V: Copy + Ord> Node<V> {
    fn tally(&self) -> Tally {
        self.tallies.iter().sum()
    }

    fn add(&mut self, value: V, change: Tally) {
        if self.children.is_empty() {
            self.add_here(value, change);
            return;
        }
        let place = self.values.partition_point(|first| *first <= value).saturating_sub(1);
        let child = &mut self.children[place];
        child.add(value, change);
        self.tallies[place] += change;
        let entries = child.values.len();
        if entries == 0 {
            self.remove_child(place);
            return;
        }
        self.values[place] = child.values[0];
        if entries > CAPACITY {
            let second = child.split();
            self.tallies[place] += -second.tally();
            self.insert_child(place + 1, second);
        } else if entries < SPARSE {
            self.join_with_neighbour(place);
        }
    }

    fn add_here(&mut self, value: V, change: Tally) {
        match self.values.binary_search(&value) {
            Ok(place) => {
                self.tallies[place] += change;
                if self.tallies[place].jobs == 0 {
                    debug_assert_eq!(self.tallies[place], Tally::default(), "a value with zero jobs has zero work");
                    self.values.remove(place);
                    self.tallies.remove(place);
                }
            }
            Err(place) => {
                debug_assert!(change.jobs > 0, "only what is there can be changed");
                self.values.insert(place, value);
                self.tallies.insert(place, change);
            }
        }
    }

    fn insert_child(&mut self, place: usize, child: Self) {
        self.values.insert(place, child.values[0]);
        self.tallies.insert(place, child.tally());
        self.children.insert(place, child);
    }

    fn remove_child(&mut self, place: usize) -> Self {
        self.values.remove(place);
        self.tallies.remove(place);
        self.children.remove(place)
    }

    fn join_with_neighbour(&mut self, place: usize) {
        let left = place.min(self.children.len().saturating_sub(2));
        let Some([first, second]) = self.children.get(left..left + 2) else { return };
        if first.values.len() + second.values.len() > ROOMY {
            return;
        }
        self.tallies[left] += second.tally();
        let second = self.remove_child(left + 1);
        let first = &mut self.children[left];
        first.values.extend(second.values);
        first.tallies.extend(second.tallies);
        first.children.extend(second.children);
    }

    /// Keeps the first half and returns the second.
    fn split(&mut self) -> Self {
        let half = self.values.len() / 2;
        Self {
            values: self.values.split_off(half),
            tallies: self.tallies.split_off(half),
            // A leaf has none to share out.
            children: self.children.split_off(half.min(self.children.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use queuecast_workload::{Seconds, Time};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::super::demand::Demand;
    use super::*;

    fn job(processors: u32) -> Tally {
        Tally::waiting(Demand { processors, estimate: Seconds(7) })
    }

    impl<V: Copy + Ord> Node<V> {
        /// How deep the leaves lie, after a look at everything a node promises.
        fn checked_depth(&self, is_root: bool) -> usize {
            assert!(self.values.is_sorted_by(|one, other| one < other));
            assert_eq!(self.values.len(), self.tallies.len());
            assert!(self.values.len() <= CAPACITY && (is_root || !self.values.is_empty()));
            let Some(first) = self.children.first() else { return 0 };
            assert_eq!(self.values.len(), self.children.len());
            let depth = first.checked_depth(false);
            for (place, child) in self.children.iter().enumerate() {
                assert!(self.values[place] == child.values[0]);
                assert_eq!(self.tallies[place], child.tally());
                assert_eq!(child.checked_depth(false), depth);
            }
            depth + 1
        }
    }

    #[test]
    fn sums_agree_with_a_plain_map_through_growth_and_decline() {
        for distinct in [40, 1_000, 1_000_000_000] {
            let mut random = Pcg64::seed_from_u64(distinct);
            let mut values = SummedValues::default();
            let mut plain: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            let mut jobs: Vec<(u64, u32)> = Vec::new();
            for step in 0..30_000 {
                let grows = random.random_bool(if step < 15_000 { 0.9 } else { 0.06 });
                if grows || jobs.is_empty() {
                    let (value, processors) = (random.random_range(0..distinct), random.random_range(1..100));
                    values.add(value, job(processors));
                    plain.entry(value).or_default().push(processors);
                    jobs.push((value, processors));
                } else {
                    let (value, processors) = jobs.swap_remove(random.random_range(0..jobs.len()));
                    values.add(value, -job(processors));
                    let same = plain.get_mut(&value).unwrap();
                    same.swap_remove(same.iter().position(|other| *other == processors).unwrap());
                }
                if step % 61 == 0 {
                    values.root.checked_depth(true);
                    let asked = random.random_range(0..=distinct);
                    let lower = plain.range(..asked).flat_map(|(_, same)| same);
                    let (count, processors) = lower.fold((0, 0), |sum, one| (sum.0 + 1, sum.1 + i128::from(*one)));
                    let below = values.below(asked);
                    assert_eq!((below.jobs, below.work(Time(99))), (count, 7 * processors));
                }
            }
        }
    }

    #[test]
    fn a_tree_that_has_shrunk_is_as_shallow_as_one_that_never_grew() {
        let mut values = SummedValues::default();
        for value in 0..100_000_u32 {
            values.add(value.wrapping_mul(0x9e37_79b1), job(1));
        }
        assert_eq!(values.root.checked_depth(true), 2);
        for value in 100..100_000_u32 {
            values.add(value.wrapping_mul(0x9e37_79b1), -job(1));
        }
        assert!(values.root.checked_depth(true) <= 1);
        for value in 0..100_u32 {
            values.add(value.wrapping_mul(0x9e37_79b1), -job(1));
        }
        assert_eq!(values.root.checked_depth(true), 0);
        assert_eq!(values.below(u32::MAX), Tally::default());
    }
}
