//! Whether nodes as they are configured could hold a request, all of them empty and none of them down.
//!
//! sbatch takes a job whose nodes are down or drained for now, and refuses one that no configured nodes could hold.
//!
//! Not for: when they could (`forecasting`); nodes in service now (`demand.rs`).
//!
//! Source: `select/cons_tres` and `node_scheduler.c` of 22.05, read for what they do; `sbatch --test-only` of 22.05.8 in our lab.

use std::collections::BTreeSet;

use queuecast_records::{GresAsked, GresPer, JobLayout, MemoryAsked, NodeRecord, PartitionRecord};

use super::super::features::has_features;
use super::Request;
use super::sizes::Sizes;

/// A node, as far as requests are held against it.
#[derive(Clone, Debug)]
pub struct ConfiguredNode {
    pub name: String,
    pub partitions: Vec<String>,
    features: BTreeSet<String>,
    cpus: u32,
    /// Zero where it is not said.
    memory_mebibytes: u64,
    gres: Vec<GresAsked>,
    sockets: Option<u32>,
    cores: Option<u32>,
    threads: Option<u32>,
}

impl ConfiguredNode {
    /// A node of the configuration; `None` of one that is only planned.
    pub fn of(node: &NodeRecord) -> Option<Self> {
        let is_planned = node.states.iter().any(|state| state.starts_with("FUTURE"));
        (!is_planned).then(|| Self {
            name: node.name.clone(),
            partitions: node.partitions.clone(),
            features: node.features.iter().cloned().collect(),
            cpus: u32::try_from(node.cpus).unwrap_or(u32::MAX),
            memory_mebibytes: node.memory_mebibytes,
            gres: gres_of(node),
            sockets: node.sockets,
            cores: node.cores,
            threads: node.threads,
        })
    }

    /// Whether it has a feature of this name.
    pub fn has_feature(&self, name: &str) -> bool {
        self.features.contains(name)
    }

    /// Whether it has a generic resource of this name.
    pub fn has_gres(&self, name: &str) -> bool {
        self.gres.iter().any(|gres| gres.name == name)
    }

    fn gpus(&self) -> u64 {
        self.gres.iter().filter(|gres| gres.name == "gpu").map(|gres| gres.count).sum()
    }

    fn count(&self, asked: &GresAsked) -> u64 {
        let is_asked = |gres: &&GresAsked| {
            gres.name == asked.name && (asked.model.is_empty() || gres.model.eq_ignore_ascii_case(&asked.model))
        };
        self.gres.iter().filter(is_asked).map(|gres| gres.count).sum()
    }

    fn has_layout(&self, layout: &JobLayout) -> bool {
        let is_less = |has: Option<u32>, asked: Option<u32>| has.zip(asked).is_some_and(|(has, asked)| has < asked);
        !is_less(self.sockets, layout.sockets_per_node)
            && !is_less(self.cores, layout.cores_per_socket)
            && !is_less(self.threads, layout.threads_per_core)
    }
}

/// Without what is said in brackets of their places.
fn gres_of(node: &NodeRecord) -> Vec<GresAsked> {
    let mut depth = 0_u32;
    let bare: String = node
        .gres
        .chars()
        .filter(|character| {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        })
        .collect();
    let list = GresAsked::list(&bare.replace(":no_consume", ""), GresPer::Node).unwrap_or_default();
    let gpus = node.configured.gpus.filter(|_| !list.iter().any(|gres| gres.name == "gpu"));
    let counted =
        gpus.map(|count| GresAsked { name: "gpu".to_owned(), model: String::new(), count, per: GresPer::Node });
    list.into_iter().chain(counted).collect()
}

/// What is held against nodes.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    pub request: &'a Request,
    pub sizes: &'a Sizes,
    pub partition: &'a PartitionRecord,
    /// Memory is given out, not only looked at.
    pub counts_memory: bool,
    pub whole_nodes: bool,
}

/// What a node has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    tasks: u32,
    /// Of those asked for in all (`--gpus`), by place among the resources asked for.
    in_all: u64,
}

impl Wanted<'_> {
    /// Whether these nodes could hold it: `required` must be among them, `excluded` may not.
    pub fn could_be_held(
        &self,
        nodes: &[ConfiguredNode],
        required: &BTreeSet<String>,
        excluded: &BTreeSet<String>,
    ) -> bool {
        let usable = nodes.iter().filter(|node| node.partitions.contains(&self.partition.name));
        let usable = usable
            .filter(|node| !excluded.contains(&node.name) && has_features(&self.request.features, &node.features));
        let mut rooms: Vec<(bool, Room)> =
            usable.filter_map(|node| Some((required.contains(&node.name), self.room(node)?))).collect();
        if rooms.iter().filter(|(is_required, _)| *is_required).count() < required.len() {
            return false;
        }
        let Sizes { nodes_min, nodes_max, tasks, tasks_are_told, .. } = *self.sizes;
        let of_partition = self.partition.nodes_max.map_or(u32::MAX, |most| u32::try_from(most).unwrap_or(u32::MAX));
        let of_tasks = if tasks_are_told { tasks } else { u32::MAX };
        let most = nodes_max.unwrap_or(u32::MAX).min(of_partition).min(of_tasks.max(nodes_min)) as usize;
        let least = nodes_min as usize;
        if most < least || rooms.len() < least {
            return false;
        }
        rooms.sort_by_key(|(is_required, room)| (!is_required, std::cmp::Reverse(room.tasks)));
        let room_for: u64 = rooms.iter().take(most).map(|(_, room)| u64::from(room.tasks)).sum();
        rooms.sort_by_key(|(is_required, room)| (!is_required, std::cmp::Reverse(room.in_all)));
        let in_all: u64 = rooms.iter().take(most).map(|(_, room)| room.in_all).sum();
        room_for >= u64::from(tasks) && in_all >= self.in_all().map_or(0, |gres| gres.count)
    }

    fn in_all(&self) -> Option<&GresAsked> {
        self.sizes.gres.iter().find(|gres| gres.per == GresPer::Job)
    }

    /// What a node has room for; `None` if for nothing.
    fn room(&self, node: &ConfiguredNode) -> Option<Room> {
        let Self { request, sizes, partition, .. } = *self;
        let cpus = partition
            .cpus_per_node_max
            .map_or(node.cpus, |most| u32::try_from(most).map_or(node.cpus, |most| most.min(node.cpus)));
        if cpus < sizes.cpus_per_node_min || !node.has_layout(&request.layout) {
            return None;
        }
        let mut tasks = cpus / sizes.cpus_per_task;
        tasks = tasks.min(request.layout.tasks_per_node.filter(|most| *most > 0).unwrap_or(u32::MAX));
        tasks = tasks.min(self.tasks_by_memory(node)?);
        // Whole nodes come with all their GPUs.
        let memory_of_gpus = request.memory_per_gpu_mebibytes.filter(|_| self.whole_nodes && node.memory_mebibytes > 0);
        if memory_of_gpus.is_some_and(|each| each.saturating_mul(node.gpus()) > node.memory_mebibytes) {
            return None;
        }
        let on_a_node = request.layout.tasks_per_node.map_or(1, |tasks| u64::from(tasks.max(1)));
        let mut in_all = 0;
        for gres in &sizes.gres {
            let has = node.count(gres);
            let by_memory = match request.memory_per_gpu_mebibytes.filter(|each| *each > 0 && gres.name == "gpu") {
                Some(each) if node.memory_mebibytes > 0 => node.memory_mebibytes / each,
                _ => u64::MAX,
            };
            let has = has.min(by_memory);
            match gres.per {
                GresPer::Node | GresPer::Socket if has < gres.count => return None,
                GresPer::Node | GresPer::Socket => {}
                // A node must have those of all tasks that may be on it, however few there are.
                GresPer::Task if has < gres.count.saturating_mul(on_a_node) => return None,
                GresPer::Task => tasks = tasks.min(u32::try_from(has / gres.count).unwrap_or(u32::MAX)),
                GresPer::Job if has == 0 => return None,
                GresPer::Job => in_all = has,
            }
        }
        (tasks > 0).then_some(Room { tasks, in_all })
    }

    /// How many tasks its memory is enough for; `None` if for none.
    fn tasks_by_memory(&self, node: &ConfiguredNode) -> Option<u32> {
        let has = node.memory_mebibytes;
        if has == 0 {
            return Some(u32::MAX);
        }
        let enough = match self.sizes.memory {
            Some(MemoryAsked::PerNode(asked)) => (asked <= has).then_some(u64::MAX),
            Some(MemoryAsked::PerCpu(asked)) if !self.counts_memory => (asked <= has).then_some(u64::MAX),
            Some(MemoryAsked::PerCpu(asked)) if self.whole_nodes => {
                (asked.saturating_mul(u64::from(node.cpus)) <= has).then_some(u64::MAX)
            }
            Some(MemoryAsked::PerCpu(asked)) if asked.saturating_mul(u64::from(self.sizes.cpus_per_node_min)) > has => {
                None
            }
            Some(MemoryAsked::PerCpu(asked)) if asked > 0 => {
                Some(has / asked.saturating_mul(u64::from(self.sizes.cpus_per_task))).filter(|tasks| *tasks > 0)
            }
            Some(MemoryAsked::PerCpu(_)) | None => Some(u64::MAX),
        };
        enough.map(|tasks| u32::try_from(tasks).unwrap_or(u32::MAX))
    }
}
