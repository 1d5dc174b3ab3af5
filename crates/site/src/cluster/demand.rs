//! What a job asks for, in chunks and pools.

use queuecast_records::{ClusterConfiguration, JobRecord, Tres};
use queuecast_schedule::slurm::{Amount, Chunk, Demand, PoolSet};

use super::pools::PoolTable;

/// What counts on this cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Nodes are given out whole (`select/linear`).
    pub whole_nodes: bool,
    /// Memory is given out (`CR_..._Memory`).
    pub memory: bool,
}

impl Counting {
    /// As it is configured; parts of nodes and no memory where that is not known, as Slurm does unless told.
    pub fn of(configuration: Option<&ClusterConfiguration>) -> Self {
        let Some(configuration) = configuration else { return Self { whole_nodes: false, memory: false } };
        let parameters = configuration.select_type_parameters.to_ascii_uppercase();
        Self {
            whole_nodes: configuration.select_type.eq_ignore_ascii_case("select/linear"),
            memory: parameters.contains("MEMORY"),
        }
    }

    fn amount(self, tres: &Tres, nodes: u64) -> Amount {
        let each = |total: Option<u64>| i64::try_from(total.unwrap_or(0).div_ceil(nodes)).unwrap_or(i64::MAX >> 8);
        Amount {
            processors: each(tres.cpus.or(Some(nodes))).max(1),
            memory_mebibytes: if self.memory { each(tres.memory_mebibytes) } else { 0 },
            gpus: each(tres.gpus),
        }
    }
}

/// What a job with this request may have where: as many equal chunks as it wants nodes, or one.
pub fn demand(asked: &Tres, exclusive: bool, pools: PoolSet, counting: Counting, caps: Vec<u32>) -> Demand {
    let nodes = asked.nodes.unwrap_or(1).clamp(1, u64::from(u32::MAX));
    let chunk =
        if exclusive || counting.whole_nodes { Chunk::WholeNode } else { Chunk::Share(counting.amount(asked, nodes)) };
    Demand { chunks: u32::try_from(nodes).unwrap_or(u32::MAX), chunk, pools, caps }
}

/// The pools a job may use: those of its partitions that have every feature it names. A choice between features (`|`) is not
/// narrowed by: either will do.
pub fn pools_of(job: &JobRecord, table: &PoolTable) -> PoolSet {
    let of_partitions = job
        .partitions
        .iter()
        .fold(PoolSet::default(), |set, partition| PoolSet(set.0 | table.of_partition(partition).0));
    if job.features.contains(['|', '[', '(']) {
        return of_partitions;
    }
    let features = job.features.split(['&', ',']).map(str::trim).filter(|feature| !feature.is_empty());
    features.fold(of_partitions, |set, feature| {
        let name = feature.split('*').next().unwrap_or(feature);
        table.with_feature(set, name)
    })
}

/// Whether the pools could ever hold it, empty: every chunk is on a node of its own.
pub fn could_ever_fit(demand: &Demand, table: &PoolTable) -> bool {
    let mut missing = demand.chunks;
    for pool in demand.pools.pools() {
        let Some(pool) = table.pools.get(pool) else { continue };
        let chunk = match demand.chunk {
            Chunk::Share(amount) => amount,
            Chunk::WholeNode => pool.node,
        };
        let on_a_node = pool.node.holds(chunk) || demand.chunks == 1;
        let most = if on_a_node { missing.min(pool.nodes) } else { 0 };
        missing -= pool.node.times(pool.nodes).holds_times(chunk, most);
    }
    missing == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::node;

    #[test]
    fn more_nodes_than_there_are_or_larger_ones_are_never_to_be_had() {
        let nodes: Vec<_> = (1..=3).map(|number| node(&format!("a{number}"), 4, &["batch"])).collect();
        let table = PoolTable::of(&nodes);
        let fits = |chunks: u32, processors: i64| {
            let chunk = Chunk::Share(Amount::processors(processors));
            could_ever_fit(&Demand { chunks, chunk, pools: PoolSet(1), caps: Vec::new() }, &table)
        };
        assert!(fits(3, 4) && fits(1, 12), "twelve tasks may be spread over three nodes");
        assert!(!fits(4, 1) && !fits(2, 5) && !fits(1, 13));
    }

    #[test]
    fn what_is_asked_for_in_all_is_shared_out_over_the_nodes() {
        let asked =
            Tres { cpus: Some(10), memory_mebibytes: Some(4_000), nodes: Some(4), gpus: Some(4), billing: None };
        let counting = Counting { whole_nodes: false, memory: true };
        let wanted = demand(&asked, false, PoolSet(1), counting, Vec::new());
        assert_eq!(wanted.chunks, 4);
        let each = Amount { processors: 3, memory_mebibytes: 1_000, gpus: 1 };
        assert_eq!(wanted.chunk, Chunk::Share(each));
        assert_eq!(demand(&asked, true, PoolSet(1), counting, Vec::new()).chunk, Chunk::WholeNode);
        let without = Counting { whole_nodes: false, memory: false };
        let one = demand(&Tres::default(), false, PoolSet(1), without, Vec::new());
        assert_eq!((one.chunks, one.chunk), (1, Chunk::Share(Amount::processors(1))));
    }
}
