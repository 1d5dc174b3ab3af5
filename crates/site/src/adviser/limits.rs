//! Limits: what each risks, and what it buys in starting time.

use std::sync::PoisonError;

use queuecast_advise::change::{Change, Effect};
use queuecast_advise::limit::{AdvisedLimit, LimitRecord};
use queuecast_predict::distribution::RuntimeDistribution;
use queuecast_workload::{Seconds, Time};

use super::OpenAdviser;
use queuecast_advise::{LimitAdvice, LimitChoice, Subject};
use queuecast_forecast::estimate::NoEstimate;

/// What is advised at one accepted risk, and how that promise was kept.
pub(super) struct Advised {
    pub accepted: f64,
    pub what: AdvisedLimit,
    pub kept: LimitRecord,
}

impl OpenAdviser {
    pub(super) fn limit_advice(&self, subject: &Subject) -> Result<LimitAdvice, NoEstimate> {
        match subject {
            Subject::Hypothetical(job) => {
                let imagined = self.situation.hypothetical(job)?;
                let submission = self.submission(job, imagined.planned);
                let runs = self.distribution(&submission);
                Ok(self.choices(&runs, imagined.planned, |limit| self.starts(&imagined.with_limit(limit), submission)))
            }
            Subject::Waiting(job_id) => {
                let (_, place) = self.waiting(*job_id)?;
                let job = &self.situation.core.waiting[place];
                let runs = self.distribution(&job.submission);
                let replayed = self.replayed(place);
                Ok(self.choices(&runs, job.planned, |limit| {
                    if limit == job.planned {
                        replayed.unchanged.clone()
                    } else {
                        replayed.starts(&[Change::Limit(limit)])
                    }
                }))
            }
        }
    }

    /// At every risk that limits are advised for.
    pub(super) fn advised(&self, runs: &RuntimeDistribution, longest: Seconds) -> Vec<Advised> {
        let desk = self.limits.read().unwrap_or_else(PoisonError::into_inner);
        let advised = desk.advise(runs, longest).into_iter().zip(desk.accepted()).zip(desk.kept());
        advised.map(|((what, accepted), kept)| Advised { accepted, what, kept }).collect()
    }

    fn choices(
        &self,
        runs: &RuntimeDistribution,
        asked: Seconds,
        starts: impl Fn(Seconds) -> Vec<Option<Time>>,
    ) -> LimitAdvice {
        let unchanged = starts(asked);
        let said = |starts: &[Option<Time>], limit: Seconds| self.said(starts, |share| runs.sample(share).min(limit));
        let mut choices: Vec<LimitChoice> = Vec::new();
        for Advised { accepted, what, kept } in self.advised(runs, asked) {
            let AdvisedLimit { limit, risk } = what;
            let same = choices.iter().find(|choice| choice.limit == limit).cloned();
            let choice = same.unwrap_or_else(|| {
                let starts = starts(limit);
                LimitChoice {
                    accepted,
                    limit,
                    risk,
                    kept,
                    effect: Effect::between(&unchanged, &starts, self.horizon()),
                    forecast: said(&starts, limit),
                }
            });
            choices.push(LimitChoice { accepted, kept, ..choice });
        }
        let as_asked = said(&unchanged, asked);
        LimitAdvice { asked, risk: 1.0 - runs.share_within(asked), as_asked, choices }
    }
}
