//! Limits to choose from, made an answer.

use queuecast_advise::limit::{Basis, HeavyTail, Verdict};
use queuecast_advise::{LimitAdvice, LimitChoice};
use queuecast_forecast::estimate::NoEstimate;

use super::advice::effect;
use super::setting::{Setting, no_estimate};
use queuecast_api::forecast::JobAnswer;
use queuecast_api::limit::{
    AskedLimitAnswer, HeavyTailAnswer, KeptBecauseAnswer, LimitAnswer, LimitBasisAnswer, LimitChoiceAnswer,
};

impl Setting<'_> {
    /// Of this job.
    pub fn limits(
        &self,
        job: JobAnswer,
        not_considered: Vec<String>,
        advice: Result<LimitAdvice, NoEstimate>,
    ) -> LimitAnswer {
        let advice = match self.freshness.too_old().map_or(advice, Err) {
            Ok(advice) => advice,
            Err(none) => return self.no_limits(job, not_considered, none),
        };
        let asked = AskedLimitAnswer {
            limit_seconds: advice.asked.0,
            risk: advice.risk,
            outlook: self.outlook(&advice.as_asked),
        };
        LimitAnswer {
            said: self.said(),
            job,
            not_considered,
            asked: Some(asked),
            choices: advice.choices.iter().map(|choice| self.choice(choice)).collect(),
            least_risk: advice.least_risk,
            basis: advice.basis.map(basis),
            heavy_tail: advice.heavy_tail.map(heavy_tail),
            no_estimate: None,
        }
    }

    fn no_limits(&self, job: JobAnswer, not_considered: Vec<String>, none: NoEstimate) -> LimitAnswer {
        LimitAnswer {
            said: self.said(),
            job,
            not_considered,
            asked: None,
            choices: Vec::new(),
            least_risk: None,
            basis: None,
            heavy_tail: None,
            no_estimate: Some(no_estimate(none)),
        }
    }

    fn choice(&self, choice: &LimitChoice) -> LimitChoiceAnswer {
        let kept = choice.kept;
        LimitChoiceAnswer {
            accepted_risk: choice.accepted,
            limit_seconds: choice.limit.0,
            risk: choice.risk,
            kept_because: kept_because(choice.verdict),
            outlook: self.outlook(&choice.forecast),
            effect: choice.effect.map(effect),
            advised_jobs: Some(kept.jobs),
            killed: (kept.jobs > 0).then(|| kept.killed as f64 / kept.jobs as f64),
        }
    }
}

fn kept_because(verdict: Verdict) -> Option<KeptBecauseAnswer> {
    match verdict {
        Verdict::Shorter => None,
        Verdict::TooRisky => Some(KeptBecauseAnswer::TooRisky),
        Verdict::NotProven => Some(KeptBecauseAnswer::NotProven),
        Verdict::TooFewEnded => Some(KeptBecauseAnswer::TooFewEnded),
    }
}

/// What is usual with others is not told: a class may have one user.
fn basis(basis: Basis) -> LimitBasisAnswer {
    let Basis { own, runs, usual } = basis;
    LimitBasisAnswer { own, runs, usual_seconds: own.then_some(usual.0) }
}

fn heavy_tail(tail: HeavyTail) -> HeavyTailAnswer {
    HeavyTailAnswer { runs: tail.runs, longer: tail.longer, usual_seconds: tail.usual.0 }
}
