//! Sizes and limits, each with each: the question as the adviser takes it, and the answer made.

use queuecast_advise::{HypotheticalJob, TableCell, TableQuestion as Asked, TableRow};
use queuecast_forecast::estimate::{JobForecast, NoEstimate};
use queuecast_workload::Seconds;

use super::hypothetical;
use super::setting::{Setting, no_estimate};
use queuecast_api::forecast::JobAnswer;
use queuecast_api::problem::Refusal;
use queuecast_api::ranges::{SpanRangeAnswer, SpansAnswer, TimeRangeAnswer, TimesAnswer};
use queuecast_api::table::{TableAnswer, TableCellAnswer, TableQuestion, TableRowAnswer};
use queuecast_api::time::Moment;

/// The job and the question, as the adviser takes them.
pub(crate) fn checked(question: TableQuestion) -> Result<(HypotheticalJob, Asked), Refusal> {
    question.check()?;
    let limits = question.limits_seconds.into_iter().map(Seconds).collect();
    let TableQuestion { job, nodes, gpus, every_partition, .. } = question;
    Ok((hypothetical::checked(job)?, Asked { nodes, limits, gpus, every_partition }))
}

impl Setting<'_> {
    /// Of this job.
    pub fn table(
        &self,
        job: JobAnswer,
        not_considered: Vec<String>,
        found: Result<Vec<TableRow>, NoEstimate>,
    ) -> TableAnswer {
        let (rows, none) = match self.freshness.too_old().map_or(found, Err) {
            Ok(rows) => (rows, None),
            Err(none) => (Vec::new(), Some(no_estimate(none))),
        };
        let said = self.said();
        let from_now = |times: TimesAnswer| {
            let span = |moment: &Moment| moment.unix - said.now.unix;
            let range = |range: &TimeRangeAnswer| SpanRangeAnswer {
                from_seconds: span(&range.from),
                to_seconds: span(&range.to),
            };
            SpansAnswer {
                median_seconds: span(&times.median),
                range50: range(&times.range50),
                range80: range(&times.range80),
                range95: range(&times.range95),
            }
        };
        let cell = |cell: &TableCell| {
            let outlook = self.outlook(&cell.forecast);
            TableCellAnswer {
                limit_seconds: cell.limit.0,
                start: outlook.start.map(from_now),
                completion: outlook.completion.map(from_now),
                no_estimate: outlook.no_estimate,
            }
        };
        let row = |row: &TableRow| {
            let none = whatever_the_limit(&row.cells).cloned().map(no_estimate);
            let cells = if none.is_some() { Vec::new() } else { row.cells.iter().map(cell).collect() };
            let TableRow { partition, gpus, nodes, .. } = row;
            TableRowAnswer { partition: partition.clone(), gpus: *gpus, nodes: *nodes, cells, no_estimate: none }
        };
        let rows = rows.iter().map(row).collect();
        TableAnswer { said, job, not_considered, rows, no_estimate: none }
    }
}

/// Why nothing is said with any of these, if it is the same for all: most of a large table is of sizes that no node has.
fn whatever_the_limit(cells: &[TableCell]) -> Option<&NoEstimate> {
    let mut reasons = cells.iter().map(|cell| match &cell.forecast {
        JobForecast::NoEstimate(none) => Some(none),
        JobForecast::Estimate(_) => None,
    });
    let first = reasons.next()??;
    reasons.all(|reason| reason == Some(first)).then_some(first)
}
