//! A node of 22.05's `sinfo --json` (a state in small letters, flags apart) and of REST `/nodes` (one array of words).

use super::field::{Field, Problem};
use queuecast_records::NodeRecord;

pub(super) fn decode(node: &Field<'_>) -> Result<NodeRecord, Problem> {
    node.required("state")?;
    let flags = node.words("state_flags")?;
    let states = node.words("state")?.into_iter().chain(flags).map(str::to_ascii_uppercase).collect();
    Ok(NodeRecord {
        name: node.required("name")?.str().unwrap_or_default().to_owned(),
        states,
        cpus: node.required_count("cpus")?,
        allocated_cpus: node.count("alloc_cpus")?,
        memory_mebibytes: node.required_count("real_memory")?,
        allocated_memory_mebibytes: node.count("alloc_memory")?,
        gres: node.text("gres")?,
        gres_used: node.text("gres_used")?,
        configured: node.tres("tres")?,
        used: node.tres("tres_used")?,
        partitions: node.names("partitions")?,
        features: node.names("features")?,
        reason: node.text("reason")?,
        reason_changed: node.time("reason_changed_at")?,
        reservation: node.text("reservation")?,
        version: node.text(if node.has("version") { "version" } else { "slurmd_version" })?,
        weight: node.small_count("weight")?.unwrap_or(1),
        sockets: node.small_count("sockets")?,
        cores: node.small_count("cores")?,
        threads: node.small_count("threads")?,
        owner: node.text("owner")?,
    })
}
