//! One reading of Slurm, put together.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use queuecast_forecast::queue::{After, Awaited, PlayableQueue, RunningHere, WaitingHere};
use queuecast_records::{
    AssociationRecord, BaseState, ClusterConfiguration, JobLayout, JobPart, JobRecord, NodeRecord, PartitionRecord,
    QosRecord, ReservationRecord, ShareRecord, StateFlag, Tres,
};
use queuecast_schedule::slurm::{Amount, Cluster, Demand, PoolSet};
use queuecast_workload::{Seconds, Submission, Time};

use super::demand::{Asked, Counting, could_ever_fit, demand, named, narrowed};
use super::dependency::{Dependencies, Dependency, dependencies, number};
use super::holdings::holdings;
use super::licenses;
use super::limits::{Associations, Limits};
use super::pools::PoolTable;
use super::preemption::Preemption;
use super::reach::Reach;
use super::reasons::{Played, no_forecast};
use super::request::Admission;
use super::reservations::{blocked, number_of};
use super::settings::settings;
use super::standing::Ranks;
use queuecast_forecast::estimate::NoForecast;

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
    /// The associations of accounts and users.
    pub associations: &'a [AssociationRecord],
    /// What they are due and have used.
    pub shares: &'a [ShareRecord],
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
    pub place: Result<usize, NoForecast>,
    /// The places of all components, if it is one of a heterogeneous job: they start together, with the last of them.
    pub together: Vec<usize>,
}

/// What a waiting job asks Slurm for: what may be changed of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asks {
    /// The number Slurm itself uses.
    pub job_id: u64,
    /// Resources.
    pub requested: Tres,
    /// How it wants them on nodes.
    pub layout: JobLayout,
    /// Whether it wants whole nodes.
    pub exclusive: bool,
    /// The features of nodes it names.
    pub features: String,
    /// The partitions it may run in.
    pub partitions: Vec<String>,
    /// The user.
    pub user: String,
    /// The account.
    pub account: String,
    /// The quality of service.
    pub qos: String,
    /// The licences it needs, as Slurm writes them.
    pub licenses: String,
}

impl Asks {
    fn of(job: &JobRecord) -> Self {
        Self {
            job_id: job.key.job_id,
            requested: job.requested,
            layout: job.layout.clone(),
            exclusive: job.exclusive.unwrap_or(false),
            features: job.features.clone(),
            partitions: job.partitions.clone(),
            user: job.user.clone(),
            account: job.account.clone(),
            qos: job.qos.clone(),
            licenses: job.licenses.clone(),
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
    pub(super) site: Site,
    pub(super) limits: Limits,
    pub(super) admission: Admission,
}

/// What of a reading does not depend on who waits and runs.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub table: PoolTable,
    pub counting: Counting,
    pub partitions: Vec<PartitionRecord>,
    pub ranks: Ranks,
    pub preemption: Preemption,
    pub reservations: Vec<ReservationRecord>,
}

impl Site {
    fn of(reading: &ClusterReading<'_>, associations: &Associations) -> Self {
        let waiting = reading.jobs.iter().filter(|job| is_waiting(job)).count();
        let table = PoolTable::for_queue(reading.nodes, waiting);
        let nodes = reading.nodes.len() as u64;
        let cpus = reading.nodes.iter().map(|node| node.cpus).sum();
        let ClusterReading { configuration, partitions, qos, .. } = *reading;
        Self {
            ranks: Ranks::of(configuration, partitions, qos, associations, reading.shares, (nodes, cpus)),
            preemption: Preemption::of(configuration, partitions, qos),
            counting: Counting::of(configuration),
            partitions: partitions.to_vec(),
            reservations: reading.reservations.to_vec(),
            table,
        }
    }

    /// The longest limit of a partition.
    fn limit_of_partition(&self, name: &str) -> Option<Seconds> {
        self.partition(name).and_then(|partition| partition.limit_max.seconds())
    }

    pub(super) fn partition(&self, name: &str) -> Option<&PartitionRecord> {
        self.partitions.iter().find(|partition| partition.name == name)
    }

    /// How long Slurm plans a job to run.
    fn planned(&self, job: &JobRecord) -> Seconds {
        let of_partition = job.partitions.first().and_then(|name| self.limit_of_partition(name));
        job.limit.seconds().or(of_partition).unwrap_or(WITHOUT_LIMIT)
    }

    /// The pools of these partitions.
    pub(super) fn pools(&self, partitions: &[String]) -> PoolSet {
        let add = |set: PoolSet, partition: &String| PoolSet(set.0 | self.table.of_partition(partition).0);
        partitions.iter().fold(PoolSet::default(), add)
    }
}

/// A job that can be played, before its place is known.
struct Playable {
    record: usize,
    demand: Demand,
    planned: Seconds,
    dependencies: Dependencies,
    not_before: Option<Time>,
}

impl Situation {
    /// Puts a reading together. `submission` gives each job its handle and says what was known of it.
    pub fn of(reading: &ClusterReading<'_>, mut submission: impl FnMut(&JobRecord) -> Submission) -> Self {
        let cluster_name = reading.configuration.map(|configuration| configuration.cluster_name.as_str());
        let associations = Associations::of(reading.associations, cluster_name.filter(|name| !name.is_empty()));
        let site = Site::of(reading, &associations);
        let mut limits = Limits::of(reading.qos, reading.partitions, associations, reading.configuration);
        let admission = Admission::of(reading, &limits);
        let mut problems = Vec::new();
        let (waiting, playable) = queue(reading, &site, &mut limits);
        let running = running_here(reading, &site, &mut limits, &mut submission, &mut problems);
        let core_waiting = waiting_here(reading, &site, &limits, playable, &running, &mut submission);
        let running_places = running.iter().enumerate().map(|(place, (record, _))| (*record, place)).collect();
        let core_running = running.into_iter().map(|(_, job)| job).collect();
        let cluster = Cluster {
            pools: site.table.pools.clone(),
            nodes: site.table.nodes.clone(),
            blocked: blocked(reading.reservations, &site.table, &mut problems),
            caps: limits.left(),
            settings: settings(reading.configuration, reading.partitions.len(), reading.reach),
        };
        let core = PlayableQueue {
            priorities: site.ranks.priorities.clone(),
            requeues: site.preemption.requeues,
            ..PlayableQueue::new(reading.now, cluster, core_waiting, core_running)
        };
        Self { core, waiting, running: running_places, problems, site, limits, admission }
    }
}

/// Who waits, in the order of the records; and of those the jobs that can be played, in the order of the queue.
fn queue(reading: &ClusterReading<'_>, site: &Site, limits: &mut Limits) -> (Vec<WaitingJob>, Vec<Playable>) {
    let mut waiting = Vec::new();
    let mut playable = Vec::new();
    for (record, job) in reading.jobs.iter().enumerate().filter(|(_, job)| is_waiting(job)) {
        let place = playable_job(reading, job, record, site, limits).map(|job| {
            playable.push(job);
            usize::MAX
        });
        waiting.push(WaitingJob { record, asks: Asks::of(job), place, together: Vec::new() });
    }
    sort_by_priority(&mut playable, reading, &site.ranks, limits);
    let unplayable = drop_unmet(&mut playable, reading);
    let place_of = places(&playable);
    for job in &mut waiting {
        if job.place.is_ok() {
            job.place = place_of.get(&job.record).copied().ok_or_else(|| unplayable.clone());
        }
    }
    put_together(&mut waiting, reading.jobs);
    (waiting, playable)
}

/// Places in the queue, by record.
fn places(playable: &[Playable]) -> HashMap<usize, usize> {
    playable.iter().enumerate().map(|(place, job)| (job.record, place)).collect()
}

/// Who runs, with the place among the records. What they hold of limits is taken off.
fn running_here(
    reading: &ClusterReading<'_>,
    site: &Site,
    limits: &mut Limits,
    mut submission: impl FnMut(&JobRecord) -> Submission,
    problems: &mut Vec<String>,
) -> Vec<(usize, RunningHere)> {
    let mut running = Vec::new();
    let mut held = holdings(reading.jobs, reading.nodes, &site.table, site.counting, problems);
    for (record, job) in reading.jobs.iter().enumerate().filter(|(_, job)| is_running(job)) {
        let Some(started) = job.started else { continue };
        let holds = std::mem::take(&mut held[record]);
        let caps = limits.of_job(job);
        let all = holds.iter().fold(Amount::NONE, |mut sum, (_, amount)| {
            sum += *amount;
            sum
        });
        let planned_end = started + site.planned(job) + job.suspended.unwrap_or(Seconds::ZERO);
        limits.hold(&caps, all, u32::try_from(holds.len()).unwrap_or(u32::MAX), planned_end);
        let job = RunningHere {
            caps,
            standing: site.ranks.of_job(job, limits.association_of(job), true, reading.now),
            class: site.preemption.class(job),
            ..RunningHere::new(submission(job), started, planned_end, holds)
        };
        running.push((record, job));
    }
    running
}

/// Who waits, as the core sees it.
fn waiting_here(
    reading: &ClusterReading<'_>,
    site: &Site,
    limits: &Limits,
    playable: Vec<Playable>,
    running: &[(usize, RunningHere)],
    mut submission: impl FnMut(&JobRecord) -> Submission,
) -> Vec<WaitingHere> {
    let running = running.iter().enumerate().map(|(place, (record, _))| (*record, place));
    let by_number = Numbers::of(reading.jobs, &places(&playable), running);
    let waiting = playable.into_iter().map(|job| {
        let record = &reading.jobs[job.record];
        let after = by_number.awaited(record, &job.dependencies);
        let may_start = job.not_before.is_none() && after.is_empty();
        WaitingHere {
            not_before: job.not_before,
            after,
            any_will_do: job.dependencies.any_will_do,
            tasks: u32::try_from(record.array_tasks_waiting()).unwrap_or(u32::MAX),
            standing: site.ranks.of_job(record, limits.association_of(record), may_start, reading.now),
            class: site.preemption.class(record),
            ..WaitingHere::new(submission(record), job.demand, job.planned)
        }
    });
    waiting.collect()
}

pub(super) fn does_not_fit(partition: &str) -> NoForecast {
    let why = format!("The job requests more than partition {partition} has in service now.");
    NoForecast { code: "does_not_fit", why }
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
    site: &Site,
    limits: &mut Limits,
) -> Result<Playable, NoForecast> {
    let table = &site.table;
    let played = Played {
        limits_of_qos: limits.knows_qos(&job.qos),
        limits_of_associations: limits.knows_associations(),
        single_nodes: table.tells_nodes_apart(),
    };
    if let Some(none) = no_forecast(job, played) {
        return Err(none);
    }
    if !limits.knows_licenses(&job.licenses) {
        return Err(licenses::not_modelled(&job.licenses));
    }
    let Some(dependencies) = dependencies(job) else {
        let why = format!("The job's dependency ({}) is not simulated.", job.dependency);
        return Err(NoForecast { code: "dependency", why });
    };
    let bars = site.pools(&job.partitions);
    let partition_is_exclusive =
        job.partitions.iter().filter_map(|name| site.partition(name)).any(|partition| partition.exclusive);
    let asked = Asked {
        tres: &job.requested,
        layout: &job.layout,
        exclusive: job.exclusive.unwrap_or(false) || partition_is_exclusive,
    };
    let mut demand = demand(asked, narrowed(bars, &job.features, &job.layout, table), site.counting);
    demand.bars = bars;
    demand.ends_in = table.with_features(bars, &job.features);
    demand.caps = limits.of_job(job);
    demand.preempts = site.preemption.may_put_out(&job.qos, job.partitions.first().map_or("", String::as_str));
    let Ok(named) = named(&job.required_nodes, &job.excluded_nodes, table) else {
        let why = format!("The job requests nodes by name ({}) that are not in service now.", job.required_nodes);
        return Err(NoForecast { code: "named_nodes", why });
    };
    demand.named = named;
    if let JobPart::HetComponent { het_job_id, .. } = job.key.part {
        demand.together = u32::try_from(het_job_id).ok();
    }
    if !job.reservation.is_empty() {
        let Some(number) = number_of(&job.reservation, reading.reservations) else {
            let why = format!("The job's reservation {} is not known.", job.reservation);
            return Err(NoForecast { code: "in_reservation", why });
        };
        demand.reservation = Some(number);
    }
    if !could_ever_fit(&demand, table) {
        return Err(does_not_fit(&job.partitions.join(",")));
    }
    let reserved_from = demand.reservation.and_then(|number| reading.reservations[number as usize].starts);
    let not_before = job.eligible.into_iter().chain(reserved_from).max().filter(|time| *time > reading.now);
    Ok(Playable { record, demand, planned: site.planned(job), dependencies, not_before })
}

/// Partitions of a higher tier first, then by priority, then by number.
fn sort_by_priority(playable: &mut [Playable], reading: &ClusterReading<'_>, ranks: &Ranks, limits: &Limits) {
    playable.sort_by_cached_key(|job| {
        let record = &reading.jobs[job.record];
        let tier = ranks.tier(&record.partitions);
        let priority = record
            .priority
            .map_or(0.0, |shown| ranks.best_priority(record, shown, limits.association_of(record), reading.now));
        #[expect(clippy::cast_possible_truncation, reason = "priorities are below 2^32")]
        let priority = priority as i64;
        (Reverse(tier), Reverse(priority), record.key.job_id, job.record)
    });
}

/// Takes out whoever depends on a job that waits and is not played itself, again and again.
fn drop_unmet(playable: &mut Vec<Playable>, reading: &ClusterReading<'_>) -> NoForecast {
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
        playable.retain(|job| !job.dependencies.all.iter().any(lost));
        if playable.len() == before {
            let why = "The job depends on another job that has no forecast.";
            return NoForecast { code: "dependency", why: why.to_owned() };
        }
    }
}

/// Finds the components of heterogeneous jobs. If one cannot be played, nothing is said of any.
fn put_together(waiting: &mut [WaitingJob], jobs: &[JobRecord]) {
    let mut components: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, job) in waiting.iter().enumerate() {
        if let JobPart::HetComponent { het_job_id, .. } = jobs[job.record].key.part {
            components.entry(het_job_id).or_default().push(place);
        }
    }
    for members in components.into_values() {
        let places: Result<Vec<usize>, NoForecast> =
            members.iter().map(|member| waiting[*member].place.clone()).collect();
        for member in members {
            match &places {
                Ok(places) => waiting[member].together.clone_from(places),
                Err(none) => waiting[member].place = Err(none.clone()),
            }
        }
    }
}

/// Where the jobs with a number are. One that is nowhere has ended, and what was to be awaited has happened.
struct Numbers<'a> {
    places: HashMap<u64, Vec<(&'a JobRecord, Awaited)>>,
}

impl<'a> Numbers<'a> {
    fn of(
        jobs: &'a [JobRecord],
        waiting: &HashMap<usize, usize>,
        running: impl Iterator<Item = (usize, usize)>,
    ) -> Self {
        let mut places: HashMap<u64, Vec<_>> = HashMap::new();
        let waiting = waiting.iter().map(|(record, place)| (*record, Awaited::Waiting(*place)));
        let running = running.map(|(record, place)| (record, Awaited::Running(place)));
        for (record, awaited) in waiting.chain(running) {
            let job = &jobs[record];
            places.entry(number(job)).or_default().push((job, awaited));
        }
        Self { places }
    }

    /// Everything a job waits for.
    fn awaited(&self, job: &JobRecord, dependencies: &Dependencies) -> Vec<After> {
        let mut after: Vec<After> = dependencies.all.iter().flat_map(|dependency| self.named(dependency)).collect();
        // One of several has happened already: nothing is waited for.
        if dependencies.any_will_do && after.len() < dependencies.all.len() {
            after.clear();
        }
        if dependencies.singleton {
            after.extend(self.namesakes(job));
        }
        after
    }

    fn named(&self, dependency: &Dependency) -> Vec<After> {
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

    /// The jobs of the same user and name that run, or wait and came before (`singleton`).
    fn namesakes(&self, job: &JobRecord) -> Vec<After> {
        let is_same = |other: &JobRecord| other.name == job.name && other.user == job.user;
        let is_first = |other: &JobRecord, awaited: &Awaited| {
            matches!(awaited, Awaited::Running(_)) || other.key.job_id < job.key.job_id
        };
        let mut after: Vec<(u64, After)> = (self.places.values().flatten())
            .filter(|(other, awaited)| is_same(other) && is_first(other, awaited))
            .map(|(other, awaited)| (other.key.job_id, After { job: *awaited, task: None, end: true }))
            .collect();
        after.sort_by_key(|(number, _)| *number);
        after.into_iter().map(|(_, after)| after).collect()
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(situation.core.running[0].holds, [(0, Amount::processors(1)), (1, Amount::processors(1))]);
        assert_eq!(situation.core.running[0].planned_end, Time(7_600));
    }

    #[test]
    fn the_components_of_a_heterogeneous_job_are_found_and_none_is_played_without_the_others() {
        let mut jobs = vec![waiting(2, 1), waiting(3, 2), waiting(4, 1), waiting(5, 9)];
        for (job, (het_job_id, offset)) in jobs.iter_mut().zip([(2, 0), (2, 1), (4, 0), (4, 1)]) {
            job.key.part = JobPart::HetComponent { het_job_id, offset };
        }
        let situation = situation(&jobs);
        assert_eq!(codes(&situation), [Ok(0), Ok(1), Err("does_not_fit"), Err("does_not_fit")]);
        assert_eq!((situation.waiting[0].together.as_slice(), situation.waiting[3].together.len()), (&[0, 1][..], 0));
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
