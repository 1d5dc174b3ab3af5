//! Sizes and limits, each with each: the question as the adviser takes it, and the answer made.

use queuecast_advise::{HypotheticalJob, TableCell, TableRequest as Asked, TableRow};
use queuecast_forecast::estimate::{JobForecast, NoForecast};
use queuecast_workload::Seconds;

use super::hypothetical;
use super::setting::{Setting, no_forecast};
use queuecast_api::forecast::JobResponse;
use queuecast_api::problem::Refusal;
use queuecast_api::ranges::{SpanRangeResponse, SpansResponse, TimeRangeResponse, TimesResponse};
use queuecast_api::table::{TableCellResponse, TableRequest, TableResponse, TableRowResponse};
use queuecast_api::time::Moment;

/// The job and the question, as the adviser takes them.
pub(crate) fn checked(question: TableRequest) -> Result<(HypotheticalJob, Asked), Refusal> {
    question.check()?;
    let limits = question.limits_seconds.into_iter().map(Seconds).collect();
    let TableRequest { job, nodes, gpus, every_partition, .. } = question;
    Ok((hypothetical::checked(job)?, Asked { nodes, limits, gpus, every_partition }))
}

impl Setting<'_> {
    /// Of this job.
    pub fn table(
        &self,
        job: JobResponse,
        not_considered: Vec<String>,
        found: Result<Vec<TableRow>, NoForecast>,
    ) -> TableResponse {
        let (rows, none) = match self.freshness.too_old().map_or(found, Err) {
            Ok(rows) => (rows, None),
            Err(none) => (Vec::new(), Some(no_forecast(none))),
        };
        let said = self.said();
        let from_now = |times: TimesResponse| {
            let span = |moment: &Moment| moment.unix - said.now.unix;
            let range = |range: &TimeRangeResponse| SpanRangeResponse {
                from_seconds: span(&range.from),
                to_seconds: span(&range.to),
            };
            SpansResponse {
                median_seconds: span(&times.median),
                range50: range(&times.range50),
                range80: range(&times.range80),
                range95: range(&times.range95),
            }
        };
        let cell = |cell: &TableCell| {
            let outlook = self.outlook(&cell.forecast);
            TableCellResponse {
                limit_seconds: cell.limit.0,
                start: outlook.start.map(from_now),
                completion: outlook.completion.map(from_now),
                no_forecast: outlook.no_forecast,
            }
        };
        let row = |row: &TableRow| {
            let none = whatever_the_limit(&row.cells).cloned().map(no_forecast);
            let cells = if none.is_some() { Vec::new() } else { row.cells.iter().map(cell).collect() };
            let TableRow { partition, gpus, nodes, .. } = row;
            TableRowResponse { partition: partition.clone(), gpus: *gpus, nodes: *nodes, cells, no_forecast: none }
        };
        let rows = rows.iter().map(row).collect();
        TableResponse { said, job, not_considered, rows, no_forecast: none }
    }
}

/// Why nothing is said with any of these, if it is the same for all: most of a large table is of sizes that no node has.
fn whatever_the_limit(cells: &[TableCell]) -> Option<&NoForecast> {
    let mut reasons = cells.iter().map(|cell| match &cell.forecast {
        JobForecast::NoForecast(none) => Some(none),
        JobForecast::Estimate(_) => None,
    });
    let first = reasons.next()??;
    reasons.all(|reason| reason == Some(first)).then_some(first)
}
