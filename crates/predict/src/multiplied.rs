//! Somebody else's prediction, so many times: what some schedulers plan with on purpose (Talby et al., 2.3, Figure 3).
//!
//! For: plans that are too long by a known factor. Whoever plans with those leaves holes, and short jobs slip through
//! them ahead of the first in the queue.
//!
//! Not for: better predictions. Nothing is learnt here, and the accuracy of what is multiplied gets worse.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::{Outcome, Seconds, Submission, Time};

use crate::RuntimeModel;

/// A whole factor from two to a thousand: `x2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Factor(u16);

/// Not a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFactor;

impl FromStr for Factor {
    type Err = NoFactor;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let factor = text.strip_prefix('x').and_then(|digits| digits.parse().ok());
        factor.filter(|factor| (2..=1_000).contains(factor)).map(Self).ok_or(NoFactor)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

/// What the model says, times the factor.
#[derive(Clone, Debug)]
pub struct Multiplied<M> {
    model: M,
    factor: Factor,
}

impl<M> Multiplied<M> {
    /// So many times what `model` says.
    pub fn new(model: M, factor: Factor) -> Self {
        Self { model, factor }
    }
}

impl<M: RuntimeModel> RuntimeModel for Multiplied<M> {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        let planned = self.model.predict(job)?;
        Some(Seconds(planned.0.saturating_mul(i64::from(self.factor.0))).min(Seconds::MAX))
    }

    fn arrived(&mut self, job: &Submission, now: Time) {
        self.model.arrived(job, now);
    }

    fn began(&mut self, job: &Submission, now: Time) {
        self.model.began(job, now);
    }

    fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        self.model.ended(job, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::job_of;
    use crate::{Correction, Estimate, FromHistory, LimitUse, Revisions, RuntimePredictor};

    #[test]
    fn a_doubled_limit_is_planned_beyond_the_limit() {
        let job = Submission { limit: Some(Seconds(600)), ..job_of(1) };
        let doubled = Multiplied::new(Estimate, "x2".parse().unwrap());
        let mut predictor = FromHistory::new(doubled, Correction::Steps, LimitUse::FallbackOnly);
        assert_eq!(predictor.on_arrival(&job, Time(0), &mut Revisions::default()), Seconds(1_200));
    }

    #[test]
    fn a_factor_is_whole_and_more_than_one() {
        assert_eq!("x2".parse::<Factor>().unwrap().to_string(), "x2");
        for text in ["", "x", "2", "x0", "x1", "x1001", "x2.5", "x-2"] {
            assert_eq!(text.parse::<Factor>(), Err(NoFactor), "{text}");
        }
    }
}
