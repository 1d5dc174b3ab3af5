//! A job that somebody thinks of submitting, as it is asked about.
//!
//! For: refusing what is not understood by name, so that nobody takes an answer for one to another question.
//!
//! Not for: reading job scripts (`qcast when`).

use queuecast_workload::{Seconds, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::Refusal;

/// Names longer than Slurm's own are no names.
const LONGEST_NAME: usize = 1_024;

/// The job asked about. What is left out is what Slurm would take.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "partition": "batch", "nodes": 4, "limit_seconds": 7200 }))]
pub struct HypotheticalQuestion {
    /// The partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub nodes: Option<u32>,
    /// CPUs in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub cpus: Option<u32>,
    /// Memory in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mebibytes: Option<u64>,
    /// GPUs in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u32>,
    /// Whether it wants whole nodes.
    pub exclusive: bool,
    /// The limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub limit_seconds: Option<i64>,
    /// Not before this time, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begin: Option<i64>,
    /// The account it would be charged to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The quality of service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qos: Option<String>,
    /// Whose job: run times are guessed from what this user's jobs did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Its name, for the same reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl HypotheticalQuestion {
    /// Whether there can be such a job.
    pub fn check(&self) -> Result<(), Refusal> {
        let refused = |field: &str, what: &str| {
            Err(Refusal {
                message: format!("`{field}` is {what}"),
                what_to_do: "correct it, or leave it out for what Slurm would take".to_owned(),
            })
        };
        for (field, name) in [
            ("partition", &self.partition),
            ("account", &self.account),
            ("qos", &self.qos),
            ("user", &self.user),
            ("name", &self.name),
        ] {
            if name.as_ref().is_some_and(|name| name.len() > LONGEST_NAME) {
                return refused(field, "longer than 1,024 bytes");
            }
        }
        for (field, count) in [("nodes", self.nodes), ("cpus", self.cpus)] {
            if count == Some(0) {
                return refused(field, "zero");
            }
        }
        if self.limit_seconds.is_some_and(|limit| !(1..=Seconds::MAX.0).contains(&limit)) {
            return refused("limit_seconds", "not a span of time");
        }
        if self.begin.is_some_and(|begin| !(0..=Time::MAX.0).contains(&begin)) {
            return refused("begin", "not a time in seconds since 1970");
        }
        Ok(())
    }
}
