//! How a job of `squeue --json` and REST `/slurm/.../jobs` wants its resources laid out.
//!
//! Source: 22.05 (v0.0.38) in our lab and samples of v0.0.40 to v0.0.45. Zero is what a job did not ask for. 22.05 says null of
//! `cpus_per_task` whatever was asked for (tried); its text knows better.

use super::field::{Field, Problem};
use queuecast_records::{GresAsked, GresPer, JobLayout, MemoryAsked};

pub(super) fn decode(job: &Field<'_>) -> Result<JobLayout, Problem> {
    let some = |name: &str| job.small_count(name).map(|count| count.filter(|&count| count > 0));
    let memory = match (job.count("memory_per_node")?, job.count("memory_per_cpu")?) {
        (Some(mebibytes), None) => Some(MemoryAsked::PerNode(mebibytes)),
        (None, Some(mebibytes)) => Some(MemoryAsked::PerCpu(mebibytes)),
        _ => None,
    };
    let mut gres = Vec::new();
    for (name, per) in [
        ("tres_per_job", GresPer::Job),
        ("tres_per_node", GresPer::Node),
        ("tres_per_socket", GresPer::Socket),
        ("tres_per_task", GresPer::Task),
    ] {
        let text = job.text(name)?;
        gres.extend(GresAsked::list(&text, per).ok_or_else(|| job.wrong(name, "a list of generic resources"))?);
    }
    let shared = job.words("shared")?;
    Ok(JobLayout {
        nodes_min: some("node_count")?,
        nodes_max: some("max_nodes")?,
        tasks: some("tasks")?,
        tasks_per_node: some("tasks_per_node")?,
        cpus_per_task: some("cpus_per_task")?,
        cpus_per_node_min: some("minimum_cpus_per_node")?,
        memory,
        gres,
        sockets_per_node: some("sockets_per_node")?,
        cores_per_socket: some("cores_per_socket")?,
        threads_per_core: some("threads_per_core")?,
        contiguous: job.is_true("contiguous")?,
        oversubscribe: shared.iter().any(|word| matches!(*word, "shared" | "oversubscribe")),
        exclusive_user: shared.contains(&"user"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(json: &str) -> Result<JobLayout, Problem> {
        decode(&Field::root(&serde_json::from_str(json).expect("JSON")))
    }

    /// As 22.05.8 wrote it in our lab, shortened; and as later versions would.
    #[test]
    fn a_layout_is_the_same_in_both_forms_of_numbers() {
        let older = decoded(
            r#"{"contiguous":true,"cores_per_socket":null,"cpus_per_task":null,"max_nodes":3,"tasks_per_node":4,"node_count":2,
            "tasks":8,"memory_per_node":null,"memory_per_cpu":300,"minimum_cpus_per_node":8,"shared":"user",
            "tres_per_job":"","tres_per_node":"gres:gpu:a100:1","tres_per_socket":null}"#,
        )
        .expect("a layout");
        let newer = decoded(
            r#"{"contiguous":true,"cores_per_socket":{"set":false,"infinite":false,"number":0},"max_nodes":{"set":true,
            "infinite":false,"number":3},"tasks_per_node":{"set":true,"infinite":false,"number":4},"node_count":{"set":true,
            "infinite":false,"number":2},"tasks":{"set":true,"infinite":false,"number":8},"memory_per_node":{"set":false,
            "infinite":false,"number":0},"memory_per_cpu":{"set":true,"infinite":false,"number":300},"minimum_cpus_per_node":
            {"set":true,"infinite":false,"number":8},"shared":["user"],"tres_per_node":"gres/gpu:a100=1","threads_per_core":
            {"set":false,"infinite":false,"number":0}}"#,
        );
        assert_eq!(Ok(&older), newer.as_ref());
        assert_eq!((older.nodes_min, older.nodes_max, older.tasks), (Some(2), Some(3), Some(8)));
        assert_eq!((older.memory, older.cpus_per_node_min), (Some(MemoryAsked::PerCpu(300)), Some(8)));
        assert!(older.contiguous && older.exclusive_user && !older.oversubscribe);
        assert_eq!((older.gres[0].model.as_str(), older.gres[0].per), ("a100", GresPer::Node));
        let wrong = decoded(r#"{"tres_per_node":"gres:gpu:a100:many"}"#).expect_err("no number");
        assert_eq!(wrong.path, "tres_per_node");
    }
}
