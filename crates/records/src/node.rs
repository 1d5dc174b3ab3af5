//! A node as Slurm tells it.
//!
//! Source: `sinfo --json` of 22.05; REST `/nodes` of v0.0.40 to v0.0.45.

use queuecast_workload::Time;

use super::Tres;

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeRecord {
    /// Its name.
    pub name: String,
    /// State and flags in Slurm's words, in capitals: `MIXED`, `PLANNED`; `IDLE`, `DRAIN`.
    pub states: Vec<String>,
    /// CPUs configured.
    pub cpus: u64,
    /// CPUs allocated now.
    pub allocated_cpus: Option<u64>,
    /// Memory configured.
    pub memory_mebibytes: u64,
    /// Memory allocated now.
    pub allocated_memory_mebibytes: Option<u64>,
    /// Generic resources as configured, `gpu:a100:4`.
    pub gres: String,
    /// Those in use, `gpu:a100:2(IDX:0-1)`.
    pub gres_used: String,
    /// All resources configured.
    pub configured: Tres,
    /// All resources in use.
    pub used: Tres,
    /// The partitions it belongs to.
    pub partitions: Vec<String>,
    /// Features that jobs can ask for.
    pub features: Vec<String>,
    /// Why it is down or drained.
    pub reason: String,
    /// Since when.
    pub reason_changed: Option<Time>,
    /// The reservation it is in.
    pub reservation: String,
    /// The version of its daemon.
    pub version: String,
}

impl NodeRecord {
    /// Whether Slurm says this of it, such as `DOWN` or `DRAIN`.
    pub fn is(&self, state: &str) -> bool {
        self.states.iter().any(|word| word == state)
    }
}
