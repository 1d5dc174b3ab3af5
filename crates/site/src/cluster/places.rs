//! Where a job could run: the partitions that take it, and what it would ask for there.
//!
//! Not for: when it would start (`forecasting`); whether sbatch would take it (`request`).

use queuecast_forecast::queue::{Awaited, PlayableQueue, WaitingHere};
use queuecast_records::{GresAsked, GresPer, JobLayout, MemoryAsked, PartitionRecord, Tres};
use queuecast_schedule::slurm::priority::Standing;
use queuecast_schedule::slurm::{Cap, Counts, Demand, Things};
use queuecast_workload::{Seconds, Submission, Time};

use super::demand::{Asked, could_ever_fit, demand, named, narrowed};
use super::licenses;
use super::limits::Belongs;
use super::request::{Accepted, Request, is_up};
use super::situation::{Asks, Situation, does_not_fit};
use super::standing::Newcomer;
use queuecast_advise as advised;
use queuecast_advise::HypotheticalJob;
use queuecast_advise::change::first_of_queue;
use queuecast_forecast::estimate::NoForecast;

/// A job that does not exist, as the queue would take it.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// What it asks for.
    pub demand: Demand,
    /// How long Slurm would plan it to run.
    pub planned: Seconds,
    /// What it would be worth.
    standing: Standing,
    /// What is left of the limits, its own among them.
    pub caps: Vec<Cap>,
    not_before: Option<Time>,
    /// Tasks of an array, or one.
    tasks: u32,
}

impl Imagined {
    /// The same, not before this time.
    #[must_use]
    pub fn not_before(&self, time: Time) -> Self {
        let not_before = self.not_before.map_or(time, |known| known.max(time));
        Self { not_before: Some(not_before), ..self.clone() }
    }

    /// The same with another limit.
    #[must_use]
    pub fn with_limit(&self, limit: Seconds) -> Self {
        Self { planned: limit, ..self.clone() }
    }
}

impl Situation {
    /// What a job that does not exist would ask for and where it would stand; or why it is refused or would not start.
    pub fn hypothetical(&self, job: &HypotheticalJob) -> Result<Imagined, NoForecast> {
        let mut imagined = self.imagined(&asked(job), job.begin)?;
        if let Some(array) = job.array {
            imagined.tasks = array.tasks;
            if let Some(most) = array.at_once {
                let place = u32::try_from(imagined.caps.len()).unwrap_or(u32::MAX);
                imagined.demand.caps.push(Counts::once(place, Things::JOBS));
                imagined.caps.push(Cap { jobs: i64::from(most), ..Cap::NONE });
            }
        }
        Ok(imagined)
    }

    /// The same of what sbatch would be asked for, not before this time.
    pub fn imagined(&self, request: &Request, begin: Option<Time>) -> Result<Imagined, NoForecast> {
        let accepted = self.judge(request)?;
        let mut demand = self.demand_of(request, &accepted)?;
        let (tres, user) = (accepted.sizes.tres(request.memory_per_gpu_mebibytes), request.user.as_str());
        let Accepted { partitions, account, qos, association, planned, .. } = &accepted;
        let partition = partitions[0].name.as_str();
        let mut limits = self.limits.clone();
        if !limits.knows_licenses(&request.licenses) {
            return Err(licenses::not_modelled(&request.licenses));
        }
        demand.caps = limits.of_whom(Belongs { user, account, qos, partition });
        demand.caps.extend(limits.of_licenses(&request.licenses));
        demand.preempts = self.site.preemption.may_put_out(qos, partition);
        let not_before = begin.filter(|begin| *begin > self.core.now);
        let newcomer = Newcomer { association: *association, partition, qos, asks: &tres, nice: 0 };
        let ages_from = not_before.is_none().then_some(self.core.now);
        let standing = self.site.ranks.of_newcomer(&newcomer, ages_from);
        Ok(Imagined { demand, planned: *planned, standing, caps: limits.left(), not_before, tasks: 1 })
    }

    /// Where in the queue a job that does not exist would stand.
    pub fn place_of(&self, job: &Imagined) -> usize {
        let waiting = &self.core.waiting;
        if !self.site.ranks.is_multifactor() {
            // Who comes last stands last, in its tier.
            return waiting.partition_point(|other| other.standing.tier >= job.standing.tier);
        }
        let worth = |standing: &Standing| {
            #[expect(clippy::cast_possible_truncation, reason = "priorities are below 2^32")]
            let priority = self.site.ranks.priority(standing, self.core.now) as i64;
            (standing.tier, priority)
        };
        let own = worth(&job.standing);
        waiting.partition_point(|other| worth(&other.standing) >= own)
    }

    /// The queue before this place, with the limits that count for a job that does not exist.
    pub fn before(&self, place: usize, job: &Imagined) -> PlayableQueue {
        let mut core = first_of_queue(&self.core, place);
        core.cluster.caps.clone_from(&job.caps);
        core
    }

    /// The queue with a job that does not exist in it, and its place.
    pub fn with(&self, job: &Imagined, submission: Submission) -> (PlayableQueue, usize) {
        let mut core = self.core.clone();
        core.cluster.caps.clone_from(&job.caps);
        let now = core.now;
        let place = self.place_of(job);
        for after in core.waiting.iter_mut().flat_map(|other| &mut other.after) {
            if let Awaited::Waiting(awaited) = &mut after.job
                && *awaited >= place
            {
                *awaited += 1;
            }
        }
        let imagined = WaitingHere {
            not_before: job.not_before.filter(|time| *time > now),
            tasks: job.tasks,
            standing: job.standing,
            ..WaitingHere::new(submission, job.demand.clone(), job.planned)
        };
        core.waiting.insert(place, imagined);
        (core, place)
    }

    /// The partitions that take jobs at all, the default one first.
    pub fn open_partitions(&self) -> Vec<&str> {
        let mut open: Vec<&PartitionRecord> =
            self.site.partitions.iter().filter(|partition| is_up(partition)).collect();
        open.sort_by_key(|partition| !partition.is_default);
        open.into_iter().map(|partition| partition.name.as_str()).collect()
    }

    /// What a job that waits would ask for in another partition, if that takes it. An array takes its throttle along.
    pub fn elsewhere(&self, asks: &Asks, now: &Demand, limit: Seconds, partition: &str) -> Option<Demand> {
        let request = Request {
            user: asks.user.clone(),
            account: Some(asks.account.clone()).filter(|name| !name.is_empty()),
            qos: Some(asks.qos.clone()).filter(|name| !name.is_empty()),
            partitions: vec![partition.to_owned()],
            limit: Some(limit),
            tres: asks.requested,
            layout: asks.layout.clone(),
            features: asks.features.clone(),
            exclusive: asks.exclusive,
            ..Request::default()
        };
        let accepted = self.judge(&request).ok()?;
        let mut demand = self.demand_of(&request, &accepted).ok()?;
        let whose = Belongs { user: &asks.user, account: &asks.account, qos: &asks.qos, partition };
        // A limit of that partition that nobody has met yet is not in what is played, and is left out.
        let mut limits = self.limits.clone();
        let there = limits.of_whom(whose).into_iter().chain(limits.of_licenses(&asks.licenses));
        let caps = there.chain(self.limits.throttles(&now.caps));
        demand.caps = caps.filter(|counts| (counts.cap as usize) < self.core.cluster.caps.len()).collect();
        demand.preempts = self.site.preemption.may_put_out(&asks.qos, partition);
        Some(demand)
    }

    /// What a job that waits would ask for with so many nodes, as many CPUs and as much memory on each as now, or sharing nodes.
    pub fn resized(&self, asks: &Asks, now: &Demand, nodes: u64, exclusive: bool) -> Demand {
        let had = asks.requested.nodes.unwrap_or(1).max(1);
        let scaled = |amount: Option<u64>| amount.map(|amount| (amount * nodes).div_ceil(had));
        let count =
            |amount: Option<u32>| scaled(amount.map(u64::from)).map(|amount| u32::try_from(amount).unwrap_or(u32::MAX));
        let tres = Tres {
            cpus: scaled(asks.requested.cpus),
            memory_mebibytes: scaled(asks.requested.memory_mebibytes),
            nodes: Some(nodes),
            gpus: scaled(asks.requested.gpus),
            billing: None,
        };
        let layout = JobLayout {
            nodes_min: count(asks.layout.nodes_min),
            nodes_max: count(asks.layout.nodes_max),
            tasks: count(asks.layout.tasks),
            ..asks.layout.clone()
        };
        Demand {
            named: now.named.clone(),
            caps: now.caps.clone(),
            bars: now.bars,
            reservation: now.reservation,
            preempts: now.preempts,
            ..demand(Asked { tres: &tres, layout: &layout, exclusive }, now.pools, self.site.counting)
        }
    }

    /// Whether nodes are given out whole whatever jobs ask for.
    pub fn gives_whole_nodes(&self) -> bool {
        self.site.counting.whole_nodes
    }

    /// The most nodes, and the most CPUs, that a job could have in a partition; of the default one if it is not said.
    pub fn widest(&self, partition: Option<&str>) -> (u32, u32) {
        let named = |known: &&PartitionRecord| partition.map_or(known.is_default, |name| known.name == name);
        let partition = self.site.partitions.iter().find(named).or(self.site.partitions.first());
        let Some(partition) = partition else { return (1, 1) };
        let table = &self.site.table;
        let pools = table.of_partition(&partition.name).pools().filter_map(|pool| table.pools.get(pool));
        let (nodes, cpus) = pools.fold((0_u64, 0_u64), |(nodes, cpus), pool| {
            let all = u64::from(pool.nodes) * pool.node.processors.unsigned_abs();
            (nodes + u64::from(pool.nodes), cpus + all)
        });
        let most = partition.nodes_max.unwrap_or(u64::MAX);
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
        (count(nodes.min(most)), count(cpus))
    }

    /// What a request that is accepted asks the nodes in service for.
    fn demand_of(&self, request: &Request, accepted: &Accepted<'_>) -> Result<Demand, NoForecast> {
        let table = &self.site.table;
        let partitions: Vec<String> = accepted.partitions.iter().map(|partition| partition.name.clone()).collect();
        let bars = self.site.pools(&partitions);
        let layout = accepted.sizes.layout(&request.layout);
        let tres = accepted.sizes.tres(request.memory_per_gpu_mebibytes);
        let exclusive = request.exclusive || accepted.partitions.iter().any(|partition| partition.exclusive);
        let asked = Asked { tres: &tres, layout: &layout, exclusive };
        let pools = narrowed(bars, &request.features, &layout, table);
        let ends_in = table.with_features(bars, &request.features);
        let mut demand = Demand { bars, ends_in, ..demand(asked, pools, self.site.counting) };
        let Ok(named) = named(&request.required_nodes, &request.excluded_nodes, table) else {
            let why =
                format!("The job requests nodes by name ({}) that are not in service now.", request.required_nodes);
            return Err(NoForecast { code: "named_nodes", why });
        };
        demand.named = named;
        if let Some(name) = &request.reservation {
            let known = self.site.reservations.iter().position(|reservation| reservation.name == *name);
            let Some(number) = known.filter(|_| table.tells_nodes_apart()) else {
                let why = format!(
                    "The reservation {name} is not known, or is not simulated on a cluster with this many nodes."
                );
                return Err(NoForecast { code: "in_reservation", why });
            };
            demand.reservation = u32::try_from(number).ok();
        }
        if could_ever_fit(&demand, table) { Ok(demand) } else { Err(does_not_fit(&partitions.join(","))) }
    }
}

/// What sbatch would be asked for.
fn asked(job: &HypotheticalJob) -> Request {
    let told = &job.layout;
    let (tasks, cpus_per_task) = match (told.tasks, told.cpus_per_task, job.nodes, job.cpus) {
        // Who says more than totals is taken at their word.
        (Some(_), ..) | (_, Some(_), ..) => (told.tasks, told.cpus_per_task),
        _ if told.tasks_per_node.is_some() => (None, None),
        // Who names nodes gets as much on each; who does not, wherever there is room.
        (None, None, Some(nodes), Some(cpus)) => (Some(nodes.max(1)), Some(cpus.div_ceil(nodes.max(1)))),
        (None, None, None, Some(cpus)) => (Some(cpus.max(1)), Some(1)),
        (None, None, _, None) => (None, None),
    };
    let (memory, memory_per_gpu_mebibytes) = match told.memory {
        Some(advised::MemoryAsked::PerNode(memory)) => (Some(MemoryAsked::PerNode(memory)), None),
        Some(advised::MemoryAsked::PerCpu(memory)) => (Some(MemoryAsked::PerCpu(memory)), None),
        Some(advised::MemoryAsked::PerGpu(memory)) => (None, Some(memory)),
        None => {
            let memory = job.memory_mebibytes.map(|all| match job.nodes {
                Some(nodes) => MemoryAsked::PerNode(all.div_ceil(u64::from(nodes.max(1)))),
                None => MemoryAsked::PerCpu(all.div_ceil(u64::from(job.cpus.unwrap_or(1).max(1)))),
            });
            (memory, None)
        }
    };
    let layout = JobLayout {
        nodes_min: job.nodes,
        nodes_max: told.nodes_max.or(job.nodes),
        tasks,
        tasks_per_node: told.tasks_per_node,
        cpus_per_task,
        memory,
        gres: told.gres.iter().map(gres).collect(),
        exclusive_user: job.exclusive_user,
        ..JobLayout::default()
    };
    let naming = &job.naming;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Request {
        user: text(&job.user),
        account: job.account.clone(),
        qos: job.qos.clone(),
        partitions: job.partitions().into_iter().map(str::to_owned).collect(),
        limit: job.limit,
        tres: Tres { gpus: job.gpus.map(u64::from).filter(|_| told.gres.is_empty()), ..Tres::default() },
        layout,
        memory_per_gpu_mebibytes,
        features: text(&naming.features),
        required_nodes: text(&naming.nodes),
        excluded_nodes: text(&naming.nodes_excluded),
        exclusive: job.exclusive,
        reservation: naming.reservation.clone(),
        licenses: text(&naming.licenses),
        jobs: job.array.map_or(1, |array| u64::from(array.tasks)),
    }
}

fn gres(asked: &advised::GresAsked) -> GresAsked {
    let per = match asked.per {
        advised::GresPer::Node => GresPer::Node,
        advised::GresPer::Job => GresPer::Job,
        advised::GresPer::Task => GresPer::Task,
        advised::GresPer::Socket => GresPer::Socket,
    };
    GresAsked { name: asked.name.clone(), model: asked.model.clone(), count: asked.count, per }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::{partition, situation, situation_in};

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
            situation.hypothetical(&job).map(|job| job.demand.layout.nodes_min).map_err(|none| none.code)
        };
        assert_eq!(asks(4, 2, "batch"), Ok(4));
        assert_eq!(asks(5, 2, "batch"), Err("refused"));
        assert_eq!(asks(1, 25, "batch"), Err("not_allowed"));
        assert_eq!(asks(1, 1, "nowhere"), Err("refused"));
    }

    #[test]
    fn a_partition_takes_only_the_accounts_and_qualities_of_service_it_names_and_none_while_it_is_down() {
        let small = PartitionRecord { is_default: false, nodes_min: 2, ..partition("small") };
        let closed = PartitionRecord {
            accounts_allowed: "physics,chemistry".to_owned(),
            qos_allowed: "normal".to_owned(),
            ..partition("closed")
        };
        let down = PartitionRecord { states: vec!["DOWN".to_owned()], ..partition("down") };
        let situation = situation_in(&[], &[small, closed, down]);
        let asks = |partition: &str, account: &str, qos: &str| {
            let job = HypotheticalJob {
                partition: Some(partition.to_owned()),
                account: Some(account.to_owned()),
                qos: Some(qos.to_owned()),
                ..HypotheticalJob::default()
            };
            situation.hypothetical(&job).map(|_| ()).map_err(|none| none.code)
        };
        assert_eq!(asks("closed", "Physics", "normal"), Ok(()));
        assert_eq!(asks("closed", "biology", "normal"), Err("not_allowed"));
        assert_eq!(asks("closed", "physics", "long"), Err("not_allowed"));
        assert_eq!(asks("small", "physics", "normal"), Ok(()), "it gives two nodes to whom names no number");
        assert_eq!(asks("down", "physics", "normal"), Err("partition_down"));
        assert_eq!(situation.open_partitions(), ["closed", "small"]);
        assert_eq!(situation.widest(Some("closed")), (4, 4));
    }
}
