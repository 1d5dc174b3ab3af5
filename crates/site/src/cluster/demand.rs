//! What a job asks for, in chunks, nodes and pools.
//!
//! Simplified: sockets, cores and threads are not looked at; GPUs that are asked for in all (`--gpus`) are shared out over the fewest nodes.
//!
//! Source: sbatch(1); slurm.conf(5) `SelectType`, `SelectTypeParameters`.

use std::sync::Arc;

use queuecast_records::{ClusterConfiguration, GresPer, JobLayout, MemoryAsked, NodeList, NodeRecord, Tres};
use queuecast_schedule::slurm::{Amount, Chunk, Demand, Layout, NamedNodes, NodeSet, PoolSet};

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

    /// What each of so many nodes has of this.
    pub fn each(self, tres: &Tres, nodes: u64) -> Amount {
        let each = |total: Option<u64>| number(total.unwrap_or(0).div_ceil(nodes.max(1)));
        Amount {
            processors: each(tres.cpus.or(Some(nodes))).max(1),
            memory_mebibytes: if self.memory { each(tres.memory_mebibytes) } else { 0 },
            gpus: each(tres.gpus),
        }
    }

    /// What is taken of a node.
    pub fn taken(self, node: &NodeRecord) -> Amount {
        let used = &node.used;
        let memory = used.memory_mebibytes.or(node.allocated_memory_mebibytes);
        Amount {
            processors: number(used.cpus.or(node.allocated_cpus).unwrap_or(0)),
            memory_mebibytes: if self.memory { number(memory.unwrap_or(0)) } else { 0 },
            gpus: number(used.gpus.unwrap_or(0)),
        }
    }
}

/// What a job asks for beside the pools it may use.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Resources in all.
    pub tres: &'a Tres,
    /// How it wants them on nodes, as far as is known.
    pub layout: &'a JobLayout,
    /// Whether it wants whole nodes.
    pub exclusive: bool,
}

/// What a job with this request may have where.
pub fn demand(asked: Asked<'_>, pools: PoolSet, counting: Counting) -> Demand {
    let Asked { tres, layout, .. } = asked;
    // Of a job that waits and did not say how many nodes, Slurm tells how many it would take at the most; the sum of its resources has one.
    let told = [layout.nodes_min.map(u64::from), tres.nodes];
    let nodes = told.into_iter().flatten().min().unwrap_or(1).clamp(1, u64::from(u32::MAX));
    let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
    let whole_nodes = asked.exclusive || counting.whole_nodes;
    let Some(tasks) = layout.tasks.filter(|tasks| *tasks > 0) else {
        // So much on each of so many nodes is all that is known.
        if whole_nodes {
            return Demand::of(nodes, Chunk::WholeNode, pools);
        }
        return Demand::of(nodes, Chunk::Share(counting.each(tres, u64::from(nodes))), pools);
    };
    let cpus = layout.cpus_per_task.unwrap_or(1).max(1);
    // Slurm may give more than was asked for: whole cores, or as many as the memory goes with.
    let cpus = u64::from(cpus).max(if whole_nodes { 0 } else { tres.cpus.unwrap_or(0) / u64::from(tasks) });
    let gpus = |per: GresPer| {
        let of = layout.gres.iter().filter(|gres| gres.name == "gpu" && gres.per == per);
        of.map(|gres| gres.count).sum::<u64>()
    };
    let (per_node, per_task) = (gpus(GresPer::Node) + gpus(GresPer::Socket), gpus(GresPer::Task));
    let in_all = if layout.gres.is_empty() { tres.gpus.unwrap_or(0) } else { gpus(GresPer::Job) };
    let (memory_of_task, memory_of_node) = match layout.memory {
        _ if !counting.memory => (0, 0),
        Some(MemoryAsked::PerCpu(memory)) => (memory * cpus, 0),
        Some(MemoryAsked::PerNode(memory)) => (0, memory),
        None => (tres.memory_mebibytes.unwrap_or(0) / u64::from(tasks), 0),
    };
    let chunk = Amount { processors: number(cpus), memory_mebibytes: number(memory_of_task), gpus: number(per_task) };
    let each_node = Amount {
        processors: 0,
        memory_mebibytes: number(memory_of_node),
        gpus: number(per_node + in_all.div_ceil(u64::from(nodes))),
    };
    let on_a_node_max = layout.tasks_per_node.filter(|tasks| *tasks > 0).unwrap_or(u32::MAX);
    let least_cpus = u64::from(layout.cpus_per_node_min.unwrap_or(0)).div_ceil(cpus);
    let on_a_node_min = u32::try_from(least_cpus).unwrap_or(u32::MAX).clamp(1, tasks.div_ceil(nodes).max(1));
    let nodes_max = layout.nodes_max.filter(|most| *most > 0).unwrap_or(u32::MAX).max(nodes);
    Demand {
        chunks: tasks.max(nodes),
        chunk: Chunk::Share(chunk),
        layout: Layout { nodes_min: nodes, nodes_max, on_a_node_min, on_a_node_max, each_node, whole_nodes },
        ..Demand::of(nodes, Chunk::WholeNode, pools)
    }
}

/// The pools among these that have the features and the GPUs a job names.
pub fn narrowed(pools: PoolSet, features: &str, layout: &JobLayout, table: &PoolTable) -> PoolSet {
    let with_features = table.with_features(pools, features);
    let models = layout.gres.iter().filter(|gres| gres.name == "gpu" && !gres.model.is_empty());
    models.fold(with_features, |set, gres| table.with_gpu_model(set, &gres.model))
}

/// A job names nodes that cannot be used, or that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInService;

/// The nodes a job names, where nodes are told apart.
pub fn named(required: &str, excluded: &str, table: &PoolTable) -> Result<Option<Arc<NamedNodes>>, NotInService> {
    if required.is_empty() && excluded.is_empty() {
        return Ok(None);
    }
    let nodes = |names: &str| -> Result<Vec<Option<u32>>, NotInService> {
        let names = NodeList::parse(names).map_err(|_| NotInService)?;
        Ok(names.names().map(|name| table.place_of_node(&name)).collect())
    };
    let required: Option<NodeSet> = nodes(required)?.into_iter().collect();
    let excluded: NodeSet = nodes(excluded)?.into_iter().flatten().collect();
    Ok(Some(Arc::new(NamedNodes { required: required.ok_or(NotInService)?, excluded })))
}

/// Whether the machine could ever hold it, empty.
pub fn could_ever_fit(demand: &Demand, table: &PoolTable) -> bool {
    let layout = &demand.layout;
    let (mut nodes, mut chunks) = (0_u64, 0_u64);
    let mut rooms: Vec<(u32, u64)> = Vec::new();
    for (place, pool) in table.pools.iter().enumerate().filter(|(place, _)| demand.pools.0 & (1 << place) != 0) {
        let mut left = pool.node;
        if !left.holds(layout.each_node) {
            continue;
        }
        left -= layout.each_node;
        let room = match demand.chunk {
            Chunk::WholeNode => 1,
            Chunk::Share(chunk) => left.holds_times(chunk, layout.on_a_node_max),
        };
        let excluded = demand.named.as_ref().map_or(0, |named| {
            named.excluded.iter().filter(|node| usize::from(table.nodes[*node as usize].pool) == place).count()
        });
        let count = u64::from(pool.nodes).saturating_sub(excluded as u64);
        if room >= layout.on_a_node_min && count > 0 {
            rooms.push((room, count));
        }
    }
    rooms.sort_unstable_by(|one, other| other.cmp(one));
    for (room, count) in rooms {
        let taken = count.min(u64::from(layout.nodes_max).saturating_sub(nodes));
        nodes += taken;
        chunks = chunks.saturating_add(taken * u64::from(room));
    }
    nodes >= u64::from(layout.nodes_min) && chunks >= u64::from(demand.chunks)
}

fn number(amount: u64) -> i64 {
    i64::try_from(amount).unwrap_or(i64::MAX >> 8)
}

#[cfg(test)]
mod tests {
    use queuecast_records::GresAsked;

    use super::*;
    use crate::cluster::test_cluster::node;

    const ALL: PoolSet = PoolSet(1);

    fn of(tres: &Tres, layout: &JobLayout, exclusive: bool, memory: bool) -> Demand {
        demand(Asked { tres, layout, exclusive }, ALL, Counting { whole_nodes: false, memory })
    }

    #[test]
    fn more_nodes_than_there_are_or_larger_ones_are_never_to_be_had() {
        let nodes: Vec<_> = (1..=3).map(|number| node(&format!("a{number}"), 4, &["batch"])).collect();
        let table = PoolTable::for_queue(&nodes, 0);
        let fits = |nodes: u32, tasks: u32, cpus: u32| {
            let layout = JobLayout {
                nodes_min: Some(nodes),
                tasks: Some(tasks),
                cpus_per_task: Some(cpus),
                ..JobLayout::default()
            };
            could_ever_fit(&of(&Tres::default(), &layout, false, false), &table)
        };
        assert!(fits(3, 3, 4) && fits(1, 12, 1), "twelve tasks may be spread over three nodes");
        assert!(!fits(4, 4, 1) && !fits(2, 2, 5) && !fits(1, 13, 1) && !fits(1, 1, 5));
        let each_with_its_own = Demand::of(2, Chunk::Share(Amount::processors(5)), ALL);
        assert!(!could_ever_fit(&each_with_its_own, &table));
    }

    #[test]
    fn what_is_asked_for_in_all_is_shared_out_over_the_nodes_where_no_layout_is_known() {
        let asked =
            Tres { cpus: Some(10), memory_mebibytes: Some(4_000), nodes: Some(4), gpus: Some(4), billing: None };
        let none = JobLayout::default();
        let wanted = of(&asked, &none, false, true);
        assert_eq!(wanted.chunks, 4);
        let each = Amount { processors: 3, memory_mebibytes: 1_000, gpus: 1 };
        assert_eq!(wanted.chunk, Chunk::Share(each));
        assert_eq!(of(&asked, &none, true, true).chunk, Chunk::WholeNode);
        let one = of(&Tres::default(), &none, false, false);
        assert_eq!((one.chunks, one.chunk), (1, Chunk::Share(Amount::processors(1))));
    }

    #[test]
    fn tasks_are_chunks_and_what_is_asked_of_a_node_is_asked_of_each() {
        let layout = JobLayout {
            nodes_min: Some(2),
            nodes_max: Some(2),
            tasks: Some(8),
            tasks_per_node: Some(4),
            cpus_per_task: Some(3),
            memory: Some(MemoryAsked::PerNode(64_000)),
            gres: vec![GresAsked { name: "gpu".to_owned(), model: String::new(), count: 2, per: GresPer::Node }],
            ..JobLayout::default()
        };
        let wanted = of(&Tres { cpus: Some(24), ..Tres::default() }, &layout, false, true);
        assert_eq!((wanted.chunks, wanted.chunk), (8, Chunk::Share(Amount::processors(3))));
        let each_node = Amount { processors: 0, memory_mebibytes: 64_000, gpus: 2 };
        assert_eq!(wanted.layout.each_node, each_node);
        assert_eq!((wanted.layout.nodes_min, wanted.layout.nodes_max, wanted.layout.on_a_node_max), (2, 2, 4));
    }

    #[test]
    fn a_node_that_is_named_and_cannot_be_used_is_told_from_none() {
        let table = PoolTable::for_queue(&[node("a1", 4, &["batch"]), node("a2", 4, &["batch"])], 0);
        let found = named("a2", "a1", &table).ok().flatten().expect("both are there");
        assert_eq!((found.required.iter().next(), found.excluded.iter().next()), (Some(1), Some(0)));
        assert_eq!(named("a3", "", &table), Err(NotInService));
        assert_eq!(named("", "", &table), Ok(None));
        assert_eq!(named("a[", "", &table), Err(NotInService));
    }

    #[test]
    fn a_job_that_did_not_say_how_many_nodes_may_have_fewer_than_slurm_tells() {
        let told = JobLayout { nodes_min: Some(44), tasks: Some(704), ..JobLayout::default() };
        let least = |nodes: u64| {
            let tres = Tres { cpus: Some(704), nodes: Some(nodes), ..Tres::default() };
            let asked = Asked { tres: &tres, layout: &told, exclusive: false };
            demand(asked, ALL, Counting { whole_nodes: false, memory: false }).layout.nodes_min
        };
        assert_eq!((least(1), least(44)), (1, 44));
    }
}
