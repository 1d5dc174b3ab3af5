//! Limits: what each risks, and what it buys in starting time.

use std::sync::PoisonError;

use queuecast_advise::change::{Change, Effect};
use queuecast_advise::limit::{AdvisedLimit, LimitOpinion, LimitRecord};
use queuecast_workload::{Seconds, Submission, Time};

use super::OpenAdviser;
use queuecast_advise::{LimitAdvice, LimitChoice, Subject};
use queuecast_forecast::estimate::NoForecast;

/// What is advised at one accepted risk, and how that promise was kept.
pub(super) struct Advised {
    pub accepted: f64,
    pub what: AdvisedLimit,
    pub kept: LimitRecord,
}

impl OpenAdviser {
    pub(super) fn limit_advice(&self, subject: &Subject) -> Result<LimitAdvice, NoForecast> {
        match subject {
            Subject::Hypothetical(job) => {
                let imagined = self.situation.hypothetical(job)?;
                let submission = self.submission(job, imagined.planned);
                let starts = |limit: Seconds| self.starts(&imagined.with_limit(limit), submission);
                Ok(self.choices(&submission, imagined.planned, starts))
            }
            Subject::Waiting(job_id) => {
                let (_, place) = self.waiting(*job_id)?;
                let job = &self.situation.core.waiting[place];
                let replayed = self.replayed(place);
                Ok(self.choices(&job.submission, job.planned, |limit| {
                    if limit == job.planned {
                        replayed.unchanged.clone()
                    } else {
                        replayed.starts(&[Change::Limit(limit)])
                    }
                }))
            }
        }
    }

    /// At every risk that limits are advised for, and what is said of the job besides.
    pub(super) fn advised(&self, job: &Submission, asked: Seconds) -> (Vec<Advised>, LimitOpinion) {
        let desk = self.limits.read().unwrap_or_else(PoisonError::into_inner);
        let opinion = desk.advise(job, asked, self.now());
        let advised = opinion.advised.iter().zip(desk.accepted()).zip(desk.kept());
        let advised = advised.map(|((what, accepted), kept)| Advised { accepted, what: *what, kept }).collect();
        (advised, opinion)
    }

    fn choices(&self, job: &Submission, asked: Seconds, starts: impl Fn(Seconds) -> Vec<Option<Time>>) -> LimitAdvice {
        let runs = self.distribution(job);
        let unchanged = starts(asked);
        let said = |starts: &[Option<Time>], limit: Seconds| {
            self.said_changed(job, &unchanged, starts, |share| runs.sample(share).min(limit))
        };
        let (advised, opinion) = self.advised(job, asked);
        let risk_as_asked = 1.0 - runs.share_within(asked);
        let mut choices: Vec<LimitChoice> = Vec::new();
        for Advised { accepted, what, kept } in advised {
            let AdvisedLimit { limit, risk, verdict } = what;
            // One row for each limit: who keeps what was asked for reads the same risk as in the row of what was asked for.
            let risk = if limit < asked { risk } else { risk_as_asked };
            let same = choices.iter().find(|choice| choice.limit == limit).cloned();
            let choice = same.unwrap_or_else(|| {
                let starts = starts(limit);
                LimitChoice {
                    accepted,
                    limit,
                    risk,
                    verdict,
                    kept,
                    effect: Effect::between(&unchanged, &starts, self.horizon()),
                    forecast: said(&starts, limit),
                }
            });
            choices.push(LimitChoice { accepted, risk, verdict, kept, ..choice });
        }
        LimitAdvice {
            asked,
            risk: risk_as_asked,
            as_asked: said(&unchanged, asked),
            choices,
            lowest_risk: opinion.lowest_risk,
            basis: opinion.basis,
            heavy_tail: opinion.heavy_tail,
        }
    }
}
