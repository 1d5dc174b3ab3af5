//! What `qcast wait` prints. `docs/output-wait.md` defines every name.

use queuecast_evaluate::wait::{Interval, WaitSummary};
use queuecast_logs::Dropped;
use serde::Serialize;

use super::timed::Latency;
use crate::output::{Report, Sheet, grouped, percent};

/// Every method on one log.
#[derive(Serialize)]
pub struct WaitResult {
    pub trace: String,
    pub processors: u32,
    pub waits: String,
    pub seed: u64,
    pub dropped: Dropped,
    pub methods: Vec<MethodResult>,
}

/// One method.
#[derive(Serialize)]
pub struct MethodResult {
    pub method: String,
    #[serde(flatten)]
    pub scored: WaitSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Latency>,
}

/// The figures of a method by the names they have in JSON, and in words.
fn figures(scored: &WaitSummary) -> Vec<(&'static str, &'static str, f64)> {
    let WaitSummary { classes, error, coverage, bound95, .. } = scored;
    vec![
        ("classes.single", "class right", classes.single),
        ("classes.two", "one of two classes right", classes.two),
        ("classes.three", "one of three classes right", classes.three),
        ("classes.majority", "always up to an hour", classes.majority),
        ("classes.single_over_1h", "class right, waited over 1 h", classes.single_over_1h),
        ("classes.two_over_1h", "one of two, waited over 1 h", classes.two_over_1h),
        ("error.median", "median error", error.median),
        ("error.mae_over_mean_wait", "mean error / mean wait", error.mae_over_mean_wait),
        ("error.within_1_minute", "within a minute", error.within_1_minute),
        ("error.within_10_minutes", "within ten minutes", error.within_10_minutes),
        ("crps_over_mean_wait", "CRPS / mean wait", scored.crps_over_mean_wait),
        ("coverage.p50", "in the 50 % range", coverage.p50),
        ("coverage.p80", "in the 80 % range", coverage.p80),
        ("coverage.p90", "in the 90 % range", coverage.p90),
        ("coverage.p95", "in the 95 % range", coverage.p95),
        ("bound95.coverage", "within the 95 % bound", bound95.coverage),
        ("bound95.over_mean_wait", "95 % bound / mean wait", bound95.over_mean_wait),
    ]
}

fn shown(name: &str, value: f64) -> String {
    match name {
        "error.median" => format!("{value:.0} s"),
        _ if name.contains("mean_wait") => format!("{value:.3}"),
        _ => percent(value),
    }
}

impl Report for WaitResult {
    fn tables(&self) -> Vec<Sheet> {
        let mut settings = Sheet::new([self.trace.as_str(), ""]);
        settings.add(["waits".to_owned(), self.waits.clone()]);
        settings.add(["processors".to_owned(), grouped(u64::from(self.processors))]);
        if let Some(first) = self.methods.first() {
            settings.add(["jobs scored".to_owned(), format!("{:.0}", first.scored.jobs)]);
            settings.add(["mean wait".to_owned(), format!("{:.0} s", first.scored.mean_wait_seconds)]);
        }
        let mut sheets = vec![settings];
        for method in &self.methods {
            let mut sheet = Sheet::new([method.method.as_str(), "value", "low 95 %", "high 95 %"]);
            for (name, words, value) in figures(&method.scored) {
                let interval = method.scored.intervals.get(name);
                let end =
                    |end: fn(&Interval) -> f64| interval.map_or(String::new(), |interval| shown(name, end(interval)));
                sheet.add([words.to_owned(), shown(name, value), end(|ends| ends.low95), end(|ends| ends.high95)]);
            }
            if let Some(timing) = &method.timing {
                let took = format!("{:.3} ms", timing.p99_milliseconds);
                sheet.add(["a forecast takes, p99".to_owned(), took, String::new(), String::new()]);
            }
            sheets.push(sheet);
        }
        sheets
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["method", "name", "value", "low95", "high95"]);
        for method in &self.methods {
            for (name, _, value) in figures(&method.scored) {
                let interval = method.scored.intervals.get(name);
                let end =
                    |end: fn(&Interval) -> f64| interval.map_or(String::new(), |interval| end(interval).to_string());
                let row = [value.to_string(), end(|ends| ends.low95), end(|ends| ends.high95)];
                sheet.add([method.method.clone(), name.to_owned()].into_iter().chain(row));
            }
        }
        sheet
    }
}
