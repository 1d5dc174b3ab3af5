//! One reading of Slurm, put together.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use queuecast_forecast::queue::{After, Awaited, PlayableQueue, RunningHere, WaitingHere};
use queuecast_records::{
    BaseState, ClusterConfiguration, JobRecord, NodeList, NodeRecord, PartitionRecord, QosRecord, ReservationRecord,
    StateFlag, Tres,
};
use queuecast_schedule::slurm::{Amount, Chunk, Cluster, Demand, PoolSet};
use queuecast_workload::{Seconds, Submission, Time};

use super::demand::{Counting, could_ever_fit, demand, pools_of};
use super::dependency::{Dependency, dependencies, number};
use super::limits::Limits;
use super::pools::PoolTable;
use super::reach::Reach;
use super::reasons::no_estimate;
use super::reservations::blocked;
use super::settings::settings;
use queuecast_forecast::estimate::NoEstimate;

/// How long a job without a limit, in a partition without one, is planned to run.
pub(super) const WITHOUT_LIMIT: Seconds = Seconds(365 * 86_400);

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
    /// What it asks Slurm for.
    pub asks: Asks,
    /// Its place in the core's queue, or why it is not there.
    pub place: Result<usize, NoEstimate>,
}

/// What a waiting job asks Slurm for: what may be changed of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asks {
    /// The number Slurm itself uses.
    pub job_id: u64,
    /// Resources.
    pub requested: Tres,
    /// Whether it wants whole nodes.
    pub exclusive: bool,
    /// Whether it names features of nodes.
    pub names_features: bool,
    /// The partitions it may run in.
    pub partitions: Vec<String>,
    /// The account.
    pub account: String,
    /// The quality of service.
    pub qos: String,
}

impl Asks {
    fn of(job: &JobRecord) -> Self {
        Self {
            job_id: job.key.job_id,
            requested: job.requested,
            exclusive: job.exclusive.unwrap_or(false),
            names_features: !job.features.is_empty(),
            partitions: job.partitions.clone(),
            account: job.account.clone(),
            qos: job.qos.clone(),
        }
    }
}

/// The cluster as the core sees it, and who is who in it.
#[derive(Clone, Debug)]
pub struct Situation {
    /// What is played.
    pub core: PlayableQueue,
    /// Who waits, in the order of the records.
    pub waiting: Vec<WaitingJob>,
    /// Who runs: places among the records and in the core.
    pub running: Vec<(usize, usize)>,
    /// What could not be made sense of.
    pub problems: Vec<String>,
    pub(super) table: PoolTable,
    pub(super) counting: Counting,
    pub(super) partitions: Vec<PartitionRecord>,
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
            waiting.push(WaitingJob { record, asks: Asks::of(job), place });
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
            PlayableQueue { now: reading.now, cluster, waiting: core_waiting.collect(), running: core_running };
        core.cluster.caps = limits.left();
        let partitions = reading.partitions.to_vec();
        Self { core, waiting, running, problems, table, counting, partitions }
    }
}

pub(super) fn does_not_fit(partition: &str) -> NoEstimate {
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
    let Some(dependencies) = dependencies(job) else {
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
            named.filter(|record| dependency.names(&reading.jobs[**record])).any(|record| !played.contains(record))
        };
        let before = playable.len();
        playable.retain(|job| !job.dependencies.iter().any(lost));
        if playable.len() == before {
            let why = "It depends on a job of which nothing can be said itself.";
            return NoEstimate { code: "dependency", why: why.to_owned() };
        }
    }
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
            dependency.names(job) && (dependency.end || matches!(awaited, Awaited::Waiting(_)))
        });
        let after = |(job, awaited): &(&JobRecord, Awaited)| After {
            job: *awaited,
            task: dependency.task_among(job),
            end: dependency.end,
        };
        named.map(after).collect()
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
    use queuecast_records::JobPart;

    use super::*;
    use crate::cluster::test_cluster::{running, situation, waiting};

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
        let after = After { job: Awaited::Running(0), task: None, end: true };
        assert_eq!(situation.core.waiting[0].after, [after], "job 99 is nowhere: it has ended");
    }

    /// Of array 7, task 1 runs, task 2 waits by itself, and 3 to 6 wait together.
    #[test]
    fn an_array_is_awaited_with_all_its_tasks_and_a_task_alone() {
        let mut jobs = vec![running(7, "a1", 1, 4_000), waiting(8, 1), waiting(9, 1), waiting(10, 1)];
        jobs[0].key.part = JobPart::ArrayTask { array_job_id: 7, task: 1 };
        jobs[1].key.part = JobPart::ArrayTask { array_job_id: 7, task: 2 };
        jobs[2].key.part = JobPart::ArrayRemainder { array_job_id: 7, tasks: "3-6".to_owned() };
        let mut after = |dependency: &str| {
            jobs[3].dependency = dependency.to_owned();
            let situation = situation(&jobs);
            let after = situation.core.waiting[2].after.iter().map(|after| (after.job, after.task));
            let mut after: Vec<_> = after.collect();
            after.sort_by_key(|(job, _)| (matches!(job, Awaited::Running(_)), format!("{job:?}")));
            after
        };
        let (single, rest, runs) = (Awaited::Waiting(0), Awaited::Waiting(1), Awaited::Running(0));
        assert_eq!(after("afterok:7_*(unfulfilled)"), [(single, None), (rest, None), (runs, None)]);
        assert_eq!(after("after:7_*(unfulfilled)"), [(single, None), (rest, None)]);
        assert_eq!(after("afterok:7_1(unfulfilled)"), [(runs, None)]);
        assert_eq!(after("afterok:7_2(unfulfilled)"), [(single, None)]);
        assert_eq!(after("afterok:7_5(unfulfilled)"), [(rest, Some(2))]);
    }
}
