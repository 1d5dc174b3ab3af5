//! Widths to choose from: the question and the answer.

use queuecast_workload::Seconds;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advice::{OutlookAnswer, SaidAnswer};
use super::forecast::{JobAnswer, NoEstimateAnswer};
use super::hypothetical::HypotheticalQuestion;
use super::problem::Refusal;

/// More widths than anybody looks at.
const WIDTHS_MOST: usize = 64;

/// A job, and how much faster it is on more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({ "job": { "nodes": 4, "limit_seconds": 7200 }, "speedup": "amdahl:0.05" }))]
pub struct WidthsQuestion {
    /// The job, on the width it would be given if nothing else were said.
    pub job: HypotheticalQuestion,
    /// `amdahl:F`, `downey:A=..,sigma=..` or `table:1=..,2=..`; left out, it is learnt from earlier runs by the same user and name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedup: Option<String>,
    /// How long it runs on the width of `job`; left out, as long as such jobs did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub run_seconds: Option<i64>,
    /// The widths; left out, those worth asking about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub widths: Vec<u32>,
}

/// What would be said of a job on several widths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WidthsAnswer {
    /// When this was said.
    #[serde(flatten)]
    pub said: SaidAnswer,
    /// The job as it was asked about.
    pub job: JobAnswer,
    /// What of the question may not be taken into account.
    #[serde(default)]
    pub not_considered: Vec<String>,
    /// What widths are counted in; `null` if nothing is said.
    pub unit: Option<WidthUnitAnswer>,
    /// The width of `job`.
    pub asked: Option<u32>,
    /// What was learnt of how it scales; `null` if that was given.
    pub learnt: Option<LearntScalingAnswer>,
    /// From the narrowest on.
    pub widths: Vec<WidthAnswer>,
    /// Why nothing is said.
    pub no_estimate: Option<NoEstimateAnswer>,
}

/// What widths are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WidthUnitAnswer {
    /// Nodes.
    Nodes,
    /// CPUs.
    Cpus,
}

/// How a user's program was seen to scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearntScalingAnswer {
    /// The share of the work that is done by one, in Amdahl's law.
    pub serial_fraction: f64,
    /// From so many completed runs.
    pub runs: u64,
    /// On so many numbers of CPUs.
    pub widths: u64,
}

/// A width, and what would be said of the job on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WidthAnswer {
    /// How many nodes or CPUs.
    pub width: u32,
    /// How long it runs there, in the middle.
    pub run_seconds: i64,
    /// The limit it would ask for.
    pub limit_seconds: i64,
    /// What would be said of it.
    pub outlook: OutlookAnswer,
}

impl WidthsQuestion {
    /// Whether it can be asked; whether the law is one, the daemon says.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.run_seconds.is_some_and(|run| !(1..=Seconds::MAX.0).contains(&run)) {
            return Err(Self::refused("`run_seconds` is not a span of time".to_owned()));
        }
        if self.widths.len() > WIDTHS_MOST || self.widths.contains(&0) {
            return Err(Self::refused(format!("`widths` has more than {WIDTHS_MOST}, or a zero")));
        }
        self.job.check()
    }

    /// That this is wrong with it.
    pub fn refused(message: String) -> Refusal {
        let what_to_do = "correct it, or leave it out for what such jobs did; /openapi.json has the forms".to_owned();
        Refusal { message, what_to_do }
    }
}
