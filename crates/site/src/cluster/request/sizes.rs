//! What a request comes to once Slurm has filled in what was not said.
//!
//! Not for: whether it may be had (`nodes.rs`, `job_limits.rs`).
//!
//! Source: sbatch(1); `sbatch.c`, `validate_job_create_req`, `_validate_job_desc` and `_valid_pn_min_mem` of 22.05, read for
//! what they do.

use queuecast_records::{ClusterConfiguration, GresAsked, GresPer, JobLayout, MemoryAsked, PartitionRecord, Tres};

use super::Request;

/// The sizes of a request in a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Fewest nodes.
    pub nodes_min: u32,
    /// Most nodes.
    pub nodes_max: Option<u32>,
    /// Tasks.
    pub tasks: u32,
    /// Whether the number of tasks was said: no more nodes than that can be had.
    pub tasks_are_told: bool,
    /// The tasks whose CPUs are counted at submission: one where a range of nodes is all that was said.
    tasks_counted: u32,
    /// The nodes asked for by name, each of which has a CPU.
    named: u32,
    /// CPUs of a task.
    pub cpus_per_task: u32,
    /// Fewest CPUs of a node.
    pub cpus_per_node_min: u32,
    /// Memory, as it was said or as the partition gives it.
    pub memory: Option<MemoryAsked>,
    /// Whether memory is more than a node may give by the partition's limit, and that limit.
    pub memory_beyond: Option<u64>,
    /// Generic resources.
    pub gres: Vec<GresAsked>,
}

impl Sizes {
    /// Of a request in a partition. `named` nodes are asked for by name.
    pub fn of(
        request: &Request,
        named: u32,
        partition: &PartitionRecord,
        configuration: Option<&ClusterConfiguration>,
    ) -> Self {
        let layout = &request.layout;
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let told = layout.nodes_min.or(request.tres.nodes.map(small));
        let mut nodes_max = layout.nodes_max.filter(|most| *most > 0);
        let mut nodes_min = told.unwrap_or(1).max(1);
        // Fewer tasks than nodes: sbatch warns and takes as many nodes as tasks.
        if let Some(tasks) = layout.tasks.filter(|tasks| *tasks > 0 && *tasks < nodes_min) {
            nodes_min = tasks;
            nodes_max = nodes_max.map(|most| most.min(tasks));
        }
        nodes_min = nodes_min.max(named);
        let least = small(partition.nodes_min);
        if nodes_min < least && nodes_max.is_none_or(|most| most >= least) {
            nodes_min = least;
        }
        let cpus_told = request.tres.cpus.filter(|_| layout.tasks.is_none() && layout.cpus_per_task.is_none());
        let is_range = nodes_max.is_some() && layout.nodes_max != layout.nodes_min;
        let on_a_node = layout.tasks_per_node.filter(|tasks| *tasks > 0);
        // Where nodes are all that was said, each has a task, or as many as it has cores of the kind asked for.
        let cores = [layout.sockets_per_node, layout.cores_per_socket, layout.threads_per_core];
        let of_cores = cores.iter().flatten().copied().reduce(u32::saturating_mul);
        let of_cores = of_cores.filter(|_| !is_range && on_a_node.is_none() && (told.is_some() || named > 0));
        let each = on_a_node.or(of_cores).unwrap_or(1);
        let tasks = layout.tasks.unwrap_or(nodes_min.saturating_mul(each)).max(1);
        let tasks_are_told = layout.tasks.or(on_a_node).or(of_cores).is_some();
        let of_task = cpus_told.map_or(1, |cpus| small(cpus.div_ceil(u64::from(tasks))));
        let cpus_per_task = layout.cpus_per_task.unwrap_or(of_task).max(1);
        let tasks_counted = match layout.tasks {
            // Of a range of nodes one task is counted, unless there are more tasks than one has CPUs.
            None if is_range => on_a_node.map_or(1, |_| if tasks > cpus_per_task { tasks } else { 1 }),
            None if told.is_none() && named == 0 && on_a_node.is_none() => 1,
            _ => tasks,
        };
        let mut sizes = Self {
            nodes_min,
            nodes_max,
            tasks,
            tasks_are_told,
            tasks_counted,
            named,
            cpus_per_task,
            cpus_per_node_min: 0,
            memory: None,
            memory_beyond: None,
            gres: gres(request),
        };
        // A node must have the CPUs of all tasks that may be on it, however few there are.
        let of_node = on_a_node.map_or(0, |tasks| tasks.saturating_mul(cpus_per_task));
        sizes.cpus_per_node_min = layout.cpus_per_node_min.unwrap_or(0).max(of_node);
        sizes.take_memory(request, partition, configuration);
        sizes
    }

    /// What a job gets that asks for no memory, and what the most for a CPU or a node makes of what is asked for.
    fn take_memory(
        &mut self,
        request: &Request,
        partition: &PartitionRecord,
        configuration: Option<&ClusterConfiguration>,
    ) {
        let of_all = |all: u64| MemoryAsked::PerNode(all.div_ceil(u64::from(self.nodes_min)));
        let told = request.layout.memory.or(request.tres.memory_mebibytes.map(of_all));
        let site = |of: fn(&ClusterConfiguration) -> Option<u64>| configuration.and_then(of);
        let default = || {
            let per_cpu = partition.memory_per_cpu_default_mebibytes.map(MemoryAsked::PerCpu);
            let per_node = partition.memory_per_node_default_mebibytes.map(MemoryAsked::PerNode);
            let of_site = site(|all| all.memory_per_cpu_default_mebibytes).map(MemoryAsked::PerCpu);
            let of_node = site(|all| all.memory_per_node_default_mebibytes).map(MemoryAsked::PerNode);
            per_cpu.or(per_node).or(of_site).or(of_node)
        };
        self.memory = if request.memory_per_gpu_mebibytes.is_some() { told } else { told.or_else(default) };
        let of_partition = (partition.memory_per_cpu_max_mebibytes, partition.memory_per_node_max_mebibytes);
        let (per_cpu_max, per_node_max) = if of_partition == (None, None) {
            (site(|all| all.memory_per_cpu_max_mebibytes), site(|all| all.memory_per_node_max_mebibytes))
        } else {
            of_partition
        };
        match (self.memory, per_cpu_max.filter(|most| *most > 0), per_node_max) {
            (Some(MemoryAsked::PerCpu(asked)), Some(most), _) if asked > most => {
                // More CPUs for each task, so that each has no more than it may.
                let times = asked.div_ceil(most);
                let factor = u32::try_from(times).unwrap_or(u32::MAX);
                self.cpus_per_task = self.cpus_per_task.saturating_mul(factor);
                self.memory = Some(MemoryAsked::PerCpu(asked.div_ceil(times)));
            }
            (Some(MemoryAsked::PerNode(asked)), Some(most), _) => {
                let cpus = u32::try_from(asked.div_ceil(most)).unwrap_or(u32::MAX);
                self.cpus_per_node_min = self.cpus_per_node_min.max(cpus);
            }
            (Some(MemoryAsked::PerNode(asked)), None, Some(most)) if asked > most => self.memory_beyond = Some(most),
            (Some(MemoryAsked::PerCpu(asked)), None, Some(most)) => {
                let tasks = request.layout.tasks_per_node.unwrap_or(1).max(1);
                let spread = self.nodes_max.map_or(1, |nodes| self.tasks.div_ceil(nodes.max(1)));
                let cpus = u64::from(tasks.max(spread)) * u64::from(self.cpus_per_task);
                self.memory_beyond = (asked.saturating_mul(cpus) > most).then_some(most);
            }
            _ => {}
        }
    }

    /// Its CPUs, as they are counted at submission.
    pub fn cpus(&self) -> u64 {
        (u64::from(self.tasks_counted) * u64::from(self.cpus_per_task)).max(u64::from(self.named))
    }

    /// Its GPUs.
    pub fn gpus(&self) -> u64 {
        let of = |gres: &GresAsked| match gres.per {
            GresPer::Job | GresPer::Socket => gres.count,
            GresPer::Node => gres.count.saturating_mul(u64::from(self.nodes_min)),
            GresPer::Task => gres.count.saturating_mul(u64::from(self.tasks)),
        };
        // The same GPUs may be named twice (--gpus, --gpus-per-node); models are apart.
        let mut models: Vec<(&str, u64)> = Vec::new();
        for gres in self.gres.iter().filter(|gres| gres.name == "gpu") {
            match models.iter_mut().find(|(model, _)| *model == gres.model) {
                Some((_, count)) => *count = (*count).max(of(gres)),
                None => models.push((&gres.model, of(gres))),
            }
        }
        models.into_iter().map(|(_, count)| count).sum()
    }

    /// What limits go by at submission.
    pub fn tres(&self, memory_per_gpu_mebibytes: Option<u64>) -> Tres {
        let memory = match self.memory {
            Some(MemoryAsked::PerNode(each)) => Some(each.saturating_mul(u64::from(self.nodes_min))),
            Some(MemoryAsked::PerCpu(each)) => Some(each.saturating_mul(self.cpus())),
            None => memory_per_gpu_mebibytes.map(|each| each.saturating_mul(self.gpus())),
        };
        Tres {
            cpus: Some(self.cpus()),
            memory_mebibytes: memory,
            nodes: Some(u64::from(self.nodes_min)),
            gpus: Some(self.gpus()).filter(|gpus| *gpus > 0),
            billing: None,
        }
    }

    /// The layout with what was not said filled in.
    pub fn layout(&self, asked: &JobLayout) -> JobLayout {
        JobLayout {
            nodes_min: Some(self.nodes_min),
            nodes_max: self.nodes_max,
            tasks: Some(self.tasks),
            cpus_per_task: Some(self.cpus_per_task),
            cpus_per_node_min: Some(self.cpus_per_node_min).filter(|cpus| *cpus > 0),
            memory: self.memory,
            gres: self.gres.clone(),
            ..asked.clone()
        }
    }
}

/// Those named, or GPUs of which only the number is known.
fn gres(request: &Request) -> Vec<GresAsked> {
    let named = request.layout.gres.iter().filter(|gres| gres.count > 0).cloned().collect::<Vec<_>>();
    let in_all = request.tres.gpus.filter(|gpus| *gpus > 0 && named.is_empty());
    let counted =
        in_all.map(|count| GresAsked { name: "gpu".to_owned(), model: String::new(), count, per: GresPer::Job });
    named.into_iter().chain(counted).collect()
}
