//! How a cluster is set up, as far as its scheduling depends on it.
//!
//! For: playing the scheduler forward as this site has set it, and knowing what this site hides (`PrivateData`) or
//! forgets (`MinJobAge`).
//!
//! Not for: the rest of `slurm.conf`; what a partition or a quality of service adds ([`super::PartitionRecord`],
//! [`super::QosRecord`]).
//!
//! Source: slurm.conf(5) of 22.05; `scontrol show config` of 22.05.8 in our lab.

use queuecast_workload::Seconds;

use super::scheduler_parameters::{Backfill, SchedulerParameters};
use super::{Enforcement, PartitionLimits, PreemptionConfiguration, PriorityConfiguration, PrivateData, TimeLimit};

/// A cluster's settings. Empty text is a setting that Slurm does not know or does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterConfiguration {
    /// The cluster's name.
    pub cluster_name: String,
    /// Slurm's version, `22.05.8`.
    pub slurm_version: String,
    /// `sched/backfill` or `sched/builtin`.
    pub scheduler_type: String,
    /// What is given out: `select/cons_tres` parts of nodes, `select/linear` whole ones.
    pub select_type: String,
    /// What counts: `CR_CORE_MEMORY`.
    pub select_type_parameters: String,
    /// `priority/multifactor` or `priority/basic`.
    pub priority_type: String,
    /// Who preempts whom: `preempt/partition_prio`, `preempt/qos`, `preempt/none`.
    pub preempt_type: String,
    /// What happens to the preempted: `REQUEUE`, `CANCEL`, `OFF`.
    pub preempt_mode: String,
    /// What is hidden from users who are not operators. Whoever asks as one does not see everything.
    pub private_data: PrivateData,
    /// How long a job has between the signal at its limit and its end.
    pub kill_wait: Seconds,
    /// By how much a job may overrun its limit.
    pub over_time_limit: TimeLimit,
    /// For how long the controller remembers a job that has ended; zero: until it is restarted.
    pub min_job_age: Seconds,
    /// How many jobs the controller takes at most, waiting, running and remembered.
    pub max_job_count: u64,
    /// How backfill plans.
    pub backfill: Backfill,
    /// How many jobs the main scheduler looks at when something has ended (`default_queue_depth`).
    pub main_depth: u64,
    /// How many of one partition (`partition_job_depth`); `None` without limit.
    pub main_depth_per_partition: Option<u64>,
    /// Whether the main scheduler ever looks at all jobs: not with `sched_interval=-1`.
    pub main_loop_is_on: bool,
    /// How often it does (`sched_interval`).
    pub main_interval: Seconds,
    /// How long it waits at least between two passes (`sched_min_interval`).
    pub main_interval_min_microseconds: u64,
    /// Whether nothing is started at submission itself (`defer`).
    pub main_is_deferred: bool,
    /// `SchedulerParameters` as the site wrote it.
    pub scheduler_parameters: String,
    /// How jobs are ranked.
    pub priority: PriorityConfiguration,
    /// Which limits of accounting count.
    pub enforcement: Enforcement,
    /// Whether a partition's limits count at submission.
    pub partition_limits: PartitionLimits,
    /// Whose jobs make way for whose.
    pub preemption: PreemptionConfiguration,
    /// The licences there are, as configured: `matlab:10,x`.
    pub licenses: String,
    /// Memory for each CPU of a job that asks for none.
    pub memory_per_cpu_default_mebibytes: Option<u64>,
    /// Memory of a node of a job that asks for none; at most one of the two is set.
    pub memory_per_node_default_mebibytes: Option<u64>,
    /// Most memory for each CPU.
    pub memory_per_cpu_max_mebibytes: Option<u64>,
    /// Most memory of a node.
    pub memory_per_node_max_mebibytes: Option<u64>,
}

impl ClusterConfiguration {
    /// A cluster of this name and version of which nothing else is said: Slurm's defaults.
    pub fn new(cluster_name: String, slurm_version: String) -> Self {
        let mut configuration = Self {
            cluster_name,
            slurm_version,
            scheduler_type: "sched/backfill".to_owned(),
            select_type: String::new(),
            select_type_parameters: String::new(),
            priority_type: String::new(),
            preempt_type: String::new(),
            preempt_mode: String::new(),
            private_data: PrivateData::NOTHING,
            kill_wait: Seconds(30),
            over_time_limit: TimeLimit::Minutes(0),
            min_job_age: Seconds(300),
            max_job_count: 10_000,
            backfill: Backfill::default(),
            main_depth: 0,
            main_depth_per_partition: None,
            main_loop_is_on: true,
            main_interval: Seconds::ZERO,
            main_interval_min_microseconds: 0,
            main_is_deferred: false,
            scheduler_parameters: String::new(),
            priority: PriorityConfiguration::default(),
            enforcement: Enforcement::default(),
            partition_limits: PartitionLimits::default(),
            preemption: PreemptionConfiguration::default(),
            licenses: String::new(),
            memory_per_cpu_default_mebibytes: None,
            memory_per_node_default_mebibytes: None,
            memory_per_cpu_max_mebibytes: None,
            memory_per_node_max_mebibytes: None,
        };
        configuration.schedule_by(String::new());
        configuration
    }

    /// Takes over a site's `SchedulerParameters`. The type of scheduler must be known before.
    pub fn schedule_by(&mut self, parameters: String) {
        let words = SchedulerParameters::of(&parameters);
        self.backfill = words.backfill();
        self.backfill.is_on &= self.scheduler_type == "sched/backfill";
        let main = words.main();
        self.main_depth = main.depth;
        self.main_depth_per_partition = main.depth_per_partition;
        self.main_loop_is_on = main.loop_is_on;
        self.main_interval = main.interval;
        self.main_interval_min_microseconds = main.interval_min_microseconds;
        self.main_is_deferred = main.is_deferred;
        self.scheduler_parameters = parameters;
    }
}
