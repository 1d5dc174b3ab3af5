//! What is learnt of waits, event by event: the forecaster (`queuecast_forecast::pooled`) with everything it has to be told of the site.
//!
//! For: a live site and a history that is over, which tell the same events. Not for: run times (`learner.rs`), and playing the queue.

use queuecast_forecast::pooled::{
    Answer, EXPERTS, Forest, LearntWaits, Lesson, Pooled, PooledSettings, Question, Word,
};
use queuecast_forecast::score::SHARES;
use queuecast_forecast::{LearntOrder, SiteState};
use queuecast_workload::{JobId, Machine, Outcome, Seconds, Submission, Time};

use super::Raw;

/// Hears of everything that happens, and says how long jobs wait.
#[derive(Clone, Debug)]
pub struct WaitLearner {
    state: SiteState,
    /// Who goes first, where nobody tells.
    order: Option<LearntOrder>,
    pooled: Pooled,
}

impl WaitLearner {
    /// Of a history that does not tell who goes first, on a machine of so many processors.
    pub fn of_unknown_order(processors: u32, seed: u64) -> Self {
        Self { order: Some(LearntOrder::new(processors, seed)), ..Self::new(processors, seed, false) }
    }

    /// Of a site or a history that tells priorities, on a machine of so many processors. Where their number is not known it may be anything: the forest sees
    /// how many are free less a constant.
    pub fn of_told_order(processors: u32, seed: u64) -> Self {
        Self::new(processors, seed, true)
    }

    fn new(processors: u32, seed: u64, are_priorities_told: bool) -> Self {
        let mut settings = PooledSettings { are_priorities_told, ..PooledSettings::default() };
        settings.forest.seed = seed;
        Self { state: SiteState::new(Machine { processors }), order: None, pooled: Pooled::new(settings) }
    }

    /// Those who wait, by who goes first, as far as that was learnt; `None` if first come, first served is as good, or the order is told.
    pub fn order(&self, waiting: &[Submission], now: Time) -> Option<Vec<Submission>> {
        let order = self.order.as_ref().filter(|order| order.is_better())?;
        let mut worth: Vec<(f64, &Submission)> = waiting.iter().map(|job| (order.worth(job, now), job)).collect();
        worth.sort_by(|one, other| other.0.total_cmp(&one.0));
        Some(worth.into_iter().map(|(_, job)| *job).collect())
    }

    /// Time has passed. To be told before anything is asked.
    pub fn advance(&mut self, now: Time) {
        self.state.advance(now);
        self.pooled.advance(now);
    }

    /// Says when a job starts that waits so long in the model's futures, as they are and, where they were, repaired. Both must be sorted.
    pub fn ask(&self, job: &Submission, futures: &[f64], repaired: Option<&[f64]>, stuck: usize, now: Time) -> Answer {
        let word = Word::of_sorted(futures);
        let words = [word, repaired.map_or(word, Word::of_sorted)];
        let futures = repaired.unwrap_or(futures);
        self.pooled.ask(&Question { job, now, state: &self.state, words: &words, futures, stuck })
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
        if let Some(order) = &mut self.order {
            order.arrived(job);
        }
        self.state.arrive(job);
    }

    /// A job started.
    pub fn started(&mut self, job: &Submission, now: Time) {
        self.state.advance(now);
        self.pooled.started(job, now);
        if let Some(order) = &mut self.order {
            order.started(job, now);
        }
        self.state.start(job.job, now);
    }

    /// A job ended.
    pub fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        self.state.advance(outcome.ended);
        self.pooled.ended(job, outcome);
        if let Some(order) = &mut self.order {
            order.ended(job, outcome.ended);
        }
        self.state.end(job.job);
    }

    /// A job is gone, from the queue or from the machine, and nothing is known of how.
    pub fn left(&mut self, job: &Submission) {
        self.pooled.left(job);
        if let Some(order) = &mut self.order {
            order.left(job);
        }
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

    /// What was learnt from answers, to be kept over a restart. What waits have been is told again by the history.
    pub fn learnt(&self) -> LearntWaits {
        self.pooled.learnt()
    }

    /// Goes on from what was learnt before a restart; `false` if it does not fit.
    pub fn recall(&mut self, learnt: LearntWaits) -> bool {
        self.pooled.recall(learnt)
    }
}

/// Waits from now in the model's futures, sorted; one that does not start before the horizon starts at it.
pub fn waits_in(starts: &[Option<Time>], now: Time, horizon: Time) -> Vec<f64> {
    let mut waits: Vec<f64> = starts.iter().map(|start| (start.unwrap_or(horizon) - now).as_f64().max(0.0)).collect();
    waits.sort_by(f64::total_cmp);
    waits
}

/// What each expert says by itself, in the middle.
pub fn expert_medians(answer: &Answer, now: Time) -> [Time; EXPERTS.len()] {
    answer.experts().each_ref().map(|curve| now + whole(curve.quantile(0.5)))
}

/// The times at [`SHARES`] that each expert says by itself.
pub fn expert_times(answer: &Answer, now: Time) -> [Raw; EXPERTS.len()] {
    answer.experts().each_ref().map(|curve| SHARES.map(|share| now + whole(curve.quantile(share))))
}

fn whole(seconds: f64) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "seconds")]
    Seconds(seconds.round() as i64)
}

/// The times at [`SHARES`] of what is said.
pub fn times(answer: &Answer, now: Time) -> Raw {
    SHARES.map(|share| now + whole(answer.distribution.quantile(share)))
}
