//! Sizes and limits to choose from, each with each: the question and the answer.

use queuecast_workload::Seconds;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::ContextResponse;
use super::forecast::{JobResponse, NoForecastResponse};
use super::hypothetical::HypotheticalRequest;
use super::problem::Refusal;
use super::ranges::SpansResponse;

/// So many sizes with limits are answered at once.
const CELLS_MOST: usize = 6_144;
/// Whoever asks about every partition asks about so many, as far as this limit goes; of more, the first so many are answered.
const PARTITIONS_COUNTED: usize = 16;

/// A job and the values to combine: every value of each list with every value of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "job": { "partition": "batch" }, "nodes": [1, 2, 4], "limits_seconds": [3600, 7200] }))]
pub struct TableRequest {
    /// The job. Its own `nodes` and `limit_seconds` are ignored, and its `gpus` too if the list below has values.
    pub job: HypotheticalRequest,
    /// Numbers of nodes. With `limits_seconds` and `gpus`, at most 6,144 combinations; at most 384 with `every_partition`.
    pub nodes: Vec<u32>,
    /// Time limits in seconds.
    pub limits_seconds: Vec<i64>,
    /// Total numbers of GPUs; if left out, the job's own.
    pub gpus: Vec<u32>,
    /// Whether to include every partition that accepts jobs (at most 16, the default one first), in addition to the job's own.
    pub every_partition: bool,
}

/// Forecasts of a job for each number of nodes and each time limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableResponse {
    /// Time of the response.
    #[serde(flatten)]
    pub said: ContextResponse,
    /// The job, as requested.
    pub job: JobResponse,
    /// Parts of the request that the requesting user may not use.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// One row for each combination except the time limit, in no particular order. Empty for a job that can be requested only alone.
    pub rows: Vec<TableRowResponse>,
    /// Reason for having no forecast; `one_by_one` if such a job can be forecast with only one size and one time limit at a time.
    pub no_forecast: Option<NoForecastResponse>,
}

/// One combination and number of nodes, with every time limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableRowResponse {
    /// Partition; left out for the default partition.
    pub partition: Option<String>,
    /// Total number of GPUs; left out for none.
    pub gpus: Option<u32>,
    /// Number of nodes.
    pub nodes: u32,
    /// Forecasts by time limit, in no particular order; empty if the result is the same for every limit.
    pub cells: Vec<TableCellResponse>,
    /// Reason for having no forecast with any limit.
    pub no_forecast: Option<NoForecastResponse>,
}

/// A time limit and the forecast of the job with this limit. Jobs behind it are ignored: `/v1/forecast` simulates them too, and may return a slightly later
/// time. Values are in seconds and not dates, because there are many of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableCellResponse {
    /// Time limit in seconds.
    pub limit_seconds: i64,
    /// Start, in seconds from `now`.
    pub start: Option<SpansResponse>,
    /// End, in seconds from `now`.
    pub completion: Option<SpansResponse>,
    /// Reason for having no forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_forecast: Option<NoForecastResponse>,
}

impl TableRequest {
    /// Whether it can be asked.
    pub fn check(&self) -> Result<(), Refusal> {
        let partitions = if self.every_partition { PARTITIONS_COUNTED } else { 1 };
        let parts = [self.nodes.len(), self.limits_seconds.len(), self.gpus.len().max(1), partitions];
        let cells = parts.into_iter().fold(1, usize::saturating_mul);
        if cells == 0 || cells > CELLS_MOST {
            return refused(&format!(
                "`nodes`, `limits_seconds`, `gpus` and `every_partition` make {cells} combinations; the number must be from 1 to {CELLS_MOST}"
            ));
        }
        if self.nodes.contains(&0) {
            return refused("`nodes` contains a zero");
        }
        if self.limits_seconds.iter().any(|limit| !(1..=Seconds::MAX.0).contains(limit)) {
            return refused("`limits_seconds` contains a value that is not a valid duration in seconds");
        }
        self.job.check()
    }
}

fn refused(message: &str) -> Result<(), Refusal> {
    let hint = "correct the field; /openapi.json describes the format".to_owned();
    Err(Refusal { message: message.to_owned(), hint })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_empty_too_large_or_of_nothing_is_refused_by_name() {
        let refusal = |nodes: Vec<u32>, limits_seconds: Vec<i64>| {
            let question = TableRequest { nodes, limits_seconds, ..TableRequest::default() };
            question.check().map_err(|refusal| refusal.message)
        };
        assert_eq!(refusal((1..=64).collect(), (1..=96).collect()), Ok(()));
        assert!(refusal((1..=64).collect(), (1..=97).collect()).unwrap_err().contains("6208 combinations"));
        assert!(refusal(vec![1], Vec::new()).unwrap_err().contains("0 combinations"));
        assert!(refusal(vec![1, 0], vec![60]).unwrap_err().contains("`nodes`"));
        assert!(refusal(vec![1], vec![60, 0]).unwrap_err().contains("`limits_seconds`"));
    }

    #[test]
    fn gpus_and_every_partition_count_too() {
        let question = TableRequest { nodes: vec![1; 12], limits_seconds: vec![60; 32], ..TableRequest::default() };
        let every_partition = TableRequest { every_partition: true, ..question.clone() };
        assert!(every_partition.check().is_ok(), "16 times 384");
        assert!(TableRequest { gpus: vec![0, 1], ..every_partition }.check().is_err());
        assert!(TableRequest { gpus: (0..16).collect(), ..question.clone() }.check().is_ok());
        assert!(TableRequest { gpus: (0..17).collect(), ..question }.check().is_err());
    }
}
