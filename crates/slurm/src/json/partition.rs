//! A partition of REST `/partitions`: flat in 22.05, in groups from v0.0.40 on.
//!
//! Source: 22.05.8 in our lab, which says neither whether nodes are given out whole (`OverSubscribe`) nor `JobDefaults`; samples
//! of v0.0.40 to v0.0.45, which say flags such as `LLN` in v0.0.45 only.

use super::field::{Field, Problem, within};
use queuecast_records::{PartitionRecord, TresWeights};

pub(super) fn decode(partition: &Field<'_>) -> Result<PartitionRecord, Problem> {
    let flags = partition.words("flags")?;
    let mut record = if partition.has("maximums") { grouped(partition)? } else { flat(partition)? };
    partition.required("name")?;
    record.name = partition.text("name")?;
    record.preempt_modes = record.preempt_modes.iter().map(|word| preempt_mode(word)).collect();
    let has = |names: &[&str]| flags.iter().any(|flag| names.iter().any(|name| flag.eq_ignore_ascii_case(name)));
    record.is_default = has(&["default"]);
    record.is_hidden = has(&["hidden"]);
    record.disables_root_jobs = has(&["no_root"]);
    record.root_only = has(&["root_only"]);
    record.requires_reservation = has(&["reservation_required", "req_resv"]);
    record.lln = has(&["least_loaded_nodes", "lln"]);
    record.exclusive_user |= has(&["exclusive_user"]);
    Ok(record)
}

/// 22.05 writes these words small, and `disabled` where every other dialect says `OFF`.
fn preempt_mode(word: &str) -> String {
    if word.eq_ignore_ascii_case("disabled") { "OFF".to_owned() } else { word.to_ascii_uppercase() }
}

fn flat(partition: &Field<'_>) -> Result<PartitionRecord, Problem> {
    partition.required("max_time_limit")?;
    Ok(PartitionRecord {
        states: partition.names("state")?,
        limit_max: partition.limit("max_time_limit")?,
        limit_default: partition.limit("default_time_limit")?,
        over_time_limit: match partition.get("over_time_limit") {
            Some(_) => Some(partition.limit("over_time_limit")?),
            None => None,
        },
        nodes_max: partition.count("maximum_nodes_per_job")?,
        // The name has blanks in 22.05.
        nodes_min: partition.count("min nodes per job")?.unwrap_or(0),
        cpus_per_node_max: partition.count("maximum_cpus_per_node")?,
        memory_per_cpu_default_mebibytes: some(partition, "default_memory_per_cpu")?,
        nodes: partition.text("nodes")?,
        nodes_total: partition.required_count("total_nodes")?,
        cpus_total: partition.required_count("total_cpus")?,
        configured: partition.tres("tres")?,
        priority_tier: partition.required_count("priority_tier")?,
        priority_job_factor: partition.count("priority_job_factor")?.unwrap_or(0),
        accounts_allowed: partition.text("allowed_accounts")?,
        accounts_denied: partition.text("denied_accounts")?,
        qos_allowed: partition.text("allowed_qos")?,
        qos_assigned: partition.text("qos")?,
        preempt_modes: partition.names("preemption_mode")?,
        qos_denied: partition.text("denied_qos")?,
        memory_per_node_default_mebibytes: some(partition, "default_memory_per_node")?,
        memory_per_cpu_max_mebibytes: some(partition, "maximum_memory_per_cpu")?,
        memory_per_node_max_mebibytes: some(partition, "maximum_memory_per_node")?,
        grace: partition.span("preemption_grace_time")?,
        groups_allowed: partition.text("allowed_groups")?,
        tres_weights: weights(partition, "billing_weights")?,
        alternate: partition.text("alternative")?,
        ..PartitionRecord::default()
    })
}

fn grouped(partition: &Field<'_>) -> Result<PartitionRecord, Problem> {
    let maximums = partition.required("maximums")?;
    let defaults = partition.required("defaults")?;
    let nodes = partition.required("nodes")?;
    let priority = partition.required("priority")?;
    let accounts = partition.required("accounts")?;
    let qos = partition.required("qos")?;
    maximums.required("time")?;
    let over_time_limit = maximums.limit("over_time_limit")?;
    let (exclusive, exclusive_user, oversubscribe_max) = sharing(partition, &maximums)?;
    Ok(PartitionRecord {
        states: partition.required("partition")?.names("state")?,
        limit_max: maximums.limit("time")?,
        limit_default: defaults.limit("time")?,
        over_time_limit: Some(over_time_limit).filter(|&limit| limit != queuecast_records::TimeLimit::NotKnown),
        nodes_max: maximums.count("nodes")?,
        nodes_min: partition.required("minimums")?.count("nodes")?.unwrap_or(0),
        cpus_per_node_max: maximums.count("cpus_per_node")?,
        memory_per_cpu_default_mebibytes: some(&defaults, "partition_memory_per_cpu")?,
        nodes: nodes.text("configured")?,
        nodes_total: nodes.required_count("total")?,
        cpus_total: partition.required("cpus")?.required_count("total")?,
        configured: partition.required("tres")?.tres("configured")?,
        priority_tier: priority.required_count("tier")?,
        priority_job_factor: priority.count("job_factor")?.unwrap_or(0),
        accounts_allowed: accounts.text("allowed")?,
        accounts_denied: accounts.text("deny")?,
        qos_allowed: qos.text("allowed")?,
        qos_assigned: qos.text("assigned")?,
        // Gone in some versions before v0.0.45.
        preempt_modes: partition.names("preempt_mode")?,
        qos_denied: qos.text("deny")?,
        memory_per_node_default_mebibytes: some(&defaults, "partition_memory_per_node")?,
        memory_per_cpu_max_mebibytes: some(&maximums, "partition_memory_per_cpu")?,
        memory_per_node_max_mebibytes: some(&maximums, "partition_memory_per_node")?,
        exclusive,
        exclusive_user,
        oversubscribe_max,
        grace: partition.span("grace_time")?,
        groups_allowed: within(partition, &["groups", "allowed"], |field, name| field.text(name))?,
        tres_weights: weights(&partition.required("tres")?, "billing_weights")?,
        job_defaults: defaults.text("job")?,
        alternate: partition.text("alternate")?,
        ..PartitionRecord::default()
    })
}

/// Whether jobs get whole nodes, whether nodes are kept for one user, and how many jobs may share a resource. In words from
/// v0.0.45 on, where the numbers are zero whatever is configured; a number before, of which zero is whole nodes and one is none.
fn sharing(partition: &Field<'_>, maximums: &Field<'_>) -> Result<(bool, bool, Option<u32>), Problem> {
    let words = partition.required("partition")?;
    if words.has("exclusive") || words.has("oversubscribe") {
        let exclusive = words.text("exclusive")?;
        let written = words.text("oversubscribe")?;
        let jobs = written.split_once(':').and_then(|(_, jobs)| jobs.parse().ok());
        return Ok((matches!(exclusive.as_str(), "NODE" | "TOPO"), exclusive == "USER", jobs));
    }
    let jobs = within(maximums, &["oversubscribe", "jobs"], |field, name| field.small_count(name))?;
    Ok((jobs == Some(0), false, jobs.filter(|&jobs| jobs > 1)))
}

/// A size; zero is none.
fn some(field: &Field<'_>, name: &str) -> Result<Option<u64>, Problem> {
    Ok(field.count(name)?.filter(|&mebibytes| mebibytes > 0))
}

fn weights(field: &Field<'_>, name: &str) -> Result<TresWeights, Problem> {
    TresWeights::parse(&field.text(name)?).ok_or_else(|| field.wrong(name, "a list of weights"))
}
