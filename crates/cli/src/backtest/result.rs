//! What `qcast backtest` prints. `docs/output-backtest.md` defines every name.

use queuecast_evaluate::limit::LimitSummary;
use serde::Serialize;

use crate::input::dropped::Dropped;
use crate::output::{Report, Sheet, grouped, or_dash, percent};

/// The result of a back-test.
#[derive(Serialize)]
pub struct BacktestResult {
    pub trace: String,
    pub dropped: Dropped,
    pub limits: Vec<LimitSummary>,
}

/// Two digits behind the point: what is promised is one in a hundred.
fn fine_percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

impl Report for BacktestResult {
    fn tables(&self) -> Vec<Sheet> {
        let jobs = self.limits.first().map_or(0, |line| line.jobs);
        let mut settings = Sheet::new([self.trace.as_str(), ""]);
        settings.add(["jobs counted".to_owned(), grouped(jobs)]);
        let mut limits = Sheet::new([
            "limits",
            "promised",
            "killed",
            "95 % interval",
            "median limit",
            "of asked",
            "all limits of asked",
            "unchanged",
            "killed of the 90th user",
        ]);
        for line in &self.limits {
            limits.add([
                line.who.clone(),
                or_dash(line.promised.map(fine_percent)),
                or_dash(line.killed.map(|killed| fine_percent(killed.share))),
                or_dash(line.killed.map(|killed| format!("{:.2} to {:.2} %", 100.0 * killed.low, 100.0 * killed.high))),
                format!("{:.0} min", line.median_limit_seconds / 60.0),
                percent(line.median_of_asked),
                percent(line.sum_share_of_asked),
                percent(line.unchanged),
                or_dash(line.ninetieth_user_killed.map(fine_percent)),
            ]);
        }
        vec![settings, limits]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "who",
            "promised",
            "jobs",
            "killed",
            "killed_low",
            "killed_high",
            "median_limit_seconds",
            "median_of_asked",
            "median_share_of_asked",
            "sum_share_of_asked",
            "unchanged",
            "ninetieth_user_killed",
        ]);
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        for line in &self.limits {
            sheet.add([
                line.who.clone(),
                number(line.promised),
                line.jobs.to_string(),
                number(line.killed.map(|killed| killed.share)),
                number(line.killed.map(|killed| killed.low)),
                number(line.killed.map(|killed| killed.high)),
                line.median_limit_seconds.to_string(),
                line.median_of_asked.to_string(),
                line.median_share_of_asked.to_string(),
                line.sum_share_of_asked.to_string(),
                line.unchanged.to_string(),
                number(line.ninetieth_user_killed),
            ]);
        }
        sheet
    }
}
