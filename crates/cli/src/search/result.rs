//! What `qcast search` prints. `docs/reference/output/search.md` defines every name.

use queuecast_search::{Progress, Score};
use serde::Serialize;

use crate::output::{Report, Sheet, grouped, percent};

/// What a search found.
#[derive(Serialize)]
pub struct SearchResult {
    pub trace: String,
    pub method: &'static str,
    pub seed: u64,
    /// Jobs the search was shown.
    pub searched_jobs: u64,
    /// Template sets tried.
    pub evaluations: u64,
    pub select: String,
    pub templates: Vec<String>,
    /// The set as `--predictor` takes it.
    pub predictor: String,
    /// On the jobs the search was shown: flattered.
    pub in_sample: Scored,
    /// On the jobs it was not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_the_rest: Option<Scored>,
    pub history: Vec<HistoryStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// How good a set is.
#[derive(Serialize)]
pub struct Scored {
    pub jobs: u64,
    pub estimated: u64,
    pub mae: f64,
    pub mae_over_mean_run: f64,
    pub interval_coverage: f64,
}

/// One generation or round.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "units belong in the names programs read")]
pub struct HistoryStep {
    pub best_error_seconds: f64,
    pub mean_error_seconds: f64,
    pub worst_error_seconds: f64,
}

impl From<Score> for Scored {
    fn from(score: Score) -> Self {
        Self {
            jobs: score.jobs,
            estimated: score.estimated,
            mae: score.mean_error_seconds(),
            mae_over_mean_run: score.relative_error(),
            interval_coverage: score.interval_coverage(),
        }
    }
}

impl From<&Progress> for HistoryStep {
    fn from(step: &Progress) -> Self {
        let Progress { best_error_seconds, mean_error_seconds, worst_error_seconds, .. } = *step;
        Self { best_error_seconds, mean_error_seconds, worst_error_seconds }
    }
}

impl Report for SearchResult {
    fn tables(&self) -> Vec<Sheet> {
        let mut found = Sheet::new([self.trace.as_str(), ""]);
        found.add(["method".to_owned(), format!("{}, {} sets tried", self.method, grouped(self.evaluations))]);
        if let Some(seconds) = self.seconds {
            found.add(["searched for".to_owned(), format!("{seconds:.1} s")]);
        }
        found.add(["selection".to_owned(), self.select.clone()]);
        for (index, template) in self.templates.iter().enumerate() {
            found.add([if index == 0 { "templates".to_owned() } else { String::new() }, template.clone()]);
        }
        let mut scores = Sheet::new(["scored on", "jobs", "error, s", "error / mean run", "inside the 90 % interval"]);
        let honest = self.on_the_rest.iter().map(|scored| ("the jobs it was not shown", scored));
        for (name, scored) in std::iter::once(("the jobs it searched", &self.in_sample)).chain(honest) {
            let error =
                [format!("{:.1}", scored.mae), percent(scored.mae_over_mean_run), percent(scored.interval_coverage)];
            scores.add([name.to_owned(), grouped(scored.jobs)].into_iter().chain(error));
        }
        vec![found, scores]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["generation", "best_error_seconds", "mean_error_seconds", "worst_error_seconds"]);
        for (number, step) in self.history.iter().enumerate() {
            let errors = [step.best_error_seconds, step.mean_error_seconds, step.worst_error_seconds]
                .map(|error| error.to_string());
            sheet.add(std::iter::once(number.to_string()).chain(errors));
        }
        sheet
    }
}
