//! The risk of a limit for one job: how likely jobs like it run longer, and how well that is known.
//!
//! For: the promise is for *this* job, so its risk must be right among jobs of which the same is said, and not only on the whole. A
//! logistic regression weighs what the runs of each category say about a limit (how many of how many were longer; if none was,
//! how much room there is above the longest), learnt after every job that ended, on all limits at once: how long a job ran tells of every limit
//! whether it would have been enough. One number for each user follows those whose runs are longer than the others' with the same past.
//! On top of it what was said is compared with what came, by how large the risk was said to be, and one exceedance that was not seen is
//! added: what is known from few jobs is told as a higher risk.
//!
//! Sources: online logistic regression with steps by Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011; recalibration by
//! bins as Zadrozny and Elkan, 2001. The numbers were chosen on KTH, CTC, SDSC-SP2, SDSC-BLUE and HPC2N (`experiments/limits`).
//!
//! Not for: which limit is told ([`super::adviser`]).

use queuecast_workload::{Seconds, UserId};
use rustc_hash::FxHashMap;

use super::past_runs::{KnownRuns, LEVELS};

/// Limits that are looked at, as shares of what was asked for. Less than a tenth off is not worth a risk.
pub const SHARES_OF_ASKED: [f64; 12] = [0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9];

/// Runs of a category, by powers of two.
const COUNTS: usize = 8;
/// What they say of a limit: four kinds of room above the longest, five shares of longer ones, or nothing.
const SAYINGS: usize = 10;
const NOTHING_KNOWN: usize = 9;
const WEIGHTS: usize = LEVELS.len() * COUNTS * SAYINGS + SHARES_OF_ASKED.len();

/// How fast weights move, and a user's own number, and what all have in common.
const RATE: f64 = 0.2;
const USER_RATE: f64 = 0.3;
const COMMON_RATE: f64 = 0.001;
/// What is left of a user's number after a job, and of the memory of how far it was off.
const USER_KEPT: f64 = 0.998;
const USER_SQUARES_KEPT: f64 = 0.99;
/// A user's number stays within these: nobody is trusted much more than the others, and nobody lost for good.
const LEAST_USER: f64 = -1.0;
const MOST_USER: f64 = 3.0;
/// Before anything is learnt, as a logit.
const START: f64 = -1.0;

/// Said risks are compared with what came in steps of a sixth of a power of ten.
const BINS: usize = 30;
const BINS_IN_TENFOLD: f64 = 6.0;
/// What is left of a bin's counts after a job, what the said risk itself counts for in it, and how many exceedances are added.
const BIN_KEPT: f64 = 0.9998;
const SAID_COUNTS_FOR: f64 = 20.0;
const EXCEEDANCES_ADDED: f64 = 1.0;

/// What is said of one limit, as it was when the job came.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitRisk {
    /// The limit.
    pub limit: Seconds,
    /// The risk, calibrated: what is told.
    pub risk: f64,
    /// As the weights had it.
    said: f64,
    /// Which weights those were.
    weights: Vec<u16>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    longer: f64,
    jobs: f64,
}

#[derive(Clone, Copy, Debug)]
struct UserNumber {
    logit: f64,
    squares: f64,
}

/// Learns what the past says about limits.
#[derive(Clone, Debug)]
pub struct RiskModel {
    common: f64,
    weights: Vec<f64>,
    squares: Vec<f64>,
    users: FxHashMap<UserId, UserNumber>,
    bins: [Bin; BINS],
}

impl Default for RiskModel {
    fn default() -> Self {
        Self {
            common: START,
            weights: vec![0.0; WEIGHTS],
            squares: vec![1.0; WEIGHTS],
            users: FxHashMap::default(),
            bins: [Bin::default(); BINS],
        }
    }
}

impl RiskModel {
    /// The risks of limits below what was asked for, from the shortest limit on; a longer limit is never said to risk more.
    pub fn risks(&self, user: Option<UserId>, known: &[KnownRuns], asked: Seconds) -> Vec<LimitRisk> {
        let mut risks: Vec<LimitRisk> = Vec::with_capacity(SHARES_OF_ASKED.len());
        for (place, share) in SHARES_OF_ASKED.iter().enumerate() {
            let limit = whole_minutes(asked.as_f64() * share);
            let is_worth_it = limit.as_f64() <= 0.9 * asked.as_f64() + 1.0;
            if !is_worth_it || risks.last().is_some_and(|last| last.limit == limit) {
                continue;
            }
            let weights = weights_of(place, known, limit);
            let said = logistic(self.logit(user, &weights));
            risks.push(LimitRisk { limit, risk: self.calibrated(said), said, weights });
        }
        let mut highest = 0.0_f64;
        for risk in risks.iter_mut().rev() {
            highest = highest.max(risk.risk);
            risk.risk = highest;
        }
        risks
    }

    /// A job ran so long; these were the risks when it came.
    pub fn learn(&mut self, user: Option<UserId>, risks: &[LimitRisk], run: Seconds) {
        let mut of_user = 0.0;
        for risk in risks {
            let longer = if run > risk.limit { 1.0 } else { 0.0 };
            let bin = &mut self.bins[bin_of(risk.said)];
            bin.longer = bin.longer * BIN_KEPT + longer;
            bin.jobs = bin.jobs * BIN_KEPT + 1.0;
            // With the weights of now: of a hundred jobs that came together each would otherwise correct the same error.
            let slope = logistic(self.logit(user, &risk.weights)) - longer;
            of_user += slope;
            for weight in risk.weights.iter().map(|weight| usize::from(*weight)) {
                self.squares[weight] += slope * slope;
                self.weights[weight] -= RATE * slope / self.squares[weight].sqrt();
            }
            self.common -= COMMON_RATE * slope;
        }
        if let Some(user) = user {
            let number = self.users.entry(user).or_insert(UserNumber { logit: 0.0, squares: 1.0 });
            number.squares = number.squares * USER_SQUARES_KEPT + of_user * of_user;
            number.logit =
                number.logit * USER_KEPT - USER_RATE * of_user / number.squares.max(f64::MIN_POSITIVE).sqrt();
            number.logit = number.logit.clamp(LEAST_USER, MOST_USER);
        }
    }

    fn logit(&self, user: Option<UserId>, weights: &[u16]) -> f64 {
        let of_user = user.and_then(|user| self.users.get(&user)).map_or(0.0, |number| number.logit);
        self.common + of_user + weights.iter().map(|weight| self.weights[usize::from(*weight)]).sum::<f64>()
    }

    fn calibrated(&self, said: f64) -> f64 {
        let bin = self.bins[bin_of(said)];
        ((bin.longer + EXCEEDANCES_ADDED + SAID_COUNTS_FOR * said) / (bin.jobs + SAID_COUNTS_FOR)).min(1.0)
    }
}

/// Which weights speak of a limit: one for its share of what was asked for, and one for each level.
fn weights_of(share: usize, known: &[KnownRuns], limit: Seconds) -> Vec<u16> {
    let of_levels = known.iter().map(|runs| {
        let (longer, ended) = (runs.longer(limit), runs.ended);
        let count = ended.max(longer);
        let (count, saying) =
            if count == 0 { (0, NOTHING_KNOWN) } else { (count.ilog2() as usize, saying(runs, longer, count, limit)) };
        (runs.level * COUNTS + count.min(COUNTS - 1)) * SAYINGS + saying
    });
    let places = of_levels.chain([LEVELS.len() * COUNTS * SAYINGS + share]);
    places.map(|place| u16::try_from(place).unwrap_or(u16::MAX)).collect()
}

fn saying(runs: &KnownRuns, longer: usize, count: usize, limit: Seconds) -> usize {
    let among = |value: f64, bounds: &[f64]| bounds.iter().filter(|bound| value >= **bound).count();
    if longer == 0 {
        let room = limit.as_f64() / f64::from(runs.longest().unwrap_or(1).max(1));
        among(room, &[1.2, 1.6, 2.5])
    } else {
        4 + among(longer as f64 / count as f64, &[0.02, 0.05, 0.15, 0.4])
    }
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

fn bin_of(said: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between nothing and thirty")]
    let bin = (-said.max(1e-5).log10() * BINS_IN_TENFOLD).max(0.0) as usize;
    bin.min(BINS - 1)
}

/// Slurm's limits are whole minutes.
fn whole_minutes(seconds: f64) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "limits are far below")]
    let minutes = (seconds / 60.0).ceil() as i64;
    Seconds(minutes.max(1) * 60)
}

#[cfg(test)]
mod tests {
    use queuecast_testkit::submission;
    use queuecast_workload::{Submission, Time};

    use super::super::past_runs::PastRuns;
    use super::*;

    fn job(number: u64) -> Submission {
        Submission { user: Some(UserId(1)), ..submission(number, 0, 1, Some(36_000)) }
    }

    /// The risks after so many jobs that ran so long.
    fn after(jobs: u64, run: impl Fn(u64) -> i64) -> Vec<LimitRisk> {
        let (mut past, mut model) = (PastRuns::default(), RiskModel::default());
        for number in 0..jobs {
            let risks = model.risks(Some(UserId(1)), &past.known(&job(number), Time(0)), Seconds(36_000));
            model.learn(Some(UserId(1)), &risks, Seconds(run(number)));
            past.on_end(&job(number), Seconds(run(number)));
        }
        model.risks(Some(UserId(1)), &past.known(&job(jobs), Time(0)), Seconds(36_000))
    }

    fn at(risks: &[LimitRisk], limit: i64) -> f64 {
        risks.iter().find(|risk| risk.limit == Seconds(limit)).map_or(f64::NAN, |risk| risk.risk)
    }

    #[test]
    fn a_longer_limit_never_risks_more_and_none_is_as_long_as_what_was_asked_for() {
        for jobs in [0, 1, 7, 300] {
            let risks = after(jobs, |number| 60 * (1 + i64::try_from(number).expect("few") * 37 % 500));
            assert_eq!(risks.len(), SHARES_OF_ASKED.len());
            assert!(risks.is_sorted_by(|one, other| one.risk >= other.risk && one.limit < other.limit), "{risks:?}");
            assert!(risks.iter().all(|risk| risk.limit <= Seconds(32_400) && (0.0..=1.0).contains(&risk.risk)));
        }
    }

    #[test]
    fn what_is_known_from_few_jobs_is_told_as_a_higher_risk() {
        let [few, many] = [10, 1_000].map(|jobs| at(&after(jobs, |_| 600), 7_200));
        assert!(few > 0.05, "{few}");
        assert!(many < 0.01, "{many}");
    }

    #[test]
    fn a_tenth_that_runs_long_is_told_about_as_a_tenth() {
        let risks = after(5_000, |number| if number % 10 == 3 { 30_000 } else { 600 });
        let risk = at(&risks, 7_200);
        assert!((0.05..0.2).contains(&risk), "{risk}");
    }

    #[test]
    fn limits_of_a_few_minutes_are_looked_at_once() {
        let model = RiskModel::default();
        let risks = model.risks(None, &[], Seconds(300));
        let limits: Vec<i64> = risks.iter().map(|risk| risk.limit.0).collect();
        assert_eq!(limits, [60, 120, 180, 240]);
    }
}
