//! What a lab is made of: clusters, nodes, users and the speed of its clock.
//!
//! Not for: how that is said to Slurm (`configuration.rs`).

use serde::{Deserialize, Serialize};

/// Backfill as often as possible: a job that fits starts within a second or two. For clocks at real speed.
pub const EAGER_SCHEDULER: &str = "bf_interval=1,bf_resolution=1,bf_continue,bf_window=10080,bf_max_job_test=2000,\
    bf_max_time=5,bf_yield_interval=200000,bf_yield_sleep=50000,sched_interval=5,sched_min_interval=50000,\
    batch_sched_delay=0,default_queue_depth=500";

/// Backfill as sites run it. For fast clocks, where every second between passes is a small part of a real one.
pub const NORMAL_SCHEDULER: &str =
    "bf_interval=30,bf_resolution=60,bf_continue,bf_window=10080,bf_max_job_test=500,default_queue_depth=100";

/// A lab to bring up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LabSettings {
    /// The clusters; all share one slurmdbd.
    pub clusters: Vec<ClusterSettings>,
    /// How many users: `user01` with number 20001 and on, dealt over the accounts `project1` to `project4`.
    pub users: u32,
    /// Lab seconds in a real second. Up to 200 is sound; at 1000 some jobs were seen to end hours early.
    pub speed: u32,
    /// Slurm's `SchedulerParameters`; `None` takes [`EAGER_SCHEDULER`] at real speed and [`NORMAL_SCHEDULER`] above.
    pub scheduler: Option<String>,
    /// After how many lab seconds a silent node is down (`SlurmdTimeout`). `None`: never, because on a busy machine
    /// with a fast clock a node that is merely slow would be lost.
    pub silent_node_down_after_seconds: Option<u32>,
    /// For how many lab seconds the controller remembers ended jobs (`MinJobAge`).
    pub ended_jobs_kept_seconds: u32,
    /// What sacctmgr is told of accounts and users, an order a line, in place of four accounts with the users dealt over
    /// them; clusters are added before.
    #[serde(default)]
    pub accounts: Option<String>,
}

/// One cluster of a lab.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClusterSettings {
    /// Its name; its nodes are called after it: `alpha1`, `alpha2`, ...
    pub name: String,
    /// How many nodes, each with a slurmd of its own.
    pub nodes: u16,
    /// Processors of a node, made up: Slurm believes the configuration.
    pub cpus_per_node: u32,
    /// Memory of a node, made up as well.
    pub memory_megabytes_per_node: u32,
    /// The kinds of its nodes, if not all are alike; of as many nodes together as it has, in this order.
    #[serde(default)]
    pub kinds: Vec<NodeKind>,
    /// The lines of its partitions, in place of `batch`, `scavenger` and `urgent`.
    #[serde(default)]
    pub partitions: Option<String>,
    /// Further lines for its `slurm.conf`; where a key occurs twice Slurm takes the last.
    pub further_configuration: String,
}

/// Nodes that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeKind {
    /// How many.
    pub nodes: u16,
    /// Sockets of one.
    pub sockets: u32,
    /// Cores of a socket, each a processor.
    pub cores_per_socket: u32,
    /// Memory of one.
    pub memory_megabytes: u32,
    /// GPUs of one: how many, and of which type.
    pub gpus: Option<(u32, String)>,
    /// What jobs may ask for with `--constraint`.
    pub features: String,
    /// Nodes of less weight are given first.
    pub weight: u32,
}

impl Default for LabSettings {
    /// One cluster, `alpha`, of 16 nodes, eight users, real time.
    fn default() -> Self {
        Self {
            clusters: vec![ClusterSettings::new("alpha", 16)],
            users: 8,
            speed: 1,
            scheduler: None,
            silent_node_down_after_seconds: None,
            ended_jobs_kept_seconds: 300,
            accounts: None,
        }
    }
}

impl LabSettings {
    /// What Slurm is told as `SchedulerParameters`.
    pub(crate) fn scheduler_parameters(&self) -> &str {
        match &self.scheduler {
            Some(parameters) => parameters,
            None if self.speed > 1 => NORMAL_SCHEDULER,
            None => EAGER_SCHEDULER,
        }
    }
}

impl ClusterSettings {
    /// A cluster of so many nodes of 16 processors and 64 GB.
    pub fn new(name: &str, nodes: u16) -> Self {
        Self {
            name: name.to_owned(),
            nodes,
            cpus_per_node: 16,
            memory_megabytes_per_node: 64_000,
            kinds: Vec::new(),
            partitions: None,
            further_configuration: String::new(),
        }
    }
}
