//! What is learnt of waits, event by event: the forecaster (`queuecast_forecast::pooled`) with everything it has to be told of the site.
//!
//! For: a history that is over; the daemon does not ask it yet. Not for: run times (`learner.rs`), and playing the queue.

use queuecast_forecast::pooled::{Answer, Forest, Lesson, Pooled, PooledSettings, Question, Word};
use queuecast_forecast::score::SHARES;
use queuecast_forecast::{LearntOrder, SiteState};
use queuecast_workload::{JobId, Machine, Outcome, Seconds, Submission, Time};

use super::Raw;

/// Hears of everything that happens, and says how long jobs wait.
#[derive(Clone, Debug)]
pub struct WaitLearner {
    state: SiteState,
    order: LearntOrder,
    pooled: Pooled,
}

impl WaitLearner {
    /// Knows nothing yet, of a machine of so many processors.
    pub fn new(processors: u32, seed: u64) -> Self {
        let mut settings = PooledSettings::default();
        settings.forest.seed = seed;
        Self {
            state: SiteState::new(Machine { processors }),
            order: LearntOrder::new(processors, seed),
            pooled: Pooled::new(settings),
        }
    }

    /// Those who wait, by who goes first, as far as that was learnt; `None` if first come, first served is as good.
    pub fn order(&self, waiting: &[Submission], now: Time) -> Option<Vec<Submission>> {
        self.order.is_better().then(|| {
            let mut worth: Vec<(f64, &Submission)> =
                waiting.iter().map(|job| (self.order.worth(job, now), job)).collect();
            worth.sort_by(|one, other| other.0.total_cmp(&one.0));
            worth.into_iter().map(|(_, job)| *job).collect()
        })
    }

    /// Says when a job starts of which the model says this, as it is and repaired.
    pub fn ask(&self, job: &Submission, words: &[Word; 2], stuck: usize, now: Time) -> Answer {
        self.pooled.ask(&Question { job, now, state: &self.state, words, stuck })
    }

    /// What was said is learnt from when the job starts; one that does not wait any more has been.
    pub fn keep(&mut self, job: JobId, answer: Answer) {
        if self.state.is_waiting(job) {
            self.pooled.keep(job, answer);
        }
    }

    /// A job came.
    pub fn arrived(&mut self, job: &Submission) {
        self.state.advance(job.submitted);
        self.pooled.arrived(job, &self.state);
        self.order.arrived(job);
        self.state.arrive(job);
    }

    /// A job started.
    pub fn started(&mut self, job: &Submission, now: Time) {
        self.state.advance(now);
        self.pooled.started(job, now);
        self.order.started(job, now);
        self.state.start(job.job, now);
    }

    /// A job ended.
    pub fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        self.state.advance(outcome.ended);
        self.pooled.ended(job, outcome);
        self.order.ended(job, outcome.ended);
        self.state.end(job.job);
    }

    /// A job is gone, from the queue or from the machine, and nothing is known of how.
    pub fn left(&mut self, job: &Submission) {
        self.pooled.left(job);
        self.order.left(job);
        self.state.withdraw(job.job);
        self.state.end(job.job);
    }

    /// What a new forest is to be grown from, if it is time.
    pub fn lesson(&mut self) -> Option<Lesson> {
        self.pooled.lesson()
    }

    /// A new forest was grown.
    pub fn take(&mut self, forest: Forest) {
        self.pooled.take(forest);
    }
}

/// What the model's futures say, as waits from now; one that does not start before the horizon starts at it.
pub fn word(starts: &[Option<Time>], now: Time, horizon: Time) -> Word {
    let mut waits: Vec<f64> = starts.iter().map(|start| (start.unwrap_or(horizon) - now).as_f64().max(0.0)).collect();
    Word::of(&mut waits)
}

/// The times at [`SHARES`] of what is said.
pub fn times(answer: &Answer, now: Time) -> Raw {
    #[expect(clippy::cast_possible_truncation, reason = "seconds")]
    SHARES.map(|share| now + Seconds(answer.distribution.quantile(share).round() as i64))
}
