//! Limits at one promised risk, and what came of them.

use queuecast_workload::{Seconds, UserId};
use rustc_hash::FxHashMap;

use super::risk_model::LimitRisk;

/// How far one job moves the logarithm of caution, before it is weighed by how rare its fate is.
const STEP: f64 = 0.02;
/// The share of the promise that is aimed at: half of all times it would be missed otherwise.
const AIMED_AT: f64 = 0.7;
/// What is left of the logarithm of caution after a job, so that it finds back from any stretch of luck.
const CAUTION_KEPT: f64 = 0.999;
/// Nobody is told a shorter limit before so many jobs have ended here, and enough for so many kills within the promise: what a risk is worth is learnt
/// from those, and before that more are killed than was promised (`experiments/limits`).
const FEWEST_ENDED: u64 = 1_000;
const FEWEST_KILLS: f64 = 20.0;
const LEAST_CAUTION: f64 = 0.5;
const MOST_CAUTION: f64 = 5.0;

/// Of a user's jobs with shorter limits so many times the promise may be killed, and no more are told one if that could come of it.
const MOST_OF_PROMISE: f64 = 1.5;
/// A user with fewer jobs is taken to have had so many: one kill in ten is no proof of anything.
const FEWEST_JOBS: f64 = 150.0;
/// What is left of a user's recent jobs after one more: a long good record does not buy a burst of kills.
const RECENT_KEPT: f64 = 0.995;

/// A limit that was advised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvisedLimit {
    /// What to ask for: what was asked for, if nothing shorter can be promised.
    pub limit: Seconds,
    /// The risk of jobs like this one that comes with it, calibrated; none where what was asked for is kept.
    pub risk: f64,
    /// Why it is this one.
    pub verdict: Verdict,
}

/// Why a limit is advised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The shortest whose own risk is within the promise.
    Shorter,
    /// Every shorter one risks more than was promised.
    TooRisky,
    /// Too many of the user's jobs have not shown yet whether their advice was good, or it was not.
    NotProven,
    /// Too few jobs have ended here for any promise.
    TooFewEnded,
}

/// How the promise was kept so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitRecord {
    /// Jobs that were told a shorter limit and have ended, or outlived it.
    pub jobs: u64,
    /// Those that would have been killed.
    pub killed: u64,
}

/// What came of one user's shorter limits.
#[derive(Clone, Copy, Debug, Default)]
struct UserRecord {
    jobs: f64,
    killed: f64,
    recent_jobs: f64,
    recent_killed: f64,
    /// Told a shorter limit, and not known yet whether that was right.
    open: f64,
}

impl UserRecord {
    /// Whether one more may be told a shorter limit: were all that are open killed, it would still be within bounds.
    fn has_room(&self, accepted: f64, open: f64) -> bool {
        let worst =
            |killed: f64, jobs: f64| killed + 1.0 + open <= MOST_OF_PROMISE * accepted * (jobs + open).max(FEWEST_JOBS);
        worst(self.killed, self.jobs) && worst(self.recent_killed, self.recent_jobs)
    }

    fn learn(&mut self, killed: bool) {
        let killed = f64::from(u8::from(killed));
        self.open -= 1.0;
        self.jobs += 1.0;
        self.killed += killed;
        self.recent_jobs = self.recent_jobs * RECENT_KEPT + 1.0;
        self.recent_killed = self.recent_killed * RECENT_KEPT + killed;
    }
}

/// Advises limits so that of jobs like each no more are killed than one share.
///
/// The shortest limit is advised whose own risk is within the promise. Three things are careful beyond that. The risk is multiplied by
/// a caution that rises with every kill and falls, by less, with every job that was not (as Gibbs and Candès move a level in adaptive conformal
/// inference). A user's own kills are bounded. And jobs of one user that are open at once are taken to be alike: they are killed together
/// or not at all.
#[derive(Clone, Debug)]
pub struct LimitAdviser {
    accepted: f64,
    caution: f64,
    users: FxHashMap<Option<UserId>, UserRecord>,
    kept: LimitRecord,
    ended: u64,
}

impl LimitAdviser {
    /// Nothing learnt yet. `accepted` is the share of jobs that may be killed, between nobody and everybody.
    pub fn new(accepted: f64) -> Self {
        let accepted = accepted.clamp(1e-6, 0.5);
        Self { accepted, caution: 1.0, users: FxHashMap::default(), kept: LimitRecord::default(), ended: 0 }
    }

    /// The share of jobs that may be killed.
    pub fn accepted(&self) -> f64 {
        self.accepted
    }

    /// How the promise was kept so far.
    pub fn kept(&self) -> LimitRecord {
        self.kept
    }

    /// The limit for a job of this user with these risks, from the shortest limit on. `is_counted` if the job itself is among those told
    /// a shorter limit.
    pub fn advise(&self, user: Option<UserId>, risks: &[LimitRisk], asked: Seconds, is_counted: bool) -> AdvisedLimit {
        let keep = |verdict| AdvisedLimit { limit: asked, risk: 0.0, verdict };
        if self.ended < FEWEST_ENDED || self.ended as f64 * self.accepted < FEWEST_KILLS {
            return keep(Verdict::TooFewEnded);
        }
        let told = |risk: &LimitRisk| risk.risk * self.caution;
        let Some(shortest) = risks.iter().find(|risk| told(risk) <= self.accepted) else {
            return keep(Verdict::TooRisky);
        };
        let record = self.users.get(&user).copied().unwrap_or_default();
        let open = record.open - f64::from(u8::from(is_counted));
        if !record.has_room(self.accepted, open) {
            return keep(Verdict::NotProven);
        }
        AdvisedLimit { limit: shortest.limit, risk: told(shortest), verdict: Verdict::Shorter }
    }

    /// A job of this user was told a shorter limit.
    pub fn told(&mut self, user: Option<UserId>) {
        self.users.entry(user).or_default().open += 1.0;
    }

    /// It left, and nobody will know.
    pub fn forget(&mut self, user: Option<UserId>) {
        if let Some(record) = self.users.get_mut(&user) {
            record.open -= 1.0;
        }
    }

    /// It outran its limit, or ended within it.
    pub fn learn(&mut self, user: Option<UserId>, killed: bool) {
        self.kept.jobs += 1;
        self.kept.killed += u64::from(killed);
        self.users.entry(user).or_default().learn(killed);
        let up = f64::from(u8::from(killed)) - AIMED_AT * self.accepted;
        self.caution = (self.caution * (STEP / self.accepted.sqrt() * up).exp()).clamp(LEAST_CAUTION, MOST_CAUTION);
    }

    /// A job ended, whoever's and whatever it was told.
    pub fn on_end(&mut self) {
        self.ended += 1;
        self.caution = self.caution.powf(CAUTION_KEPT);
    }
}

#[cfg(test)]
mod tests {
    use queuecast_testkit::submission;
    use queuecast_workload::Time;

    use super::super::past_runs::PastRuns;
    use super::super::risk_model::RiskModel;
    use super::*;

    const USER: Option<UserId> = Some(UserId(1));
    const ASKED: Seconds = Seconds(36_000);

    /// One who has seen so many jobs end that it may promise this.
    fn experienced(accepted: f64) -> LimitAdviser {
        let mut adviser = LimitAdviser::new(accepted);
        while adviser.ended < FEWEST_ENDED || adviser.ended as f64 * accepted < FEWEST_KILLS {
            adviser.on_end();
        }
        adviser
    }

    #[test]
    fn nothing_is_promised_before_enough_jobs_have_ended_and_a_small_risk_takes_more_of_them() {
        let ended = |accepted: f64, jobs: u64| {
            let mut adviser = LimitAdviser::new(accepted);
            (0..jobs).for_each(|_| adviser.on_end());
            adviser.advise(USER, &steady(), ASKED, false).verdict
        };
        assert_eq!(ended(0.1, 999), Verdict::TooFewEnded);
        assert_eq!(ended(0.1, 1_000), Verdict::Shorter);
        assert_eq!(ended(0.01, 1_999), Verdict::TooFewEnded);
        assert_ne!(ended(0.01, 2_000), Verdict::TooFewEnded);
    }

    /// The risks of somebody whose jobs always take ten minutes of ten hours.
    fn steady() -> Vec<LimitRisk> {
        let (mut past, mut model) = (PastRuns::default(), RiskModel::default());
        let job = |number| queuecast_workload::Submission { user: USER, ..submission(number, 0, 1, Some(ASKED.0)) };
        for number in 0..2_000 {
            let risks = model.risks(USER, &past.known(&job(number), Time(0)), ASKED);
            model.learn(USER, &risks, Seconds(600));
            past.on_end(&job(number), Seconds(600));
        }
        model.risks(USER, &past.known(&job(2_000), Time(0)), ASKED)
    }

    #[test]
    fn the_shortest_limit_within_the_promise_is_advised_and_its_risk_is_told() {
        let advised = experienced(0.05).advise(USER, &steady(), ASKED, false);
        assert_eq!(advised.verdict, Verdict::Shorter);
        assert!(advised.limit >= Seconds(600) && advised.limit <= Seconds(3_600), "{advised:?}");
        assert!(advised.risk > 0.0 && advised.risk <= 0.05, "{advised:?}");
    }

    #[test]
    fn what_risks_more_than_was_promised_is_not_advised() {
        let advised = experienced(1e-4).advise(USER, &steady(), ASKED, false);
        assert_eq!(advised, AdvisedLimit { limit: ASKED, risk: 0.0, verdict: Verdict::TooRisky });
    }

    #[test]
    fn a_user_whose_jobs_are_killed_is_not_advised_until_others_ended_well() {
        let (mut adviser, risks) = (experienced(0.05), steady());
        for _ in 0..12 {
            adviser.told(USER);
            adviser.learn(USER, true);
        }
        adviser.caution = 1.0;
        assert_eq!(adviser.advise(USER, &risks, ASKED, false).verdict, Verdict::NotProven);
        assert_eq!(adviser.advise(Some(UserId(2)), &risks, ASKED, false).verdict, Verdict::Shorter);
        for _ in 0..200 {
            adviser.told(USER);
            adviser.learn(USER, false);
        }
        assert_eq!(adviser.advise(USER, &risks, ASKED, false).verdict, Verdict::Shorter);
    }

    #[test]
    fn a_burst_of_jobs_is_not_all_told_before_the_first_have_ended() {
        let (mut adviser, risks) = (experienced(0.05), steady());
        let mut told = 0;
        while adviser.advise(USER, &risks, ASKED, false).verdict == Verdict::Shorter {
            adviser.told(USER);
            told += 1;
            assert!(told < 100);
        }
        assert_eq!(told, 11, "one and a half times a twentieth of 150");
        assert_eq!(
            adviser.advise(USER, &risks, ASKED, true).verdict,
            Verdict::Shorter,
            "who was told does not count against itself"
        );
        adviser.forget(USER);
        assert_eq!(adviser.advise(USER, &risks, ASKED, false).verdict, Verdict::Shorter);
    }

    #[test]
    fn a_killed_job_makes_more_careful_than_one_that_was_not_makes_careless() {
        let mut adviser = LimitAdviser::new(0.05);
        adviser.learn(USER, true);
        let after_kill = adviser.caution;
        adviser.learn(USER, false);
        assert!(after_kill > 1.0 && adviser.caution > 1.0 && adviser.caution < after_kill);
        (0..20_000).for_each(|_| adviser.on_end());
        assert!((adviser.caution - 1.0).abs() < 1e-6);
        assert_eq!(adviser.kept(), LimitRecord { jobs: 2, killed: 1 });
    }
}
