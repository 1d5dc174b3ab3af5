//! Advice for everybody who comes, at several risks at once, and the count of what came of it.
//!
//! Not for: what shorter limits buy; whoever asks knows the queue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use queuecast_workload::{JobId, Seconds, Submission, Time};
use rustc_hash::FxHashMap;

use super::adviser::{AdvisedLimit, LimitAdviser, LimitRecord, Verdict};
use super::basis::{Basis, HeavyTail, basis, heavy_tail};
use super::past_runs::PastRuns;
use super::risk_model::{LimitRisk, RiskModel};

/// What is said of one job.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitOpinion {
    /// What is advised at each risk, in the order of the risks.
    pub advised: Vec<AdvisedLimit>,
    /// The least risk of any shorter limit; `None` if what is asked for is too short to be shortened.
    pub lowest_risk: Option<f64>,
    /// What it rests on; `None` if there are hardly any runs like it.
    pub basis: Option<Basis>,
    /// If the user's runs have a heavy tail.
    pub heavy_tail: Option<HeavyTail>,
}

/// What was said when a job arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToldOnArrival<'a> {
    /// What was advised at each risk, in the order of the risks.
    pub advised: &'a [AdvisedLimit],
    /// The risks of all limits that were looked at, from the shortest on.
    pub risks: &'a [LimitRisk],
}

/// What was advised to a job that has not ended.
#[derive(Clone, Debug)]
struct Open {
    submission: Submission,
    risks: Vec<LimitRisk>,
    advised: Vec<AdvisedLimit>,
    /// By adviser: whether it was counted as killed while it still ran.
    counted: Vec<bool>,
}

/// Advises every job when it arrives, whether anybody asked or not, so that the promised risk is checked on all of them.
#[derive(Clone, Debug)]
pub struct LimitAdvisers {
    past: PastRuns,
    model: RiskModel,
    advisers: Vec<LimitAdviser>,
    open: FxHashMap<JobId, Open>,
    /// When a job that runs outlives what it was advised: a job that runs for days is counted then and not when it ends, for
    /// otherwise long jobs would be heard of last.
    deadlines: BinaryHeap<Reverse<(Time, JobId, usize)>>,
}

impl LimitAdvisers {
    /// With one adviser for each accepted risk.
    pub fn new(accepted: &[f64]) -> Self {
        Self {
            past: PastRuns::default(),
            model: RiskModel::default(),
            advisers: accepted.iter().map(|accepted| LimitAdviser::new(*accepted)).collect(),
            open: FxHashMap::default(),
            deadlines: BinaryHeap::new(),
        }
    }

    /// The accepted risks, in the order of the advice.
    pub fn accepted(&self) -> impl Iterator<Item = f64> + '_ {
        self.advisers.iter().map(LimitAdviser::accepted)
    }

    /// How each promise was kept so far, in the order of the advice.
    pub fn kept(&self) -> impl Iterator<Item = LimitRecord> + '_ {
        self.advisers.iter().map(LimitAdviser::kept)
    }

    /// What is said of a job that asks, or would get, this limit.
    pub fn advise(&self, job: &Submission, asked: Seconds, now: Time) -> LimitOpinion {
        let job = Submission { limit: Some(asked), ..*job };
        let known = self.past.known(&job, now);
        let risks = self.model.risks(job.user, &known, asked);
        LimitOpinion {
            advised: self.advised(&job, &risks, asked),
            lowest_risk: risks.last().map(|risk| risk.risk),
            basis: basis(&known),
            heavy_tail: heavy_tail(&known),
        }
    }

    fn advised(&self, job: &Submission, risks: &[LimitRisk], asked: Seconds) -> Vec<AdvisedLimit> {
        let open = self.open.get(&job.job);
        let advised = self.advisers.iter().enumerate().map(|(place, adviser)| {
            let is_counted = open.is_some_and(|open| open.is_open(place));
            adviser.advise(job.user, risks, asked, is_counted)
        });
        // A greater risk never buys a longer limit: what is promised at a smaller one serves it too.
        let mut shortest = AdvisedLimit { limit: asked, risk: 0.0, verdict: Verdict::TooRisky };
        let shortened = advised.map(|advised| {
            if advised.limit <= shortest.limit {
                shortest = advised;
            }
            shortest
        });
        shortened.collect()
    }

    /// A job arrived. One without a limit is not advised: nobody knows what it would have been killed at.
    pub fn on_arrival(&mut self, job: &Submission, now: Time) -> Option<ToldOnArrival<'_>> {
        self.release(job.job);
        let asked = job.limit?;
        let risks = self.model.risks(job.user, &self.past.known(job, now), asked);
        let advised = self.advised(job, &risks, asked);
        let open = Open { submission: *job, counted: vec![false; advised.len()], risks, advised };
        for (place, adviser) in self.advisers.iter_mut().enumerate() {
            if open.is_open(place) {
                adviser.told(job.user);
            }
        }
        self.open.insert(job.job, open);
        self.open.get(&job.job).map(|open| ToldOnArrival { advised: &open.advised, risks: &open.risks })
    }

    /// A job started.
    pub fn on_start(&mut self, job: &Submission, now: Time) {
        self.advance(now);
        self.past.on_start(job, now);
        let Some(open) = self.open.get(&job.job) else { return };
        for (place, advised) in open.advised.iter().enumerate() {
            if open.is_open(place) {
                self.deadlines.push(Reverse((now + advised.limit, job.job, place)));
            }
        }
    }

    /// A job ended after this long.
    pub fn on_end(&mut self, job: &Submission, run: Seconds, now: Time) {
        self.advance(now);
        let run = run.min(job.limit.unwrap_or(Seconds::MAX));
        self.past.on_end(job, run);
        self.advisers.iter_mut().for_each(LimitAdviser::on_end);
        let Some(open) = self.open.remove(&job.job) else { return };
        self.model.learn(open.submission.user, &open.risks, run);
        for (place, adviser) in self.advisers.iter_mut().enumerate() {
            if open.is_open(place) {
                adviser.learn(open.submission.user, run > open.advised[place].limit);
            }
        }
    }

    /// A job left, and how long it would have run is not known.
    pub fn on_withdrawn(&mut self, job: &Submission) {
        self.past.forget_running(job.job, job.user);
        self.release(job.job);
    }

    /// Forgets what was advised to a job.
    fn release(&mut self, job: JobId) {
        let Some(open) = self.open.remove(&job) else { return };
        for (place, adviser) in self.advisers.iter_mut().enumerate() {
            if open.is_open(place) {
                adviser.forget(open.submission.user);
            }
        }
    }

    /// Whoever still runs beyond what was advised would have been killed by now.
    fn advance(&mut self, now: Time) {
        while let Some(Reverse((_, job, place))) = self.deadlines.peek().copied().filter(|Reverse(next)| next.0 < now) {
            self.deadlines.pop();
            if let Some(open) = self.open.get_mut(&job).filter(|open| open.is_open(place)) {
                open.counted[place] = true;
                self.advisers[place].learn(open.submission.user, true);
            }
        }
    }
}

impl Open {
    /// Whether it was told a shorter limit at this place, and it is not known yet whether that was right.
    fn is_open(&self, place: usize) -> bool {
        let is_shorter = self.submission.limit.is_some_and(|asked| self.advised[place].limit < asked);
        is_shorter && !self.counted[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;
    use queuecast_workload::UserId;

    fn job(number: u64, submitted: i64) -> Submission {
        Submission { user: Some(UserId(1)), ..submission(number, submitted, 1, Some(36_000)) }
    }

    /// A desk that has seen two thousand jobs, one after the other, of ten minutes each.
    fn taught() -> LimitAdvisers {
        let mut desk = LimitAdvisers::new(&[0.05]);
        for number in 0..2_000 {
            let at = i64::try_from(number).expect("few") * 1_000;
            desk.on_arrival(&job(number, at), Time(at));
            desk.on_start(&job(number, at), Time(at));
            desk.on_end(&job(number, at), Seconds(600), Time(at + 600));
        }
        desk
    }

    const LATER: i64 = 2_000_000;

    #[test]
    fn a_job_that_outlives_its_advice_counts_when_it_does_and_once() {
        let mut desk = taught();
        let before: Vec<LimitRecord> = desk.kept().collect();
        assert!(before[0].jobs > 500 && before[0].killed == 0, "{before:?}");
        let long = job(2_500, LATER);
        let advised = desk.on_arrival(&long, Time(LATER)).map(|told| told.advised[0].limit);
        assert!(advised.is_some_and(|limit| limit < Seconds(7_200)), "{advised:?}");
        desk.on_start(&long, Time(LATER));
        desk.on_start(&job(2_501, LATER), Time(LATER + 10_000));
        let counted: Vec<LimitRecord> = desk.kept().collect();
        assert_eq!(
            (counted[0].jobs, counted[0].killed),
            (before[0].jobs + 1, 1),
            "its time is over, and it still runs"
        );
        desk.on_end(&long, Seconds(20_000), Time(LATER + 20_000));
        assert_eq!(desk.kept().collect::<Vec<_>>(), counted);
        assert!(desk.open.is_empty());
    }

    #[test]
    fn a_job_that_runs_to_the_limit_it_kept_is_not_counted() {
        let mut desk = LimitAdvisers::new(&[0.01, 0.05]);
        let advised = desk.on_arrival(&job(1, 0), Time(0)).map(|told| told.advised.to_vec());
        assert!(advised.is_some_and(|advised| advised.iter().all(|advised| advised.limit == Seconds(36_000))));
        desk.on_start(&job(1, 0), Time(0));
        desk.on_end(&job(1, 0), Seconds(36_100), Time(36_100));
        assert!(desk.kept().all(|kept| kept == LimitRecord::default()));
    }

    #[test]
    fn who_leaves_is_forgotten_and_who_has_no_limit_is_not_advised() {
        let mut desk = taught();
        for number in 0..50 {
            // All of them are told, because each has left again before the next comes.
            let advised = desk.on_arrival(&job(3_000 + number, LATER), Time(LATER)).map(|told| told.advised[0].verdict);
            assert_eq!(advised, Some(Verdict::Shorter));
            desk.on_withdrawn(&job(3_000 + number, LATER));
        }
        assert!(desk.open.is_empty());
        assert!(desk.on_arrival(&submission(2, 0, 1, None), Time(LATER)).is_none());
    }

    #[test]
    fn what_is_said_before_is_what_is_told_on_arrival_and_while_it_waits() {
        let mut desk = taught();
        let ours = job(4_000, LATER);
        let before = desk.advise(&ours, Seconds(36_000), Time(LATER));
        let told = desk.on_arrival(&ours, Time(LATER)).map(|told| told.advised.to_vec());
        assert_eq!(told.as_ref(), Some(&before.advised));
        assert_eq!(desk.advise(&ours, Seconds(36_000), Time(LATER)), before);
        assert_eq!(before.basis.map(|basis| (basis.own, basis.usual)), Some((true, Seconds(600))));
        assert!(before.heavy_tail.is_none() && before.lowest_risk.is_some_and(|risk| risk < 0.05));
    }
}
