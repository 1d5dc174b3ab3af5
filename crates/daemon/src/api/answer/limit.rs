//! Limits to choose from, made an answer.

use queuecast_advise::limit::{Basis, HeavyTail, Verdict};
use queuecast_advise::{LimitAdvice, LimitChoice};
use queuecast_forecast::estimate::NoForecast;

use super::advice::effect;
use super::setting::{Setting, no_forecast};
use queuecast_api::forecast::JobResponse;
use queuecast_api::limit::{
    HeavyTailResponse, LimitBasisResponse, LimitChoiceResponse, LimitResponse, RequestedLimitResponse,
    UnchangedBecauseResponse,
};

impl Setting<'_> {
    /// Of this job.
    pub fn limits(
        &self,
        job: JobResponse,
        not_considered: Vec<String>,
        advice: Result<LimitAdvice, NoForecast>,
    ) -> LimitResponse {
        let advice = match self.freshness.too_old().map_or(advice, Err) {
            Ok(advice) => advice,
            Err(none) => return self.no_limits(job, not_considered, none),
        };
        let asked = RequestedLimitResponse {
            limit_seconds: advice.asked.0,
            risk: advice.risk,
            forecast: self.outlook(&advice.as_asked),
        };
        LimitResponse {
            said: self.said(),
            job,
            not_considered,
            requested: Some(asked),
            choices: advice.choices.iter().map(|choice| self.choice(choice)).collect(),
            lowest_risk: advice.lowest_risk,
            basis: advice.basis.map(basis),
            heavy_tail: advice.heavy_tail.map(heavy_tail),
            no_forecast: None,
        }
    }

    fn no_limits(&self, job: JobResponse, not_considered: Vec<String>, none: NoForecast) -> LimitResponse {
        LimitResponse {
            said: self.said(),
            job,
            not_considered,
            requested: None,
            choices: Vec::new(),
            lowest_risk: None,
            basis: None,
            heavy_tail: None,
            no_forecast: Some(no_forecast(none)),
        }
    }

    fn choice(&self, choice: &LimitChoice) -> LimitChoiceResponse {
        let kept = choice.kept;
        LimitChoiceResponse {
            max_risk: choice.accepted,
            limit_seconds: choice.limit.0,
            risk: choice.risk,
            unchanged_because: unchanged_because(choice.verdict),
            forecast: self.outlook(&choice.forecast),
            gain: choice.effect.map(effect),
            advised_jobs: Some(kept.jobs),
            killed: (kept.jobs > 0).then(|| kept.killed as f64 / kept.jobs as f64),
        }
    }
}

fn unchanged_because(verdict: Verdict) -> Option<UnchangedBecauseResponse> {
    match verdict {
        Verdict::Shorter => None,
        Verdict::TooRisky => Some(UnchangedBecauseResponse::TooRisky),
        Verdict::NotProven => Some(UnchangedBecauseResponse::NotProven),
        Verdict::TooFewEnded => Some(UnchangedBecauseResponse::TooFewEnded),
    }
}

/// What is usual with others is not told: a class may have one user.
fn basis(basis: Basis) -> LimitBasisResponse {
    let Basis { own, runs, usual } = basis;
    LimitBasisResponse { own, runs, median_seconds: own.then_some(usual.0) }
}

fn heavy_tail(tail: HeavyTail) -> HeavyTailResponse {
    HeavyTailResponse { runs: tail.runs, longer: tail.longer, median_seconds: tail.usual.0 }
}
