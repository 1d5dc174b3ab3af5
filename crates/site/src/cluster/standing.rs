//! What jobs are worth, as this site has set it.
//!
//! For: what of a priority stands still while a job waits, and what changes with time (`queuecast_schedule::slurm::priority`). Of a job
//! that waits Slurm says what it is worth now: what does not change is what is left when age and fair share are taken off. Of a
//! job that does not exist it is worked out.
//!
//! Source: slurm.conf(5) `Priority*`; `priority_multifactor.c` of 22.05 (`_get_priority_internal`, `set_priority_factors`), read for
//! what it does.

use std::collections::HashMap;

use queuecast_records::{
    ClusterConfiguration, JobRecord, PartitionRecord, PriorityConfiguration, QosRecord, ShareRecord, Tres, TresWeights,
};
use queuecast_schedule::slurm::priority::{Association, Priorities, ShareTree, Shares, Standing};
use queuecast_workload::Time;

use super::limits::Associations;

/// How jobs of this site are ranked.
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    /// What changes.
    pub priorities: Priorities,
    /// Everybody's fair share now, by association.
    factors: Vec<f64>,
    configuration: PriorityConfiguration,
    tiers: HashMap<String, u32>,
    partition_factors: HashMap<String, f64>,
    qos_factors: HashMap<String, f64>,
    usage_factors: HashMap<String, f64>,
    billing: HashMap<String, TresWeights>,
    association_factors: Vec<f64>,
    nodes: u64,
    cpus: u64,
}

/// A job that does not exist, as far as its priority goes.
#[derive(Clone, Copy, Debug)]
pub struct Newcomer<'a> {
    /// Its association, by place.
    pub association: Option<usize>,
    /// The partition it would be in.
    pub partition: &'a str,
    /// Its quality of service.
    pub qos: &'a str,
    /// What it asks for.
    pub asks: &'a Tres,
    /// What it gives away of its own accord (`--nice`).
    pub nice: i64,
}

impl Ranks {
    /// As the site has set it, and as it has been used.
    pub fn of(
        configuration: Option<&ClusterConfiguration>,
        partitions: &[PartitionRecord],
        qos: &[QosRecord],
        associations: &Associations,
        shares: &[ShareRecord],
        capacity: (u64, u64),
    ) -> Self {
        let tiers = partitions
            .iter()
            .map(|partition| (partition.name.clone(), u32::try_from(partition.priority_tier).unwrap_or(u32::MAX - 1)));
        let mut ranks = Self {
            tiers: tiers.collect(),
            usage_factors: qos.iter().map(|record| (record.name.clone(), record.usage_factor)).collect(),
            billing: partitions
                .iter()
                .map(|partition| (partition.name.clone(), partition.tres_weights.clone()))
                .collect(),
            nodes: capacity.0,
            cpus: capacity.1,
            ..Self::default()
        };
        let Some(configuration) = configuration.map(|configuration| &configuration.priority) else { return ranks };
        if !configuration.multifactor {
            return ranks;
        }
        let flags = &configuration.flags;
        let factors = |all: Vec<(String, u64)>, as_it_is: bool| -> HashMap<String, f64> {
            let most = all.iter().map(|(_, value)| *value).max().unwrap_or(0);
            let part = |value: u64| if as_it_is || most == 0 { value as f64 } else { value as f64 / most as f64 };
            all.into_iter().map(|(name, value)| (name, part(value))).collect()
        };
        ranks.partition_factors = factors(
            partitions.iter().map(|partition| (partition.name.clone(), partition.priority_job_factor)).collect(),
            flags.no_normal_partition,
        );
        ranks.qos_factors =
            factors(qos.iter().map(|record| (record.name.clone(), record.priority)).collect(), flags.no_normal_qos);
        let most = associations.records().iter().map(|record| record.priority).max().unwrap_or(0);
        let part = |priority: u64| match (flags.no_normal_association, most) {
            (true, _) => priority as f64,
            (false, 0) => 0.0,
            (false, most) => priority as f64 / most as f64,
        };
        ranks.association_factors = associations.records().iter().map(|record| part(record.priority)).collect();
        ranks.priorities = Priorities {
            age_weight: configuration.weights.age as f64,
            age_max: configuration.max_age,
            fair_share_weight: configuration.weights.fair_share as f64,
            period: configuration.calculation_period,
            half_life: configuration.decay_half_life,
            shares: tree(associations, shares, !flags.no_fair_tree),
        };
        ranks.factors = ranks.priorities.shares.factors();
        ranks.configuration = configuration.clone();
        ranks
    }

    /// The highest tier of these partitions.
    pub fn tier(&self, partitions: &[String]) -> u32 {
        partitions.iter().filter_map(|name| self.tiers.get(name)).max().copied().unwrap_or(0)
    }

    /// Where a job of the site stands: waiting if it may not start before `not_before`, or running.
    pub fn of_job(&self, job: &JobRecord, association: Option<usize>, may_start: bool, now: Time) -> Standing {
        let ages_from = if self.configuration.flags.accrue_always {
            Some(job.key.submitted)
        } else if may_start {
            Some(job.eligible.unwrap_or(job.key.submitted))
        } else {
            None
        };
        let mut standing = Standing {
            tier: self.tier(&job.partitions),
            fixed: 0.0,
            ages_from,
            association: association.and_then(|place| u32::try_from(place).ok()),
            charge: self.charge(
                if job.started.is_some() { &job.allocated } else { &job.requested },
                &job.qos,
                job.partitions.first().map_or("", String::as_str),
            ),
        };
        let Some(priority) = job.priority else {
            let partition = job.partitions.first().map_or("", String::as_str);
            let nice = job.nice.unwrap_or(0);
            let newcomer = Newcomer { association, partition, qos: &job.qos, asks: &job.requested, nice };
            standing.fixed = self.of_newcomer(&newcomer, ages_from).fixed;
            return standing;
        };
        // What Slurm says now, less what changes.
        let changes = self.priorities.of(&standing, ages_from, now, &self.factors);
        standing.fixed = self.best_priority(job, priority, association, now) - changes;
        standing
    }

    /// The priority of a job in the best of its partitions, of which this one is shown. Slurm has one for each of them, and shows that of the
    /// partition it looked at last: the one in which it would have what is shown, or nearest to it.
    pub fn best_priority(&self, job: &JobRecord, shown: u64, association: Option<usize>, now: Time) -> f64 {
        let shown = shown as f64;
        if job.partitions.len() < 2 || self.configuration.weights.partition == 0 {
            return shown;
        }
        let ages_from = Some(job.eligible.unwrap_or(job.key.submitted));
        let in_partition = |partition: &String| {
            let nice = job.nice.unwrap_or(0);
            let newcomer = Newcomer { association, partition, qos: &job.qos, asks: &job.requested, nice };
            self.priority(&self.of_newcomer(&newcomer, ages_from), now)
        };
        let each: Vec<f64> = job.partitions.iter().map(in_partition).collect();
        let nearest = each.iter().copied().min_by(|one, other| (one - shown).abs().total_cmp(&(other - shown).abs()));
        let best = each.iter().copied().max_by(f64::total_cmp);
        best.zip(nearest).map_or(shown, |(best, nearest)| shown + (best - nearest))
    }

    /// Where a job would stand that came now.
    pub fn of_newcomer(&self, job: &Newcomer<'_>, ages_from: Option<Time>) -> Standing {
        let weights = &self.configuration.weights;
        let factor = |factors: &HashMap<String, f64>, name: &str| factors.get(name).copied().unwrap_or(0.0);
        let of_association =
            job.association.and_then(|place| self.association_factors.get(place)).copied().unwrap_or(0.0);
        let fixed = weights.partition as f64 * factor(&self.partition_factors, job.partition)
            + weights.qos as f64 * factor(&self.qos_factors, job.qos)
            + weights.association as f64 * of_association
            + weights.job_size as f64 * self.size_factor(job.asks)
            - job.nice as f64;
        Standing {
            tier: self.tiers.get(job.partition).copied().unwrap_or(0),
            fixed: if self.configuration.multifactor { fixed } else { 0.0 },
            ages_from,
            association: job.association.and_then(|place| u32::try_from(place).ok()),
            charge: self.charge(job.asks, job.qos, job.partition),
        }
    }

    /// What a standing is worth now.
    pub fn priority(&self, standing: &Standing, now: Time) -> f64 {
        self.priorities.of(standing, standing.ages_from, now, &self.factors)
    }

    /// Whether priorities say who comes first; if not, who came first does.
    pub fn is_multifactor(&self) -> bool {
        self.configuration.multifactor
    }

    /// Half of it for the share of the nodes, half for that of the CPUs.
    fn size_factor(&self, asks: &Tres) -> f64 {
        let share = |asked: Option<u64>, all: u64| {
            let share = (asked.unwrap_or(1) as f64 / all.max(1) as f64).min(1.0);
            if self.configuration.favors_small { 1.0 - share } else { share }
        };
        f64::midpoint(share(asks.nodes, self.nodes), share(asks.cpus, self.cpus))
    }

    /// What a second of a job is charged with: what is billed, times what its quality of service makes of it.
    fn charge(&self, tres: &Tres, qos: &str, partition: &str) -> f64 {
        let cpus = tres.cpus.unwrap_or(1) as f64;
        let by_weights = || {
            let weights = self.billing.get(partition).map_or(&[][..], |weights| weights.0.as_slice());
            if weights.is_empty() {
                return cpus;
            }
            let amount = |name: &str| match name {
                "cpu" => cpus,
                "mem" => tres.memory_mebibytes.unwrap_or(0) as f64,
                "node" => tres.nodes.unwrap_or(0) as f64,
                "gres/gpu" => tres.gpus.unwrap_or(0) as f64,
                _ => 0.0,
            };
            let parts = weights.iter().map(|(name, weight)| amount(name) * weight);
            if self.configuration.flags.max_tres { parts.fold(0.0, f64::max) } else { parts.sum() }
        };
        let billed: f64 = tres.billing.map_or_else(by_weights, |billing| billing as f64);
        billed * self.usage_factors.get(qos).copied().unwrap_or(1.0)
    }
}

/// The tree as accounting has it, with the usage that is told of each.
fn tree(associations: &Associations, shares: &[ShareRecord], is_fair_tree: bool) -> ShareTree {
    let mut usage = vec![0.0; associations.records().len()];
    for share in shares {
        if let Some(place) = associations.find(&share.account, &share.user, &share.partition) {
            usage[place] = share.usage;
        }
    }
    let nodes = associations.records().iter().enumerate().map(|(place, record)| Association {
        parent: associations.parent(place).and_then(|parent| u32::try_from(parent).ok()),
        shares: match record.shares {
            queuecast_records::Shares::Number(number) => Shares::Number(number),
            queuecast_records::Shares::Parent => Shares::Parent,
        },
        is_user: !record.user.is_empty(),
    });
    ShareTree::new(nodes.collect(), usage, is_fair_tree)
}

#[cfg(test)]
mod tests {
    use queuecast_records::AssociationRecord;
    use queuecast_workload::Seconds;

    use super::*;
    use crate::cluster::test_cluster::{configuration, partition, waiting};

    fn site() -> (ClusterConfiguration, Associations, Vec<ShareRecord>) {
        let mut settings = configuration();
        settings.priority.multifactor = true;
        settings.priority.max_age = Seconds(1_000);
        settings.priority.weights.age = 100;
        settings.priority.weights.fair_share = 1_000;
        settings.priority.weights.job_size = 200;
        settings.priority.weights.qos = 500;
        let record = |account: &str, user: &str, parent: &str| AssociationRecord {
            account: account.to_owned(),
            user: user.to_owned(),
            parent: parent.to_owned(),
            ..AssociationRecord::default()
        };
        let tree =
            [record("root", "", ""), record("lab", "", "root"), record("lab", "ada", ""), record("lab", "alan", "")];
        let used = |user: &str, usage: f64| ShareRecord {
            account: "lab".to_owned(),
            user: user.to_owned(),
            usage,
            ..ShareRecord::default()
        };
        (settings, Associations::of(&tree, None), vec![used("", 900.0), used("ada", 900.0), used("alan", 0.0)])
    }

    #[test]
    fn a_newcomer_is_worth_what_its_asker_its_size_and_its_quality_of_service_make_it() {
        let (settings, associations, shares) = site();
        let qos = |name: &str, priority: u64| QosRecord { name: name.to_owned(), priority, ..QosRecord::default() };
        let all = [qos("normal", 5), qos("high", 10)];
        let ranks = Ranks::of(Some(&settings), &[partition("batch")], &all, &associations, &shares, (10, 100));
        let worth = |user: &str, qos: &str| {
            let asks = Tres { nodes: Some(1), cpus: Some(10), ..Tres::default() };
            let association = associations.find("lab", user, "batch");
            let job = Newcomer { association, partition: "batch", qos, asks: &asks, nice: 0 };
            ranks.priority(&ranks.of_newcomer(&job, Some(Time(0))), Time(500))
        };
        // Half of the age, a tenth of the size; alan is the first of two, ada the second.
        assert!((worth("alan", "normal") - (50.0 + 20.0 + 250.0 + 1_000.0)).abs() < 1e-9);
        assert!((worth("ada", "high") - (50.0 + 20.0 + 500.0 + 500.0)).abs() < 1e-9);
    }

    #[test]
    fn a_job_that_waits_is_worth_what_slurm_says_now_and_older_later() {
        let (settings, associations, shares) = site();
        let ranks = Ranks::of(Some(&settings), &[partition("batch")], &[], &associations, &shares, (10, 100));
        let mut job = waiting(1, 1);
        (job.user, job.account, job.priority) = ("ada".to_owned(), "lab".to_owned(), Some(777));
        job.eligible = Some(Time(1_000));
        let standing = ranks.of_job(&job, associations.find("lab", "ada", ""), true, Time(1_100));
        assert!((ranks.priority(&standing, Time(1_100)) - 777.0).abs() < 1e-9);
        assert!((ranks.priority(&standing, Time(1_600)) - 827.0).abs() < 1e-9);
    }

    #[test]
    fn a_job_of_two_partitions_has_the_priority_of_the_better_whichever_is_shown() {
        let (mut settings, associations, shares) = site();
        settings.priority.weights.partition = 300;
        let of = |name: &str, factor: u64| PartitionRecord { priority_job_factor: factor, ..partition(name) };
        let partitions = [of("long", 1), of("batch", 10)];
        let ranks = Ranks::of(Some(&settings), &partitions, &[], &associations, &shares, (10, 100));
        let mut job = waiting(1, 1);
        (job.user, job.account, job.eligible) = ("alan".to_owned(), "lab".to_owned(), Some(Time(1_000)));
        job.partitions = vec!["long".to_owned(), "batch".to_owned()];
        let association = associations.find("lab", "alan", "");
        // A little age, a tenth and a hundredth of the size, the first of two, and 30 or 300 of its partition.
        for shown in [1_051, 1_321] {
            assert!((ranks.best_priority(&job, shown, association, Time(1_100)) - 1_321.0).abs() < 1e-9, "{shown}");
        }
        job.partitions.truncate(1);
        assert!((ranks.best_priority(&job, 1_051, association, Time(1_100)) - 1_051.0).abs() < 1e-9);
    }
}
