//! What a job that does not exist asks for, beyond totals: how it is laid out over nodes, and which nodes it may have.
//!
//! For: whoever plays it. Every field is what sbatch was told; what was not told is `None` or empty.
//!
//! Not for: reading it (`queuecast-cli`, `ask::script`); whether there can be such a job (`queuecast-api`).
//!
//! Source: sbatch(1), the options named beside the fields.

/// How a job is laid out over its nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The most nodes of a range (`-N 2-4`).
    pub nodes_max: Option<u32>,
    /// Tasks (`-n`).
    pub tasks: Option<u32>,
    /// Tasks on each node (`--ntasks-per-node`).
    pub tasks_per_node: Option<u32>,
    /// CPUs for each task (`-c`).
    pub cpus_per_task: Option<u32>,
    /// Memory, by what it is asked for.
    pub memory: Option<MemoryAsked>,
    /// GPUs and other generic resources, as they are asked for.
    pub gres: Vec<GresAsked>,
}

/// Memory in mebibytes. Zero by node is all the node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryAsked {
    /// On each node (`--mem`).
    PerNode(u64),
    /// For each CPU (`--mem-per-cpu`).
    PerCpu(u64),
    /// For each GPU (`--mem-per-gpu`).
    PerGpu(u64),
}

/// A generic resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GresAsked {
    /// What: `gpu`.
    pub name: String,
    /// Which kind of it, such as `a100`; empty for any.
    pub model: String,
    /// How many.
    pub count: u64,
    /// On or for what.
    pub per: GresPer,
}

/// On or for what a generic resource is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GresPer {
    /// Each node (`--gres`, `--gpus-per-node`).
    Node,
    /// The whole job (`-G`).
    Job,
    /// Each task (`--gpus-per-task`).
    Task,
    /// Each socket (`--gpus-per-socket`).
    Socket,
}

/// Which nodes a job may have, and what else it names, as sbatch was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// Features of its nodes (`-C`), such as `gpu&(a100|h100)`.
    pub features: Option<String>,
    /// Nodes it must have (`-w`).
    pub nodes: Option<String>,
    /// Nodes it must not have (`-x`).
    pub nodes_excluded: Option<String>,
    /// What it waits for (`-d`), such as `afterok:123:124`.
    pub dependency: Option<String>,
    /// The reservation it would run in.
    pub reservation: Option<String>,
    /// The licences it needs (`-L`).
    pub licenses: Option<String>,
}

/// An array of tasks (`-a`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayAsked {
    /// How many.
    pub tasks: u32,
    /// Of which so many may run at once (`%4`).
    pub at_once: Option<u32>,
}
