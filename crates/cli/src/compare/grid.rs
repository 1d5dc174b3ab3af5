//! `--grid`: rows of a comparison from a file, where more than policy and predictor varies.
//!
//! For: a table of a paper in one run. The file is TOML: `[[row]]` for each configuration, and `[defaults]` for what a row
//! does not say; what neither says is as the options of the command say. `docs/reference/output/compare.md` defines every name.

use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use clap::ValueEnum;
use serde::Deserialize;

use super::contest::{Contest, Contestant};
use crate::failure::{Failure, OnSide};
use crate::options::overrun::OverrunChoice;
use crate::options::{predictor, program};

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Grid {
    #[serde(default)]
    defaults: Row,
    #[serde(default)]
    row: Vec<Row>,
}

/// A configuration, as far as it is said.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: Option<String>,
    policy: Option<String>,
    predictor: Option<String>,
    correction: Option<String>,
    propagate: Option<bool>,
    overrun: Option<String>,
    processors: Option<u32>,
    baseline: Option<bool>,
}

/// Reads what is compared from a file.
pub fn read(path: &Path) -> Result<Contest, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| name.clone()).reading()?;
    parse(&text).map_err(|message| Failure::usage(format!("{name}: {message}")).with_hint(HINT))
}

const HINT: &str = "a [[row]] may set name, policy, predictor, correction, propagate, overrun, processors and baseline";

fn parse(text: &str) -> Result<Contest, String> {
    let grid: Grid = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    let rows = grid.row.iter().enumerate();
    let contestants: Vec<Contestant> = rows
        .map(|(place, row)| row.or(&grid.defaults).contestant().map_err(|wrong| format!("row {}: {wrong}", place + 1)))
        .collect::<Result<_, _>>()?;
    if contestants.is_empty() {
        return Err("the file contains no [[row]]".to_owned());
    }
    let mut names: Vec<&str> = contestants.iter().map(|contestant| contestant.name.as_str()).collect();
    names.sort_unstable();
    if let Some([twice, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two rows have the name {twice:?}; set a different name in each row"));
    }
    let mut baselines = (0..grid.row.len()).filter(|place| grid.row[*place].baseline == Some(true));
    let baseline = baselines.next().unwrap_or(0);
    if let Some(second) = baselines.next() {
        return Err(format!("rows {} and {} both set baseline = true", baseline + 1, second + 1));
    }
    Ok(Contest::of(contestants, baseline))
}

impl Row {
    /// What this row says, and the defaults where it says nothing.
    fn or(&self, defaults: &Self) -> Self {
        let one = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
        Self {
            name: self.name.clone(),
            policy: one(&self.policy, &defaults.policy),
            predictor: one(&self.predictor, &defaults.predictor),
            correction: one(&self.correction, &defaults.correction),
            propagate: self.propagate.or(defaults.propagate),
            overrun: one(&self.overrun, &defaults.overrun),
            processors: self.processors.or(defaults.processors),
            baseline: None,
        }
    }

    fn contestant(&self) -> Result<Contestant, String> {
        let word = |given: &Option<String>, otherwise: &str| given.as_deref().unwrap_or(otherwise).to_owned();
        let told = |field: &str, wrong: String| format!("{field}: {wrong}");
        let policy = program::parse_policy(&word(&self.policy, "easy")).map_err(|wrong| told("policy", wrong))?;
        let predictor =
            predictor::parse(&word(&self.predictor, "estimate")).map_err(|wrong| told("predictor", wrong))?;
        let correction = self.correction.as_deref().map(FromStr::from_str).transpose();
        let overrun = self.overrun.as_deref().map(|word| OverrunChoice::from_str(word, false)).transpose();
        if self.processors == Some(0) {
            return Err(told("processors", "expected a number above 0".to_owned()));
        }
        let mut contestant = Contestant::new(policy, predictor);
        contestant.correction =
            correction.map_err(|wrong: queuecast_workload::UnknownName| told("correction", wrong.to_string()))?;
        contestant.overrun = overrun.map_err(|wrong| told("overrun", wrong))?.map(Into::into);
        contestant.propagate = self.propagate;
        contestant.processors = self.processors;
        if let Some(name) = &self.name {
            contestant.name.clone_from(name);
        }
        Ok(contestant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_what_it_says_then_the_defaults_then_the_commands_options() {
        let text = "[defaults]\npolicy = 'easy-sjbf'\noverrun = 'run-on'\n\
                    [[row]]\nname = 'EASY'\npolicy = 'easy'\nbaseline = true\n\
                    [[row]]\npredictor = 'recent:n=3,stat=mean'\npropagate = true\nprocessors = 512\n";
        let contest = parse(text).unwrap();
        let names: Vec<&str> = contest.names().collect();
        assert_eq!(names, ["EASY", "easy-sjbf/recent:n=3,stat=mean"]);
        assert_eq!((contest.count(), contest.baseline()), (2, 0));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, told) in [
            ("[[row]]\npolcy = 'easy'\n", "line 2"),
            ("[[row]]\n[[row]]\npredictor = 'estimat'\n", "row 2: predictor"),
            ("[[row]]\noverrun = 'die'\n", "row 1: overrun"),
            ("[[row]]\ncorrection = 'hope'\n", "row 1: correction"),
            ("[[row]]\n[[row]]\n", "two rows have the name"),
            ("[[row]]\nbaseline = true\n[[row]]\npolicy = 'fcfs'\nbaseline = true\n", "both set baseline"),
            ("", "no [[row]]"),
            ("[[row]]\nprocessors = 0\n", "processors"),
        ] {
            let wrong = parse(text).err().expect(text);
            assert!(wrong.contains(told), "{text}: {wrong}");
        }
    }
}
