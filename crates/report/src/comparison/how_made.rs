//! How the figures of a report came about: enough to make them again.

use queuecast_evaluate::Shaking;
use queuecast_simulate::{Overrun, Rules};
use queuecast_workload::Seconds;

use super::section::TraceSection;
use crate::markup::Element;
use crate::page::how_made;
use crate::quantity::{count, whole_duration};

/// What everything in a report has in common.
#[derive(Clone, Debug)]
pub struct HowMade {
    /// The command that makes these figures again, in parts that should not be torn apart: an option and its value.
    pub command: Vec<String>,
    /// The program with its version.
    pub program: String,
    /// Each log with its hash, in words.
    pub logs: Vec<String>,
    /// How the replicates were made.
    pub shaking: Shaking,
    /// What comes first within one second.
    pub rules: Rules,
    /// What happens at a job's limit.
    pub overrun: Overrun,
    /// Run times below this count as this in bounded slowdown.
    pub slowdown_threshold: Seconds,
    /// Whether an end or a miss revises the plans of the user's other jobs.
    pub propagate: bool,
}

impl HowMade {
    pub(super) fn html(&self, traces: &[TraceSection]) -> Element {
        let shaking = &self.shaking;
        let overrun = match self.overrun {
            Overrun::Kill => "is killed",
            Overrun::RunOn => "runs on to the end that the log records",
        };
        let propagated = if self.propagate { "yes" } else { "no" };
        let mut facts = vec![
            ("program", self.program.clone()),
            ("replicates", format!("{}, seed {}", count(shaking.replicates.into()), shaking.seed)),
            ("submissions shifted by", format!("up to {}", whole_duration(shaking.jitter))),
            ("event rules", self.rules.to_string()),
            ("a job at its limit", overrun.to_owned()),
            ("slowdown threshold", whole_duration(self.slowdown_threshold)),
            ("correction after a prediction miss", corrections(traces)),
            ("predictions propagated", propagated.to_owned()),
        ];
        for trace in traces {
            let left_out = if trace.left_out.is_empty() { "nothing" } else { &trace.left_out };
            facts.push(("log", format!("{}: {} jobs; left out: {left_out}", trace.trace, count(trace.jobs))));
        }
        facts.extend(self.logs.iter().map(|log| ("input", log.clone())));
        how_made(&self.command, facts, BOUND)
    }
}

const BOUND: &str = "The bound is the oracle: a predictor that knows every run time. It shows how much better \
    predictions could help at most under the same policy. There are exceptions, because schedules are chaotic and a wrong \
    prediction sometimes helps. All intervals are 95\u{a0}%, by Student's t over the replicates. They show how much of a \
    difference comes from the exact submission times; results on another log can differ by more.";

/// Which predictor is corrected how.
fn corrections(traces: &[TraceSection]) -> String {
    let mut known: Vec<String> = Vec::new();
    for compared in traces.iter().flat_map(|trace| trace.comparison.compared()) {
        let configuration = &compared.configuration;
        let correction = format!("{}: {}", configuration.predictor, configuration.correction);
        if !known.contains(&correction) {
            known.push(correction);
        }
    }
    known.join("; ")
}
