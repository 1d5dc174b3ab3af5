//! What is compared: every policy with every predictor, the oracle among them, and which of them is the baseline.

use std::path::PathBuf;

use clap::Args;
use queuecast_evaluate::{Configuration, ReplayPolicy};
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_simulate::Overrun;
use queuecast_workload::Machine;

use super::grid;
use crate::failure::Failure;
use crate::options::predictor;
use crate::options::program;
use crate::options::replay::ReplayArgs;

/// What to compare.
#[derive(Clone, Debug, Args)]
pub struct ContestArgs {
    /// Scheduling policies to compare, one per option: fcfs, easy, easy-sjbf, conservative, spf, saf, or exec:PROGRAM.
    ///
    /// Policies take parameters, such as easy:queue=arrival,backfill=f1,depth=4.
    #[arg(long = "policy", value_name = "POLICY", value_parser = program::parse_policy, default_values = ["easy", "easy-sjbf"])]
    pub policies: Vec<ReplayPolicy>,
    /// Run-time predictors to compare, one per option: estimate, perfect, constant:SECONDS, recent:n=2,stat=mean,
    /// session:criteria=PE/P/E/*, templates:FILE, gibbons, downey:median, exec:PROGRAM.
    #[arg(
        long = "predictor",
        value_name = "PREDICTOR",
        value_parser = predictor::parse,
        default_values = ["estimate", "recent:n=2,stat=mean", "perfect"]
    )]
    pub predictors: Vec<PredictorSpecification>,
    /// Configuration that the others are compared with [default: the first policy with the first predictor].
    #[arg(long, value_name = "POLICY/PREDICTOR", value_parser = parse_baseline)]
    pub baseline: Option<Baseline>,
    /// Omit the oracle, which shows the effect of perfect predictions.
    #[arg(long)]
    pub no_bound: bool,
    /// TOML file with the configurations to compare, one row each: policy, predictor, correction, propagation, overrun, machine.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["policies", "predictors", "baseline", "no_bound", "html"])]
    pub grid: Option<PathBuf>,
}

/// A policy and a predictor, as `--baseline` names them.
#[derive(Clone, Debug)]
pub struct Baseline {
    policy: ReplayPolicy,
    predictor: PredictorSpecification,
}

/// The first `/` divides, behind which a predictor stands: a policy that is a program has some in its name, and a predictor's file may.
fn parse_baseline(text: &str) -> Result<Baseline, String> {
    let mut wrong = None;
    for (place, divider) in text.match_indices('/') {
        let policy = program::parse_policy(&text[..place]);
        let predictor = predictor::parse(&text[place + divider.len()..]);
        match policy.and_then(|policy| Ok(Baseline { policy, predictor: predictor? })) {
            Ok(baseline) => return Ok(baseline),
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    Err(wrong.unwrap_or_else(|| "expected POLICY/PREDICTOR, such as easy/estimate".to_owned()))
}

/// What will be compared, each once.
pub struct Contest {
    contestants: Vec<Contestant>,
    baseline: usize,
}

/// A configuration to be compared; where it says nothing, the options of the command hold.
#[derive(Clone, Debug)]
pub struct Contestant {
    pub name: String,
    pub policy: ReplayPolicy,
    pub predictor: PredictorSpecification,
    pub correction: Option<Correction>,
    pub propagate: Option<bool>,
    pub overrun: Option<Overrun>,
    pub processors: Option<u32>,
}

impl Contestant {
    /// A policy and a predictor, named after them.
    pub fn new(policy: ReplayPolicy, predictor: PredictorSpecification) -> Self {
        let name = in_words(&policy, &predictor);
        Self { name, policy, predictor, correction: None, propagate: None, overrun: None, processors: None }
    }

    fn configuration(&self, machine: Machine, replay: &ReplayArgs) -> Configuration {
        let machine = self.processors.map_or(machine, |processors| Machine { processors });
        let as_told = replay.configuration(machine, self.policy.clone(), self.predictor.clone());
        Configuration {
            correction: self.correction.unwrap_or(as_told.correction),
            propagate: self.propagate.unwrap_or(as_told.propagate),
            overrun: self.overrun.unwrap_or(as_told.overrun),
            ..as_told
        }
    }
}

impl ContestArgs {
    /// Every policy with every predictor, and the oracle last unless it was asked for or forbidden.
    pub fn contest(&self) -> Result<Contest, Failure> {
        if let Some(grid) = &self.grid {
            return grid::read(grid);
        }
        let mut policies = self.policies.clone();
        each_once(&mut policies);
        let mut predictors = self.predictors.clone();
        if !self.no_bound {
            predictors.push(PredictorSpecification::Perfect);
        }
        each_once(&mut predictors);
        let with_each = |policy: &ReplayPolicy| -> Vec<_> {
            predictors.iter().map(|predictor| Contestant::new(policy.clone(), predictor.clone())).collect()
        };
        let contestants: Vec<_> = policies.iter().flat_map(with_each).collect();
        let baseline = self.baseline.as_ref().map_or(Ok(0), |baseline| baseline.place_among(&contestants))?;
        Ok(Contest { contestants, baseline })
    }
}

/// Leaves what is written alike in its first place only.
fn each_once<T: ToString>(values: &mut Vec<T>) {
    let mut met = Vec::new();
    values.retain(|value| {
        let name = value.to_string();
        let is_new = !met.contains(&name);
        met.push(name);
        is_new
    });
}

impl Baseline {
    /// As `--baseline` takes it.
    pub fn name(&self) -> String {
        in_words(&self.policy, &self.predictor)
    }

    fn place_among(&self, contestants: &[Contestant]) -> Result<usize, Failure> {
        let names: Vec<&str> = contestants.iter().map(|contestant| contestant.name.as_str()).collect();
        names.iter().position(|name| *name == self.name()).ok_or_else(|| {
            let message =
                format!("--baseline {} is not one of the compared configurations: {}", self.name(), names.join(", "));
            Failure::usage(message).with_hint("add its policy with --policy and its predictor with --predictor")
        })
    }
}

/// A policy and a predictor as results and `--baseline` write them.
pub fn in_words(policy: &ReplayPolicy, predictor: &PredictorSpecification) -> String {
    format!("{policy}/{predictor}")
}

impl Contest {
    /// These, of which one is the baseline.
    pub fn of(contestants: Vec<Contestant>, baseline: usize) -> Self {
        Self { contestants, baseline }
    }

    /// How many configurations there are.
    pub fn count(&self) -> usize {
        self.contestants.len()
    }

    /// What results call them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.contestants.iter().map(|contestant| contestant.name.as_str())
    }

    /// Whether one of them says how large the machine is.
    pub fn has_machines(&self) -> bool {
        self.contestants.iter().any(|contestant| contestant.processors.is_some())
    }

    /// The place of the one the others are measured against.
    pub fn baseline(&self) -> usize {
        self.baseline
    }

    /// All of them, for this machine.
    pub fn configurations(&self, machine: Machine, replay: &ReplayArgs) -> Vec<Configuration> {
        self.contestants.iter().map(|contestant| contestant.configuration(machine, replay)).collect()
    }
}
