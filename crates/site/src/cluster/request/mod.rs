//! Whether sbatch would take a job, and whether Slurm would ever start it.
//!
//! Two things are told apart. What `sbatch --test-only` refuses is `refused`, with Slurm's own words. What sbatch takes and Slurm never
//! starts, because a limit that does not count at submission stands in its way, is `not_allowed`, with the reason squeue would show.
//!
//! More nodes or CPUs than a partition has are refused by `--test-only`, while sbatch itself takes them where `EnforcePartLimits` is not
//! set, and never starts them: that is told as refused. Nodes that are down for now count as there, as they do for sbatch.
//!
//! Not for: when it would start (`forecasting`); groups (`AllowGroups`), job submit plugins, burst buffers, which are not known.
//!
//! Source: `_job_create`, `_valid_job_part`, `acct_policy_validate`, `job_start_data` of Slurm 22.05, read for what they do; `sbatch
//! --test-only` of 22.05.8 in our lab, on hundreds of requests.

mod accounting;
mod job_limits;
mod nodes;
mod partition;
mod refusal;
mod sizes;
mod submitted;
#[cfg(test)]
mod tests;
mod things;

use std::collections::BTreeSet;
use std::sync::Arc;

use queuecast_forecast::estimate::NoForecast;
use queuecast_records::{
    ClusterConfiguration, JobLayout, NodeList, PartitionLimits, PartitionRecord, ReservationRecord, Tres,
};
use queuecast_workload::Seconds;

use super::limits::{Belongs, Limits};
use super::situation::{ClusterReading, Situation, WITHOUT_LIMIT};
use accounting::Charged;
use job_limits::{Broken, Judged};
use nodes::{ConfiguredNode, Wanted};
use partition::{Asker, Kind, Objection};
use refusal::{never_starts, refused};
use submitted::Submitted;

pub(super) use partition::is_up;
pub(super) use sizes::Sizes;

/// What sbatch is asked for. What is left out is what Slurm would take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Whose job; empty where that is not known, and then nothing is refused because of it.
    pub user: String,
    /// The account.
    pub account: Option<String>,
    /// The quality of service.
    pub qos: Option<String>,
    /// The partitions; none for the default one.
    pub partitions: Vec<String>,
    /// The limit.
    pub limit: Option<Seconds>,
    /// Resources in all, where the layout does not say more.
    pub tres: Tres,
    /// How it wants them on nodes, as it was said: tasks are `None` unless somebody named a number.
    pub layout: JobLayout,
    /// Memory for each GPU (`--mem-per-gpu`).
    pub memory_per_gpu_mebibytes: Option<u64>,
    /// Features (`-C`).
    pub features: String,
    /// Nodes it must have (`-w`).
    pub required_nodes: String,
    /// Nodes it must not have (`-x`).
    pub excluded_nodes: String,
    /// Whether it wants whole nodes.
    pub exclusive: bool,
    /// Its reservation.
    pub reservation: Option<String>,
    /// Its licences (`-L`).
    pub licenses: String,
    /// How many jobs it adds: the tasks of an array, one of a single job, none of one that is submitted already.
    pub jobs: u64,
}

/// A request that sbatch takes and Slurm would start some day.
#[derive(Clone, Debug)]
pub struct Accepted<'a> {
    /// The partitions it could run in, in the order it named them.
    pub partitions: Vec<&'a PartitionRecord>,
    /// Its sizes in the first of them.
    pub sizes: Sizes,
    /// Its account; empty where that is not known.
    pub account: String,
    /// Its quality of service.
    pub qos: String,
    /// By place among the associations.
    pub association: Option<usize>,
    /// How long Slurm plans it to run.
    pub planned: Seconds,
}

/// What of a reading decides whether a job is taken.
#[derive(Clone, Debug)]
pub struct Admission {
    nodes: Arc<[ConfiguredNode]>,
    reservations: Arc<[ReservationRecord]>,
    configuration: Option<Arc<ClusterConfiguration>>,
    submitted: Submitted,
}

impl Admission {
    /// Takes what is needed of a reading.
    pub fn of(reading: &ClusterReading<'_>, limits: &Limits) -> Self {
        Self {
            nodes: reading.nodes.iter().filter_map(ConfiguredNode::of).collect(),
            reservations: reading.reservations.into(),
            configuration: reading.configuration.cloned().map(Arc::new),
            submitted: Submitted::of(reading.jobs, limits),
        }
    }
}

/// What may come of a request in one partition.
struct Prospect<'a> {
    partition: &'a PartitionRecord,
    sizes: Sizes,
    objection: Option<Objection>,
    broken: Vec<Broken>,
}

impl Prospect<'_> {
    /// Why Slurm would not start it here although sbatch takes it.
    fn never_starts(&self) -> Option<NoForecast> {
        let waits = |objection: &Objection| match objection.kind {
            Kind::Waits(reason) => Some(never_starts(reason, &objection.why)),
            Kind::Access => None,
        };
        let broken = || self.broken.first().map(|broken| never_starts(broken.reason, &broken.why));
        self.objection.as_ref().and_then(waits).or_else(broken).or_else(|| {
            let name = &self.partition.name;
            let why = format!("Partition {name} starts no jobs now.");
            (!is_up(self.partition)).then_some(NoForecast { code: "partition_down", why })
        })
    }
}

impl Situation {
    /// Whether sbatch would take it and Slurm ever start it: `refused` and `not_allowed` are the codes of what is not so.
    pub fn judge<'a>(&'a self, request: &Request) -> Result<Accepted<'a>, NoForecast> {
        let required = self.named_nodes(&request.required_nodes)?;
        check_node_count(request, required.len())?;
        let partitions = self.partitions_asked(request)?;
        let charged =
            accounting::charged(request, &partitions[0].name, &self.limits, self.admission.configuration.as_deref())?;
        let named = u32::try_from(required.len()).unwrap_or(u32::MAX);
        let mut prospects = self.prospects(request, &partitions, named, &charged)?;
        things::check_before_limits(request, &self.admission)?;
        self.check_limits(request, &mut prospects, &charged)?;
        let excluded = self.named_nodes(&request.excluded_nodes)?;
        if let Some(name) = required.intersection(&excluded).next() {
            let why = format!("Node {name} is both requested and excluded.");
            return Err(refused(refusal::INVALID_NODE_NAME, &why));
        }
        things::check_after_limits(request, &self.admission, &charged, &self.limits)?;
        prospects.retain(|prospect| {
            let wanted = Wanted {
                request,
                sizes: &prospect.sizes,
                partition: prospect.partition,
                counts_memory: self.site.counting.memory,
                whole_nodes: request.exclusive || self.site.counting.whole_nodes || prospect.partition.exclusive,
            };
            wanted.could_be_held(&self.admission.nodes, &required, &excluded)
        });
        if prospects.is_empty() {
            let asked: Vec<&str> = partitions.iter().map(|partition| partition.name.as_str()).collect();
            let why = format!("No nodes of partition {} could run the job, even when empty.", asked.join(","));
            return Err(refused(refusal::NODE_CONFIGURATION, &why));
        }
        let (open, stopped): (Vec<_>, Vec<_>) = prospects
            .into_iter()
            .map(|prospect| (prospect.never_starts(), prospect))
            .partition(|(none, _)| none.is_none());
        let Some((_, first)) = open.first() else {
            return Err(stopped.into_iter().find_map(|(none, _)| none).expect("those stopped say why"));
        };
        // Of several partitions the first says what a job has that asks for no time.
        let limit = request.limit.or(partitions[0].limit_default.seconds());
        let planned = limit.or(first.partition.limit_max.seconds()).unwrap_or(WITHOUT_LIMIT);
        Ok(Accepted {
            sizes: first.sizes.clone(),
            partitions: open.iter().map(|(_, prospect)| prospect.partition).collect(),
            account: charged.account,
            qos: charged.qos,
            association: charged.association,
            planned,
        })
    }

    /// Nodes by name.
    fn named_nodes(&self, names: &str) -> Result<BTreeSet<String>, NoForecast> {
        let list = NodeList::parse(names).map_err(|error| refused(refusal::INVALID_NODE_NAME, &error.to_string()))?;
        let names: BTreeSet<String> = list.names().collect();
        match names.iter().find(|name| !self.admission.nodes.iter().any(|node| node.name == **name)) {
            Some(name) => Err(refused(refusal::INVALID_NODE_NAME, &format!("There is no node {name}."))),
            None => Ok(names),
        }
    }

    /// The partitions it names, those in whose place others are used now exchanged for them; never none.
    fn partitions_asked<'a>(&'a self, request: &Request) -> Result<Vec<&'a PartitionRecord>, NoForecast> {
        let of_reservation = request.reservation.as_deref().and_then(|name| {
            let known = self.admission.reservations.iter().find(|known| known.name == name)?;
            self.site.partition(&known.partition)
        });
        let default = || self.site.partitions.iter().find(|partition| partition.is_default);
        let mut named = Vec::new();
        for name in &request.partitions {
            // Slurm says which there are to those who may know.
            let unknown = || {
                let why = format!("There is no partition {name}; `sinfo` lists the partitions that you may use.");
                refused(refusal::INVALID_PARTITION, &why)
            };
            named.push(self.site.partition(name).ok_or_else(unknown)?);
        }
        if named.is_empty() {
            let why = "There is no default partition; choose a partition with -p.";
            named.push(of_reservation.or_else(default).ok_or_else(|| refused(refusal::NO_DEFAULT_PARTITION, why))?);
        }
        let in_place = |partition: &&'a PartitionRecord| -> Option<&'a PartitionRecord> {
            // A chain of partitions that stand in for each other has an end.
            let chain = std::iter::successors(Some(*partition), |one| self.site.partition(&one.alternate));
            chain.take(8).find(|one| partition::takes_submissions(one))
        };
        let open: Vec<&PartitionRecord> = named.iter().filter_map(in_place).collect();
        if open.is_empty() {
            let why = format!("Partition {} accepts no new jobs now.", named[0].name);
            return Err(refused(refusal::PARTITION_NOT_AVAILABLE, &why));
        }
        Ok(open)
    }

    /// What may come of it in each of these partitions, unless it is refused because of one.
    fn prospects<'a>(
        &'a self,
        request: &Request,
        partitions: &[&'a PartitionRecord],
        named: u32,
        charged: &Charged,
    ) -> Result<Vec<Prospect<'a>>, NoForecast> {
        let configuration = self.admission.configuration.as_deref();
        let enforced = configuration.map_or(PartitionLimits::default(), |all| all.partition_limits);
        let asker = Asker {
            user: &request.user,
            account: &charged.account,
            qos_name: &charged.qos,
            qos: self.limits.qos(&charged.qos),
            limit: request.limit,
            has_reservation: request.reservation.is_some(),
        };
        let mut prospects: Vec<Prospect<'_>> = partitions
            .iter()
            .map(|partition| {
                let sizes = Sizes::of(request, named, partition, configuration);
                let objection = partition::objection(partition, &asker, &sizes);
                Prospect { partition, sizes, objection, broken: Vec::new() }
            })
            .collect();
        let is_single = prospects.len() == 1;
        let all_object = prospects.iter().all(|prospect| prospect.objection.is_some());
        let refuses = |objection: &&Objection| match enforced {
            PartitionLimits::ByAll => true,
            PartitionLimits::ByAny => all_object,
            // Of several, one that nobody may use is passed over.
            PartitionLimits::NotAtSubmission => objection.kind == Kind::Access && (is_single || all_object),
        };
        if let Some(objection) = prospects.iter().filter_map(|prospect| prospect.objection.as_ref()).find(refuses) {
            return Err(refused(objection.error, &objection.why));
        }
        prospects.retain(|prospect| prospect.objection.as_ref().is_none_or(|one| one.kind != Kind::Access));
        Ok(prospects)
    }

    /// Refuses what is beyond limits that count at submission, and notes beyond which others it is.
    fn check_limits(
        &self,
        request: &Request,
        prospects: &mut [Prospect<'_>],
        charged: &Charged,
    ) -> Result<(), NoForecast> {
        let Some(first) = prospects.first() else { return Ok(()) };
        if !self.limits.are_enforced() || request.user.is_empty() {
            return Ok(());
        }
        let is_safe = self.admission.configuration.as_ref().is_some_and(|all| all.enforcement.safe);
        // What was not said is the first partition's, in whichever it is held against limits.
        let tres = first.sizes.tres(request.memory_per_gpu_mebibytes);
        let limit = request.limit.or(first.partition.limit_default.seconds());
        for prospect in prospects {
            let partition = prospect.partition.name.as_str();
            let judged = Judged {
                whose: Belongs { user: &request.user, account: &charged.account, qos: &charged.qos, partition },
                tres: &tres,
                minutes: limit.map(|limit| limit.0.unsigned_abs().div_ceil(60)),
                jobs: request.jobs,
                is_safe,
            };
            let (broken, refuses) = job_limits::broken(&judged, &self.limits, &self.admission.submitted);
            if let Some(broken) = broken.iter().find(|broken| refuses || broken.always_refused) {
                return Err(refused(refusal::POLICY, &format!("{} ({})", broken.why, broken.reason)));
            }
            prospect.broken = broken;
        }
        Ok(())
    }
}

/// Refuses a range of nodes in which there is no number, or fewer than those named.
fn check_node_count(request: &Request, named: usize) -> Result<(), NoForecast> {
    let least = request.layout.nodes_min.map_or(0, |least| least as usize).max(named);
    match request.layout.nodes_max.filter(|most| *most > 0 && (*most as usize) < least) {
        Some(most) => {
            let why = format!("The job requests at least {least} nodes and at most {most}.");
            Err(refused(refusal::INVALID_NODE_COUNT, &why))
        }
        None => Ok(()),
    }
}
