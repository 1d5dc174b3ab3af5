//! Who goes first, learnt from who went first: for sites whose priorities nobody told us.
//!
//! At every start some of those who could have gone in its place (no larger, no longer, of the same partition) are compared with it. A
//! logistic model learns from these pairs (Adagrad: Duchi, Hazan, Singer 2011): age, the user's share of what was used lately and of what runs, how many
//! it has waiting, how often somebody passed it, and what users, queues and partitions are worth. Sizes are no inputs: the pairs are
//! chosen by them.
//!
//! Not for: managers that tell priorities. It is used only while it has lately been right more often than first-come ([`LearntOrder::is_better`]).

use std::collections::BTreeMap;

use queuecast_workload::{JobId, Submission, Time, UserId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;

/// So many are compared with each start.
const PAIRS: usize = 4;
const RATE: f64 = 0.1;
/// What is remembered of earlier steps, and of earlier successes, at each step.
const FADING: f64 = 0.9999;
const EFFECT_FADING: f64 = 0.999;
/// Use fades to a third within three days.
const USE_FADES_SECONDS: f64 = 3.0 * 86_400.0;
/// Pairs before it is believed, and by how much it must be better.
const LEAST_PAIRS: f64 = 300.0;
const MARGIN: f64 = 0.01;

const INPUTS: usize = 7;
type Inputs = [f64; INPUTS];

/// Effects of a user, a queue and a partition.
type Effects = [(u8, u32); 3];

#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    processor_seconds: f64,
    at_seconds: f64,
    running_processors: f64,
    waiting_jobs: f64,
}

impl Usage {
    fn now(&self, seconds: f64) -> f64 {
        let left = (-(seconds - self.at_seconds).max(0.0) / USE_FADES_SECONDS).exp();
        self.processor_seconds * left + self.running_processors * USE_FADES_SECONDS * (1.0 - left)
    }

    fn advance(&mut self, seconds: f64) {
        self.processor_seconds = self.now(seconds);
        self.at_seconds = self.at_seconds.max(seconds);
    }
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    submission: Submission,
    /// By how many it was passed.
    passed: f64,
}

/// Learns who goes first.
#[derive(Clone, Debug)]
pub struct LearntOrder {
    weights: Inputs,
    squares: Inputs,
    effects: FxHashMap<(u8, u32), (f64, f64)>,
    usage: FxHashMap<Option<UserId>, Usage>,
    all: Usage,
    waiting: BTreeMap<JobId, Waiting>,
    running: FxHashMap<JobId, f64>,
    processors: f64,
    /// Pairs lately, and of them those it and first-come were right about.
    pairs: f64,
    right: f64,
    first_come_right: f64,
    random: Pcg64,
}

impl LearntOrder {
    /// Of a machine of so many processors.
    pub fn new(processors: u32, seed: u64) -> Self {
        let mut weights = [0.0; INPUTS];
        weights[0] = 1.0;
        Self {
            weights,
            squares: [1.0; INPUTS],
            effects: FxHashMap::default(),
            usage: FxHashMap::default(),
            all: Usage::default(),
            waiting: BTreeMap::new(),
            running: FxHashMap::default(),
            processors: f64::from(processors.max(1)),
            pairs: 0.0,
            right: 0.0,
            first_come_right: 0.0,
            random: Pcg64::seed_from_u64(seed),
        }
    }

    /// Whether it has lately been right more often than first-come.
    pub fn is_better(&self) -> bool {
        self.pairs >= LEAST_PAIRS && self.right > self.first_come_right + MARGIN * self.pairs
    }

    /// What a job is worth now: the more, the sooner it goes.
    pub fn worth(&self, job: &Submission, now: Time) -> f64 {
        let passed = self.waiting.get(&job.job).map_or(0.0, |waiting| waiting.passed);
        self.score(&self.inputs(job, passed, now), &effects(job))
    }

    /// A job came.
    pub fn arrived(&mut self, job: &Submission) {
        self.usage.entry(job.user).or_default().waiting_jobs += 1.0;
        self.waiting.insert(job.job, Waiting { submission: *job, passed: 0.0 });
    }

    /// A job left without having started.
    pub fn left(&mut self, job: &Submission) {
        if self.waiting.remove(&job.job).is_some() {
            self.usage.entry(job.user).or_default().waiting_jobs -= 1.0;
        }
    }

    /// A job started.
    pub fn started(&mut self, job: &Submission, now: Time) {
        let Some(went) = self.waiting.remove(&job.job) else { return };
        self.learn(job, went.passed, now);
        let (seconds, processors) = (now.0 as f64, f64::from(job.request.processors));
        for usage in [self.usage.entry(job.user).or_default(), &mut self.all] {
            usage.advance(seconds);
            usage.running_processors += processors;
        }
        self.usage.entry(job.user).or_default().waiting_jobs -= 1.0;
        self.running.insert(job.job, processors);
    }

    /// A job ended.
    pub fn ended(&mut self, job: &Submission, now: Time) {
        let Some(processors) = self.running.remove(&job.job) else { return };
        for usage in [self.usage.entry(job.user).or_default(), &mut self.all] {
            usage.advance(now.0 as f64);
            usage.running_processors -= processors;
        }
    }

    fn learn(&mut self, job: &Submission, passed: f64, now: Time) {
        let could_have_gone = |other: &Submission| {
            other.request.processors <= job.request.processors
                && other.limit <= job.limit
                && other.partition == job.partition
        };
        let others: Vec<JobId> = self
            .waiting
            .values()
            .filter(|other| could_have_gone(&other.submission))
            .map(|other| other.submission.job)
            .collect();
        let mine = (self.inputs(job, passed, now), effects(job));
        for _ in 0..others.len().min(PAIRS) {
            let other = self.waiting[&others[self.random.random_range(0..others.len())]];
            let theirs = (self.inputs(&other.submission, other.passed, now), effects(&other.submission));
            let was_first = job.submitted <= other.submission.submitted;
            self.compare(&mine, &theirs, was_first);
        }
        for other in others {
            if let Some(waiting) = self.waiting.get_mut(&other).filter(|waiting| waiting.submission.job < job.job) {
                waiting.passed += 1.0;
            }
        }
    }

    /// The first of the two went first.
    fn compare(&mut self, went: &(Inputs, Effects), stayed: &(Inputs, Effects), was_first: bool) {
        let lead = self.score(&went.0, &went.1) - self.score(&stayed.0, &stayed.1);
        let right = if lead > 0.0 {
            1.0
        } else if lead < 0.0 {
            0.0
        } else {
            0.5
        };
        self.pairs = self.pairs * FADING + 1.0;
        self.right = self.right * FADING + right;
        self.first_come_right = self.first_come_right * FADING + f64::from(u8::from(was_first));
        let surprise = 1.0 - 1.0 / (1.0 + (-lead.clamp(-30.0, 30.0)).exp());
        for input in 0..INPUTS {
            let step = surprise * (went.0[input] - stayed.0[input]);
            self.squares[input] = self.squares[input] * FADING + step * step;
            self.weights[input] += RATE * step / self.squares[input].sqrt();
        }
        for (one, other) in went.1.iter().zip(&stayed.1).filter(|(one, other)| one != other) {
            for (effect, step) in [(one, surprise), (other, -surprise)] {
                let (worth, squares) = self.effects.entry(*effect).or_insert((0.0, 1.0));
                *squares = *squares * EFFECT_FADING + step * step;
                *worth = *worth * (1.0 - 1e-4) + RATE * step / squares.sqrt();
            }
        }
    }

    fn score(&self, inputs: &Inputs, effects: &Effects) -> f64 {
        let linear: f64 = inputs.iter().zip(&self.weights).map(|(input, weight)| input * weight).sum();
        linear + effects.iter().map(|effect| self.effects.get(effect).map_or(0.0, |(worth, _)| *worth)).sum::<f64>()
    }

    fn inputs(&self, job: &Submission, passed: f64, now: Time) -> Inputs {
        let age = (now - job.submitted).as_f64().max(0.0);
        let usage = self.usage.get(&job.user).copied().unwrap_or_default();
        let share = usage.now(now.0 as f64) / (self.all.now(now.0 as f64) + 1.0);
        [
            (age / 3_600.0 + 0.1).ln() * 0.5,
            (age / 86_400.0).min(14.0) * 0.3,
            (share + 0.003).ln() * 0.5,
            usage.running_processors / self.processors,
            (usage.waiting_jobs.max(0.0) + 1.0).ln() * 0.3,
            (passed + 1.0).ln() * 0.5,
            if age < 60.0 { 1.0 } else { 0.0 },
        ]
    }
}

fn effects(job: &Submission) -> Effects {
    [
        (0, job.user.map_or(0, |user| user.0 + 1)),
        (1, job.queue.map_or(0, |queue| queue.0 + 1)),
        (2, job.partition.map_or(0, |partition| partition.0 + 1)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;
    use queuecast_workload::QueueId;

    /// Two queues: whoever is in the first goes first, however late it came. First-come is right about every other pair.
    #[test]
    fn a_queue_that_goes_first_is_found_out_and_first_come_is_not_beaten_where_it_is_right() {
        let learnt = |prefers: bool| {
            let mut order = LearntOrder::new(8, 1);
            let mut now = 0;
            let mut waiting: Vec<Submission> = Vec::new();
            for number in 0..4_000 {
                now += 60;
                let job = Submission {
                    queue: Some(QueueId(u32::from(number % 2 == 0))),
                    ..submission(number, now, 1, Some(600))
                };
                order.arrived(&job);
                waiting.push(job);
                if waiting.len() > 6 {
                    let first = waiting.iter().position(|job| job.queue == Some(QueueId(1)));
                    let next = waiting.remove(first.filter(|_| prefers).unwrap_or(0));
                    order.started(&next, Time(now));
                    order.ended(&next, Time(now + 30));
                }
            }
            order
        };
        let order = learnt(true);
        assert!(order.is_better() && order.right / order.pairs > 0.95, "{} of {}", order.right, order.pairs);
        let job = |queue| Submission { queue: Some(QueueId(queue)), ..submission(9_999, 240_000, 1, Some(600)) };
        assert!(order.worth(&job(1), Time(240_000)) > order.worth(&job(0), Time(240_000)));
        let plain = learnt(false);
        assert!(!plain.is_better(), "{} against {}", plain.right, plain.first_come_right);
    }
}
