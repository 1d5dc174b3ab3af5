//! A partition of REST `/partitions`: flat in 22.05, in groups from v0.0.40 on.

use super::field::{Field, Problem};
use queuecast_records::PartitionRecord;

pub(super) fn decode(partition: &Field<'_>) -> Result<PartitionRecord, Problem> {
    let flags = partition.words("flags")?;
    let mut record = if partition.has("maximums") { grouped(partition)? } else { flat(partition)? };
    partition.required("name")?;
    record.name = partition.text("name")?;
    record.preempt_modes = record.preempt_modes.iter().map(|word| preempt_mode(word)).collect();
    record.is_default = flags.iter().any(|flag| flag.eq_ignore_ascii_case("default"));
    Ok(record)
}

/// 22.05 writes these words small, and `disabled` where every other dialect says `OFF`.
fn preempt_mode(word: &str) -> String {
    if word == "disabled" { "OFF".to_owned() } else { word.to_ascii_uppercase() }
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
        memory_per_cpu_default_mebibytes: partition.count("default_memory_per_cpu")?,
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
    Ok(PartitionRecord {
        states: partition.required("partition")?.names("state")?,
        limit_max: maximums.limit("time")?,
        limit_default: defaults.limit("time")?,
        over_time_limit: Some(over_time_limit).filter(|&limit| limit != queuecast_records::TimeLimit::NotKnown),
        nodes_max: maximums.count("nodes")?,
        nodes_min: partition.required("minimums")?.count("nodes")?.unwrap_or(0),
        cpus_per_node_max: maximums.count("cpus_per_node")?,
        memory_per_cpu_default_mebibytes: defaults.count("partition_memory_per_cpu")?,
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
        ..PartitionRecord::default()
    })
}
