//! Asks the experts, weighs what they say, and teaches them what came.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Outcome, Submission, Time};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;

use super::curve::WaitCurve;
use super::experts::{EXPERTS, Experts};
use super::forest::{Forest, ForestSettings, Rows};
use super::inputs::{InputRow, row};
use super::levels::Levels;
use super::part::{Part, prior};
use super::regime::{REGIMES, regime};
use super::weights::Weights;
use super::word::Word;
use crate::circumstances::{Circumstances, Memory, Shape, WaitingJobs};
use crate::distribution::WaitDistribution;
use crate::features::Demand;
use crate::state::SiteState;

/// How much is remembered and how often it is learnt anew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PooledSettings {
    /// Rows the forest learns from: the latest.
    pub rows: usize,
    /// It is grown for the first time from so many,
    pub first_rows: usize,
    /// and again once there are so many more, or this share.
    pub more_rows: usize,
    /// See there.
    pub more_share: f64,
    /// Forecasts of one job that are learnt from.
    pub kept_per_job: usize,
    /// How the forest is grown.
    pub forest: ForestSettings,
    /// What is left out.
    pub without: Option<Part>,
}

impl Default for PooledSettings {
    fn default() -> Self {
        Self {
            rows: 12_000,
            first_rows: 150,
            more_rows: 1_500,
            more_share: 0.25,
            kept_per_job: 8,
            forest: ForestSettings::default(),
            without: None,
        }
    }
}

/// What is asked: when will this job start?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The job.
    pub job: &'a Submission,
    /// This second.
    pub now: Time,
    /// What the site looks like.
    pub state: &'a SiteState,
    /// What the model says as it is, and repaired where the log does not say who may start.
    pub words: &'a [Word; 2],
    /// How many jobs the repaired model took to be stuck.
    pub stuck: usize,
}

/// What is said, and everything it takes to learn from it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The waits that are left, calibrated.
    pub distribution: WaitDistribution,
    /// What each expert said.
    pub said: [WaitCurve; EXPERTS.len()],
    now: Time,
    pooled: WaitCurve,
    bin: usize,
    regime: usize,
    words: [Word; 2],
    row: InputRow,
}

/// The forecaster.
#[derive(Clone, Debug)]
pub struct Pooled {
    settings: PooledSettings,
    experts: Experts,
    weights: Weights,
    levels: Levels,
    forest: Option<Forest>,
    waiting: WaitingJobs,
    memory: Memory,
    /// What was said of jobs that have not started.
    open: FxHashMap<JobId, Vec<Answer>>,
    rows: VecDeque<(InputRow, f64)>,
    rows_since: usize,
    random: Pcg64,
}

impl Pooled {
    /// Knows nothing yet.
    pub fn new(settings: PooledSettings) -> Self {
        Self {
            settings,
            experts: Experts::default(),
            weights: Weights::new(&prior(settings.without), REGIMES),
            levels: Levels::new(REGIMES),
            forest: None,
            waiting: WaitingJobs::default(),
            memory: Memory::new(),
            open: FxHashMap::default(),
            rows: VecDeque::new(),
            rows_since: 0,
            random: Pcg64::seed_from_u64(settings.forest.seed),
        }
    }

    /// Says how much longer a job waits.
    pub fn ask(&self, question: &Question<'_>) -> Answer {
        let Question { job, now, state, words, stuck } = *question;
        let nothing = [Word::of(&mut []); 2];
        let words = if self.settings.without == Some(Part::Futures) { &nothing } else { words };
        let waited_seconds = (now - job.submitted).as_f64().max(0.0);
        let demand = Demand { processors: job.request.processors, estimate: state.estimate(job) };
        let circumstances = Circumstances {
            job,
            state,
            now,
            features: state.features(job, now),
            said: words[0].quantiles.map(f64::from),
            said_quick: words[0].curve.place_of(3_600.0).1,
            stuck,
            sight: self.waiting.sight(job, demand, now),
            remembered: self.memory.remembered(job, Shape::of(demand), now),
        };
        let recent = self.experts.recent(job, waited_seconds);
        let row = row(&circumstances, &words[1], &recent, job, now);
        let has_waited = waited_seconds > 0.0;
        let regime_of = regime(words[1].median_seconds, has_waited);
        let said = self.experts.said(&recent, words, regime_of, self.forest.as_ref(), &row);
        let pooled = WaitCurve::mixed(said.iter().zip(self.weights.of(regime_of)));
        let bin = regime(pooled.quantile(0.5), has_waited);
        let are_replaced = self.settings.without != Some(Part::Levels);
        let distribution =
            pooled.distribution(|share| if are_replaced { self.levels.replaced(bin, share) } else { share });
        Answer { distribution, said, now, pooled, bin, regime: regime_of, words: *words, row }
    }

    /// This was said: it will be learnt from when the job starts.
    pub fn keep(&mut self, job: JobId, answer: Answer) {
        let open = self.open.entry(job).or_default();
        if open.len() < self.settings.kept_per_job {
            open.push(answer);
        }
    }

    /// A job came. It may have been asked about before.
    pub fn arrived(&mut self, job: &Submission, state: &SiteState) {
        let demand = Demand { processors: job.request.processors, estimate: state.estimate(job) };
        self.waiting.arrive(job, demand);
    }

    /// A job started; its wait is known from now on.
    pub fn started(&mut self, job: &Submission, now: Time) {
        if let Some(demand) = self.waiting.leave(job) {
            self.memory.started(job, Shape::of(demand), now);
            self.experts.started(job, (now - job.submitted).as_f64().max(0.0));
        }
        for answer in self.open.remove(&job.job).into_iter().flatten() {
            self.learn(&answer, now);
        }
    }

    fn learn(&mut self, answer: &Answer, started: Time) {
        let wait = (started - answer.now).as_f64().max(0.0);
        self.experts.learn(&answer.words, answer.regime, wait);
        self.weights.learn(answer.regime, &answer.said, wait);
        let (low, high) = answer.pooled.place_of(wait);
        let place = low + self.random.random::<f64>() * (high - low);
        self.levels.learn(answer.bin, place);
        if self.rows.len() == self.settings.rows {
            self.rows.pop_front();
        }
        self.rows.push_back((answer.row, wait));
        self.rows_since += 1;
    }

    /// A job ended; its run time is known from now on.
    pub fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        self.memory.ended(job, outcome);
    }

    /// A job left without having started.
    pub fn left(&mut self, job: &Submission) {
        self.waiting.leave(job);
        self.open.remove(&job.job);
    }

    /// What a new forest is to be grown from, if it is time. Growing takes seconds and needs nothing else: it may be done beside everything.
    pub fn lesson(&mut self) -> Option<Lesson> {
        if self.settings.without == Some(Part::Forest) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let enough = match self.forest {
            None => self.settings.first_rows,
            Some(_) => self.settings.more_rows.min((self.rows.len() as f64 * self.settings.more_share) as usize).max(1),
        };
        if self.rows_since < enough {
            return None;
        }
        self.rows_since = 0;
        let rows = Rows::of(self.rows.iter().map(|(row, wait)| (&row[..], *wait)));
        Some(Lesson { rows, settings: self.settings.forest })
    }

    /// A new forest was grown.
    pub fn take(&mut self, forest: Forest) {
        self.forest = Some(forest);
    }

    /// Whether the model is to be asked once more, repaired.
    pub fn is_repaired(&self) -> bool {
        !matches!(self.settings.without, Some(Part::Repair | Part::Futures))
    }
}

/// Rows to grow a forest from.
#[derive(Clone, Debug)]
pub struct Lesson {
    rows: Rows,
    settings: ForestSettings,
}

impl Lesson {
    /// Grows it.
    pub fn grow(&self) -> Forest {
        Forest::learn(&self.rows, &self.settings)
    }
}

#[cfg(test)]
mod tests {
    use queuecast_testkit::submission;
    use queuecast_workload::{Machine, UserId};

    use super::*;

    fn of_user(number: u64, user: u32, submitted: i64) -> Submission {
        Submission { user: Some(UserId(user)), ..submission(number, submitted, 2, Some(3_600)) }
    }

    /// The last inputs are the waits of the job's user.
    #[test]
    fn every_input_has_its_place_up_to_the_last() {
        let mut pooled = Pooled::new(PooledSettings::default());
        let state = SiteState::new(Machine { processors: 8 });
        let before = of_user(1, 7, 0);
        pooled.arrived(&before, &state);
        pooled.started(&before, Time(1_000));
        let job = of_user(2, 7, 5_000);
        let words = [Word::of(&mut [60.0]); 2];
        let answer = pooled.ask(&Question { job: &job, now: Time(5_000), state: &state, words: &words, stuck: 0 });
        let longest = answer.row[answer.row.len() - 1];
        assert!((longest - 1_000.0_f32.ln_1p()).abs() < 0.15, "{longest}");
    }

    /// Two users, the same jobs, the same word of the model; one of them does not wait.
    #[test]
    fn a_user_who_never_waits_is_found_out() {
        let mut pooled = Pooled::new(PooledSettings::default());
        let state = SiteState::new(Machine { processors: 8 });
        let words = [Word::of(&mut [3_600.0]); 2];
        let ask = |pooled: &Pooled, job: &Submission| {
            pooled.ask(&Question { job, now: job.submitted, state: &state, words: &words, stuck: 0 })
        };
        for number in 0..400_u32 {
            let job = of_user(u64::from(number), number % 2, i64::from(number) * 10_000);
            let answer = ask(&pooled, &job);
            pooled.keep(job.job, answer);
            pooled.arrived(&job, &state);
            pooled.started(&job, job.submitted + queuecast_workload::Seconds(if number % 2 == 0 { 0 } else { 7_200 }));
            if let Some(lesson) = pooled.lesson() {
                pooled.take(lesson.grow());
            }
        }
        let [favoured, other] = [0, 1].map(|user| ask(&pooled, &of_user(1_000, user, 5_000_000)).distribution);
        assert!(favoured.quantile(0.5) < 60.0, "{}", favoured.quantile(0.5));
        assert!((5_000.0..9_000.0).contains(&other.quantile(0.5)), "{}", other.quantile(0.5));
    }
}
