//! Asks the experts, weighs what they say, and teaches them what came.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Outcome, Seconds, Submission, Time};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::curve::{SPAN_SECONDS, WaitCurve, refined};
use super::experts::{EXPERTS, what_each_says};
use super::forest::{Forest, ForestSettings};
use super::inputs::{INPUTS, InputRow, row, without_labels};
use super::learnt::LearntWaits;
use super::levels::Levels;
use super::open_answers::{OpenAnswer, OpenAnswers};
use super::part::{Part, prior};
use super::recent_by_kind::RecentByKind;
use super::regime::{REGIMES, regime};
use super::rows::Rows;
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
    /// Whether the manager tells priorities, limits and nodes: then the model is the surest to begin with.
    pub are_priorities_told: bool,
    /// How the forest is grown.
    pub forest: ForestSettings,
    /// What is left out.
    pub without: Option<Part>,
}

impl Default for PooledSettings {
    fn default() -> Self {
        Self {
            rows: 20_000,
            first_rows: 150,
            more_rows: 1_500,
            more_share: 0.25,
            are_priorities_told: false,
            forest: ForestSettings::default(),
            without: None,
        }
    }
}

/// Who still waits is looked at so often.
const ADVANCED_EVERY: Seconds = Seconds(60);

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
    /// The waits in its futures, repaired if they were, in seconds and sorted: what is said is as exact as they are.
    pub futures: &'a [f64],
    /// How many jobs the repaired model took to be stuck.
    pub stuck: usize,
}

/// What is said, and everything it takes to learn from it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The waits that are left, calibrated.
    pub distribution: WaitDistribution,
    given: Given,
}

/// What an answer was made of: what is learnt from.
#[derive(Clone, Debug)]
pub struct Given {
    now: Time,
    /// What each expert said.
    said: [WaitCurve; EXPERTS.len()],
    pooled: WaitCurve,
    bin: usize,
    regime: usize,
    row: InputRow,
}

impl Answer {
    /// What each expert said by itself, in the order of [`EXPERTS`].
    pub fn experts(&self) -> &[WaitCurve; EXPERTS.len()] {
        &self.given.said
    }
}

/// The forecaster.
#[derive(Clone, Debug)]
pub struct Pooled {
    settings: PooledSettings,
    recent: RecentByKind,
    weights: Weights,
    levels: Levels,
    forest: Option<Forest>,
    waiting: WaitingJobs,
    memory: Memory,
    open: OpenAnswers,
    advanced: Option<Time>,
    rows: VecDeque<(InputRow, f64)>,
    rows_since: usize,
    random: Pcg64,
}

impl Pooled {
    /// Knows nothing yet.
    pub fn new(settings: PooledSettings) -> Self {
        Self {
            settings,
            recent: RecentByKind::default(),
            weights: Weights::new(&prior(settings.are_priorities_told, settings.without), REGIMES),
            levels: Levels::new(REGIMES),
            forest: None,
            waiting: WaitingJobs::default(),
            memory: Memory::new(),
            open: OpenAnswers::default(),
            advanced: None,
            rows: VecDeque::new(),
            rows_since: 0,
            random: Pcg64::seed_from_u64(settings.forest.seed),
        }
    }

    /// Says how much longer a job waits.
    pub fn ask(&self, question: &Question<'_>) -> Answer {
        let Question { job, now, state, words, futures, stuck } = *question;
        let nothing = [Word::of(&mut []); 2];
        let (words, futures) =
            if self.settings.without == Some(Part::Futures) { (&nothing, &[][..]) } else { (words, futures) };
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
        let recent = self.recent.of(job, waited_seconds);
        let row = row(&circumstances, &words[1], &recent, job, now);
        let regime_of = regime(words[1].median_seconds, waited_seconds);
        let weights = self.weights.of(regime_of);
        let said = what_each_says(&recent, words, &weights, self.forest.as_ref(), &row);
        let pooled = WaitCurve::mixed(said.iter().zip(weights));
        let bin = regime(pooled.quantile(0.5), waited_seconds);
        let are_replaced = self.settings.without != Some(Part::Levels);
        let replaced = |share| if are_replaced { self.levels.replaced(bin, share) } else { share };
        let distribution = pooled.distribution(|curve, share| refined(curve.quantile(replaced(share)), futures));
        Answer { distribution, given: Given { now, said, pooled, bin, regime: regime_of, row } }
    }

    /// This was said: it will be learnt from as the job waits, and when it starts.
    pub fn keep(&mut self, job: JobId, answer: Answer) {
        self.open.keep(job, answer.given);
    }

    /// Time has passed: who still waits counts as far as it has waited. To be told before anything is asked.
    pub fn advance(&mut self, now: Time) {
        if self.advanced.is_none_or(|advanced| now >= advanced + ADVANCED_EVERY) {
            self.advanced = Some(now);
            self.learn_from_who_waits(now);
        }
        self.levels.refresh();
    }

    fn learn_from_who_waits(&mut self, now: Time) {
        let mut places = vec![Vec::new(); REGIMES];
        for OpenAnswer { given, passed } in self.open.iter_mut() {
            let waited = (now - given.now).as_f64();
            if waited <= 0.0 {
                continue;
            }
            let now_passed = SPAN_SECONDS.partition_point(|span| *span < waited);
            if now_passed > *passed {
                self.weights.pass(given.regime, &given.said, *passed..now_passed);
                *passed = now_passed;
            }
            #[expect(clippy::cast_possible_truncation, reason = "a share")]
            let place = given.pooled.place_of(waited).1 as f32;
            places[given.bin].push(place);
        }
        self.levels.still_waiting(places);
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
            self.recent.started(job, (now - job.submitted).as_f64().max(0.0));
        }
        for open in self.open.take(job.job) {
            self.learn(&open, now);
        }
    }

    fn learn(&mut self, OpenAnswer { given, passed }: &OpenAnswer, started: Time) {
        let wait = (started - given.now).as_f64().max(0.0);
        self.weights.finish(given.regime, &given.said, wait, *passed);
        let (low, high) = given.pooled.place_of(wait);
        let place = low + self.random.random::<f64>() * (high - low);
        self.levels.learn(given.bin, place);
        self.add_row(&given.row, wait);
        if let Some(forest) = &mut self.forest {
            forest.add(&given.row, wait);
        }
    }

    fn add_row(&mut self, row: &InputRow, wait_seconds: f64) {
        if self.rows.len() == self.settings.rows {
            self.rows.pop_front();
        }
        self.rows.push_back((*row, wait_seconds));
        self.rows_since += 1;
    }

    /// What was learnt, to be kept over a restart.
    pub fn learnt(&self) -> LearntWaits {
        LearntWaits {
            weights: self.weights.learnt().map(|(weights, outcomes)| (weights.to_vec(), outcomes)).collect(),
            places: self.levels.latest().map(Iterator::collect).collect(),
            inputs: self.rows.iter().flat_map(|(row, _)| without_labels(row)).collect(),
            waits: self.rows.iter().map(|(_, wait)| *wait).collect(),
        }
    }

    /// Goes on from what was learnt before a restart; the next lesson grows the forest again. Refused if it does not fit, whatever the reason.
    pub fn recall(&mut self, learnt: LearntWaits) -> bool {
        let LearntWaits { weights, places, inputs, waits } = learnt;
        let rows = inputs.as_chunks::<INPUTS>();
        let is_sound = places.len() == REGIMES
            && places.iter().flatten().all(|place| (0.0..=1.0).contains(place))
            && rows.1.is_empty()
            && rows.0.len() == waits.len()
            && waits.iter().all(|wait| wait.is_finite() && *wait >= 0.0);
        if !is_sound || !self.weights.recall(weights) {
            return false;
        }
        for (bin, places) in places.into_iter().enumerate() {
            for place in places {
                self.levels.learn(bin, f64::from(place));
            }
        }
        rows.0.iter().zip(waits).for_each(|(row, wait)| self.add_row(row, wait));
        true
    }

    /// A job ended; its run time is known from now on.
    pub fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        self.memory.ended(job, outcome);
    }

    /// A job left without having started, or is gone and nothing is known of how.
    pub fn left(&mut self, job: &Submission) {
        self.waiting.leave(job);
        self.memory.left(job.job);
        self.open.take(job.job);
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

    /// A new forest was grown. What has come while it grew is added to it.
    pub fn take(&mut self, mut forest: Forest) {
        for (row, wait) in self.rows.iter().rev().take(self.rows_since) {
            forest.add(row, *wait);
        }
        self.forest = Some(forest);
    }

    /// Whether the model is to be asked once more, repaired: where it is not known who goes first.
    pub fn is_repaired(&self) -> bool {
        !self.settings.are_priorities_told && !matches!(self.settings.without, Some(Part::Repair | Part::Futures))
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
    use queuecast_workload::{GroupId, Machine, PartitionId, ProgramId, QueueId, UserId};

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
        let answer =
            pooled.ask(&Question { job: &job, now: Time(5_000), state: &state, words: &words, futures: &[], stuck: 0 });
        let longest = answer.given.row[answer.given.row.len() - 1];
        assert!((longest - 1_000.0_f32.ln_1p()).abs() < 0.15, "{longest}");
    }

    /// Two users, the same jobs, the same word of the model; one of them does not wait.
    #[test]
    fn a_user_who_never_waits_is_found_out() {
        let mut pooled = Pooled::new(PooledSettings::default());
        let state = SiteState::new(Machine { processors: 8 });
        let words = [Word::of(&mut [3_600.0]); 2];
        let ask = |pooled: &Pooled, job: &Submission| {
            pooled.ask(&Question { job, now: job.submitted, state: &state, words: &words, futures: &[], stuck: 0 })
        };
        for number in 0..400_u32 {
            let job = of_user(u64::from(number), number % 2, i64::from(number) * 10_000);
            let answer = ask(&pooled, &job);
            pooled.keep(job.job, answer);
            pooled.arrived(&job, &state);
            pooled.started(&job, job.submitted + Seconds(if number % 2 == 0 { 0 } else { 7_200 }));
            if let Some(lesson) = pooled.lesson() {
                pooled.take(lesson.grow());
            }
        }
        let [favoured, other] = [0, 1].map(|user| ask(&pooled, &of_user(1_000, user, 5_000_000)).distribution);
        assert!(favoured.quantile(0.5) < 60.0, "{}", favoured.quantile(0.5));
        assert!((5_000.0..9_000.0).contains(&other.quantile(0.5)), "{}", other.quantile(0.5));
    }

    /// A queue that grows: everybody was told a minute by the last waits and an hour by the model, and nobody has started for half an hour.
    #[test]
    fn who_still_waits_teaches_before_it_starts() {
        let mut pooled = Pooled::new(PooledSettings::default());
        let state = SiteState::new(Machine { processors: 8 });
        let words = [Word::of(&mut [3_600.0]); 2];
        let ask = |pooled: &Pooled, job: &Submission| {
            pooled.ask(&Question { job, now: job.submitted, state: &state, words: &words, futures: &[], stuck: 0 })
        };
        for number in 0..100 {
            let quick = of_user(number, 7, 0);
            pooled.arrived(&quick, &state);
            pooled.started(&quick, Time(60));
        }
        for number in 100..160 {
            let waits = of_user(number, 7, 1_000);
            let answer = ask(&pooled, &waits);
            pooled.keep(waits.job, answer);
            pooled.arrived(&waits, &state);
        }
        let next = of_user(200, 7, 2_800);
        let before = ask(&pooled, &next).distribution.quantile(0.25);
        pooled.advance(Time(2_800));
        let after = ask(&pooled, &next).distribution.quantile(0.25);
        assert!(before < 120.0 && after > 1_800.0, "{after} after {before}");
    }

    fn taught() -> Pooled {
        let mut pooled = Pooled::new(PooledSettings::default());
        let state = SiteState::new(Machine { processors: 8 });
        for number in 0..300_u32 {
            let job = of_user(u64::from(number), number % 3, i64::from(number) * 10_000);
            let words = [Word::of(&mut [f64::from(number % 7) * 900.0]); 2];
            let answer = pooled.ask(&Question {
                job: &job,
                now: job.submitted,
                state: &state,
                words: &words,
                futures: &[],
                stuck: 0,
            });
            pooled.keep(job.job, answer);
            pooled.arrived(&job, &state);
            pooled.started(&job, job.submitted + Seconds(i64::from(number % 11) * 700));
        }
        pooled
    }

    #[test]
    fn what_comes_while_a_forest_grows_is_not_lost() {
        let mut pooled = taught();
        let lesson = pooled.lesson().expect("enough rows");
        let state = SiteState::new(Machine { processors: 8 });
        let job = of_user(1_000, 1, 9_000_000);
        let words = [Word::of(&mut [60.0]); 2];
        let question = Question { job: &job, now: job.submitted, state: &state, words: &words, futures: &[], stuck: 0 };
        let answer = pooled.ask(&question);
        pooled.keep(job.job, answer);
        pooled.arrived(&job, &state);
        pooled.started(&job, job.submitted + Seconds(50));
        pooled.take(lesson.grow());
        assert_eq!(pooled.forest.as_ref().map(Forest::rows), Some(301));
    }

    #[test]
    fn who_and_where_is_not_kept_because_names_are_numbered_anew() {
        let mut pooled = Pooled::new(PooledSettings::default());
        let state = SiteState::new(Machine { processors: 8 });
        let job = Submission {
            group: Some(GroupId(1_002)),
            queue: Some(QueueId(1_003)),
            program: Some(ProgramId(1_004)),
            partition: Some(PartitionId(1_005)),
            ..of_user(1, 1_001, 0)
        };
        let question = Question {
            job: &job,
            now: Time(0),
            state: &state,
            words: &[Word::of(&mut [60.0]); 2],
            futures: &[],
            stuck: 0,
        };
        let answer = pooled.ask(&question);
        let labels = |inputs: &[f32]| inputs.iter().filter(|input| (1_000.5..1_005.5).contains(*input)).count();
        assert_eq!(labels(&answer.given.row), 5, "the forest sees them");
        pooled.keep(job.job, answer);
        pooled.started(&job, Time(100));
        let kept = pooled.learnt();
        assert_eq!((kept.waits.len(), labels(&kept.inputs)), (1, 0));
    }

    /// Only the last waits and the users' memory are told again by others.
    #[test]
    fn a_restart_forgets_nothing_that_was_learnt() {
        let before = taught();
        let mut after = Pooled::new(PooledSettings::default());
        assert!(after.recall(before.learnt()));
        assert_eq!(after.learnt(), before.learnt());
        let lesson = after.lesson().expect("the forest is grown again at once");
        after.take(lesson.grow());
        assert!(after.lesson().is_none());
    }

    #[test]
    fn what_does_not_fit_is_refused_and_changes_nothing() {
        let sound = taught().learnt();
        let mut broken = vec![sound.clone(); 5];
        broken[0].inputs.pop();
        broken[1].waits[3] = f64::NAN;
        broken[2].places.pop();
        broken[3].weights[2].0[1] = 7.0;
        broken[4].places[1].push(2.0);
        let nothing = Pooled::new(PooledSettings::default()).learnt();
        for (number, broken) in broken.into_iter().enumerate() {
            let mut pooled = Pooled::new(PooledSettings::default());
            assert!(!pooled.recall(broken), "{number}");
            assert_eq!(pooled.learnt(), nothing, "{number}");
        }
    }
}
