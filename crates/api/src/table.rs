//! Sizes and limits to choose from, each with each: the question and the answer.

use queuecast_workload::Seconds;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::SaidAnswer;
use super::forecast::{JobAnswer, NoEstimateAnswer};
use super::hypothetical::HypotheticalQuestion;
use super::problem::Refusal;
use super::ranges::SpansAnswer;

/// So many sizes with limits are answered at once.
const CELLS_MOST: usize = 6_144;
/// Whoever asks about every partition asks about so many, as far as this limit goes; of more, the first so many are answered.
const PARTITIONS_COUNTED: usize = 16;

/// A job, and what it could have: each with each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "job": { "partition": "batch" }, "nodes": [1, 2, 4], "limits_seconds": [3600, 7200] }))]
pub struct TableQuestion {
    /// The job. Its own `nodes` and `limit_seconds` do not count, nor its `gpus` if there are some below.
    pub job: HypotheticalQuestion,
    /// Numbers of nodes. With `limits_seconds` and `gpus`, at most 6,144 in all; at most 384 with `every_partition`.
    pub nodes: Vec<u32>,
    /// Limits.
    pub limits_seconds: Vec<i64>,
    /// Numbers of GPUs in all; left out, the job's own.
    pub gpus: Vec<u32>,
    /// Whether to answer for every partition that takes jobs too (16 at most, the default one first), besides the job's own.
    pub every_partition: bool,
}

/// What would be said of a job with each number of nodes and each limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableAnswer {
    /// When this was said.
    #[serde(flatten)]
    pub said: SaidAnswer,
    /// The job as it was asked about.
    pub job: JobAnswer,
    /// What of the question may not be taken into account.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// Each choice with each number of nodes, in no order. What can be asked about alone only has none.
    pub rows: Vec<TableRowAnswer>,
    /// Why nothing is said; `one_by_one` if such a job can be asked about with one size and one limit only.
    pub no_estimate: Option<NoEstimateAnswer>,
}

/// A choice and a number of nodes, with every limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableRowAnswer {
    /// The partition; nothing for the default one.
    pub partition: Option<String>,
    /// GPUs in all; nothing for none.
    pub gpus: Option<u32>,
    /// How many nodes.
    pub nodes: u32,
    /// By limit, in no order; empty if the same holds whatever the limit.
    pub cells: Vec<TableCellAnswer>,
    /// Why nothing is said, whatever the limit.
    pub no_estimate: Option<NoEstimateAnswer>,
}

/// A limit, and what would be said of the job with it. As if nobody stood behind it: `/v1/forecast` plays those too, and may say a little later. Seconds and no
/// dates: there are many of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableCellAnswer {
    /// The limit.
    pub limit_seconds: i64,
    /// When it starts, from `now` on.
    pub start: Option<SpansAnswer>,
    /// When it ends, from `now` on.
    pub completion: Option<SpansAnswer>,
    /// Why nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_estimate: Option<NoEstimateAnswer>,
}

impl TableQuestion {
    /// Whether it can be asked.
    pub fn check(&self) -> Result<(), Refusal> {
        let partitions = if self.every_partition { PARTITIONS_COUNTED } else { 1 };
        let parts = [self.nodes.len(), self.limits_seconds.len(), self.gpus.len().max(1), partitions];
        let cells = parts.into_iter().fold(1, usize::saturating_mul);
        if cells == 0 || cells > CELLS_MOST {
            return refused(&format!(
                "`nodes`, `limits_seconds`, `gpus` and `every_partition` make {cells} answers, which must be from 1 to {CELLS_MOST}"
            ));
        }
        if self.nodes.contains(&0) {
            return refused("`nodes` has a zero");
        }
        if self.limits_seconds.iter().any(|limit| !(1..=Seconds::MAX.0).contains(limit)) {
            return refused("`limits_seconds` has one that is not a span of time");
        }
        self.job.check()
    }
}

fn refused(message: &str) -> Result<(), Refusal> {
    let what_to_do = "correct it; /openapi.json has the form".to_owned();
    Err(Refusal { message: message.to_owned(), what_to_do })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_empty_too_large_or_of_nothing_is_refused_by_name() {
        let refusal = |nodes: Vec<u32>, limits_seconds: Vec<i64>| {
            let question = TableQuestion { nodes, limits_seconds, ..TableQuestion::default() };
            question.check().map_err(|refusal| refusal.message)
        };
        assert_eq!(refusal((1..=64).collect(), (1..=96).collect()), Ok(()));
        assert!(refusal((1..=64).collect(), (1..=97).collect()).unwrap_err().contains("6208 answers"));
        assert!(refusal(vec![1], Vec::new()).unwrap_err().contains("0 answers"));
        assert!(refusal(vec![1, 0], vec![60]).unwrap_err().contains("`nodes`"));
        assert!(refusal(vec![1], vec![60, 0]).unwrap_err().contains("`limits_seconds`"));
    }

    #[test]
    fn gpus_and_every_partition_count_too() {
        let question = TableQuestion { nodes: vec![1; 12], limits_seconds: vec![60; 32], ..TableQuestion::default() };
        let every_partition = TableQuestion { every_partition: true, ..question.clone() };
        assert!(every_partition.check().is_ok(), "16 times 384");
        assert!(TableQuestion { gpus: vec![0, 1], ..every_partition }.check().is_err());
        assert!(TableQuestion { gpus: (0..16).collect(), ..question.clone() }.check().is_ok());
        assert!(TableQuestion { gpus: (0..17).collect(), ..question }.check().is_err());
    }
}
