//! Made-up records for the tests of this folder.

use queuecast_records::{
    BaseState, ClusterConfiguration, JobKey, JobPart, JobRecord, JobState, NodeRecord, PartitionRecord, TimeLimit, Tres,
};
use queuecast_workload::{JobId, Request, Submission, Time};

use super::{ClusterReading, Reach, Situation};

/// A node of so many CPUs that does nothing.
pub fn node(name: &str, cpus: u64, partitions: &[&str]) -> NodeRecord {
    NodeRecord {
        name: name.to_owned(),
        states: vec!["IDLE".to_owned()],
        cpus,
        partitions: partitions.iter().map(|name| (*name).to_owned()).collect(),
        ..NodeRecord::default()
    }
}

/// Slurm's own defaults.
pub fn configuration() -> ClusterConfiguration {
    ClusterConfiguration::new("alpha".to_owned(), "22.05.8".to_owned())
}

/// The default partition.
pub fn partition(name: &str) -> PartitionRecord {
    PartitionRecord {
        name: name.to_owned(),
        is_default: true,
        limit_max: TimeLimit::Minutes(1_440),
        limit_default: TimeLimit::Minutes(60),
        ..PartitionRecord::default()
    }
}

/// A job of so many one-CPU nodes that waits for an hour's run.
pub fn waiting(number: u64, nodes: u64) -> JobRecord {
    let key = JobKey {
        cluster: "alpha".to_owned(),
        job_id: number,
        part: JobPart::Whole,
        submitted: Time(1_000),
        sluid: None,
    };
    let mut job = JobRecord::new(key, JobState::default());
    job.partitions = vec!["batch".to_owned()];
    job.limit = TimeLimit::Minutes(60);
    job.priority = Some(1_000_u64.saturating_sub(number));
    job.requested = Tres { cpus: Some(nodes), nodes: Some(nodes), ..Tres::default() };
    job.user = format!("user{:02}", number % 3);
    job
}

/// The same, running on these nodes since then.
pub fn running(number: u64, nodes: &str, count: u64, started: i64) -> JobRecord {
    let mut job = waiting(number, count);
    job.state = JobState { base: BaseState::Running, ..JobState::default() };
    job.started = Some(Time(started));
    job.nodes = nodes.to_owned();
    job.allocated = job.requested;
    job
}

/// What was known of a job when it was submitted; its handle is its number.
pub fn submission(job: &JobRecord) -> Submission {
    Submission {
        job: JobId(job.key.job_id),
        submitted: job.key.submitted,
        request: Request { processors: 1 },
        limit: job.limit.seconds(),
        user: None,
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}

/// These jobs, at second 5,000, on four one-CPU nodes in partition `batch`.
pub fn situation(jobs: &[JobRecord]) -> Situation {
    situation_in(jobs, &[partition("batch")])
}

/// The same with these partitions, each of all nodes.
pub fn situation_in(jobs: &[JobRecord], partitions: &[PartitionRecord]) -> Situation {
    situation_of(jobs, partitions, None)
}

/// The same with these settings.
pub fn situation_of(
    jobs: &[JobRecord],
    partitions: &[PartitionRecord],
    configuration: Option<&ClusterConfiguration>,
) -> Situation {
    let names: Vec<&str> = partitions.iter().map(|partition| partition.name.as_str()).collect();
    let nodes: Vec<NodeRecord> = (1..=4).map(|number| node(&format!("a{number}"), 1, &names)).collect();
    situation_on(&nodes, jobs, partitions, configuration)
}

/// The same on these nodes.
pub fn situation_on(
    nodes: &[NodeRecord],
    jobs: &[JobRecord],
    partitions: &[PartitionRecord],
    configuration: Option<&ClusterConfiguration>,
) -> Situation {
    let reading = ClusterReading {
        now: Time(5_000),
        jobs,
        nodes,
        partitions,
        reservations: &[],
        qos: &[],
        associations: &[],
        shares: &[],
        configuration,
        reach: &Reach::default(),
    };
    Situation::of(&reading, submission)
}
