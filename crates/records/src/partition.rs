//! A partition as Slurm tells it.
//!
//! Source: REST `/partitions` of 22.05 (flat) and of v0.0.40 to v0.0.45 (regrouped).

use queuecast_workload::Seconds;

use super::{TimeLimit, Tres, TresWeights};

/// One partition. A count that is `None` is without limit or not said.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "Slurm's own settings, each by itself")]
pub struct PartitionRecord {
    /// Its name.
    pub name: String,
    /// `UP`, `DOWN`, `DRAIN` or `INACTIVE`.
    pub states: Vec<String>,
    /// Whether jobs that name none go here.
    pub is_default: bool,
    /// The longest limit a job may ask for.
    pub limit_max: TimeLimit,
    /// The limit of a job that asks for none.
    pub limit_default: TimeLimit,
    /// By how much jobs may overrun their limit; `None` where the cluster's setting counts.
    pub over_time_limit: Option<TimeLimit>,
    /// Most nodes a job may have.
    pub nodes_max: Option<u64>,
    /// Fewest nodes a job may have.
    pub nodes_min: u64,
    /// Most CPUs of a node a job may have.
    pub cpus_per_node_max: Option<u64>,
    /// Memory of a job that asks for none.
    pub memory_per_cpu_default_mebibytes: Option<u64>,
    /// Its nodes, as Slurm abbreviates them.
    pub nodes: String,
    /// How many nodes.
    pub nodes_total: u64,
    /// How many CPUs.
    pub cpus_total: u64,
    /// All its resources.
    pub configured: Tres,
    /// Partitions of a higher tier are served first.
    pub priority_tier: u64,
    /// What it adds to a job's priority.
    pub priority_job_factor: u64,
    /// Who may use it; empty for everybody.
    pub accounts_allowed: String,
    /// Who may not.
    pub accounts_denied: String,
    /// Which quality of service may use it; empty for all.
    pub qos_allowed: String,
    /// The quality of service whose limits it has.
    pub qos_assigned: String,
    /// How its jobs are preempted.
    pub preempt_modes: Vec<String>,
    /// Which quality of service may not use it.
    pub qos_denied: String,
    /// Memory of a node of a job that asks for none.
    pub memory_per_node_default_mebibytes: Option<u64>,
    /// Most memory for each CPU; the cluster's counts where it is `None`.
    pub memory_per_cpu_max_mebibytes: Option<u64>,
    /// Most memory of a node; likewise.
    pub memory_per_node_max_mebibytes: Option<u64>,
    /// Whether jobs get whole nodes (`OverSubscribe=EXCLUSIVE`).
    pub exclusive: bool,
    /// Whether nodes are kept for one user (`ExclusiveUser`).
    pub exclusive_user: bool,
    /// Whether the least loaded nodes are given out first (`LLN`).
    pub lln: bool,
    /// How many jobs may share a resource (`OverSubscribe=YES:4`, `FORCE:4`); `None`: none.
    pub oversubscribe_max: Option<u32>,
    /// How long the preempted have to end.
    pub grace: Option<Seconds>,
    /// The groups whose users may use it; empty for all.
    pub groups_allowed: String,
    /// Whether only root may use it.
    pub root_only: bool,
    /// Whether root may not.
    pub disables_root_jobs: bool,
    /// Whether only jobs in a reservation may use it.
    pub requires_reservation: bool,
    /// Whether it is hidden from those who may not use it.
    pub is_hidden: bool,
    /// What its resources are billed at (`TRESBillingWeights`).
    pub tres_weights: TresWeights,
    /// What jobs get that ask for GPUs, as configured (`JobDefaults`).
    pub job_defaults: String,
    /// The partition used in its place while it drains.
    pub alternate: String,
}
