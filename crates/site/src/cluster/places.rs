//! Where a job could run: the partitions that take it, and what it would ask for there.
//!
//! Not for: when it would start (`forecasting`); who may submit where by groups and associations, which this does not read.
//!
//! Source: slurm.conf(5), `AllowAccounts`, `DenyAccounts`, `AllowQos`, `MaxNodes`, `MinNodes`, `MaxTime`, `State`.

use queuecast_forecast::queue::{Awaited, PlayableQueue, WaitingHere};
use queuecast_records::{GresAsked, GresPer, JobLayout, MemoryAsked, PartitionRecord, Tres};
use queuecast_schedule::slurm::priority::Standing;
use queuecast_schedule::slurm::{Cap, Demand};
use queuecast_workload::{Seconds, Submission, Time};

use super::demand::{Asked, could_ever_fit, demand, named, narrowed};
use super::limits::Belongs;
use super::situation::{Asks, Situation, WITHOUT_LIMIT, does_not_fit};
use super::standing::Newcomer;
use queuecast_advise as advised;
use queuecast_advise::HypotheticalJob;
use queuecast_forecast::estimate::NoEstimate;

/// What a job asks a partition for.
struct Request<'a> {
    tres: Tres,
    layout: JobLayout,
    features: &'a str,
    exclusive: bool,
    limit: Option<Seconds>,
    account: Option<&'a str>,
    qos: Option<&'a str>,
}

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
    caps: Vec<Cap>,
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
    /// What a job that does not exist would ask for and where it would stand; or why it would not start.
    pub fn hypothetical(&self, job: &HypotheticalJob) -> Result<Imagined, NoEstimate> {
        let partition = match &job.partition {
            Some(name) => self.site.partition(name),
            None => {
                let default = self.site.partitions.iter().find(|partition| partition.is_default);
                default.or(self.site.partitions.first())
            }
        };
        let Some(partition) = partition else {
            let name = job.partition.as_deref().unwrap_or("(the default)");
            // Slurm says which there are to those who may know.
            return Err(not_allowed(format!("There is no partition {name}; `sinfo` lists those you may use.")));
        };
        let user = job.user.as_deref().unwrap_or("");
        let account = job.account.as_deref().or_else(|| self.account_of(user)).unwrap_or("");
        let association = self.limits.associations().find(account, user, &partition.name);
        let default_qos = association.map(|place| self.limits.associations().records()[place].qos_default.as_str());
        let qos = job.qos.as_deref().or(default_qos).filter(|name| !name.is_empty()).unwrap_or("normal");
        let (tres, layout) = asked(job, partition, self.site.counting.memory);
        let naming = &job.naming;
        let request = Request {
            tres,
            layout,
            features: naming.features.as_deref().unwrap_or(""),
            exclusive: job.exclusive,
            limit: job.limit,
            account: job.account.as_deref(),
            qos: job.qos.as_deref(),
        };
        let (mut demand, planned) = self.request(partition, &request)?;
        let (required, excluded) = (naming.nodes.as_deref(), naming.nodes_excluded.as_deref());
        let Some(named) = named(required.unwrap_or(""), excluded.unwrap_or(""), &self.site.table) else {
            let nodes = required.or(excluded).unwrap_or("");
            return Err(not_allowed(format!(
                "Not all of the nodes {nodes} are in service here; `sinfo -N` lists them."
            )));
        };
        demand.named = named;
        if let Some(name) = &naming.reservation {
            let known = self.site.reservations.iter().position(|reservation| reservation.name == *name);
            let Some(number) = known.filter(|_| self.site.table.tells_nodes_apart()) else {
                let why = format!("The reservation {name} is not known, or not played with so many nodes.");
                return Err(NoEstimate { code: "in_reservation", why });
            };
            demand.reservation = u32::try_from(number).ok();
        }
        if !could_ever_fit(&demand, &self.site.table) {
            return Err(does_not_fit(&partition.name));
        }
        let mut limits = self.limits.clone();
        demand.caps = limits.of_whom(Belongs { user, account, qos, partition: &partition.name });
        let mut caps = limits.left();
        if let Some(most) = job.array.and_then(|array| array.at_once) {
            demand.caps.push(u32::try_from(caps.len()).unwrap_or(u32::MAX));
            caps.push(Cap { jobs: most, ..Cap::NONE });
        }
        demand.preempts = self.site.preemption.may_put_out(qos, &partition.name);
        let not_before = job.begin.filter(|begin| *begin > self.core.now);
        let newcomer = Newcomer { association, partition: &partition.name, qos, asks: &tres, nice: 0 };
        let ages_from = not_before.is_none().then_some(self.core.now);
        let standing = self.site.ranks.of_newcomer(&newcomer, ages_from);
        let tasks = job.array.map_or(1, |array| array.tasks);
        Ok(Imagined { demand, planned, standing, caps, not_before, tasks })
    }

    /// The account a user's jobs are charged to if they name none: the only one, as far as is known.
    fn account_of(&self, user: &str) -> Option<&str> {
        let associations = self.limits.associations().records();
        let own = associations.iter().find(|record| record.user == user && !user.is_empty())?;
        Some(own.account.as_str())
    }

    /// The queue with a job that does not exist in it, and its place.
    pub fn with(&self, job: &Imagined, submission: Submission) -> (PlayableQueue, usize) {
        let mut core = self.core.clone();
        core.cluster.caps.clone_from(&job.caps);
        let now = core.now;
        let place = if self.site.ranks.is_multifactor() {
            let worth = |standing: &Standing| {
                #[expect(clippy::cast_possible_truncation, reason = "priorities are below 2^32")]
                let priority = self.site.ranks.priority(standing, now) as i64;
                (standing.tier, priority)
            };
            let own = worth(&job.standing);
            core.waiting.partition_point(|other| worth(&other.standing) >= own)
        } else {
            // Who comes last stands last, in its tier.
            core.waiting.partition_point(|other| other.standing.tier >= job.standing.tier)
        };
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

    /// What a job that waits would ask for in another partition, if that takes it.
    pub fn elsewhere(&self, asks: &Asks, limit: Seconds, partition: &str) -> Option<Demand> {
        let partition = self.site.partition(partition)?;
        let request = Request {
            tres: asks.requested,
            layout: asks.layout.clone(),
            features: &asks.features,
            exclusive: asks.exclusive,
            limit: Some(limit),
            account: Some(&asks.account),
            qos: Some(&asks.qos),
        };
        let (mut demand, _) = self.request(partition, &request).ok()?;
        let whose = Belongs { user: &asks.user, account: &asks.account, qos: &asks.qos, partition: &partition.name };
        // A limit of that partition that nobody has met yet is not in what is played, and is left out.
        let caps = self.limits.clone().of_whom(whose);
        demand.caps = caps.into_iter().filter(|cap| (*cap as usize) < self.core.cluster.caps.len()).collect();
        demand.preempts = self.site.preemption.may_put_out(&asks.qos, &partition.name);
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

    fn request(&self, partition: &PartitionRecord, asked: &Request<'_>) -> Result<(Demand, Seconds), NoEstimate> {
        let name = &partition.name;
        if !is_up(partition) {
            return Err(NoEstimate { code: "partition_down", why: format!("Partition {name} takes no jobs now.") });
        }
        let is_among = |list: &str, one: &str| list.split(',').any(|item| item.trim().eq_ignore_ascii_case(one));
        let is_open = |list: &str| list.is_empty() || is_among(list, "ALL");
        if let Some(account) = asked.account
            && (!(is_open(&partition.accounts_allowed) || is_among(&partition.accounts_allowed, account))
                || is_among(&partition.accounts_denied, account))
        {
            return Err(not_allowed(format!("Partition {name} does not take jobs of account {account}.")));
        }
        if let Some(qos) = asked.qos
            && !(is_open(&partition.qos_allowed) || is_among(&partition.qos_allowed, qos))
        {
            return Err(not_allowed(format!("Partition {name} does not take jobs with QOS {qos}.")));
        }
        let longest = partition.limit_max.seconds();
        let planned = asked.limit.or(partition.limit_default.seconds()).or(longest).unwrap_or(WITHOUT_LIMIT);
        if longest.is_some_and(|longest| planned > longest) {
            let hours = longest.map_or(0.0, |longest| longest.as_f64() / 3_600.0);
            return Err(not_allowed(format!("Partition {name} takes jobs of at most {hours:.1} h.")));
        }
        let nodes = asked.tres.nodes.unwrap_or(1);
        if partition.nodes_max.is_some_and(|most| nodes > most) {
            let most = partition.nodes_max.unwrap_or(0);
            return Err(not_allowed(format!("Partition {name} takes jobs of at most {most} nodes.")));
        }
        if nodes < partition.nodes_min {
            let least = partition.nodes_min;
            return Err(not_allowed(format!("Partition {name} takes jobs of at least {least} nodes.")));
        }
        let table = &self.site.table;
        let bars = table.of_partition(name);
        let pools = narrowed(bars, asked.features, &asked.layout, table);
        let exclusive = asked.exclusive || partition.exclusive;
        let asked = Asked { tres: &asked.tres, layout: &asked.layout, exclusive };
        let demand = Demand { bars, ..demand(asked, pools, self.site.counting) };
        if could_ever_fit(&demand, table) { Ok((demand, planned)) } else { Err(does_not_fit(name)) }
    }
}

/// What a job that does not exist asks for, with what its partition gives to who asks for no memory.
fn asked(job: &HypotheticalJob, partition: &PartitionRecord, counts_memory: bool) -> (Tres, JobLayout) {
    let nodes = job.nodes.unwrap_or(1).max(1);
    let cpus = job.cpus.unwrap_or(nodes).max(1);
    let told = &job.layout;
    // Who names nodes gets as much on each; who does not, wherever there is room.
    let tasks = told.tasks.unwrap_or_else(|| match (told.tasks_per_node, told.cpus_per_task, job.nodes) {
        (Some(each), _, _) => each.saturating_mul(nodes),
        (None, Some(each), None) => cpus.div_ceil(each.max(1)),
        (None, _, Some(nodes)) => nodes.max(1),
        (None, None, None) => cpus,
    });
    let tasks = tasks.max(1);
    let cpus_per_task = told.cpus_per_task.unwrap_or_else(|| cpus.div_ceil(tasks));
    let gres: Vec<GresAsked> = told.gres.iter().map(gres).collect();
    let gpus_on_a_node = if gres.is_empty() {
        u64::from(job.gpus.unwrap_or(0)).div_ceil(u64::from(nodes))
    } else {
        gres.iter().filter(|gres| gres.name == "gpu").map(|gres| gres.count).sum()
    };
    let memory = match told.memory {
        _ if !counts_memory => None,
        Some(advised::MemoryAsked::PerNode(memory)) => Some(MemoryAsked::PerNode(memory)),
        Some(advised::MemoryAsked::PerCpu(memory)) => Some(MemoryAsked::PerCpu(memory)),
        Some(advised::MemoryAsked::PerGpu(memory)) => Some(MemoryAsked::PerNode(memory * gpus_on_a_node)),
        None => match (job.memory_mebibytes, job.nodes) {
            (Some(all), Some(nodes)) => Some(MemoryAsked::PerNode(all.div_ceil(u64::from(nodes.max(1))))),
            (Some(all), None) => Some(MemoryAsked::PerCpu(all.div_ceil(u64::from(cpus)))),
            (None, _) => {
                let per_cpu = partition.memory_per_cpu_default_mebibytes.map(MemoryAsked::PerCpu);
                per_cpu.or(partition.memory_per_node_default_mebibytes.map(MemoryAsked::PerNode))
            }
        },
    };
    let tres = Tres {
        cpus: Some(u64::from(cpus)),
        memory_mebibytes: job.memory_mebibytes,
        nodes: Some(u64::from(nodes)),
        gpus: job.gpus.map(u64::from),
        billing: None,
    };
    let layout = JobLayout {
        nodes_min: Some(nodes),
        nodes_max: told.nodes_max.or(job.nodes),
        tasks: Some(tasks),
        tasks_per_node: told.tasks_per_node,
        cpus_per_task: Some(cpus_per_task),
        memory,
        gres,
        exclusive_user: job.exclusive_user,
        ..JobLayout::default()
    };
    (tres, layout)
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

fn not_allowed(why: String) -> NoEstimate {
    NoEstimate { code: "not_allowed", why }
}

fn is_up(partition: &PartitionRecord) -> bool {
    partition.states.is_empty() || partition.states.iter().any(|state| state.eq_ignore_ascii_case("UP"))
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
        assert_eq!(asks(5, 2, "batch"), Err("does_not_fit"));
        assert_eq!(asks(1, 25, "batch"), Err("not_allowed"));
        assert_eq!(asks(1, 1, "nowhere"), Err("not_allowed"));
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
        assert_eq!(asks("small", "physics", "normal"), Err("not_allowed"), "it takes jobs of two nodes or more");
        assert_eq!(asks("down", "physics", "normal"), Err("partition_down"));
        assert_eq!(situation.open_partitions(), ["closed", "small"]);
        assert_eq!(situation.widest(Some("closed")), (4, 4));
    }
}
