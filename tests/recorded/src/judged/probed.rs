//! Jobs that were asked about just before they were submitted, and right after.

use std::collections::BTreeMap;
use std::fmt;

use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_workload::Time;

use crate::starts::Starts;
use crate::told::{AskedOnce, Probe};

/// One that has both forecasts and started.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedProbe {
    /// Whose.
    pub user: String,
    /// Where it was sent.
    pub partition: String,
    /// How far the forecast before was off.
    pub before_seconds: f64,
    /// And the one after.
    pub after_seconds: f64,
}

impl JudgedProbe {
    /// The same of one stretch among others: its users are not theirs.
    #[must_use]
    pub fn of_stretch(&self, name: &str) -> Self {
        Self { user: format!("{name} {}", self.user), ..self.clone() }
    }
}

/// Why a probe has no pair of errors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WithoutPair {
    /// `qcast when` failed before it was submitted, with this code.
    FailedBefore(Option<i32>),
    /// There was no estimate before, for this reason.
    NoEstimateBefore(String),
    /// Nothing was told of it after it was submitted.
    NothingAfter,
    /// There was no estimate after, for this reason.
    NoEstimateAfter(String),
    /// It ran when it was first told of.
    RanAtOnce,
    /// It did not start in the recording, or was refused.
    NeverStarted,
}

impl fmt::Display for WithoutPair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FailedBefore(Some(code)) => write!(formatter, "`qcast when` ended with {code} before"),
            Self::FailedBefore(None) => write!(formatter, "`qcast when` could not be run before"),
            Self::NoEstimateBefore(why) => write!(formatter, "no estimate before ({why})"),
            Self::NothingAfter => write!(formatter, "nothing told after"),
            Self::NoEstimateAfter(why) => write!(formatter, "no estimate after ({why})"),
            Self::RanAtOnce => write!(formatter, "ran when first told of"),
            Self::NeverStarted => write!(formatter, "refused, or not started by the end"),
        }
    }
}

/// All of them, and how many have no pair.
pub fn judge(probes: &[Probe], starts: &Starts) -> (Vec<JudgedProbe>, BTreeMap<WithoutPair, usize>) {
    let (mut judged, mut without): (_, BTreeMap<WithoutPair, usize>) = (Vec::new(), BTreeMap::new());
    for probe in probes {
        match judge_one(probe, starts) {
            Ok(one) => judged.push(one),
            Err(why) => *without.entry(why).or_default() += 1,
        }
    }
    (judged, without)
}

fn judge_one(probe: &Probe, starts: &Starts) -> Result<JudgedProbe, WithoutPair> {
    let number = probe.job_id.ok_or(WithoutPair::NeverStarted)?;
    let before = probe.before.forecast().ok_or(WithoutPair::FailedBefore(probe.before.code))?;
    let before = median(&before).map_err(WithoutPair::NoEstimateBefore)?;
    let after = probe.after.as_ref().and_then(AskedOnce::forecast).ok_or(WithoutPair::NothingAfter)?;
    if after.state != StateResponse::Waiting {
        return Err(WithoutPair::RanAtOnce);
    }
    let after = median(&after).map_err(WithoutPair::NoEstimateAfter)?;
    let start = starts.next(&number.to_string(), Time(0)).ok_or(WithoutPair::NeverStarted)?;
    let off = |told: Time| (told - start.at).as_f64().abs();
    Ok(JudgedProbe {
        user: probe.user.clone(),
        partition: probe.partition.clone(),
        before_seconds: off(before),
        after_seconds: off(after),
    })
}

/// The middle that was told, or the word for why there is none.
fn median(told: &ForecastResponse) -> Result<Time, String> {
    let why = || told.no_forecast.as_ref().map_or_else(|| "nothing said".to_owned(), |none| none.code.clone());
    told.start.as_ref().map(|start| Time(start.median.unix)).ok_or_else(why)
}
