//! `--html`: the forecasts as a page, and the command that makes it again.

use queuecast_report::{ForecastMilliseconds, MethodSection, WaitReport};

use super::result::{MethodResult, WaitResult};
use super::{WaitArgs, Waits};
use crate::page::quoted;
use crate::provenance::Provenance;

/// Methods whose names end so are told what nobody can know.
const BOUND: &str = ":oracle";

/// The page.
pub fn html(arguments: &WaitArgs, result: &WaitResult, provenance: &Provenance) -> String {
    let waits = match arguments.waits {
        Waits::Log => "recorded in the log".to_owned(),
        Waits::Simulated(policy) => format!("simulated with {policy} and users\u{2019} limits"),
    };
    let report = WaitReport {
        command: command(arguments, &result.trace),
        program: provenance.program(),
        logs: provenance.logs_in_words(),
        trace: result.trace.clone(),
        processors: result.machine.processors,
        waits,
        left_out: crate::input::reasons(&result.dropped),
        futures: arguments.simulations,
        seed: arguments.seed,
        methods: result.methods.iter().map(section).collect(),
    };
    report.html()
}

fn section(method: &MethodResult) -> MethodSection {
    MethodSection {
        name: method.method.clone(),
        is_bound: method.method.ends_with(BOUND),
        summary: method.scored.clone(),
        forecast_milliseconds: method
            .timing
            .map(|timing| ForecastMilliseconds { mean: timing.mean_milliseconds, p99: timing.p99_milliseconds }),
    }
}

/// The command line with everything in it that decides a figure, defaults too, and nothing else.
fn command(arguments: &WaitArgs, trace: &str) -> Vec<String> {
    let mut parts = vec!["qcast wait".to_owned(), quoted(trace)];
    let mut option = |name: &str, value: String| parts.push(format!("--{name} {}", quoted(&value)));
    option("waits", arguments.waits.to_string());
    for method in &arguments.methods {
        option("method", method.to_string());
    }
    for (name, place) in [("from", arguments.from), ("to", arguments.to)] {
        if let Some(place) = place {
            option(name, place.to_string());
        }
    }
    if let Some(processors) = arguments.machine.processors {
        option("processors", processors.to_string());
    }
    option("simulations", arguments.simulations.to_string());
    option("seed", arguments.seed.to_string());
    parts
}
