//! A sorted list whose parts are summed up: the one index behind the queue and the releases.
//!
//! A tree of two or three levels: leaves of entries, branches of leaves, and for lists that can grow long, a root of
//! branches. Every node keeps, for each of its children, the first key and a summary of what lies below, so that a
//! search skips what the summaries refute, and half a million waiting jobs cost little more than ten thousand. But
//! most queues are short, and nothing beats a plain sorted array there: so that is what a list is until it has grown.

use std::fmt::Debug;

/// Entries in a leaf before it is split. This and the next three were chosen by measuring; see `benchmarks/README.md`.
const LEAF_CAPACITY: usize = 64;
/// Entries in a list before it becomes a tree.
const FEW: usize = 128;
/// Entries left in a tree when it becomes an array again; well below [`FEW`], so that it does not go back and forth.
const FEW_AGAIN: usize = 32;
/// Leaves in a branch before it is split. The root is not limited.
const BRANCH_CAPACITY: usize = 256;

/// What a list holds: entries with a unique sort key and a summary that can be merged.
pub trait Entry: Copy {
    type Key: Copy + Ord + Debug;
    type Summary: Copy + Debug;

    /// The summary of no entries.
    const EMPTY: Self::Summary;

    fn key(&self) -> Self::Key;
    fn summary(&self) -> Self::Summary;
    fn merge(left: Self::Summary, right: Self::Summary) -> Self::Summary;

    /// The summary of a part after `self` left it, where that follows from the old one without looking at the
    /// rest of the part.
    fn summary_without(&self, summary: Self::Summary) -> Option<Self::Summary>;
}

/// A sorted list that may hold half a million entries.
pub type LongList<E> = SummedList<E, Branch<Branch<Leaf<E>, E>, E>>;
/// A sorted list that holds some thousands.
pub type ShortList<E> = SummedList<E, Branch<Leaf<E>, E>>;

/// A sorted list of entries; `T` is the tree it becomes when there are many.
#[derive(Clone, Debug)]
pub struct SummedList<E, T> {
    entries: Entries<E, T>,
    len: usize,
}

#[derive(Clone, Debug)]
enum Entries<E, T> {
    Few(Leaf<E>),
    Many(T),
}

/// Calls the same method of whichever node holds the entries.
macro_rules! whichever {
    ($list:expr, $node:ident => $call:expr) => {
        match $list {
            Entries::Few($node) => $call,
            Entries::Many($node) => $call,
        }
    };
}

impl<E: Entry, T: Node<E>> Default for SummedList<E, T> {
    fn default() -> Self {
        Self { entries: Entries::Few(Leaf::default()), len: 0 }
    }
}

impl<E: Entry, T: Node<E>> SummedList<E, T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn first(&self) -> Option<&E> {
        whichever!(&self.entries, node => node.first())
    }

    /// The summary of all entries.
    pub fn summary(&self) -> E::Summary {
        whichever!(&self.entries, node => node.summarise())
    }

    pub fn entries(&self) -> Vec<E> {
        whichever!(&self.entries, node => node.iter().copied().collect())
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    pub fn insert(&mut self, entry: E) {
        if let Entries::Few(leaf) = &self.entries
            && self.len == FEW
        {
            let mut tree = T::default();
            for entry in leaf.iter() {
                tree.insert(*entry);
            }
            self.entries = Entries::Many(tree);
        }
        whichever!(&mut self.entries, node => node.insert(entry));
        self.len += 1;
    }

    pub fn remove(&mut self, key: E::Key) -> Option<E> {
        let removed = whichever!(&mut self.entries, node => node.remove(key))?;
        self.len -= 1;
        if let Entries::Many(tree) = &self.entries
            && self.len == FEW_AGAIN
        {
            self.entries = Entries::Few(Leaf(tree.iter().copied().collect()));
        }
        Some(removed)
    }

    /// The first entry after the key `after`, or of all, that satisfies `entry_fits`. `summary_fits` must hold for
    /// every part that contains such an entry; what it refutes is not looked at.
    pub fn find(
        &self,
        after: Option<E::Key>,
        summary_fits: impl Fn(E::Summary) -> bool,
        entry_fits: impl Fn(&E) -> bool,
    ) -> Option<E> {
        whichever!(&self.entries, node => node.find(after, &summary_fits, &entry_fits))
    }

    /// The entry that follows the key `after`.
    pub fn next(&self, after: Option<E::Key>) -> Option<E> {
        self.find(after, |_| true, |_| true)
    }

    /// The first entry with which the summary of all up to it, itself included, satisfies `reached`, and the
    /// summary of all up to the last of those that tie with it. Once reached it must stay so, and ties must be
    /// neighbours.
    pub fn reach(
        &self,
        reached: impl Fn(E::Summary) -> bool,
        ties: impl Fn(&E, &E) -> bool,
    ) -> Option<(E, E::Summary)> {
        let mut reach = Reach { found: None, summary: E::EMPTY };
        whichever!(&self.entries, node => node.reach(&mut reach, &reached, &ties));
        Some((reach.found?, reach.summary))
    }
}

/// How far a walk from the first entry on has come.
pub struct Reach<E: Entry> {
    /// The entry looked for; from then on only its ties are added.
    found: Option<E>,
    summary: E::Summary,
}

/// A part of the tree. All but the root of an empty list hold at least one entry.
pub trait Node<E: Entry>: Default {
    fn first(&self) -> Option<&E>;
    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a;
    fn is_full(&self) -> bool;
    fn is_empty(&self) -> bool;
    fn first_key(&self) -> E::Key;
    fn last_key(&self) -> E::Key;
    fn summarise(&self) -> E::Summary;
    /// There must be room.
    fn insert(&mut self, entry: E);
    fn remove(&mut self, key: E::Key) -> Option<E>;
    /// Keeps the first half and returns the second.
    fn split(&mut self) -> Self;
    fn find(
        &self,
        after: Option<E::Key>,
        summary_fits: &impl Fn(E::Summary) -> bool,
        entry_fits: &impl Fn(&E) -> bool,
    ) -> Option<E>;
    /// Walks on through this part; false once the walk is over.
    fn reach(
        &self,
        reach: &mut Reach<E>,
        reached: &impl Fn(E::Summary) -> bool,
        ties: &impl Fn(&E, &E) -> bool,
    ) -> bool;
}

/// Entries.
#[derive(Clone, Debug)]
pub struct Leaf<E>(Vec<E>);

impl<E> Default for Leaf<E> {
    fn default() -> Self {
        Self(Vec::with_capacity(LEAF_CAPACITY))
    }
}

impl<E: Entry> Node<E> for Leaf<E> {
    fn first(&self) -> Option<&E> {
        self.0.first()
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        self.0.iter()
    }

    fn is_full(&self) -> bool {
        self.0.len() == LEAF_CAPACITY
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn first_key(&self) -> E::Key {
        self.0[0].key()
    }

    fn last_key(&self) -> E::Key {
        self.0[self.0.len() - 1].key()
    }

    fn summarise(&self) -> E::Summary {
        self.0.iter().fold(E::EMPTY, |summary, entry| E::merge(summary, entry.summary()))
    }

    fn insert(&mut self, entry: E) {
        // In order of arrival, a job is queued behind all others: no search.
        let key = entry.key();
        let place = match self.0.last() {
            Some(last) if last.key() > key => self.0.partition_point(|other| other.key() < key),
            _ => self.0.len(),
        };
        self.0.insert(place, entry);
    }

    fn remove(&mut self, key: E::Key) -> Option<E> {
        // Many jobs leave from the front: no search.
        let place = match self.0.first() {
            Some(first) if first.key() < key => self.0.partition_point(|other| other.key() < key),
            _ => 0,
        };
        self.0.get(place).filter(|entry| entry.key() == key)?;
        Some(self.0.remove(place))
    }

    fn split(&mut self) -> Self {
        let mut second = Self::default();
        second.0.extend(self.0.drain(LEAF_CAPACITY / 2..));
        second
    }

    fn find(
        &self,
        after: Option<E::Key>,
        _summary_fits: &impl Fn(E::Summary) -> bool,
        entry_fits: &impl Fn(&E) -> bool,
    ) -> Option<E> {
        let start = after.map_or(0, |after| self.0.partition_point(|entry| entry.key() <= after));
        self.0[start..].iter().find(|entry| entry_fits(entry)).copied()
    }

    fn reach(
        &self,
        reach: &mut Reach<E>,
        reached: &impl Fn(E::Summary) -> bool,
        ties: &impl Fn(&E, &E) -> bool,
    ) -> bool {
        let mut entries = self.0.iter();
        while reach.found.is_none() {
            let Some(entry) = entries.next() else { return true };
            reach.summary = E::merge(reach.summary, entry.summary());
            reach.found = reached(reach.summary).then_some(*entry);
        }
        for entry in entries {
            if !reach.found.is_some_and(|found| ties(&found, entry)) {
                return false;
            }
            reach.summary = E::merge(reach.summary, entry.summary());
        }
        true
    }
}

/// Leaves or branches.
#[derive(Clone, Debug)]
pub struct Branch<N, E: Entry> {
    children: Vec<N>,
    /// Of each child, apart from it so that the search for a child stays in few cache lines.
    first_keys: Vec<E::Key>,
    summaries: Vec<E::Summary>,
    /// A child that was emptied, kept because the next one is needed soon in a list that comes and goes.
    spare: Option<N>,
}

impl<N, E: Entry> Default for Branch<N, E> {
    fn default() -> Self {
        Self { children: Vec::new(), first_keys: Vec::new(), summaries: Vec::new(), spare: None }
    }
}

impl<N: Node<E>, E: Entry> Branch<N, E> {
    /// The child that holds `key` or would take it.
    fn child_of(&self, key: E::Key) -> usize {
        self.first_keys.partition_point(|first| *first <= key).saturating_sub(1)
    }

    fn insert_child(&mut self, place: usize, child: N) {
        self.first_keys.insert(place, child.first_key());
        self.summaries.insert(place, child.summarise());
        self.children.insert(place, child);
    }

    fn append(&mut self, entry: E) {
        let mut child = self.spare.take().unwrap_or_default();
        child.insert(entry);
        self.insert_child(self.children.len(), child);
    }
}

impl<N: Node<E>, E: Entry> Node<E> for Branch<N, E> {
    fn first(&self) -> Option<&E> {
        self.children.first()?.first()
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = &'a E>
    where
        E: 'a,
    {
        self.children.iter().flat_map(Node::iter)
    }

    fn is_full(&self) -> bool {
        self.children.len() == BRANCH_CAPACITY
    }

    fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    fn first_key(&self) -> E::Key {
        self.first_keys[0]
    }

    fn last_key(&self) -> E::Key {
        self.children[self.children.len() - 1].last_key()
    }

    fn summarise(&self) -> E::Summary {
        self.summaries.iter().fold(E::EMPTY, |summary, child| E::merge(summary, *child))
    }

    fn insert(&mut self, entry: E) {
        if self.children.is_empty() {
            self.append(entry);
            return;
        }
        let key = entry.key();
        let mut place = self.child_of(key);
        if self.children[place].is_full() {
            if place + 1 == self.children.len() && key > self.children[place].last_key() {
                // Arrivals go to the end: a full last child stays full.
                self.append(entry);
                return;
            }
            let second = self.children[place].split();
            self.summaries[place] = self.children[place].summarise();
            self.insert_child(place + 1, second);
            place = self.child_of(key);
        }
        self.children[place].insert(entry);
        self.first_keys[place] = self.first_keys[place].min(key);
        self.summaries[place] = E::merge(self.summaries[place], entry.summary());
    }

    fn remove(&mut self, key: E::Key) -> Option<E> {
        let place = self.child_of(key);
        let child = self.children.get_mut(place)?;
        let removed = child.remove(key)?;
        if child.is_empty() {
            self.spare = Some(self.children.remove(place));
            self.first_keys.remove(place);
            self.summaries.remove(place);
            return Some(removed);
        }
        if self.first_keys[place] == key {
            self.first_keys[place] = child.first_key();
        }
        self.summaries[place] = removed.summary_without(self.summaries[place]).unwrap_or_else(|| child.summarise());
        Some(removed)
    }

    fn split(&mut self) -> Self {
        let half = self.children.len() / 2;
        Self {
            children: self.children.drain(half..).collect(),
            first_keys: self.first_keys.drain(half..).collect(),
            summaries: self.summaries.drain(half..).collect(),
            spare: None,
        }
    }

    fn find(
        &self,
        after: Option<E::Key>,
        summary_fits: &impl Fn(E::Summary) -> bool,
        entry_fits: &impl Fn(&E) -> bool,
    ) -> Option<E> {
        let start = after.map_or(0, |after| self.child_of(after));
        let mut after = after;
        for (child, summary) in self.children[start..].iter().zip(&self.summaries[start..]) {
            if summary_fits(*summary)
                && let Some(found) = child.find(after, summary_fits, entry_fits)
            {
                return Some(found);
            }
            after = None;
        }
        None
    }

    fn reach(
        &self,
        reach: &mut Reach<E>,
        reached: &impl Fn(E::Summary) -> bool,
        ties: &impl Fn(&E, &E) -> bool,
    ) -> bool {
        for (child, summary) in self.children.iter().zip(&self.summaries) {
            let with = E::merge(reach.summary, *summary);
            if reach.found.is_none() && !reached(with) {
                reach.summary = with;
            } else if !child.reach(reach, reached, ties) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ordered by the first number; the summary is the smallest second number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Pair(u64, u32);

    impl Entry for Pair {
        type Key = u64;
        type Summary = u32;
        const EMPTY: u32 = u32::MAX;
        fn key(&self) -> u64 {
            self.0
        }
        fn summary(&self) -> u32 {
            self.1
        }
        fn merge(left: u32, right: u32) -> u32 {
            left.min(right)
        }
        fn summary_without(&self, summary: u32) -> Option<u32> {
            (self.1 > summary).then_some(summary)
        }
    }

    /// A fixed pseudo-random stream: the test needs variety, not a distribution.
    fn scramble(value: u64) -> u64 {
        let mixed = (value ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 29)
    }

    #[test]
    fn agrees_with_a_plain_sorted_vector_through_growth_and_decline() {
        let mut list = LongList::default();
        let mut reference: Vec<Pair> = Vec::new();
        for step in 0..20_000_u64 {
            let draw = scramble(step);
            let growing = step < 8_000 || (14_000..16_000).contains(&step);
            if reference.is_empty() || (draw % 10 < 7) == growing {
                let pair = Pair(draw >> 20, (scramble(draw) % 1_000) as u32);
                if let Err(place) = reference.binary_search_by_key(&pair.0, |other| other.0) {
                    reference.insert(place, pair);
                    list.insert(pair);
                }
            } else {
                let pair = reference.remove((draw >> 8) as usize % reference.len());
                assert_eq!(list.remove(pair.0), Some(pair));
            }
            assert_eq!(list.len(), reference.len());
            assert_eq!(list.first(), reference.first());
            assert_eq!(list.summary(), reference.iter().map(|pair| pair.1).min().unwrap_or(u32::MAX));
            if step % 97 == 0 {
                assert_eq!(list.entries(), reference);
                let limit = (draw % 50) as u32;
                let mut found = Vec::new();
                let mut after = None;
                while let Some(pair) = list.find(after, |least| least <= limit, |pair| pair.1 <= limit) {
                    found.push(pair);
                    after = Some(pair.0);
                }
                assert!(found.iter().eq(reference.iter().filter(|pair| pair.1 <= limit)));
            }
        }
    }

    #[test]
    fn a_search_goes_on_after_what_was_found_is_removed() {
        let mut list = LongList::default();
        for key in 0..50_000 {
            list.insert(Pair(key, 1));
        }
        let mut after = None;
        let mut seen = Vec::new();
        while let Some(pair) = list.find(after, |least| least <= 1, |pair| pair.0 % 3 != 0) {
            seen.push(pair.0);
            list.remove(pair.0);
            after = Some(pair.0);
        }
        assert!(seen.into_iter().eq((0..50_000).filter(|key| key % 3 != 0)));
        assert!(list.entries().iter().map(|pair| pair.0).eq((0..50_000).filter(|key| key % 3 == 0)));
    }

    #[test]
    fn branches_split_and_empty_like_leaves() {
        let mut list = LongList::default();
        let keys: Vec<u64> = (0..40_000).map(|step| scramble(step) >> 16).collect();
        for key in &keys {
            list.insert(Pair(*key, 7));
        }
        let Entries::Many(root) = &list.entries else { panic!("the test is meant to grow a tree") };
        assert!(root.children.len() > 2, "the test is meant to reach the third level");
        assert!(list.entries().iter().map(|pair| pair.0).is_sorted());
        for key in &keys {
            assert_eq!(list.remove(*key), Some(Pair(*key, 7)));
        }
        assert_eq!((list.len(), list.first()), (0, None));
        list.insert(Pair(1, 1));
        assert_eq!(list.first(), Some(&Pair(1, 1)));
    }
}
