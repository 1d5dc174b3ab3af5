//! A job that somebody thinks of submitting, as the adviser takes it.

use queuecast_advise::{ArrayAsked, GresAsked, GresPer, HypotheticalJob, Layout, MemoryAsked, Naming};
use queuecast_workload::{Seconds, Time};

use queuecast_api::hypothetical::HypotheticalRequest;
use queuecast_api::problem::Refusal;
use queuecast_api::request::{GresPerRequest, GresRequest};

/// The job of a question, if there can be such a one.
pub(crate) fn checked(question: HypotheticalRequest) -> Result<HypotheticalJob, Refusal> {
    question.check()?;
    let memory = question
        .memory_per_node_mebibytes
        .map(MemoryAsked::PerNode)
        .or(question.memory_per_cpu_mebibytes.map(MemoryAsked::PerCpu))
        .or(question.memory_per_gpu_mebibytes.map(MemoryAsked::PerGpu));
    Ok(HypotheticalJob {
        partition: question.partition,
        nodes: question.nodes,
        cpus: question.cpus,
        memory_mebibytes: question.memory_mebibytes,
        gpus: question.gpus,
        exclusive: question.exclusive,
        limit: question.limit_seconds.map(Seconds),
        begin: question.begin.map(Time),
        account: question.account,
        qos: question.qos,
        user: question.user,
        name: question.name,
        exclusive_user: question.exclusive_user,
        layout: Layout {
            nodes_max: question.nodes_max,
            tasks: question.tasks,
            tasks_per_node: question.tasks_per_node,
            cpus_per_task: question.cpus_per_task,
            memory,
            gres: question.gres.into_iter().map(gres).collect(),
        },
        naming: Naming {
            features: question.constraint,
            nodes: question.nodelist,
            nodes_excluded: question.exclude,
            dependency: question.dependency,
            reservation: question.reservation,
            licenses: question.licenses,
        },
        array: question.array.map(|array| ArrayAsked { tasks: array.tasks, at_once: array.at_once }),
        after: None,
    })
}

fn gres(asked: GresRequest) -> GresAsked {
    GresAsked {
        name: asked.name,
        model: asked.model.unwrap_or_default(),
        count: asked.count,
        per: match asked.per {
            GresPerRequest::Node => GresPer::Node,
            GresPerRequest::Job => GresPer::Job,
            GresPerRequest::Task => GresPer::Task,
            GresPerRequest::Socket => GresPer::Socket,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::answer::problem::Problem;
    use crate::api::routes::question;

    fn read(body: &[u8]) -> Result<HypotheticalJob, Problem> {
        Ok(checked(question(body)?)?)
    }

    fn refusal(body: &str) -> String {
        format!("{:?}", read(body.as_bytes()).expect_err("refused"))
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        assert!(refusal(r#"{"nodes": 4, "walltime": 3600}"#).contains("walltime"));
        assert!(refusal(r#"{"nodes": 0}"#).contains("nodes"));
        assert!(refusal(r#"{"limit_seconds": 1e300}"#).contains("bad_request"));
        assert!(refusal(r#"{"limit_seconds": -5}"#).contains("limit_seconds"));
        assert!(refusal(r#"{"begin": -5}"#).contains("begin"));
        assert!(refusal(r#"{"dependency": "afterwards:7"}"#).contains("dependency"));
        assert!(refusal(r#"{"array": {"tasks": 0}}"#).contains("array.tasks"));
        assert!(refusal(r#"{"nodes": 4, "nodes_max": 2}"#).contains("nodes_max"));
        assert!(refusal(&format!(r#"{{"name": "{}"}}"#, "x".repeat(2_000))).contains("name"));
        assert!(refusal("[]").contains("bad_request"));
        assert!(refusal("").contains("bad_request"));
    }

    #[test]
    fn what_is_left_out_is_left_to_slurm() {
        assert_eq!(read(b"{}"), Ok(HypotheticalJob::default()));
    }
}
