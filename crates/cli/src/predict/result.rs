//! What `qcast predict` prints. `docs/reference/output/predict.md` defines every name.

use queuecast_evaluate::{AccuracySummary, PredictionSummary};
use queuecast_logs::Dropped;
use queuecast_simulate::AskedAt;
use serde::{Serialize, Serializer};

use super::timed::Latency;
use crate::output::{Report, Sheet, grouped, percent};

/// The result of scoring a predictor.
#[derive(Serialize)]
pub struct PredictResult {
    pub trace: String,
    pub predictor: String,
    pub correction: String,
    pub propagate: bool,
    #[serde(serialize_with = "asked_at")]
    pub at: AskedAt,
    pub dropped: Dropped,
    #[serde(flatten)]
    pub scored: PredictionSummary,
    pub baselines: Vec<Baseline>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Latency>,
}

/// What would have been had without learning.
#[derive(Serialize)]
pub struct Baseline {
    pub name: String,
    pub accuracy: AccuracySummary,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn asked_at<S: Serializer>(at: &AskedAt, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(in_words(*at))
}

fn in_words(at: AskedAt) -> &'static str {
    match at {
        AskedAt::Submission => "submit",
        AskedAt::Start => "start",
    }
}

/// The figures by the names they have in JSON.
fn figures(accuracy: &AccuracySummary) -> [(&'static str, &'static str, f64); 6] {
    [
        ("accuracy.mae", "mean absolute error, s", accuracy.mae),
        ("accuracy.mae_over_mean_run", "error / mean run time", accuracy.mae_over_mean_run),
        ("accuracy.relative", "relative accuracy", accuracy.relative),
        ("accuracy.underpredicted", "too short", accuracy.underpredicted),
        ("accuracy.weighted.absolute", "over the stay, absolute error, s", accuracy.weighted.absolute),
        ("accuracy.weighted.relative", "over the stay, relative accuracy", accuracy.weighted.relative),
    ]
}

fn shown(name: &str, value: f64) -> String {
    match name {
        "accuracy.mae" | "accuracy.weighted.absolute" => format!("{value:.1}"),
        "accuracy.underpredicted" => percent(value),
        _ => format!("{value:.4}"),
    }
}

impl Report for PredictResult {
    fn tables(&self) -> Vec<Sheet> {
        let mut settings = Sheet::new([self.trace.as_str(), ""]);
        let propagated = if self.propagate { ", propagated" } else { "" };
        settings.add(["predictor".to_owned(), self.predictor.clone()]);
        settings.add(["correction".to_owned(), format!("{}{propagated}", self.correction)]);
        settings.add(["first prediction at".to_owned(), in_words(self.at).to_owned()]);
        settings.add(["jobs scored".to_owned(), grouped(self.scored.jobs)]);
        settings.add(["mean run time".to_owned(), format!("{:.1} s", self.scored.mean_run_seconds)]);
        let unpredicted = self.scored.accuracy.without_prediction;
        if unpredicted > 0 {
            settings.add(["of which nothing was known".to_owned(), grouped(unpredicted)]);
        }
        if let Some(timing) = &self.timing {
            let Latency { p50_microseconds, p99_microseconds, .. } = timing;
            let text = format!("median {p50_microseconds:.2} µs, p99 {p99_microseconds:.2} µs");
            settings.add(["a prediction takes".to_owned(), text]);
        }

        let mut accuracy = Sheet::new(["first prediction", "predictor"]);
        accuracy.columns.extend(self.baselines.iter().map(|baseline| baseline.name.clone()));
        for (index, (name, words, value)) in figures(&self.scored.accuracy).into_iter().enumerate() {
            let others = self.baselines.iter().map(|baseline| figures(&baseline.accuracy)[index].2);
            let values = std::iter::once(value).chain(others).map(|value| shown(name, value));
            accuracy.add(std::iter::once(words.to_owned()).chain(values));
        }
        vec![settings, accuracy]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["method", "name", "value"]);
        let own = std::iter::once((self.predictor.as_str(), &self.scored.accuracy));
        let others = self.baselines.iter().map(|baseline| (baseline.name.as_str(), &baseline.accuracy));
        for (who, accuracy) in own.chain(others) {
            for (name, _, value) in figures(accuracy) {
                sheet.add([who.to_owned(), name.to_owned(), value.to_string()]);
            }
        }
        if let Some(timing) = &self.timing {
            for (name, value) in [
                ("timing.p50_microseconds", timing.p50_microseconds),
                ("timing.p99_microseconds", timing.p99_microseconds),
            ] {
                sheet.add([self.predictor.clone(), name.to_owned(), value.to_string()]);
            }
        }
        sheet
    }
}
