//! Limits at one accepted risk, and what came of them.

use queuecast_predict::distribution::RuntimeDistribution;
use queuecast_workload::Seconds;

/// Slurm's limits are whole minutes.
const MINUTE_SECONDS: f64 = 60.0;
/// Jobs that do the same again do not take the same second: what is advised is this much longer than a run time that was seen.
const MARGIN: f64 = 1.15;
/// How far one job moves the logarithm of the price, before it is weighed by how rare its fate is.
const STEP: f64 = 0.02;
/// The price stays within these, so that it finds back from any stretch of luck.
const LOWEST_PRICE: f64 = 0.5;
const HIGHEST_PRICE: f64 = 1e6;

/// A limit that was advised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvisedLimit {
    /// What to ask for.
    pub limit: Seconds,
    /// The share of run times beyond it, as far as is known.
    pub risk: f64,
}

/// Advises limits so that in the long run one share of the jobs is killed.
///
/// A limit costs its length, as a share of the longest, and its risk times a price. The cheapest is advised. The price goes up with
/// every job that outran its limit and down, by less, with every other, so that the share of those killed comes to the
/// one accepted whatever the distributions are worth (as Gibbs and Candès move a level in adaptive conformal inference).
#[derive(Clone, Debug)]
pub struct LimitAdviser {
    accepted: f64,
    price: f64,
    kept: LimitRecord,
}

/// How the promised risk was kept so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitRecord {
    /// Jobs that were advised and have ended, or outlived what they were advised.
    pub jobs: u64,
    /// Those that would have been killed.
    pub killed: u64,
}

impl LimitAdviser {
    /// Nothing learnt yet. `accepted` is the share of jobs that may be killed, between nobody and everybody.
    pub fn new(accepted: f64) -> Self {
        let accepted = accepted.clamp(1e-6, 0.5);
        Self { accepted, price: 0.5 / accepted, kept: LimitRecord::default() }
    }

    /// The share of jobs that may be killed.
    pub fn accepted(&self) -> f64 {
        self.accepted
    }

    /// How the promised risk was kept so far.
    pub fn kept(&self) -> LimitRecord {
        self.kept
    }

    /// The limit for a job whose run time is distributed like this; never beyond the longest, which is what was asked for or is
    /// allowed.
    pub fn advise(&self, runs: &RuntimeDistribution, longest: Seconds) -> AdvisedLimit {
        let longest_seconds = longest.as_f64().max(1.0);
        let mut cheapest = AdvisedLimit { limit: longest, risk: 1.0 - runs.share_within(longest) };
        let mut least_cost = 1.0 + self.price * cheapest.risk;
        for (seconds, share_within) in runs.points() {
            let limit = with_margin(seconds);
            if limit >= longest {
                break;
            }
            let risk = 1.0 - share_within;
            let cost = limit.as_f64() / longest_seconds + self.price * risk;
            if cost < least_cost {
                (least_cost, cheapest) = (cost, AdvisedLimit { limit, risk });
            }
        }
        cheapest
    }

    /// A job was killed, or would have been, or ended within its limit.
    pub fn learn(&mut self, killed: bool) {
        self.kept.jobs += 1;
        self.kept.killed += u64::from(killed);
        let step = STEP / self.accepted.sqrt();
        let up = if killed { 1.0 - self.accepted } else { -self.accepted };
        self.price = (self.price * (step * up).exp()).clamp(LOWEST_PRICE, HIGHEST_PRICE);
    }
}

/// A run time with room for the next to be longer, in whole minutes.
fn with_margin(seconds: Seconds) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "a run time is at most 136 years")]
    let minutes = (seconds.as_f64() * MARGIN / MINUTE_SECONDS).ceil() as i64;
    Seconds(minutes.max(1) * 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(points: &[(i64, f64)]) -> RuntimeDistribution {
        RuntimeDistribution::weighted(
            points.iter().map(|(seconds, weight)| (Seconds(*seconds), *weight)),
            Seconds::ZERO,
        )
    }

    const HOUR: Seconds = Seconds(3_600);

    #[test]
    fn who_always_takes_ten_minutes_is_told_so_with_room_and_in_whole_minutes() {
        let advised = LimitAdviser::new(0.01).advise(&runs(&[(600, 1.0)]), HOUR);
        assert_eq!(advised, AdvisedLimit { limit: Seconds(12 * 60), risk: 0.0 });
    }

    #[test]
    fn who_may_take_anything_keeps_the_limit_asked_for() {
        let anything: Vec<(i64, f64)> = (1..=60).map(|minute| (minute * 60, 1.0)).collect();
        assert_eq!(LimitAdviser::new(0.01).advise(&runs(&anything), HOUR).limit, HOUR);
    }

    #[test]
    fn nobody_is_advised_more_than_the_longest() {
        for seconds in [1, 3_000, 3_500, 3_600, 9_000] {
            let advised = LimitAdviser::new(0.05).advise(&runs(&[(seconds, 1.0)]), HOUR);
            assert!(advised.limit <= HOUR && advised.limit >= Seconds(60).min(HOUR), "{seconds} {advised:?}");
        }
    }

    #[test]
    fn a_killed_job_makes_risk_dearer_by_as_much_as_its_share_of_others_makes_it_cheaper() {
        let fresh = LimitAdviser::new(0.05);
        let mut adviser = fresh.clone();
        adviser.learn(true);
        assert!(adviser.price > fresh.price);
        (0..19).for_each(|_| adviser.learn(false));
        assert!((adviser.price / fresh.price - 1.0).abs() < 1e-9);
    }

    /// The distributions are wrong here: a tenth runs twice as long as anybody says. Nevertheless no more are killed.
    #[test]
    fn the_promise_holds_though_the_distributions_are_wrong() {
        let mut adviser = LimitAdviser::new(0.05);
        let said = runs(&[(300, 0.99), (3_000, 0.01)]);
        let mut killed = 0;
        for job in 0..20_000 {
            let run = Seconds(if job % 10 == 0 { 700 } else { 300 });
            let dead = run > adviser.advise(&said, HOUR).limit;
            adviser.learn(dead);
            killed += u32::from(dead);
        }
        assert!((f64::from(killed) / 20_000.0 - 0.05).abs() < 0.005, "{killed}");
    }
}
