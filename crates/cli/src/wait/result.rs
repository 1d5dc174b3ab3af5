//! What `qcast wait` prints. `docs/reference/output/wait.md` defines every name.

use queuecast_evaluate::wait::{Against, Compared, Interval, Span, WaitScores, WaitSummary};
use queuecast_logs::Dropped;
use serde::Serialize;

use super::method::Method;
use super::timed::Latency;
use crate::input::source::MachineUsed;
use crate::output::{Report, Sheet, percent};

/// What is said of a method lately is of so many weeks.
const LAST_WEEKS: i64 = 13;

/// Every method on one log.
#[derive(Serialize)]
pub struct WaitResult {
    pub trace: String,
    #[serde(flatten)]
    pub machine: MachineUsed,
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
    /// Beside the best of the simple ones that were asked too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_simple: Option<AgainstSimple>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Latency>,
}

/// A method that has been through the log.
pub struct Scored {
    pub method: Method,
    pub scores: WaitScores,
    pub timing: Option<Latency>,
}

/// How a method compares with the simple ones.
#[derive(Serialize)]
pub struct AgainstSimple {
    pub whole: AgainstBest,
    pub last_13_weeks: AgainstBest,
}

/// With the best of them, which may be another for each figure.
#[derive(Serialize)]
pub struct AgainstBest {
    pub least_crps: String,
    pub crps_ratio: Compared,
    pub least_median_error: String,
    pub median_error_difference_seconds: Compared,
}

impl AgainstBest {
    fn of(own: &Scored, all: &[Scored], weeks: Span, seed: u64) -> Option<Self> {
        let simple = all.iter().filter(|other| other.method.is_simple() && other.method != own.method);
        let simple: Vec<(String, Against)> =
            simple.map(|other| (other.method.to_string(), own.scores.against(&other.scores, weeks, seed))).collect();
        // The one in whose comparison a figure is largest is the best of them.
        let best = |figure: fn(&Against) -> Compared| {
            let all = simple.iter().map(|(name, against)| (name.clone(), figure(against)));
            all.max_by(|(_, one), (_, other)| one.value.total_cmp(&other.value))
        };
        let (least_crps, crps_ratio) = best(|against| against.crps_ratio)?;
        let (least_median_error, median_error_difference_seconds) =
            best(|against| against.median_error_difference_seconds)?;
        Some(Self { least_crps, crps_ratio, least_median_error, median_error_difference_seconds })
    }
}

/// The figures of a method by the names they have in JSON, and in words.
fn figures(scored: &WaitSummary) -> Vec<(&'static str, &'static str, f64)> {
    let WaitSummary { classes, error, coverage, bound95, .. } = scored;
    vec![
        ("classes.single", "class right", classes.single),
        ("classes.two", "one of two classes right", classes.two),
        ("classes.three", "one of three classes right", classes.three),
        ("classes.majority", "always answering up to an hour", classes.majority),
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
        ("coverage.at_random.p50", "in the 50 % range, steps in fractions", coverage.at_random[0]),
        ("coverage.at_random.p80", "in the 80 % range, steps in fractions", coverage.at_random[1]),
        ("coverage.at_random.p95", "in the 95 % range, steps in fractions", coverage.at_random[3]),
        ("coverage.p80_median_width_seconds", "80 % range, median width", coverage.p80_median_width_seconds),
        ("bound95.coverage", "within the 95 % bound", bound95.coverage),
        ("bound95.over_mean_wait", "95 % bound / mean wait", bound95.over_mean_wait),
    ]
}

fn shown(name: &str, value: f64) -> String {
    match name {
        "error.median" | "coverage.p80_median_width_seconds" => format!("{value:.0} s"),
        _ if name.contains("mean_wait") => format!("{value:.3}"),
        _ => percent(value),
    }
}

impl MethodResult {
    /// One of all that were scored.
    pub fn new(own: &Scored, all: &[Scored], seed: u64) -> Self {
        let against = |weeks: Span| AgainstBest::of(own, all, weeks, seed);
        let against_simple = against(Span::Whole)
            .zip(against(Span::Last(LAST_WEEKS)))
            .map(|(whole, last_13_weeks)| AgainstSimple { whole, last_13_weeks });
        Self { method: own.method.to_string(), scored: own.scores.summary(seed), against_simple, timing: own.timing }
    }

    /// The comparisons, by name and in words.
    fn against(&self) -> Vec<(String, String, Compared)> {
        let Some(AgainstSimple { whole, last_13_weeks }) = &self.against_simple else { return Vec::new() };
        let spans = [("whole", "", whole), ("last_13_weeks", ", last 13 weeks", last_13_weeks)];
        spans
            .into_iter()
            .flat_map(|(span, when, best)| {
                [
                    ("crps_ratio", format!("CRPS / CRPS of {}{when}", best.least_crps), best.crps_ratio),
                    (
                        "median_error_difference_seconds",
                        format!("median error minus that of {}{when}", best.least_median_error),
                        best.median_error_difference_seconds,
                    ),
                ]
                .map(|(figure, words, compared)| (format!("against_simple.{span}.{figure}"), words, compared))
            })
            .collect()
    }
}

impl Report for WaitResult {
    fn tables(&self) -> Vec<Sheet> {
        let mut settings = Sheet::new([self.trace.as_str(), ""]);
        settings.add(["waits".to_owned(), self.waits.clone()]);
        settings.add(["processors".to_owned(), self.machine.in_words()]);
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
            for (name, words, Compared { value, interval }) in method.against() {
                let shown = |value: f64| {
                    if name.ends_with("seconds") { format!("{value:.0} s") } else { format!("{value:.3}") }
                };
                sheet.add([words, shown(value), shown(interval.low95), shown(interval.high95)]);
            }
            if let Some(timing) = &method.timing {
                let took = format!("{:.3} ms", timing.p99_milliseconds);
                sheet.add(["time per forecast, p99".to_owned(), took, String::new(), String::new()]);
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
            for (name, _, Compared { value, interval }) in method.against() {
                let row = [value, interval.low95, interval.high95].map(|value| value.to_string());
                sheet.add([method.method.clone(), name].into_iter().chain(row));
            }
        }
        sheet
    }
}
