//! Nodes that are alike, in pools; and one by one, where there are not too many.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use queuecast_records::NodeRecord;
use queuecast_schedule::slurm::{Amount, Node, Pool, PoolSet};

use super::features::has_features;

/// As many pools as the core takes.
const POOLS_MAX: usize = 64;

/// Up to so many nodes are told apart; more are counted. Playing takes longer with every node.
const NODES_TOLD_APART: usize = 1_024;
/// And so many times jobs that wait (`benchmarks/README.md`, "A whole queue").
const NODES_TIMES_WAITING: usize = 500_000;

/// States in which a node takes no new jobs, whatever else is said of it.
const UNUSABLE: [&str; 13] = [
    "DOWN",
    "DRAIN",
    "DRAINED",
    "DRAINING",
    "FAIL",
    "FAILING",
    "ERROR",
    "FUTURE",
    "UNKNOWN",
    "NO_RESPOND",
    "NOT_RESPONDING",
    "INVALID",
    "INVALID_REG",
];

/// The pools, and how to find them by the names Slurm uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolTable {
    /// The pools themselves, in the order of their first nodes.
    pub pools: Vec<Pool>,
    /// The nodes one by one, in Slurm's order; none if they are too many.
    pub nodes: Vec<Node>,
    of_node: HashMap<String, u8>,
    place_of_node: HashMap<String, u32>,
    of_partition: HashMap<String, PoolSet>,
    features: Vec<BTreeSet<String>>,
    gpu_models: Vec<BTreeSet<String>>,
}

/// What makes nodes alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    node: Amount,
    partitions: Vec<String>,
    features: Vec<String>,
    gpu_models: BTreeSet<String>,
}

impl PoolTable {
    /// Takes the nodes that can be used, for a queue of so many jobs: for a long one nodes are counted earlier. With more kinds of
    /// nodes than can be told apart, features do not count and, if that is not enough, sizes are those of the first such node.
    pub fn for_queue(nodes: &[NodeRecord], waiting: usize) -> Self {
        let usable: Vec<&NodeRecord> = nodes.iter().filter(|node| is_usable(node)).collect();
        let kinds = |coarse: u8| {
            let mut kinds: BTreeMap<Kind, Vec<usize>> = BTreeMap::new();
            for (place, node) in usable.iter().enumerate() {
                kinds.entry(Kind::of(node, coarse)).or_default().push(place);
            }
            kinds
        };
        let kinds = (0..2).map(kinds).find(|kinds| kinds.len() <= POOLS_MAX).unwrap_or_else(|| kinds(2));
        let mut kinds: Vec<(Kind, Vec<usize>)> = kinds.into_iter().take(POOLS_MAX).collect();
        kinds.sort_by_key(|(_, members)| members.first().copied());
        let mut table = Self::default();
        for (pool, (kind, members)) in (0_u8..).zip(&kinds) {
            let members: Vec<&NodeRecord> = members.iter().map(|place| usable[*place]).collect();
            let node = members.first().map_or(kind.node, |first| amount(first));
            table.pools.push(Pool { node, nodes: u32::try_from(members.len()).unwrap_or(u32::MAX) });
            table.features.push(members.iter().flat_map(|node| node.features.iter().cloned()).collect());
            table.gpu_models.push(kind.gpu_models.clone());
            for partition in &kind.partitions {
                let set = table.of_partition.entry(partition.clone()).or_default();
                *set = set.with(usize::from(pool));
            }
            table.of_node.extend(members.into_iter().map(|node| (node.name.clone(), pool)));
        }
        if usable.len() <= NODES_TOLD_APART && usable.len() * waiting <= NODES_TIMES_WAITING {
            for node in usable {
                let Some(pool) = table.of_node.get(&node.name).copied() else { continue };
                let place = u32::try_from(table.nodes.len()).unwrap_or(u32::MAX);
                table.place_of_node.insert(node.name.clone(), place);
                table.nodes.push(Node { pool, weight: node.weight });
            }
        }
        table
    }

    /// Whether nodes are told apart.
    pub fn tells_nodes_apart(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// The pool of a node; none of one that cannot be used.
    pub fn of_node(&self, name: &str) -> Option<u8> {
        self.of_node.get(name).copied()
    }

    /// The place at which what is on a node is counted: its own, or its pool's. None of one that cannot be used.
    pub fn place_of_node(&self, name: &str) -> Option<u32> {
        if self.tells_nodes_apart() { self.place_of_node.get(name).copied() } else { self.of_node(name).map(u32::from) }
    }

    /// What a node at this place has.
    pub fn node_at(&self, place: u32) -> Amount {
        let pool = self.nodes.get(place as usize).map_or(place as usize, |node| usize::from(node.pool));
        self.pools[pool].node
    }

    /// The pools of a partition.
    pub fn of_partition(&self, name: &str) -> PoolSet {
        self.of_partition.get(name).copied().unwrap_or_default()
    }

    /// Of these pools, those whose nodes have what is asked for (`a100&(fast|new)`).
    pub fn with_features(&self, pools: PoolSet, asked: &str) -> PoolSet {
        let has = |pool: &usize| has_features(asked, &self.features[*pool]);
        pools.pools().filter(has).fold(PoolSet::default(), PoolSet::with)
    }

    /// Of these pools, those whose nodes have GPUs of a model.
    pub fn with_gpu_model(&self, pools: PoolSet, model: &str) -> PoolSet {
        let has = |pool: &usize| self.gpu_models[*pool].iter().any(|known| known.eq_ignore_ascii_case(model));
        pools.pools().filter(has).fold(PoolSet::default(), PoolSet::with)
    }
}

impl Kind {
    fn of(node: &NodeRecord, coarse: u8) -> Self {
        let sorted = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
        Self {
            node: if coarse < 2 { amount(node) } else { Amount::NONE },
            partitions: sorted(&node.partitions),
            features: if coarse < 1 { sorted(&node.features) } else { Vec::new() },
            gpu_models: node.gpus().into_iter().map(|(model, _)| model).filter(|model| !model.is_empty()).collect(),
        }
    }
}

fn is_usable(node: &NodeRecord) -> bool {
    // Slurm marks some states with a sign behind them in text.
    let bare = |state: &String| state.trim_end_matches(|sign: char| !sign.is_ascii_alphanumeric()).to_ascii_uppercase();
    !node.states.iter().map(bare).any(|state| UNUSABLE.contains(&state.as_str()))
}

fn amount(node: &NodeRecord) -> Amount {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX >> 8);
    Amount {
        processors: number(node.cpus),
        memory_mebibytes: number(node.memory_mebibytes),
        gpus: number(node.configured.gpus.unwrap_or_else(|| node.gpus().iter().map(|(_, count)| count).sum())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::node;

    #[test]
    fn nodes_that_are_alike_are_one_pool_and_broken_ones_none() {
        let mut nodes = vec![node("a1", 4, &["batch"]), node("a2", 4, &["batch"]), node("b1", 8, &["batch", "big"])];
        nodes.push(NodeRecord { states: vec!["IDLE".to_owned(), "DRAIN".to_owned()], ..node("a3", 4, &["batch"]) });
        let table = PoolTable::for_queue(&nodes, 0);
        let sizes: Vec<(i64, u32)> = table.pools.iter().map(|pool| (pool.node.processors, pool.nodes)).collect();
        assert_eq!(sizes, [(4, 2), (8, 1)]);
        assert_eq!(table.of_partition("batch"), PoolSet(0b11));
        assert_eq!(table.of_partition("big"), PoolSet(0b10));
        assert_eq!(table.of_partition("none"), PoolSet(0));
        assert_eq!((table.of_node("b1"), table.of_node("a3")), (Some(1), None));
    }

    #[test]
    fn a_feature_narrows_the_pools() {
        let mut fast = node("a1", 4, &["batch"]);
        fast.features = vec!["fast".to_owned()];
        let table = PoolTable::for_queue(&[fast, node("a2", 4, &["batch"])], 0);
        let fast = table.with_features(table.of_partition("batch"), "fast");
        assert_eq!(fast.pools().count(), 1);
        assert_eq!(table.with_features(table.of_partition("batch"), "slow"), PoolSet(0));
    }

    #[test]
    fn a_cluster_of_more_kinds_than_can_be_told_apart_is_seen_more_coarsely() {
        let nodes: Vec<NodeRecord> =
            (0..200).map(|number| node(&format!("n{number}"), number + 1, &["batch"])).collect();
        let table = PoolTable::for_queue(&nodes, 0);
        assert_eq!(table.pools.iter().map(|pool| pool.nodes).sum::<u32>(), 200);
        assert!(table.pools.len() <= POOLS_MAX);
    }
    #[test]
    fn nodes_are_told_apart_for_a_short_queue_and_counted_for_a_long_one() {
        let nodes: Vec<NodeRecord> = (0..100).map(|number| node(&format!("n{number}"), 4, &["batch"])).collect();
        let longest = NODES_TIMES_WAITING / 100;
        assert_eq!(PoolTable::for_queue(&nodes, longest).nodes.len(), 100);
        let counted = PoolTable::for_queue(&nodes, longest + 1);
        assert!(!counted.tells_nodes_apart());
        assert_eq!(counted.pools.iter().map(|pool| pool.nodes).sum::<u32>(), 100, "nobody is lost");
    }
}
