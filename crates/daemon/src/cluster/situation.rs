//! One reading of Slurm, put together.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use queuecast_forecast::queue::{After, Awaited, QueueSituation, RunningHere, WaitingHere};
use queuecast_schedule::slurm::{Amount, Chunk, Cluster, Demand, PoolSet};
use queuecast_slurm::record::{
    BaseState, ClusterConfiguration, JobPart, JobRecord, NodeList, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, StateFlag, Tres,
};
use queuecast_workload::{Seconds, Submission, Time};

use super::demand::{Counting, could_ever_fit, demand, pools_of};
use super::dependency::{Dependency, dependencies};
use super::limits::Limits;
use super::pools::PoolTable;
use super::reach::Reach;
use super::reasons::no_estimate;
use super::reservations::blocked;
use super::settings::settings;
use crate::published::{HypotheticalJob, NoEstimate};

/// How long a job without a limit, in a partition without one, is planned to run.
const WITHOUT_LIMIT: Seconds = Seconds(365 * 86_400);

/// What Slurm said, last and of each kind.
#[derive(Clone, Copy, Debug)]
pub struct ClusterReading<'a> {
    /// When the queue was read.
    pub now: Time,
    /// Who waits and runs.
    pub jobs: &'a [JobRecord],
    /// The nodes.
    pub nodes: &'a [NodeRecord],
    /// The partitions.
    pub partitions: &'a [PartitionRecord],
    /// The reservations.
    pub reservations: &'a [ReservationRecord],
    /// The qualities of service.
    pub qos: &'a [QosRecord],
    /// The settings, where they could be read.
    pub configuration: Option<&'a ClusterConfiguration>,
    /// How deep backfill gets.
    pub reach: &'a Reach,
}

/// A waiting job, and where it is in the core's queue.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingJob {
    /// Its place among the records read.
    pub record: usize,
    /// Its place in the core's queue, or why it is not there.
    pub place: Result<usize, NoEstimate>,
}

/// The cluster as the core sees it, and who is who in it.
#[derive(Clone, Debug)]
pub struct Situation {
    /// What is played.
    pub core: QueueSituation,
    /// Who waits, in the order of the records.
    pub waiting: Vec<WaitingJob>,
    /// Who runs: places among the records and in the core.
    pub running: Vec<(usize, usize)>,
    /// What could not be made sense of.
    pub problems: Vec<String>,
    table: PoolTable,
    counting: Counting,
    partitions: Vec<PartitionRecord>,
}

/// A job that can be played, before its place is known.
struct Playable {
    record: usize,
    demand: Demand,
    planned: Seconds,
    dependencies: Vec<Dependency>,
    not_before: Option<Time>,
}

impl Situation {
    /// Puts a reading together. `submission` gives each job its handle and says what was known of it.
    pub fn of(reading: &ClusterReading<'_>, mut submission: impl FnMut(&JobRecord) -> Submission) -> Self {
        let table = PoolTable::of(reading.nodes);
        let counting = Counting::of(reading.configuration);
        let mut problems = Vec::new();
        let mut limits = Limits::of(reading.qos);
        let limit_of_partition = |name: &str| {
            let partition = reading.partitions.iter().find(|partition| partition.name == name);
            partition.and_then(|partition| partition.limit_max.seconds())
        };
        let planned = |job: &JobRecord| {
            let of_partition = job.partitions.first().and_then(|name| limit_of_partition(name));
            job.limit.seconds().or(of_partition).unwrap_or(WITHOUT_LIMIT)
        };
        let mut waiting = Vec::new();
        let mut playable = Vec::new();
        for (record, job) in reading.jobs.iter().enumerate().filter(|(_, job)| is_waiting(job)) {
            let place = playable_job(reading, job, record, &table, counting, &mut limits, planned(job));
            let place = place.map(|job| {
                playable.push(job);
                usize::MAX
            });
            waiting.push(WaitingJob { record, place });
        }
        sort_by_priority(&mut playable, reading);
        let unplayable = drop_unmet(&mut playable, reading);
        let place_of: HashMap<usize, usize> =
            playable.iter().enumerate().map(|(place, job)| (job.record, place)).collect();
        for job in &mut waiting {
            if job.place.is_ok() {
                job.place = place_of.get(&job.record).copied().ok_or_else(|| unplayable.clone());
            }
        }
        let mut running = Vec::new();
        let mut core_running = Vec::new();
        for (record, job) in reading.jobs.iter().enumerate().filter(|(_, job)| is_running(job)) {
            let Some(started) = job.started else { continue };
            let holds = holds(job, &table, counting, &mut problems);
            let caps = limits.of_job(job);
            let all = holds.iter().fold(Amount::NONE, |mut sum, (_, amount)| {
                sum += *amount;
                sum
            });
            limits.hold(&caps, all);
            running.push((record, core_running.len()));
            let planned_end = started + planned(job) + job.suspended.unwrap_or(Seconds::ZERO);
            core_running.push(RunningHere { submission: submission(job), started, planned_end, holds, caps });
        }
        let by_number = Numbers::of(reading.jobs, &place_of, &running);
        let core_waiting = playable.iter().map(|job| {
            let record = &reading.jobs[job.record];
            WaitingHere {
                submission: submission(record),
                demand: job.demand.clone(),
                planned: job.planned,
                not_before: job.not_before,
                after: job.dependencies.iter().flat_map(|dependency| by_number.awaited(dependency)).collect(),
                tasks: u32::try_from(record.array_tasks_waiting()).unwrap_or(u32::MAX),
            }
        });
        let cluster = Cluster {
            pools: table.pools.clone(),
            blocked: blocked(reading.reservations, &table, &mut problems),
            caps: Vec::new(),
            settings: settings(reading.configuration, reading.partitions.len(), reading.reach),
        };
        let mut core =
            QueueSituation { now: reading.now, cluster, waiting: core_waiting.collect(), running: core_running };
        core.cluster.caps = limits.left();
        let partitions = reading.partitions.to_vec();
        Self { core, waiting, running, problems, table, counting, partitions }
    }

    /// What a job that does not exist would ask for, and how long Slurm would plan it to run; or why it would not start.
    pub fn hypothetical(&self, job: &HypotheticalJob) -> Result<(Demand, Seconds), NoEstimate> {
        let not_allowed = |why: String| NoEstimate { code: "not_allowed", why };
        let partition = match &job.partition {
            Some(name) => self.partitions.iter().find(|partition| partition.name == *name),
            None => self.partitions.iter().find(|partition| partition.is_default).or(self.partitions.first()),
        };
        let Some(partition) = partition else {
            let name = job.partition.as_deref().unwrap_or("(the default)");
            let known: Vec<&str> = self.partitions.iter().map(|partition| partition.name.as_str()).collect();
            return Err(not_allowed(format!("There is no partition {name}; there are {}.", known.join(", "))));
        };
        let longest = partition.limit_max.seconds();
        let planned = job.limit.or(partition.limit_default.seconds()).or(longest).unwrap_or(WITHOUT_LIMIT);
        if longest.is_some_and(|longest| planned > longest) {
            let hours = longest.map_or(0.0, |longest| longest.as_f64() / 3_600.0);
            return Err(not_allowed(format!("Partition {} takes jobs of at most {hours:.1} h.", partition.name)));
        }
        let nodes = job.nodes.unwrap_or(1);
        if partition.nodes_max.is_some_and(|most| u64::from(nodes) > most) {
            let most = partition.nodes_max.unwrap_or(0);
            return Err(not_allowed(format!("Partition {} takes jobs of at most {most} nodes.", partition.name)));
        }
        let asked = Tres {
            cpus: job.cpus.map(u64::from).or(Some(u64::from(nodes))),
            memory_mebibytes: job.memory_mebibytes,
            nodes: Some(u64::from(nodes)),
            gpus: job.gpus.map(u64::from),
            billing: None,
        };
        let pools = self.table.of_partition(&partition.name);
        let demand = demand(&asked, job.exclusive, pools, self.counting, Vec::new());
        if could_ever_fit(&demand, &self.table) { Ok((demand, planned)) } else { Err(does_not_fit(&partition.name)) }
    }
}

fn does_not_fit(partition: &str) -> NoEstimate {
    let why = format!("It asks for more than partition {partition} has in service now.");
    NoEstimate { code: "does_not_fit", why }
}

/// Whether a job waits, now or for something.
pub(crate) fn is_waiting(job: &JobRecord) -> bool {
    job.state.base == BaseState::Pending && !job.state.has_ended() && !job.state.flags.has(StateFlag::Revoked)
}

/// Whether a job holds nodes.
pub(crate) fn is_running(job: &JobRecord) -> bool {
    matches!(job.state.base, BaseState::Running | BaseState::Suspended) && !job.state.has_ended()
}

fn playable_job(
    reading: &ClusterReading<'_>,
    job: &JobRecord,
    record: usize,
    table: &PoolTable,
    counting: Counting,
    limits: &mut Limits<'_>,
    planned: Seconds,
) -> Result<Playable, NoEstimate> {
    if let Some(none) = no_estimate(job, limits.knows(&job.qos)) {
        return Err(none);
    }
    let Some(dependencies) = dependencies(&job.dependency) else {
        let why = format!("What it depends on ({}) is not played.", job.dependency);
        return Err(NoEstimate { code: "dependency", why });
    };
    let pools = pools_of(job, table);
    let exclusive = job.exclusive.unwrap_or(false);
    let demand = demand(&job.requested, exclusive, pools, counting, limits.of_job(job));
    if !could_ever_fit(&demand, table) {
        return Err(does_not_fit(&job.partitions.join(",")));
    }
    let not_before = job.eligible.filter(|eligible| *eligible > reading.now);
    Ok(Playable { record, demand, planned, dependencies, not_before })
}

/// Partitions of a higher tier first, then by priority, then by number.
fn sort_by_priority(playable: &mut [Playable], reading: &ClusterReading<'_>) {
    let tiers: HashMap<&str, u64> =
        reading.partitions.iter().map(|partition| (partition.name.as_str(), partition.priority_tier)).collect();
    playable.sort_by_key(|job| {
        let record = &reading.jobs[job.record];
        let tier = record.partitions.iter().filter_map(|name| tiers.get(name.as_str())).max().copied();
        (Reverse(tier.unwrap_or(0)), Reverse(record.priority.unwrap_or(0)), record.key.job_id, job.record)
    });
}

/// Takes out whoever depends on a job that waits and is not played itself, again and again.
fn drop_unmet(playable: &mut Vec<Playable>, reading: &ClusterReading<'_>) -> NoEstimate {
    let mut waiting: HashMap<u64, Vec<usize>> = HashMap::new();
    for (record, job) in reading.jobs.iter().enumerate().filter(|(_, job)| is_waiting(job)) {
        waiting.entry(number(job)).or_default().push(record);
    }
    loop {
        let played: HashSet<usize> = playable.iter().map(|job| job.record).collect();
        let lost = |dependency: &Dependency| {
            let named = waiting.get(&dependency.job_id).into_iter().flatten();
            named.filter(|record| is_named(&reading.jobs[**record], dependency)).any(|record| !played.contains(record))
        };
        let before = playable.len();
        playable.retain(|job| !job.dependencies.iter().any(lost));
        if playable.len() == before {
            let why = "It depends on a job of which nothing can be said itself.";
            return NoEstimate { code: "dependency", why: why.to_owned() };
        }
    }
}

/// The number by which others name a job: the array's, of its tasks.
fn number(job: &JobRecord) -> u64 {
    match &job.key.part {
        JobPart::ArrayTask { array_job_id, .. } | JobPart::ArrayRemainder { array_job_id, .. } => *array_job_id,
        JobPart::Whole | JobPart::HetComponent { .. } => job.key.job_id,
    }
}

fn is_named(job: &JobRecord, dependency: &Dependency) -> bool {
    let task = match &job.key.part {
        JobPart::ArrayTask { task, .. } => Some(*task),
        _ => None,
    };
    let same_task = dependency.task.is_none() || task.is_none() || dependency.task == task;
    number(job) == dependency.job_id && same_task
}

/// Where the jobs with a number are. One that is nowhere has ended, and what was to be awaited has happened.
struct Numbers<'a> {
    places: HashMap<u64, Vec<(&'a JobRecord, Awaited)>>,
}

impl<'a> Numbers<'a> {
    fn of(jobs: &'a [JobRecord], waiting: &HashMap<usize, usize>, running: &[(usize, usize)]) -> Self {
        let mut places: HashMap<u64, Vec<_>> = HashMap::new();
        let waiting = waiting.iter().map(|(record, place)| (*record, Awaited::Waiting(*place)));
        let running = running.iter().map(|(record, place)| (*record, Awaited::Running(*place)));
        for (record, awaited) in waiting.chain(running) {
            let job = &jobs[record];
            places.entry(number(job)).or_default().push((job, awaited));
        }
        Self { places }
    }

    fn awaited(&self, dependency: &Dependency) -> Vec<After> {
        let named = self.places.get(&dependency.job_id).into_iter().flatten();
        let named = named.filter(|(job, awaited)| {
            is_named(job, dependency) && (dependency.end || matches!(awaited, Awaited::Waiting(_)))
        });
        named.map(|(_, awaited)| After { job: *awaited, end: dependency.end }).collect()
    }
}

/// What a running job holds in each pool: its share of each of its nodes. Nodes that take no new jobs give nothing back.
fn holds(job: &JobRecord, table: &PoolTable, counting: Counting, problems: &mut Vec<String>) -> Vec<(u8, Amount)> {
    let nodes = match NodeList::parse(&job.nodes) {
        Ok(nodes) => nodes,
        Err(error) => {
            problems.push(format!("job {}: {error}", job.key.job_id));
            return Vec::new();
        }
    };
    let count = nodes.count().max(1);
    let mut in_pool: HashMap<u8, u32> = HashMap::new();
    for pool in nodes.names().filter_map(|name| table.of_node(&name)) {
        *in_pool.entry(pool).or_default() += 1;
    }
    let has = Tres { nodes: Some(count), ..job.allocated };
    let mut holds: Vec<(u8, Amount)> = in_pool
        .into_iter()
        .map(|(pool, nodes)| {
            let node = table.pools[usize::from(pool)].node;
            let chunk = demand(&has, job.exclusive.unwrap_or(false), PoolSet::default(), counting, Vec::new()).chunk;
            let each = match chunk {
                Chunk::Share(amount) => amount,
                Chunk::WholeNode => node,
            };
            (pool, each.least(node).times(nodes))
        })
        .collect();
    holds.sort_unstable();
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::{node, partition, running, submission, waiting};

    fn situation(jobs: &[JobRecord]) -> Situation {
        let nodes: Vec<NodeRecord> = (1..=4).map(|number| node(&format!("a{number}"), 1, &["batch"])).collect();
        let reading = ClusterReading {
            now: Time(5_000),
            jobs,
            nodes: &nodes,
            partitions: &[partition("batch")],
            reservations: &[],
            qos: &[],
            configuration: None,
            reach: &Reach::default(),
        };
        Situation::of(&reading, submission)
    }

    fn codes(situation: &Situation) -> Vec<Result<usize, &'static str>> {
        situation.waiting.iter().map(|job| job.place.clone().map_err(|none| none.code)).collect()
    }

    #[test]
    fn who_waits_stands_in_order_of_priority_and_who_cannot_be_played_has_a_reason() {
        let mut jobs = vec![running(1, "a[1-2]", 2, 4_000), waiting(2, 1), waiting(3, 1), waiting(4, 5), waiting(5, 1)];
        jobs[2].priority = Some(5_000);
        jobs[4].reason = "JobHeldUser".to_owned();
        let situation = situation(&jobs);
        assert_eq!(codes(&situation), [Ok(1), Ok(0), Err("does_not_fit"), Err("held")]);
        assert_eq!(situation.core.running[0].holds, [(0, Amount::processors(2))]);
        assert_eq!(situation.core.running[0].planned_end, Time(7_600));
    }

    #[test]
    fn a_chain_is_played_and_a_chain_that_hangs_on_a_held_job_is_not() {
        let mut jobs = vec![running(1, "a1", 1, 4_000), waiting(2, 1), waiting(3, 1), waiting(4, 1), waiting(5, 1)];
        jobs[1].dependency = "afterok:1(unfulfilled),afterany:99(unfulfilled)".to_owned();
        jobs[2].reason = "JobHeldUser".to_owned();
        jobs[3].dependency = "afterok:3(unfulfilled)".to_owned();
        jobs[4].dependency = "afterok:4(unfulfilled)".to_owned();
        let situation = situation(&jobs);
        assert_eq!(codes(&situation), [Ok(0), Err("held"), Err("dependency"), Err("dependency")]);
        let after = After { job: Awaited::Running(0), end: true };
        assert_eq!(situation.core.waiting[0].after, [after], "job 99 is nowhere: it has ended");
    }

    #[test]
    fn a_job_that_does_not_exist_is_refused_what_it_could_not_have() {
        let situation = situation(&[]);
        let asks = |nodes: u32, hours: i64, partition: &str| {
            let job = HypotheticalJob {
                partition: Some(partition.to_owned()),
                nodes: Some(nodes),
                limit: Some(Seconds(hours * 3_600)),
                ..HypotheticalJob::default()
            };
            situation.hypothetical(&job).map(|(demand, _)| demand.chunks).map_err(|none| none.code)
        };
        assert_eq!(asks(4, 2, "batch"), Ok(4));
        assert_eq!(asks(5, 2, "batch"), Err("does_not_fit"));
        assert_eq!(asks(1, 25, "batch"), Err("not_allowed"));
        assert_eq!(asks(1, 1, "nowhere"), Err("not_allowed"));
    }
}
