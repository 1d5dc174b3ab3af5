//! What likeness is worth, learnt from how well it foretold: a weight for every code, moved after every job that ends
//! against the slope of the continuous ranked probability score.
//!
//! For: sites differ in what repeats (a user's last job, the same limit, the same program), and this finds out which
//! without being told. The back-off's n / (n + theta) is in here: jobs of a near category outweigh those of a wider one
//! the more of them there are, and theta is the ratio of the learnt weights.
//!
//! The slope is taken at the weights of now, not at those of the arrival: all jobs of a user that are in the system
//! would otherwise correct one and the same error. On SDSC-BLUE, where that is up to 400 jobs, weights ran away (CRPS
//! 0.346 of the mean run time; with the weights of now 0.305, and 0.316 if nothing is learnt).
//!
//! Not for: which jobs are weighed at all.

use queuecast_workload::UserId;
use rustc_hash::FxHashMap;

use super::likeness::{CODES, Code, HABITS, LEVELS, PRIOR_LEVEL, PRIOR_WITHOUT_LIMIT_CODE, RELATIVE_LEVELS};

/// How many tables there are: one for each part of a code.
const TABLES: usize = 4;
/// No weight moves by more than a factor of `e` to this at once, however long the job.
const LONGEST_STEP: f64 = 0.3;
/// No weight leaves `e` to plus or minus this, so that none is ever lost for good.
const FARTHEST: f64 = 12.0;
/// What is taken off the prior where there is no limit.
const WITHOUT_LIMIT_LOG_WEIGHT: f64 = -5.0;
/// After how many jobs the scale of run times is half forgotten, about.
const SCALE_MEMORY_JOBS: f64 = 1_000.0;

/// A point of a distribution as it was when the job arrived.
#[derive(Clone, Copy, Debug)]
pub struct WeighedPoint {
    pub seconds: u32,
    pub code: Code,
    /// Its share then in proportion to its weight then: what running jobs made of it.
    pub share_of_weight: f32,
}

/// The weights of some codes, and their logarithms.
#[derive(Clone, Copy, Debug)]
struct Table<const N: usize> {
    start: [f64; N],
    log_weights: [f64; N],
    weights: [f64; N],
}

/// Weights of codes: for everybody, and for each user by what users differ in.
#[derive(Clone, Debug)]
pub struct LearnedWeights {
    rate: f64,
    habit_rate: f64,
    forgetting: f64,
    places: Table<CODES>,
    nearnesses: Table<CODES>,
    contexts: Table<CODES>,
    habits: FxHashMap<UserId, Table<HABITS>>,
    nobody: Table<HABITS>,
    /// What run times are like, for steps that do not depend on the unit: their recent mean in seconds, and from how
    /// many.
    scale_seconds: f64,
    scale_jobs: f64,
    /// For the shares of points, kept from one job to the next.
    shares: Vec<f64>,
}

/// The weights for one user's jobs.
#[derive(Clone, Copy, Debug)]
pub struct UserWeights<'a> {
    everybody: &'a LearnedWeights,
    habits: &'a Table<HABITS>,
}

impl<const N: usize> Table<N> {
    fn new(log_weights: [f64; N]) -> Self {
        Self { start: log_weights, log_weights, weights: log_weights.map(f64::exp) }
    }

    /// Moves against the slope, and a little back to where it started.
    fn step(&mut self, slopes: &[f64; CODES], rate: f64, forgetting: f64) {
        let entries = self.log_weights.iter_mut().zip(&mut self.weights).zip(&self.start);
        for (((log_weight, weight), start), slope) in entries.zip(slopes) {
            if *slope != 0.0 {
                let step = (rate * slope).clamp(-LONGEST_STEP, LONGEST_STEP);
                *log_weight -= step + forgetting * (*log_weight - start);
                *log_weight = log_weight.clamp(-FARTHEST, FARTHEST);
                *weight = log_weight.exp();
            }
        }
    }
}

impl UserWeights<'_> {
    /// What a job with this code counts.
    pub fn weight(&self, code: Code) -> f64 {
        let [place, habit, nearness, context] = code.map(usize::from);
        let LearnedWeights { places, nearnesses, contexts, .. } = self.everybody;
        places.weights[place] * self.habits.weights[habit] * nearnesses.weights[nearness] * contexts.weights[context]
    }
}

impl LearnedWeights {
    /// Nothing learnt yet: near levels count more, and newer jobs do. The rates are those of what holds for everybody
    /// and of what holds for one user.
    pub fn new((rate, habit_rate, forgetting): (f64, f64, f64), recency: f64, prior_log_weight: f64) -> Self {
        let mut places = [0.0; CODES];
        // The middle rank of each bucket.
        let ranks = [0.0, 1.0, 2.0, 3.5, 6.5, 12.5, 24.5, 40.0];
        let mut start = |level: usize, log_weight: f64| {
            for (bucket, rank) in ranks.iter().enumerate() {
                places[level * 8 + bucket] = log_weight - recency * f64::ln_1p(*rank);
            }
        };
        for (index, level) in LEVELS.iter().enumerate() {
            start(index, level.log_weight);
        }
        for (level, relative) in RELATIVE_LEVELS {
            start(relative, LEVELS[level].log_weight);
        }
        start(PRIOR_LEVEL, prior_log_weight);
        let mut nearnesses = [0.0; CODES];
        // Seconds up to a month are no knowledge at all, unlike shares of a limit.
        nearnesses[PRIOR_WITHOUT_LIMIT_CODE..].fill(WITHOUT_LIMIT_LOG_WEIGHT);
        Self {
            rate,
            habit_rate,
            forgetting,
            places: Table::new(places),
            nearnesses: Table::new(nearnesses),
            contexts: Table::new([0.0; CODES]),
            habits: FxHashMap::default(),
            nobody: Table::new([0.0; HABITS]),
            scale_seconds: 0.0,
            scale_jobs: 0.0,
            shares: Vec::new(),
        }
    }

    /// The weights for this user's jobs.
    pub fn of(&self, user: Option<UserId>) -> UserWeights<'_> {
        let habits = user.and_then(|user| self.habits.get(&user)).unwrap_or(&self.nobody);
        UserWeights { everybody: self, habits }
    }

    /// What the level and rank alone count.
    pub fn place_weight(&self, place: u8) -> f64 {
        self.places.weights[usize::from(place)]
    }

    /// A job ran for `run_seconds`; `points`, in order, are what was thought of it.
    pub fn learn(&mut self, user: Option<UserId>, points: &[WeighedPoint], run_seconds: f64) {
        self.scale_jobs = (self.scale_jobs + 1.0).min(SCALE_MEMORY_JOBS);
        self.scale_seconds += (run_seconds - self.scale_seconds) / self.scale_jobs;
        let mut slopes = [[0.0; CODES]; TABLES];
        // With the weights of now: of a thousand jobs that arrived together each would otherwise correct the same error
        // as if the others had not.
        let mut shares = std::mem::take(&mut self.shares);
        let weights = self.of(user);
        shares.clear();
        shares.extend(points.iter().map(|point| f64::from(point.share_of_weight) * weights.weight(point.code)));
        let total: f64 = shares.iter().sum();
        for share in &mut shares {
            *share /= total.max(f64::MIN_POSITIVE);
        }
        add_slopes(points, &shares, run_seconds, &mut slopes);
        self.shares = shares;
        let [places, habits, nearnesses, contexts] = &slopes;
        let scale_seconds = self.scale_seconds.max(1.0);
        let step = self.rate / scale_seconds;
        self.places.step(places, step, self.forgetting);
        self.nearnesses.step(nearnesses, step, self.forgetting);
        self.contexts.step(contexts, step, self.forgetting);
        if let Some(user) = user
            && self.habit_rate > 0.0
        {
            self.habits.entry(user).or_insert(self.nobody).step(
                habits,
                self.habit_rate / scale_seconds,
                self.forgetting,
            );
        }
    }
}

/// The slope of the score in the logarithm of each weight. With shares w, run times x and the actual run time y it is
/// the sum over the points of that code of w (g - mean g), where g = |x - y| - (the mean distance of x to all points).
fn add_slopes(points: &[WeighedPoint], shares: &[f64], run_seconds: f64, slopes: &mut [[f64; CODES]; TABLES]) {
    let mean: f64 = points.iter().zip(shares).map(|(point, share)| share * f64::from(point.seconds)).sum();
    let gains = || {
        let (mut share_before, mut sum_before) = (0.0, 0.0);
        points.iter().zip(shares).map(move |(point, share)| {
            let seconds = f64::from(point.seconds);
            let distance = seconds * (2.0 * share_before - 1.0) + mean - 2.0 * sum_before;
            share_before += share;
            sum_before += share * seconds;
            ((seconds - run_seconds).abs() - distance, share)
        })
    };
    let mean_gain: f64 = gains().map(|(gain, share)| gain * share).sum();
    for (point, (gain, share)) in points.iter().zip(gains()) {
        let slope = share * (gain - mean_gain);
        for (slopes, code) in slopes.iter_mut().zip(point.code) {
            slopes[usize::from(code)] += slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::RuntimeDistribution;
    use queuecast_workload::Seconds;

    fn score(log_weights: &[f64; 4], run_seconds: i64) -> f64 {
        let seconds = [10, 300, 900, 4_000].map(Seconds);
        let points = seconds.into_iter().zip(log_weights.map(f64::exp));
        RuntimeDistribution::weighted(points, Seconds::ZERO).crps(Seconds(run_seconds))
    }

    #[test]
    fn slopes_are_those_of_the_score() {
        let log_weights = [0.3, -0.2, 0.5, -1.0];
        let weights = log_weights.map(f64::exp);
        let shares = weights.map(|weight| weight / weights.iter().sum::<f64>());
        let points: Vec<WeighedPoint> = [(10, 0), (300, 1), (900, 2), (4_000, 3)]
            .map(|(seconds, code)| WeighedPoint { seconds, code: [code; 4], share_of_weight: 1.0 })
            .to_vec();
        for run_seconds in [5, 300, 1_000, 9_000] {
            let mut slopes = [[0.0; CODES]; TABLES];
            add_slopes(&points, &shares, run_seconds as f64, &mut slopes);
            for place in 0..4 {
                let (mut up, mut down) = (log_weights, log_weights);
                up[place] += 1e-4;
                down[place] -= 1e-4;
                let expected = (score(&up, run_seconds) - score(&down, run_seconds)) / 2e-4;
                assert!((slopes[0][place] - expected).abs() < 1e-3 * expected.abs().max(1.0), "{run_seconds} {place}");
            }
        }
    }
}
