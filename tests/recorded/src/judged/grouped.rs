//! A figure for each partition.

use std::collections::BTreeMap;

/// One figure a partition.
pub type ByPartition<T> = BTreeMap<String, T>;

/// The figure of each partition of those that there are.
pub fn by_partition<T, F>(all: &[T], partition: impl Fn(&T) -> &String, figure: impl Fn(&[&T]) -> F) -> ByPartition<F> {
    let mut groups: BTreeMap<&String, Vec<&T>> = BTreeMap::new();
    for one in all {
        groups.entry(partition(one)).or_default().push(one);
    }
    groups.into_iter().map(|(name, group)| (name.clone(), figure(&group))).collect()
}

/// Seconds as minutes.
pub fn minutes(seconds: f64) -> f64 {
    seconds / 60.0
}
