//! Advice along a history: every job is advised when it arrives, and nothing is told before it happens.
//!
//! Within one second ends come first, then arrivals, then starts, as in [`crate::replay_waits`].

use queuecast_workload::{JobId, Seconds, Submission, Time, TracedJob};

use super::adviser::AdvisedLimit;
use super::advisers::LimitAdvisers;
use super::risk_model::LimitRisk;

/// A job with what it was advised and how long it ran.
#[derive(Clone, Copy, Debug)]
pub struct AdvisedJob<'a> {
    /// The job.
    pub submission: &'a Submission,
    /// What it asked for.
    pub asked: Seconds,
    /// What was advised at each risk.
    pub advised: &'a [AdvisedLimit],
    /// The risks of all limits that were looked at.
    pub risks: &'a [LimitRisk],
    /// How long it ran, up to what it asked for.
    pub run: Seconds,
}

/// Hears of every job that was advised, in order of arrival.
pub trait LimitObserver {
    /// A job that was advised, with how long it will have run.
    fn advised(&mut self, job: AdvisedJob<'_>);

    /// A job ended: from now on anybody may know how long it ran.
    fn ended(&mut self, _job: &Submission, _run: Seconds) {}
}

/// What happens to a job; of what happens in one second, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Ended,
    Arrived,
    Started,
}

/// Plays jobs, which are in order of submission, past a desk. Handles are given anew, in order. A job
/// without a wait on record starts at once; jobs without a limit teach and are not advised.
pub fn replay_limits(jobs: &mut [TracedJob], desk: &mut LimitAdvisers, observer: &mut impl LimitObserver) {
    let mut events: Vec<(Time, Event, u32)> = Vec::with_capacity(3 * jobs.len());
    for (place, job) in (0_u32..).zip(jobs.iter_mut()) {
        job.submission.job = JobId(u64::from(place));
        job.recorded.run = job.recorded.run.min(job.submission.limit.unwrap_or(Seconds::MAX));
        let started = job.submission.submitted + job.recorded.wait.unwrap_or(Seconds::ZERO).max(Seconds::ZERO);
        events.push((job.submission.submitted, Event::Arrived, place));
        events.push((started, Event::Started, place));
        events.push((started + job.recorded.run.max(Seconds(1)), Event::Ended, place));
    }
    events.sort_unstable();
    for (now, event, place) in events {
        let TracedJob { submission, recorded, .. } = &jobs[place as usize];
        match event {
            Event::Arrived => {
                if let (Some(told), Some(asked)) = (desk.on_arrival(submission, now), submission.limit) {
                    let (advised, risks) = (told.advised, told.risks);
                    observer.advised(AdvisedJob { submission, asked, advised, risks, run: recorded.run });
                }
            }
            Event::Started => desk.on_start(submission, now),
            Event::Ended => {
                desk.on_end(submission, recorded.run, now);
                observer.ended(submission, recorded.run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{ProgramId, Recorded, Status, UserId};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::limit::Verdict;
    use queuecast_testkit::submission;

    /// What was said of a job: what was advised, and the risk of every limit that was looked at.
    type Words = (Time, Vec<AdvisedLimit>, Vec<LimitRisk>);

    #[derive(Default)]
    struct Said(Vec<Words>);

    impl LimitObserver for Said {
        fn advised(&mut self, job: AdvisedJob<'_>) {
            self.0.push((job.submission.submitted, job.advised.to_vec(), job.risks.to_vec()));
        }
    }

    fn said(mut jobs: Vec<TracedJob>) -> Vec<Words> {
        let mut said = Said::default();
        replay_limits(&mut jobs, &mut LimitAdvisers::new(&[0.05, 0.3]), &mut said);
        said.0
    }

    /// Jobs of four users with habits of their own: users of an even number mostly take a fortieth of what they ask for.
    fn made_up(random: &mut Pcg64) -> Vec<TracedJob> {
        let mut now = 0;
        let mut jobs = Vec::new();
        for number in 0..1_800_u32 {
            now += random.random_range(0..200);
            let limit = [600, 3_600, 36_000][random.random_range(0..3)];
            let mut submission = submission(u64::from(number), now, random.random_range(1..3), Some(limit));
            let user = random.random_range(0..4);
            (submission.user, submission.program) = (Some(UserId(user)), Some(ProgramId(random.random_range(0..3))));
            let is_short = user % 2 == 0 && random.random_range(0..10) > 0;
            let run = Seconds(random.random_range(1..=limit / if is_short { 40 } else { 2 }));
            let wait = Some(Seconds(random.random_range(0..500)));
            let recorded = Recorded { wait, run, status: Status::Completed };
            jobs.push(TracedJob { number: 1 + i64::from(number), submission, recorded });
        }
        jobs
    }

    /// Every wait and run time that is not known at some second is replaced by another: what is said up to then stays the same, to the last digit of
    /// every risk.
    #[test]
    fn nothing_is_advised_from_what_is_not_known_yet() {
        let random = &mut Pcg64::seed_from_u64(7);
        let (mut shorter, mut differ) = (0, 0);
        for _ in 0..12 {
            let jobs = made_up(random);
            let last = jobs.last().map_or(0, |job| job.submission.submitted.0);
            let second = Time(random.random_range(last / 2..last));
            let mut other = jobs.clone();
            for job in &mut other {
                let submitted = job.submission.submitted;
                let started = submitted + job.recorded.wait.unwrap_or(Seconds::ZERO);
                if started > second {
                    job.recorded.wait =
                        Some((second - submitted).max(Seconds::ZERO) + Seconds(random.random_range(1..900)));
                    job.recorded.run = Seconds(random.random_range(1..600));
                } else if started + job.recorded.run > second {
                    job.recorded.run = second - started + Seconds(random.random_range(1..900));
                }
            }
            let [one, two] = [jobs, other].map(said);
            let known = one.iter().zip(&two).take_while(|(one, _)| one.0 <= second);
            for (one, two) in known {
                assert_eq!(one, two);
                shorter += one.1.iter().filter(|advised| advised.verdict == Verdict::Shorter).count();
            }
            differ += usize::from(one != two);
        }
        assert!(shorter > 1_000, "a test of nothing: {shorter}");
        assert!(differ > 9, "what was replaced makes a difference afterwards: {differ}");
    }

    /// What came of what was said, by decile of the risk told, and by user.
    #[derive(Default)]
    struct Came(Vec<(f64, bool, UserId)>);

    impl LimitObserver for Came {
        fn advised(&mut self, job: AdvisedJob<'_>) {
            let advised = job.advised[0];
            if advised.limit < job.asked {
                let user = job.submission.user.unwrap_or(UserId(0));
                self.0.push((advised.risk, job.run > advised.limit, user));
            }
        }
    }

    fn share_killed(jobs: &[(f64, bool, UserId)]) -> f64 {
        jobs.iter().filter(|job| job.1).count() as f64 / jobs.len().max(1) as f64
    }

    /// Twenty users who take a few minutes of ten hours, and one with a heavy tail: mostly one minute, and every twelfth job nearly the whole day it asks for. At a
    /// promise of 5 % the others get short limits; nobody, and no decile of what was told, is killed at more than twice the promise.
    #[test]
    fn the_promise_holds_by_decile_and_for_a_user_with_a_heavy_tail() {
        const PROMISED: f64 = 0.05;
        let random = &mut Pcg64::seed_from_u64(3);
        let heavy = UserId(0);
        let mut jobs = Vec::new();
        for number in 0..20_000_i64 {
            let user = UserId(random.random_range(0..21));
            let mut submission = submission(0, number * 400, 1, Some(86_400));
            submission.user = Some(user);
            let run = match random.random_range(0..60) {
                0..5 if user == heavy => random.random_range(80_000..86_400),
                _ if user == heavy => 60,
                0 => random.random_range(600..20_000),
                _ => 60 * i64::from(user.0) + random.random_range(0..120),
            };
            let recorded = Recorded { wait: Some(Seconds(30)), run: Seconds(run), status: Status::Completed };
            jobs.push(TracedJob { number, submission, recorded });
        }
        let (mut desk, mut came) = (LimitAdvisers::new(&[PROMISED]), Came::default());
        replay_limits(&mut jobs, &mut desk, &mut came);
        assert!(came.0.len() > 8_000, "most are told a shorter limit: {}", came.0.len());
        assert!(share_killed(&came.0) <= PROMISED + 0.005);
        came.0.sort_by(|one, other| one.0.total_cmp(&other.0));
        for decile in came.0.chunks(came.0.len().div_ceil(10)) {
            assert!(share_killed(decile) <= 2.0 * PROMISED, "{}", share_killed(decile));
            assert!(decile.iter().all(|job| job.0 <= PROMISED), "nothing is told whose own risk is above the promise");
        }
        for user in (0..21).map(UserId) {
            let own: Vec<_> = came.0.iter().filter(|job| job.2 == user).copied().collect();
            assert!(own.len() < 200 || share_killed(&own) <= 2.0 * PROMISED, "{user:?} {}", share_killed(&own));
            assert!(user != heavy || own.len() < 200, "who has a heavy tail keeps what was asked for: {}", own.len());
        }
        let opinion = desk.advise(
            &jobs.iter().find(|job| job.submission.user == Some(heavy)).expect("one").submission,
            Seconds(86_400),
            Time(9_000_000),
        );
        assert!(opinion.heavy_tail.is_some_and(|tail| tail.usual == Seconds(60) && tail.longer >= 2), "{opinion:?}");
        // Whether the risk says so or the user's own record: what is said of all users alike is below this one's twelfth.
        assert_ne!(opinion.advised[0].verdict, Verdict::Shorter);
    }
}
