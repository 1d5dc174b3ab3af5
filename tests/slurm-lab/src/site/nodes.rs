//! The nodes, partitions and weights of the site.
//!
//! Two kinds of CPU nodes and two of GPU nodes. `debug` lies on some of the nodes of `batch`, above it in tier; `scavenger` lies on
//! nearly all, below, and is the only one that gives its nodes back. Names of nodes are those of every lab: the
//! cluster's, and a number.
//!
//! Source: slurm.conf(5) of 22.05. Preemption is by partition, because that needs no second word from the user; `debug`, too, takes nodes
//! from `scavenger` only, since the others are `PreemptMode=OFF`.

use crate::settings::{ClusterSettings, NodeKind};

/// The name of the cluster.
pub const CLUSTER: &str = "site";
/// Nodes of 16 processors.
const THIN: u16 = 56;
/// Nodes of 32 processors and more memory for each.
const FAT: u16 = 16;
/// Nodes of each of the two types of GPU.
const WITH_GPUS: u16 = 4;
/// GPUs of one of them.
const GPUS_PER_NODE: u32 = 4;
/// All GPUs.
pub const GPUS: u32 = 2 * WITH_GPUS as u32 * GPUS_PER_NODE;
/// Processors of all nodes without GPUs.
pub const CPUS_OF_CPU_NODES: u32 = THIN as u32 * 16 + FAT as u32 * 32;

/// Backfill as sites run it, but never cut short: a pass may take three real seconds at a hundred times the speed, because the machine has
/// other things to do as well.
pub const SCHEDULER: &str = "bf_interval=30,bf_resolution=60,bf_continue,bf_window=5760,bf_max_job_test=1000,\
    bf_max_time=300,bf_yield_interval=20000000,default_queue_depth=100";

/// Billing is by CPU, and by GPU where there are some; who lets himself be preempted pays a quarter.
const PARTITIONS: &str = "\
PartitionName=DEFAULT DefMemPerCPU=2000 State=UP PriorityTier=5 PreemptMode=OFF TRESBillingWeights=CPU=1.0
PartitionName=batch Nodes=site[1-72] Default=YES MaxTime=18:00:00 DefaultTime=1:00:00 PriorityJobFactor=5
PartitionName=long Nodes=site[25-72] MaxTime=3-0 DefaultTime=1-0 PriorityJobFactor=2 QOS=part_long
PartitionName=debug Nodes=site[1-8] MaxTime=30:00 DefaultTime=10:00 PriorityTier=10 PriorityJobFactor=10 QOS=part_debug
PartitionName=gpu Nodes=site[73-80] MaxTime=2-0 DefaultTime=4:00:00 DefMemPerCPU=4000 PriorityJobFactor=5 QOS=part_gpu TRESBillingWeights=CPU=1.0,GRES/gpu=8.0
PartitionName=scavenger Nodes=site[9-80] MaxTime=12:00:00 DefaultTime=1:00:00 PriorityTier=1 PreemptMode=REQUEUE PriorityJobFactor=1 TRESBillingWeights=CPU=0.25";

/// Fair share counts for more than all the rest together; without the others two jobs of one user would be told apart by their numbers only.
const PRIORITY: &str = "\
PriorityWeightFairshare=10000
PriorityWeightAge=1000
PriorityMaxAge=1-0
PriorityWeightJobSize=500
PriorityWeightPartition=1000
PriorityWeightQOS=2000
PriorityDecayHalfLife=7-0
PriorityCalcPeriod=5
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
GresTypes=gpu
DependencyParameters=kill_invalid_depend";

/// The cluster, as the lab is told.
pub fn cluster() -> ClusterSettings {
    let kind = |nodes, cores_per_socket, memory_megabytes, gpus: Option<&str>, features: &str, weight| NodeKind {
        nodes,
        sockets: 2,
        cores_per_socket,
        memory_megabytes,
        gpus: gpus.map(|model| (GPUS_PER_NODE, model.to_owned())),
        features: features.to_owned(),
        weight,
    };
    ClusterSettings {
        kinds: vec![
            kind(THIN, 8, 64_000, None, "thin", 10),
            kind(FAT, 16, 256_000, None, "fat,bigmem", 20),
            kind(WITH_GPUS, 16, 256_000, Some("a100"), "a100,bigmem", 50),
            kind(WITH_GPUS, 16, 256_000, Some("v100"), "v100,bigmem", 40),
        ],
        partitions: Some(PARTITIONS.to_owned()),
        further_configuration: PRIORITY.to_owned(),
        ..ClusterSettings::new(CLUSTER, THIN + FAT + 2 * WITH_GPUS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_are_all_the_nodes_and_the_partitions_name_those() {
        let cluster = cluster();
        assert_eq!(cluster.kinds.iter().map(|kind| kind.nodes).sum::<u16>(), cluster.nodes);
        assert!(PARTITIONS.contains(&format!("scavenger Nodes=site[9-{}]", cluster.nodes)));
        assert!(PARTITIONS.contains(&format!("batch Nodes=site[1-{}]", THIN + FAT)));
        assert_eq!((CPUS_OF_CPU_NODES, GPUS), (1_408, 32));
    }
}
