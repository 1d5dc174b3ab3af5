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
const CELLS_MOST: usize = 512;

/// A job, the numbers of nodes and the limits it could have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "job": { "partition": "batch" }, "nodes": [1, 2, 4], "limits_seconds": [3600, 7200] }))]
pub struct TableQuestion {
    /// The job. Its own `nodes` and `limit_seconds` do not count.
    pub job: HypotheticalQuestion,
    /// Numbers of nodes. With `limits_seconds`, at most 512 pairs.
    pub nodes: Vec<u32>,
    /// Limits.
    pub limits_seconds: Vec<i64>,
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
    /// Each number of nodes with each limit, in no order.
    pub cells: Vec<TableCellAnswer>,
    /// Why nothing is said; `one_by_one` if such a job can be asked about with one size and one limit only.
    pub no_estimate: Option<NoEstimateAnswer>,
}

/// A number of nodes, a limit, and what would be said of the job with them. As if nobody stood behind it: `/v1/forecast` plays those too, and may say a
/// little later. Seconds and no dates: there are many of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableCellAnswer {
    /// How many nodes.
    pub nodes: u32,
    /// The limit.
    pub limit_seconds: i64,
    /// When it starts, from `now` on.
    pub start: Option<SpansAnswer>,
    /// When it ends, from `now` on.
    pub completion: Option<SpansAnswer>,
    /// Why nothing is said.
    pub no_estimate: Option<NoEstimateAnswer>,
}

impl TableQuestion {
    /// Whether it can be asked.
    pub fn check(&self) -> Result<(), Refusal> {
        let cells = self.nodes.len().saturating_mul(self.limits_seconds.len());
        if cells == 0 || cells > CELLS_MOST {
            return refused(&format!(
                "`nodes` and `limits_seconds` make {cells} pairs, which must be from 1 to {CELLS_MOST}"
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
        assert_eq!(refusal((1..=16).collect(), (1..=32).collect()), Ok(()));
        assert!(refusal((1..=17).collect(), (1..=32).collect()).unwrap_err().contains("544 pairs"));
        assert!(refusal(vec![1], Vec::new()).unwrap_err().contains("0 pairs"));
        assert!(refusal(vec![1, 0], vec![60]).unwrap_err().contains("`nodes`"));
        assert!(refusal(vec![1], vec![60, 0]).unwrap_err().contains("`limits_seconds`"));
    }
}
