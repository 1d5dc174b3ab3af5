//! A job that somebody thinks of submitting, as the adviser takes it.

use queuecast_advise::HypotheticalJob;
use queuecast_workload::{Seconds, Time};

use queuecast_api::hypothetical::HypotheticalQuestion;
use queuecast_api::problem::Refusal;

/// The job of a question, if there can be such a one.
pub(crate) fn checked(question: HypotheticalQuestion) -> Result<HypotheticalJob, Refusal> {
    question.check()?;
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
    })
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
        assert!(refusal(&format!(r#"{{"name": "{}"}}"#, "x".repeat(2_000))).contains("name"));
        assert!(refusal("[]").contains("bad_request"));
        assert!(refusal("").contains("bad_request"));
    }

    #[test]
    fn what_is_left_out_is_left_to_slurm() {
        assert_eq!(read(b"{}"), Ok(HypotheticalJob::default()));
    }
}
