//! What to plan where a model has no opinion, and what no model has to think about: never below a second, never
//! above the limit.

use queuecast_workload::Seconds;

/// Whoever says "for ever" has said nothing, and is not scored; a model must not get away with that.
const LONGEST: Seconds = Seconds(Seconds::MAX.0 - 1);

/// The mean run time of everything that has ended, for jobs of which nothing else is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fallback {
    ended: i64,
    total: i64,
}

impl Fallback {
    /// A model's prediction, at least a second and at most the limit. Without a prediction, the limit; without that
    /// as well, the mean of what has ended; before anything has, nothing.
    pub fn plan(&self, prediction: Option<Seconds>, limit: Option<Seconds>) -> Option<Seconds> {
        let planned = prediction.or(limit).or_else(|| self.mean())?;
        Some(planned.min(limit.unwrap_or(Seconds::MAX)).clamp(Seconds(1), LONGEST))
    }

    /// A job ended after `run` seconds.
    pub fn learn(&mut self, run: Seconds) {
        self.ended += 1;
        // 10^12 seconds a job is the most a log can say; nine million of those fit.
        self.total = self.total.saturating_add(run.0);
    }

    fn mean(&self) -> Option<Seconds> {
        (self.ended > 0).then(|| Seconds(self.total / self.ended))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_comes_before_the_mean_and_bounds_the_prediction() {
        let mut fallback = Fallback::default();
        assert_eq!(fallback.plan(None, None), None, "nothing is known");
        assert_eq!(fallback.plan(None, Some(Seconds(60))), Some(Seconds(60)));
        assert_eq!(fallback.plan(Some(Seconds(90)), Some(Seconds(60))), Some(Seconds(60)));
        assert_eq!(fallback.plan(Some(Seconds(0)), None), Some(Seconds(1)));
        assert!(fallback.plan(Some(Seconds::MAX), None) < Some(Seconds::MAX), "for ever is what nobody predicts");
        fallback.learn(Seconds(10));
        fallback.learn(Seconds(21));
        assert_eq!(fallback.plan(None, None), Some(Seconds(15)));
        assert_eq!(fallback.plan(None, Some(Seconds(60))), Some(Seconds(60)));
    }
}
