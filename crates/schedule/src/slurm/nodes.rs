//! Sets of nodes, by place in Slurm's own order.

/// Some of the cluster's nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    /// With this node too.
    pub fn insert(&mut self, node: u32) {
        let word = node as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (node % 64);
    }

    /// Without this node.
    pub fn remove(&mut self, node: u32) {
        if let Some(word) = self.words.get_mut(node as usize / 64) {
            *word &= !(1 << (node % 64));
        }
    }

    /// Whether this node is one of them.
    pub fn contains(&self, node: u32) -> bool {
        self.words.get(node as usize / 64).is_some_and(|word| word & (1 << (node % 64)) != 0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// How many.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Takes those away.
    pub fn remove_all(&mut self, others: &Self) {
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word &= !other;
        }
    }

    /// Adds those.
    pub fn insert_all(&mut self, others: &Self) {
        if self.words.len() < others.words.len() {
            self.words.resize(others.words.len(), 0);
        }
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word |= other;
        }
    }

    /// Keeps those only.
    pub fn keep_only(&mut self, others: &Self) {
        for (place, word) in self.words.iter_mut().enumerate() {
            *word &= others.words.get(place).copied().unwrap_or(0);
        }
    }

    /// Whether a node is in both.
    pub fn meets(&self, others: &Self) -> bool {
        self.words.iter().zip(&others.words).any(|(word, other)| word & other != 0)
    }

    /// Whether all of those are among these.
    pub fn has_all(&self, others: &Self) -> bool {
        (others.words.iter().enumerate())
            .all(|(place, other)| other & !self.words.get(place).copied().unwrap_or(0) == 0)
    }

    /// Copies another set without a new allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }

    /// The nodes, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.words).flat_map(|(place, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros();
                left &= left - 1;
                Some(place * 64 + bit)
            })
        })
    }
}

impl FromIterator<u32> for NodeSet {
    fn from_iter<I: IntoIterator<Item = u32>>(nodes: I) -> Self {
        let mut set = Self::default();
        for node in nodes {
            set.insert(node);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_different_lengths_are_compared_by_what_is_in_them() {
        let few: NodeSet = [1, 5].into_iter().collect();
        let many: NodeSet = [5, 70, 200].into_iter().collect();
        assert!(few.meets(&many) && !few.has_all(&many) && many.has_all(&[200].into_iter().collect()));
        let mut left = few.clone();
        left.keep_only(&many);
        assert_eq!(left.iter().collect::<Vec<_>>(), [5]);
        let mut all = few.clone();
        all.insert_all(&many);
        assert_eq!((all.count(), all.contains(200), all.contains(201)), (4, true, false));
        all.remove_all(&many);
        assert_eq!(all.iter().collect::<Vec<_>>(), [1]);
        assert!(NodeSet::default().is_empty() && !few.is_empty());
    }
}
