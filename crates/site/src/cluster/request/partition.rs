//! What a partition has against a request.
//!
//! Not for: `AllowGroups`, `AllocNodes`: who is in which group and where somebody submits from is not known.
//!
//! Source: slurm.conf(5); `_part_access_check`, `_alt_part_test` of 22.05, read for what they do.

use queuecast_records::{PartitionRecord, QosRecord};
use queuecast_workload::Seconds;

use super::refusal;
use super::sizes::Sizes;

/// What a partition has against a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// What sbatch says where partitions' limits count at submission.
    pub error: &'static str,
    /// In a sentence.
    pub why: String,
    pub kind: Kind,
}

/// How much an objection counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Always.
    Access,
    /// At submission where partitions' limits count there; otherwise the job waits for ever, with this reason.
    Waits(&'static str),
}

const NODE_LIMIT: Kind = Kind::Waits("PartitionNodeLimit");

/// Who asks a partition.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    pub user: &'a str,
    pub account: &'a str,
    pub qos_name: &'a str,
    pub qos: Option<&'a QosRecord>,
    pub limit: Option<Seconds>,
    pub has_reservation: bool,
}

/// Whether it takes new jobs at all.
pub fn takes_submissions(partition: &PartitionRecord) -> bool {
    let is = |word: &str| partition.states.iter().any(|state| state.eq_ignore_ascii_case(word));
    !is("DRAIN") && !is("INACTIVE")
}

/// Whether it starts jobs.
pub fn is_up(partition: &PartitionRecord) -> bool {
    partition.states.is_empty() || partition.states.iter().any(|state| state.eq_ignore_ascii_case("UP"))
}

/// The first thing it has against a request, if any.
pub fn objection(partition: &PartitionRecord, asker: &Asker<'_>, sizes: &Sizes) -> Option<Objection> {
    let name = &partition.name;
    let object = |error, kind, why: String| Some(Objection { error, why, kind });
    if partition.requires_reservation && !asker.has_reservation {
        return object(
            refusal::ACCESS_DENIED,
            Kind::Access,
            format!("Partition {name} accepts only jobs in a reservation."),
        );
    }
    if partition.root_only && !asker.user.is_empty() && asker.user != "root" {
        return object(refusal::ACCESS_DENIED, Kind::Access, format!("Partition {name} accepts only jobs of root."));
    }
    if partition.disables_root_jobs && asker.user == "root" {
        return object(refusal::ACCESS_DENIED, Kind::Access, format!("Partition {name} accepts no jobs of root."));
    }
    let overrides = |flag: &str, other: &str| {
        let is = |known: &String| known.eq_ignore_ascii_case(flag) || known == other;
        asker.qos.is_some_and(|qos| qos.flags.iter().any(is))
    };
    let nodes = u64::from(sizes.nodes_min);
    let per_node = partition.cpus_per_node_max.map_or(u64::MAX, |most| most.saturating_mul(partition.nodes_total));
    let cpus_most = partition.cpus_total.min(per_node);
    if partition.cpus_total > 0 && sizes.cpus() > cpus_most {
        return object(
            refusal::TOO_MANY_CPUS,
            Kind::Waits("PartitionConfig"),
            format!("Partition {name} has only {cpus_most} CPUs."),
        );
    }
    if partition.nodes_total > 0 && nodes > partition.nodes_total {
        let all = partition.nodes_total;
        return object(refusal::INVALID_NODE_COUNT, NODE_LIMIT, format!("Partition {name} has only {all} nodes."));
    }
    if nodes < partition.nodes_min && !overrides("PartitionMinNodes", "PARTITION_MINIMUM_NODE") {
        let least = partition.nodes_min;
        let why = format!("Partition {name} accepts jobs of at least {least} nodes.");
        return object(refusal::INVALID_NODE_COUNT, NODE_LIMIT, why);
    }
    let widest = nodes.max(sizes.nodes_max.map_or(0, u64::from));
    if let Some(most) = partition.nodes_max.filter(|most| widest > *most)
        && !overrides("PartitionMaxNodes", "PARTITION_MAXIMUM_NODE")
    {
        let why = format!("Partition {name} accepts jobs of at most {most} nodes.");
        return object(refusal::INVALID_NODE_COUNT, NODE_LIMIT, why);
    }
    let longest = partition.limit_max.seconds();
    if let Some(most) = longest.filter(|most| asker.limit.is_some_and(|limit| limit > *most))
        && !overrides("PartitionTimeLimit", "PARTITION_TIME_LIMIT")
    {
        let why = format!("Partition {name} accepts time limits of at most {:.1} h.", most.as_f64() / 3_600.0);
        return object(refusal::INVALID_TIME_LIMIT, Kind::Waits("PartitionTimeLimit"), why);
    }
    let is_among = |list: &str, one: &str| list.split(',').any(|item| item.trim().eq_ignore_ascii_case(one));
    let is_open = |list: &str| list.is_empty() || is_among(list, "ALL");
    let takes = |allowed: &str, denied: &str, one: &str| {
        // Where some are allowed by name, who is denied does not count.
        one.is_empty() || if is_open(allowed) { !is_among(denied, one) } else { is_among(allowed, one) }
    };
    if !takes(&partition.accounts_allowed, &partition.accounts_denied, asker.account) {
        let why = format!("Partition {name} does not accept jobs of account {}.", asker.account);
        return object(refusal::INVALID_ACCOUNT, Kind::Waits("AccountNotAllowed"), why);
    }
    if !takes(&partition.qos_allowed, &partition.qos_denied, asker.qos_name) {
        let why = format!("Partition {name} does not accept jobs with QOS {}.", asker.qos_name);
        return object(refusal::INVALID_QOS, Kind::Waits("QOSNotAllowed"), why);
    }
    sizes.memory_beyond.and_then(|most| {
        let why = format!("Partition {name} gives a job at most {most} MiB of memory on a node.");
        object(refusal::INVALID_MEMORY, Kind::Waits("MaxMemPerLimit"), why)
    })
}
