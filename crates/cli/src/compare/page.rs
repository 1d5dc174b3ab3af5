//! `--html`: the comparison as a page, and the command that makes it again.

use std::io::Write;
use std::path::Path;

use queuecast_evaluate::report::{ComparisonReport, Provenance, TraceSection};
use queuecast_workload::files::Output;

use super::CompareArgs;
use crate::failure::{Failure, OnSide, say};
use crate::options::replay::overrun_in_words;

/// A page that is not written yet. It appears under its name when it is.
pub struct PageWriter {
    output: Output,
    name: String,
}

impl PageWriter {
    /// Makes sure that the page can be written, before anything is replayed.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Err(Failure::usage("--html takes the name of a file: standard output carries the result"));
        }
        Ok(Self { output: Output::create(path).writing()?, name: path.display().to_string() })
    }

    /// Writes it.
    pub fn write(mut self, arguments: &CompareArgs, traces: Vec<TraceSection>) -> Result<(), Failure> {
        let provenance = Provenance {
            command: command(arguments),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            shaking: arguments.shaking.shaking(arguments.shake),
            rules: arguments.replay.rules,
            overrun: arguments.replay.overrun(),
            slowdown_threshold: arguments.replay.slowdown_threshold(),
            propagate: arguments.replay.propagate,
        };
        let page = ComparisonReport { provenance, traces }.html();
        self.output.write_all(page.as_bytes()).writing()?;
        self.output.finish().writing()?;
        say(format_args!("{}: written", self.name));
        Ok(())
    }
}

/// The command line with everything in it that decides a figure, defaults too, and nothing else: not the number of
/// threads, which must not change the page, nor where the result went.
fn command(arguments: &CompareArgs) -> Vec<String> {
    let CompareArgs { contest, replay, machine, .. } = arguments;
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
    if let Some(processors) = machine.processors {
        option("processors", processors.to_string());
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

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=,+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_a_shell_would_take_apart_is_quoted() {
        assert_eq!(quoted("easy:queue=f1,depth=4"), "easy:queue=f1,depth=4");
        assert_eq!(quoted("my log.swf"), "'my log.swf'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
