//! Limits to choose from, made an answer.

use queuecast_advise::{LimitAdvice, LimitChoice};
use queuecast_forecast::estimate::NoEstimate;

use super::advice::effect;
use super::setting::{Setting, no_estimate};
use queuecast_api::forecast::JobAnswer;
use queuecast_api::limit::{AskedLimitAnswer, LimitAnswer, LimitChoiceAnswer};

impl Setting<'_> {
    /// Of this job.
    pub fn limits(
        &self,
        job: JobAnswer,
        not_considered: Vec<String>,
        advice: Result<LimitAdvice, NoEstimate>,
    ) -> LimitAnswer {
        let (asked, choices, no_estimate) = match self.freshness.too_old().map_or(advice, Err) {
            Ok(advice) => {
                let asked = AskedLimitAnswer {
                    limit_seconds: advice.asked.0,
                    risk: advice.risk,
                    outlook: self.outlook(&advice.as_asked),
                };
                (Some(asked), advice.choices.iter().map(|choice| self.choice(choice)).collect(), None)
            }
            Err(none) => (None, Vec::new(), Some(no_estimate(none))),
        };
        LimitAnswer { said: self.said(), job, not_considered, asked, choices, no_estimate }
    }

    fn choice(&self, choice: &LimitChoice) -> LimitChoiceAnswer {
        let kept = choice.kept;
        LimitChoiceAnswer {
            accepted_risk: choice.accepted,
            limit_seconds: choice.limit.0,
            risk: choice.risk,
            outlook: self.outlook(&choice.forecast),
            effect: choice.effect.map(effect),
            advised_jobs: Some(kept.jobs),
            killed: (kept.jobs > 0).then(|| kept.killed as f64 / kept.jobs as f64),
        }
    }
}
