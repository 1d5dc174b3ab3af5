//! What `qcast simulate` prints. `docs/reference/output/simulate.md` defines every name.

use std::fmt;
use std::time::{Duration, Instant};

use queuecast_evaluate::{
    ClassSummary, Configuration, FigureUnit, ShakenFigures, Spread, Summary, figure_in_words, figure_unit,
};
use queuecast_logs::Dropped;
use queuecast_simulate::BareLoop;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Replayed;
use super::check::CheckResult;
use super::shake::ShakeArgs;
use crate::failure::{Failure, OnSide};
use crate::input::source::MachineUsed;
use crate::options::replay::overrun_in_words;
use crate::output::{Report, Sheet, grouped, percent};

/// The result of a simulation.
#[derive(Serialize)]
pub struct SimulationResult {
    trace: String,
    #[serde(flatten)]
    machine: MachineUsed,
    policy: String,
    predictor: String,
    correction: String,
    propagate: bool,
    rules: String,
    overrun: &'static str,
    seed: u64,
    dropped: Dropped,
    /// The measures, with `shaken` beside every figure that has replicates.
    #[serde(flatten)]
    measures: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<CheckResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
    #[serde(skip)]
    summary: Summary,
    #[serde(skip)]
    spreads: Vec<(&'static str, Spread)>,
}

impl SimulationResult {
    pub fn new(
        trace: String,
        machine: MachineUsed,
        configuration: &Configuration,
        shake: &ShakeArgs,
        replayed: &Replayed,
    ) -> Result<Self, Failure> {
        let Value::Object(mut measures) = serde_json::to_value(&replayed.summary).writing()? else {
            unreachable!("a summary is an object")
        };
        let spreads = replayed.shaken.as_ref().map(ShakenFigures::spreads).unwrap_or_default();
        if !spreads.is_empty() {
            add_spreads(&mut measures, &spreads, shake.replicates());
        }
        Ok(Self {
            trace,
            machine,
            policy: configuration.policy.to_string(),
            predictor: configuration.predictor.to_string(),
            correction: configuration.correction.to_string(),
            propagate: configuration.propagate,
            rules: configuration.rules.to_string(),
            overrun: overrun_in_words(configuration.overrun),
            seed: shake.seed(),
            dropped: replayed.dropped,
            measures,
            check: replayed.check.as_ref().map(super::Check::result),
            timing: replayed.timing,
            summary: replayed.summary.clone(),
            spreads,
        })
    }
}

/// Beside every figure, in the object that holds it, `shaken` holds its spread under the figure's name; the spread
/// of a `mean`, the figure people quote, stands in `shaken` itself.
fn add_spreads(measures: &mut Map<String, Value>, spreads: &[(&str, Spread)], replicates: u32) {
    for (name, spread) in spreads {
        let mut holder = &mut *measures;
        let mut path = name.split('.').peekable();
        while let Some(part) = path.next() {
            if path.peek().is_some() {
                holder = holder[part].as_object_mut().expect("a dotted name leads through objects");
                continue;
            }
            let beside = holder.entry("shaken").or_insert_with(|| json!({})).as_object_mut();
            let beside = beside.expect("made an object above");
            let Spread { mean, sd, low95, high95 } = *spread;
            let spread = json!({"mean": mean, "sd": sd, "low95": low95, "high95": high95});
            if part == "mean" {
                let Value::Object(spread) = spread else { unreachable!("made an object above") };
                beside.extend(spread);
            } else {
                beside.insert(part.to_owned(), spread);
            }
        }
    }
    let shaken_at_top = measures.entry("shaken").or_insert_with(|| json!({}));
    shaken_at_top["replicates"] = replicates.into();
}

/// How long it took.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Timing {
    parse_seconds: f64,
    /// The simulation alone, where it was timed apart.
    simulate_seconds: f64,
    /// The simulation with its measures and whatever else was collected.
    replay_seconds: f64,
    /// Of the simulation alone.
    jobs_per_second: f64,
    /// How many times longer simulating took than carrying its starts and ends through a heap.
    bare_loop_ratio: Option<f64>,
}

impl Timing {
    pub fn new(parse: Duration, simulate: Duration, replay: Duration, bare_loop: Option<Duration>, jobs: u64) -> Self {
        let simulate_seconds = simulate.as_secs_f64();
        Self {
            parse_seconds: parse.as_secs_f64(),
            simulate_seconds,
            replay_seconds: replay.as_secs_f64(),
            jobs_per_second: jobs as f64 / simulate_seconds.max(1e-9),
            bare_loop_ratio: bare_loop.map(|bare| simulate_seconds / bare.as_secs_f64().max(1e-9)),
        }
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parse_seconds, simulate_seconds, jobs_per_second, .. } = self;
        let millions = jobs_per_second / 1e6;
        write!(f, "read in {parse_seconds:.2} s, simulated in {simulate_seconds:.2} s ({millions:.2} million jobs/s)")
    }
}

/// The fastest of three: the yardstick should not be the noise.
pub fn time_bare_loop(mut bare: BareLoop) -> Duration {
    bare.prepare();
    let rounds = (0..3).map(|_| {
        let begun = Instant::now();
        std::hint::black_box(bare.run());
        begun.elapsed()
    });
    rounds.min().expect("there are three rounds")
}

impl Report for SimulationResult {
    fn tables(&self) -> Vec<Sheet> {
        let mut tables = vec![self.settings(), self.headline()];
        tables.push(classes("processors", &self.summary.by_size, "wider"));
        tables.push(classes("run time", &self.summary.by_length, "longer"));
        tables
    }

    fn csv(&self) -> Sheet {
        let mut sheet = if self.spreads.is_empty() {
            Sheet::new(["name", "value"])
        } else {
            Sheet::new(["name", "value", "shaken_mean", "shaken_sd", "shaken_low95", "shaken_high95"])
        };
        sheet.add(self.padded("jobs", self.summary.jobs.to_string()));
        for (index, (name, value)) in self.summary.figures().into_iter().enumerate() {
            let mut row = vec![name.to_owned(), value.to_string()];
            if let Some((_, spread)) = self.spreads.get(index) {
                row.extend([spread.mean, spread.sd, spread.low95, spread.high95].map(|figure| figure.to_string()));
            }
            sheet.add(row);
        }
        if let Some(check) = &self.check {
            sheet.add(self.padded("check.identical", check.identical.to_string()));
            sheet.add(self.padded("check.total", check.total.to_string()));
        }
        sheet
    }
}

impl SimulationResult {
    /// A row without a spread, as long as the others.
    fn padded(&self, name: &str, value: String) -> Vec<String> {
        let mut row = vec![name.to_owned(), value];
        row.resize(if self.spreads.is_empty() { 2 } else { 6 }, String::new());
        row
    }

    fn settings(&self) -> Sheet {
        let mut sheet = Sheet::new([self.trace.as_str(), ""]);
        let propagated = if self.propagate { ", propagated" } else { "" };
        for (name, value) in [
            ("policy", self.policy.clone()),
            ("predictor", format!("{}, correction {}{propagated}", self.predictor, self.correction)),
            ("rules", format!("{}, overrun {}", self.rules, self.overrun)),
            ("processors", self.machine.in_words()),
            ("jobs", grouped(self.summary.jobs)),
        ] {
            sheet.add([name.to_owned(), value]);
        }
        if let Some(check) = &self.check {
            let identical = format!("{} of {} waits identical", grouped(check.identical), grouped(check.total));
            sheet.add(["check".to_owned(), identical]);
        }
        sheet
    }

    fn headline(&self) -> Sheet {
        let mut sheet = if self.spreads.is_empty() {
            Sheet::new(["measure", "value"])
        } else {
            Sheet::new(["measure", "value", "shaken mean", "sd", "low 95 %", "high 95 %"])
        };
        for (index, (name, value)) in self.summary.figures().into_iter().enumerate() {
            let mut row = vec![figure_in_words(name).to_owned(), shown(name, value)];
            if let Some((_, spread)) = self.spreads.get(index) {
                let figures = [spread.mean, spread.sd, spread.low95, spread.high95];
                row.extend(figures.map(|figure| shown(name, figure)));
            }
            sheet.add(row);
        }
        sheet
    }
}

fn classes(title: &str, classes: &[ClassSummary], beyond: &str) -> Sheet {
    let mut sheet = Sheet::new([title, "jobs", "mean wait, s", "mean bounded slowdown"]);
    for class in classes.iter().filter(|class| class.jobs > 0) {
        let bound = class.up_to.map_or_else(|| beyond.to_owned(), |bound| format!("to {}", grouped(bound)));
        let figures = [format!("{:.1}", class.wait_mean), format!("{:.2}", class.bounded_slowdown_mean)];
        sheet.add([bound, grouped(class.jobs)].into_iter().chain(figures));
    }
    sheet
}

fn shown(figure: &str, value: f64) -> String {
    match figure_unit(figure) {
        FigureUnit::Share => percent(value),
        FigureUnit::Seconds | FigureUnit::Plain => format!("{value:.3}"),
    }
}
