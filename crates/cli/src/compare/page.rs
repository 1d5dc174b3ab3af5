//! `--html`: the comparison as a page, and the command that makes it again.

use queuecast_report::{ComparisonReport, HowMade, TraceSection};

use super::CompareArgs;
use crate::options::replay::overrun_in_words;
use crate::page::quoted;
use crate::provenance::Provenance;

/// The page.
pub fn html(arguments: &CompareArgs, traces: Vec<TraceSection>, provenance: &Provenance) -> String {
    let how_made = HowMade {
        command: command(arguments),
        program: provenance.program(),
        logs: provenance.logs_in_words(),
        shaking: arguments.shaking.shaking(arguments.shake),
        rules: arguments.replay.rules,
        overrun: arguments.replay.overrun(),
        slowdown_threshold: arguments.replay.slowdown_threshold(),
        propagate: arguments.replay.propagate,
    };
    ComparisonReport { how_made, traces }.html()
}

/// The command line with everything in it that decides a figure, defaults too, and nothing else: not the number of
/// threads, which must not change the page, nor where the result went.
fn command(arguments: &CompareArgs) -> Vec<String> {
    let CompareArgs { contest, replay, machines, .. } = arguments;
    let shaking = arguments.shaking.shaking(arguments.shake);
    let mut parts = vec!["qcast compare".to_owned()];
    parts.extend(arguments.sources.files.iter().map(|file| quoted(&file.display().to_string())));
    let mut option = |name: &str, value: String| parts.push(format!("--{name} {}", quoted(&value)));
    for policy in &contest.policies {
        option("policy", policy.to_string());
    }
    for predictor in &contest.predictors {
        option("predictor", predictor.to_string());
    }
    if let Some(baseline) = &contest.baseline {
        option("baseline", baseline.name());
    }
    for size in &machines.processors {
        option("processors", size.to_string());
    }
    if let Some(correction) = replay.correction {
        option("correction", correction.to_string());
    }
    option("rules", replay.rules.to_string());
    option("overrun", overrun_in_words(replay.overrun()).to_owned());
    option("slowdown-threshold", replay.slowdown_threshold().0.to_string());
    option("shake", shaking.replicates.to_string());
    option("jitter", shaking.jitter.0.to_string());
    option("seed", shaking.seed.to_string());
    let flags = [("--propagate", replay.propagate), ("--no-bound", contest.no_bound)];
    parts.extend(flags.into_iter().filter(|(_, given)| *given).map(|(name, _)| name.to_owned()));
    parts
}
