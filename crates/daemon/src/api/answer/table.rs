//! Sizes and limits, each with each: the question as the adviser takes it, and the answer made.

use queuecast_advise::{HypotheticalJob, TableCell, TableQuestion as Asked};
use queuecast_forecast::estimate::NoEstimate;
use queuecast_workload::Seconds;

use super::hypothetical;
use super::setting::{Setting, no_estimate};
use queuecast_api::forecast::JobAnswer;
use queuecast_api::problem::Refusal;
use queuecast_api::ranges::{SpanRangeAnswer, SpansAnswer, TimeRangeAnswer, TimesAnswer};
use queuecast_api::table::{TableAnswer, TableCellAnswer, TableQuestion};
use queuecast_api::time::Moment;

/// The job and the question, as the adviser takes them.
pub(crate) fn checked(question: TableQuestion) -> Result<(HypotheticalJob, Asked), Refusal> {
    question.check()?;
    let limits = question.limits_seconds.into_iter().map(Seconds).collect();
    Ok((hypothetical::checked(question.job)?, Asked { nodes: question.nodes, limits }))
}

impl Setting<'_> {
    /// Of this job.
    pub fn table(
        &self,
        job: JobAnswer,
        not_considered: Vec<String>,
        found: Result<Vec<TableCell>, NoEstimate>,
    ) -> TableAnswer {
        let (cells, none) = match self.freshness.too_old().map_or(found, Err) {
            Ok(cells) => (cells, None),
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
                nodes: cell.nodes,
                limit_seconds: cell.limit.0,
                start: outlook.start.map(from_now),
                completion: outlook.completion.map(from_now),
                no_estimate: outlook.no_estimate,
            }
        };
        let cells = cells.iter().map(cell).collect();
        TableAnswer { said, job, not_considered, cells, no_estimate: none }
    }
}
