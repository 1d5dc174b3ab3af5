//! What `qcast compare` prints. `docs/reference/output/compare.md` defines every name.

use queuecast_evaluate::{ComparedFigure, Comparison, FIGURES, OverBaseline, Shaking, Spread};
use queuecast_logs::Dropped;
use serde::{Serialize, Serializer};

use super::contest::Contest;
use super::trace::LoadedTrace;
use crate::input::source::MachineUsed;
use crate::options::replay::overrun_in_words;
use crate::output::{Report, Sheet, grouped};

/// The result of a comparison: a list of traces.
#[derive(Serialize)]
pub struct ComparisonResult {
    traces: Vec<TraceResult>,
}

/// One trace.
#[derive(Serialize)]
pub struct TraceResult {
    trace: String,
    #[serde(flatten)]
    machine: MachineUsed,
    jobs: u64,
    dropped: Dropped,
    rules: String,
    overrun: &'static str,
    slowdown_threshold: i64,
    replicates: u32,
    jitter: i64,
    seed: u64,
    runs: Vec<RunResult>,
}

/// One configuration on one trace.
#[derive(Serialize)]
struct RunResult {
    name: String,
    policy: String,
    predictor: String,
    correction: String,
    propagate: bool,
    overrun: &'static str,
    processors: u32,
    baseline: bool,
    bound: bool,
    #[serde(serialize_with = "by_name")]
    figures: Vec<ComparedFigure>,
}

/// A figure in JSON, under its name.
#[derive(Serialize)]
struct FigureResult {
    value: f64,
    shaken: Spread,
    over_baseline: Option<OverBaseline>,
}

fn by_name<S: Serializer>(figures: &[ComparedFigure], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().map(|figure| {
        let ComparedFigure { name, value, shaken, over_baseline } = *figure;
        (name, FigureResult { value, shaken, over_baseline })
    }))
}

impl ComparisonResult {
    pub fn new(traces: Vec<TraceResult>) -> Self {
        Self { traces }
    }
}

impl TraceResult {
    pub fn new(
        trace: &LoadedTrace,
        machine: MachineUsed,
        comparison: &Comparison,
        contest: &Contest,
        shaking: Shaking,
    ) -> Self {
        let compared = comparison.compared();
        let of_baseline = &compared[comparison.baseline()].configuration;
        let mut runs: Vec<_> = compared
            .iter()
            .zip(contest.names())
            .enumerate()
            .map(|(index, (compared, name))| {
                let configuration = &compared.configuration;
                RunResult {
                    name: name.to_owned(),
                    policy: configuration.policy.to_string(),
                    predictor: configuration.predictor.to_string(),
                    correction: configuration.correction.to_string(),
                    propagate: configuration.propagate,
                    overrun: overrun_in_words(configuration.overrun),
                    processors: configuration.machine.processors,
                    baseline: index == comparison.baseline(),
                    bound: compared.is_bound(),
                    figures: Vec::with_capacity(FIGURES.len()),
                }
            })
            .collect();
        for name in FIGURES {
            for (run, figure) in runs.iter_mut().zip(comparison.figure(name)) {
                run.figures.push(figure);
            }
        }
        Self {
            trace: trace.name.clone(),
            machine,
            jobs: trace.jobs.len() as u64,
            dropped: trace.dropped,
            rules: of_baseline.rules.to_string(),
            overrun: overrun_in_words(of_baseline.overrun),
            slowdown_threshold: of_baseline.slowdown_threshold.0,
            replicates: shaking.replicates,
            jitter: shaking.jitter.0,
            seed: shaking.seed,
            runs,
        }
    }

    fn settings(&self) -> Sheet {
        let mut sheet = Sheet::new([self.trace.as_str(), ""]);
        let replicates = format!("{}, moved by up to {} s, seed {}", self.replicates, self.jitter, self.seed);
        for (name, value) in
            [("processors", self.machine.in_words()), ("jobs", grouped(self.jobs)), ("replicates", replicates)]
        {
            sheet.add([name.to_owned(), value]);
        }
        sheet
    }

    fn headline(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "run",
            "",
            "mean wait, s",
            "change",
            "mean bounded slowdown",
            "change",
            "longest wait, s",
            "relative accuracy",
        ]);
        for run in &self.runs {
            let role = match (run.baseline, run.bound) {
                (true, _) => "baseline",
                (false, true) => "bound",
                (false, false) => "",
            };
            let (wait, slowdown) = (run.figure("wait.mean"), run.figure("bounded_slowdown.mean"));
            sheet.add([
                run.name.clone(),
                role.to_owned(),
                spread(&wait.shaken, 0),
                change(wait.over_baseline),
                spread(&slowdown.shaken, 2),
                change(slowdown.over_baseline),
                spread(&run.figure("wait.max").shaken, 0),
                format!("{:.3}", run.figure("accuracy.relative").shaken.mean),
            ]);
        }
        sheet
    }
}

impl RunResult {
    fn figure(&self, name: &str) -> &ComparedFigure {
        self.figures.iter().find(|figure| figure.name == name).expect("every figure is there")
    }
}

/// Mean and half the interval.
fn spread(spread: &Spread, decimals: usize) -> String {
    format!("{:.decimals$} ± {:.decimals$}", spread.mean, spread.half_width())
}

fn change(over_baseline: Option<OverBaseline>) -> String {
    match over_baseline {
        Some(over) if over.mean.is_finite() => format!("{:+.1} ± {:.1} %", over.mean, over.half_width()),
        _ => "-".to_owned(),
    }
}

impl Report for ComparisonResult {
    fn tables(&self) -> Vec<Sheet> {
        self.traces.iter().flat_map(|trace| [trace.settings(), trace.headline()]).collect()
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new([
            "trace",
            "run",
            "policy",
            "predictor",
            "baseline",
            "bound",
            "figure",
            "value",
            "shaken_mean",
            "shaken_sd",
            "shaken_low95",
            "shaken_high95",
            "over_baseline_mean",
            "over_baseline_low95",
            "over_baseline_high95",
            "win_rate",
        ]);
        for trace in &self.traces {
            for run in &trace.runs {
                for figure in &run.figures {
                    let names = [&trace.trace, &run.name, &run.policy, &run.predictor].map(Clone::clone);
                    let roles = [run.baseline, run.bound].map(|is_so| is_so.to_string());
                    let row = names.into_iter().chain(roles).chain([figure.name.to_owned()]);
                    sheet.add(row.chain(numbers(figure).map(plain)));
                }
            }
        }
        sheet
    }
}

fn numbers(figure: &ComparedFigure) -> [Option<f64>; 9] {
    let ComparedFigure { value, shaken, over_baseline: over, .. } = figure;
    [
        Some(*value),
        Some(shaken.mean),
        Some(shaken.sd),
        Some(shaken.low95),
        Some(shaken.high95),
        over.map(|over| over.mean),
        over.map(|over| over.low95),
        over.map(|over| over.high95),
        over.and_then(|over| over.win_rate),
    ]
}

/// Empty where there is no number.
fn plain(number: Option<f64>) -> String {
    number.filter(|number| number.is_finite()).map_or(String::new(), |number| number.to_string())
}
