//! What is compared: every policy with every predictor, the oracle among them, and which of them is the baseline.

use clap::Args;
use queuecast_evaluate::Configuration;
use queuecast_predict::PredictorSpecification;
use queuecast_schedule::PolicySpecification;
use queuecast_workload::Machine;

use crate::failure::Failure;
use crate::options::predictor;
use crate::options::replay::ReplayArgs;

/// What to compare.
#[derive(Clone, Debug, Args)]
pub struct ContestArgs {
    /// Who starts when; repeat it for every policy to compare: fcfs, easy, easy-sjbf, conservative, spf, saf, or with
    /// parameters such as easy:queue=arrival,backfill=f1,depth=4.
    #[arg(long = "policy", value_name = "POLICY", default_values = ["easy", "easy-sjbf"])]
    pub policies: Vec<PolicySpecification>,
    /// Who predicts run times; repeat it for every predictor to compare: estimate, perfect, constant:SECONDS,
    /// recent:n=2,stat=mean, session:criteria=PE/P/E/*, templates:FILE, gibbons, downey:median.
    #[arg(
        long = "predictor",
        value_name = "PREDICTOR",
        value_parser = predictor::parse,
        default_values = ["estimate", "recent:n=2,stat=mean", "perfect"]
    )]
    pub predictors: Vec<PredictorSpecification>,
    /// What the others are measured against [default: the first policy with the first predictor].
    #[arg(long, value_name = "POLICY/PREDICTOR", value_parser = parse_baseline)]
    pub baseline: Option<Baseline>,
    /// Do not add the oracle, which shows what perfect predictions would bring.
    #[arg(long)]
    pub no_bound: bool,
}

/// A policy and a predictor, as `--baseline` names them.
#[derive(Clone, Debug)]
pub struct Baseline {
    policy: PolicySpecification,
    predictor: PredictorSpecification,
}

/// The first `/` divides: no policy has one in its name, but a predictor's file may.
fn parse_baseline(text: &str) -> Result<Baseline, String> {
    let (policy, predictor) = text.split_once('/').ok_or("expected POLICY/PREDICTOR, such as easy/estimate")?;
    let policy = policy.parse().map_err(|error| format!("{error}"))?;
    Ok(Baseline { policy, predictor: predictor::parse(predictor)? })
}

/// The policies and predictors that will be compared, each once.
pub struct Contest {
    pairs: Vec<(PolicySpecification, PredictorSpecification)>,
    baseline: usize,
}

impl ContestArgs {
    /// Every policy with every predictor, and the oracle last unless it was asked for or forbidden.
    pub fn contest(&self) -> Result<Contest, Failure> {
        let mut policies = self.policies.clone();
        each_once(&mut policies);
        let mut predictors = self.predictors.clone();
        if !self.no_bound {
            predictors.push(PredictorSpecification::Perfect);
        }
        each_once(&mut predictors);
        let with_each = |policy| predictors.iter().map(move |predictor| (policy, predictor.clone()));
        let pairs: Vec<_> = policies.into_iter().flat_map(with_each).collect();
        let baseline = self.baseline.as_ref().map_or(Ok(0), |baseline| baseline.place_among(&pairs))?;
        Ok(Contest { pairs, baseline })
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
        in_words(self.policy, &self.predictor)
    }

    fn place_among(&self, pairs: &[(PolicySpecification, PredictorSpecification)]) -> Result<usize, Failure> {
        let names: Vec<String> = pairs.iter().map(|(policy, predictor)| in_words(*policy, predictor)).collect();
        names.iter().position(|name| *name == self.name()).ok_or_else(|| {
            let message = format!("--baseline {} is not among what is compared: {}", self.name(), names.join(", "));
            Failure::usage(message).with_hint("add its policy with --policy and its predictor with --predictor")
        })
    }
}

/// A policy and a predictor as results and `--baseline` write them.
pub fn in_words(policy: PolicySpecification, predictor: &PredictorSpecification) -> String {
    format!("{policy}/{predictor}")
}

impl Contest {
    /// How many configurations there are.
    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    /// The place of the one the others are measured against.
    pub fn baseline(&self) -> usize {
        self.baseline
    }

    /// All of them, for this machine.
    pub fn configurations(&self, machine: Machine, replay: &ReplayArgs) -> Vec<Configuration> {
        let pairs = self.pairs.iter();
        pairs.map(|(policy, predictor)| replay.configuration(machine, *policy, predictor.clone())).collect()
    }
}
