//! Where a job could run: the partitions that take it, and what it would ask for there.
//!
//! Not for: when it would start (`forecasting`); who may submit where by groups and associations, which this does not read.
//!
//! Source: slurm.conf(5), `AllowAccounts`, `DenyAccounts`, `AllowQos`, `MaxNodes`, `MinNodes`, `MaxTime`, `State`.

use queuecast_records::{PartitionRecord, Tres};
use queuecast_schedule::slurm::Demand;
use queuecast_workload::Seconds;

use super::demand::{could_ever_fit, demand};
use super::situation::{Asks, Situation, WITHOUT_LIMIT, does_not_fit};
use queuecast_advise::HypotheticalJob;
use queuecast_forecast::estimate::NoEstimate;

/// What a job asks a partition for.
struct Request<'a> {
    tres: Tres,
    exclusive: bool,
    limit: Option<Seconds>,
    account: Option<&'a str>,
    qos: Option<&'a str>,
}

impl Situation {
    /// What a job that does not exist would ask for, and how long Slurm would plan it to run; or why it would not start.
    pub fn hypothetical(&self, job: &HypotheticalJob) -> Result<(Demand, Seconds), NoEstimate> {
        let partition = match &job.partition {
            Some(name) => self.partitions.iter().find(|partition| partition.name == *name),
            None => self.partitions.iter().find(|partition| partition.is_default).or(self.partitions.first()),
        };
        let Some(partition) = partition else {
            let name = job.partition.as_deref().unwrap_or("(the default)");
            // Slurm says which there are to those who may know.
            return Err(not_allowed(format!("There is no partition {name}; `sinfo` lists those you may use.")));
        };
        let nodes = job.nodes.unwrap_or(1);
        let tres = Tres {
            cpus: job.cpus.map(u64::from).or(Some(u64::from(nodes))),
            memory_mebibytes: job.memory_mebibytes,
            nodes: Some(u64::from(nodes)),
            gpus: job.gpus.map(u64::from),
            billing: None,
        };
        let (account, qos) = (job.account.as_deref(), job.qos.as_deref());
        self.request(partition, &Request { tres, exclusive: job.exclusive, limit: job.limit, account, qos })
    }

    /// The partitions that take jobs at all, the default one first.
    pub fn open_partitions(&self) -> Vec<&str> {
        let mut open: Vec<&PartitionRecord> = self.partitions.iter().filter(|partition| is_up(partition)).collect();
        open.sort_by_key(|partition| !partition.is_default);
        open.into_iter().map(|partition| partition.name.as_str()).collect()
    }

    /// What a job that waits would ask for in another partition, if that takes it.
    pub fn elsewhere(&self, asks: &Asks, limit: Seconds, partition: &str) -> Option<Demand> {
        let partition = self.partitions.iter().find(|known| known.name == partition)?;
        let request = Request {
            tres: asks.requested,
            exclusive: asks.exclusive,
            limit: Some(limit),
            account: Some(&asks.account),
            qos: Some(&asks.qos),
        };
        self.request(partition, &request).ok().map(|(demand, _)| demand)
    }

    /// What a job that waits would ask for with so many nodes, as many CPUs and as much memory on each as now, or sharing nodes.
    pub fn resized(&self, asks: &Asks, now: &Demand, nodes: u64, exclusive: bool) -> Demand {
        let had = asks.requested.nodes.unwrap_or(1).max(1);
        let scaled = |amount: Option<u64>| amount.map(|amount| (amount * nodes).div_ceil(had));
        let tres = Tres {
            cpus: scaled(asks.requested.cpus),
            memory_mebibytes: scaled(asks.requested.memory_mebibytes),
            nodes: Some(nodes),
            gpus: scaled(asks.requested.gpus),
            billing: None,
        };
        demand(&tres, exclusive, now.pools, self.counting, now.caps.clone())
    }

    /// Whether nodes are given out whole whatever jobs ask for.
    pub fn gives_whole_nodes(&self) -> bool {
        self.counting.whole_nodes
    }

    /// The most nodes, and the most CPUs, that a job could have in a partition; of the default one if it is not said.
    pub fn widest(&self, partition: Option<&str>) -> (u32, u32) {
        let named = |known: &&PartitionRecord| partition.map_or(known.is_default, |name| known.name == name);
        let partition = self.partitions.iter().find(named).or(self.partitions.first());
        let Some(partition) = partition else { return (1, 1) };
        let pools = self.table.of_partition(&partition.name).pools().filter_map(|pool| self.table.pools.get(pool));
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
        let pools = self.table.of_partition(name);
        let demand = demand(&asked.tres, asked.exclusive, pools, self.counting, Vec::new());
        if could_ever_fit(&demand, &self.table) { Ok((demand, planned)) } else { Err(does_not_fit(name)) }
    }
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
            situation.hypothetical(&job).map(|(demand, _)| demand.chunks).map_err(|none| none.code)
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
