//! How often users say the same again.
//!
//! For: finding each job's predecessor, the same user's job before it, and fitting from a log how often a job has its
//! predecessor's estimate: within a session of work and from one session to the next.
//!
//! Not for: giving jobs estimates that repeat so (`sessions`).
//!
//! Source: Tsafrir, Etsion and Feitelson, section 11.4, which names the repetition as what their assignment lacks; a
//! session as Talby, Tsafrir, Goldberg and Feitelson define it, and as the predictor `session` does.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::session::THINK_TIME;
use crate::{Seconds, Time, UserId};

/// The same user's job before this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predecessor {
    /// Its place among the jobs.
    pub job: u32,
    /// Whether the two belong to one session.
    pub same_session: bool,
}

/// What is remembered of users to find predecessors. Jobs come in order of submission.
#[derive(Clone, Debug, Default)]
pub struct UserHistories {
    last: FxHashMap<UserId, LastJob>,
    jobs: u32,
}

#[derive(Clone, Copy, Debug)]
struct LastJob {
    job: u32,
    /// The latest end of all the user's jobs so far.
    ended: Time,
}

impl UserHistories {
    /// Takes in the next job and says what preceded it. Nothing does where it is the user's first, or nobody's.
    ///
    /// # Panics
    /// At the 2^32nd job.
    pub fn follow(&mut self, user: Option<UserId>, submitted: Time, ended: Time) -> Option<Predecessor> {
        let job = self.jobs;
        self.jobs = job.checked_add(1).expect("a log held in memory has fewer than 2^32 jobs");
        let mut this = LastJob { job, ended };
        let before = self.last.get(&user?).copied();
        this.ended = before.map_or(ended, |before| before.ended.max(ended));
        self.last.insert(user?, this);
        before.map(|before| Predecessor { job: before.job, same_session: submitted - before.ended < THINK_TIME })
    }
}

/// How often a job has the estimate of its predecessor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repetition {
    /// Where both belong to one session, as a share of such jobs.
    pub within_session: f64,
    /// Where a new session begins, as a share of such jobs.
    pub between_sessions: f64,
    /// Where a job does not have it, how often it has another that the same user had before, as a share of such jobs.
    pub recalled: f64,
}

impl Repetition {
    /// Never.
    pub const NONE: Self = Self { within_session: 0.0, between_sessions: 0.0, recalled: 0.0 };

    /// How often it is so among jobs with these predecessors and estimates.
    pub fn fit(predecessors: &[Option<Predecessor>], estimates: &[Seconds]) -> Self {
        let [mut within, mut between, mut recalled] = [(); 3].map(|()| Share::default());
        // Users are numbered by their first jobs.
        let mut users: Vec<usize> = Vec::with_capacity(estimates.len());
        let mut known = FxHashSet::default();
        for (job, (predecessor, &estimate)) in predecessors.iter().zip(estimates).enumerate() {
            let user = predecessor.map_or(job, |before| users[before.job as usize]);
            users.push(user);
            let is_known = !known.insert((user, estimate));
            let Some(Predecessor { job: before, same_session }) = *predecessor else { continue };
            let is_repeated = estimates[before as usize] == estimate;
            if same_session { &mut within } else { &mut between }.count(is_repeated);
            if !is_repeated {
                recalled.count(is_known);
            }
        }
        Self { within_session: within.value(), between_sessions: between.value(), recalled: recalled.value() }
    }

    /// How likely a job with this predecessor repeats its estimate.
    pub(super) fn after(&self, predecessor: Predecessor) -> f64 {
        if predecessor.same_session { self.within_session } else { self.between_sessions }
    }
}

#[derive(Default)]
struct Share {
    are: u64,
    all: u64,
}

impl Share {
    fn count(&mut self, is: bool) {
        self.are += u64::from(is);
        self.all += 1;
    }

    /// Zero of nothing.
    fn value(&self) -> f64 {
        self.are as f64 / (self.all as f64).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60;

    fn follow(jobs: &[(u32, i64, i64)]) -> Vec<Option<(u32, bool)>> {
        let mut histories = UserHistories::default();
        let follow = |&(user, submitted, ended): &(u32, i64, i64)| {
            let predecessor = histories.follow(Some(UserId(user)), Time(submitted * MINUTE), Time(ended * MINUTE));
            predecessor.map(|predecessor| (predecessor.job, predecessor.same_session))
        };
        jobs.iter().map(follow).collect()
    }

    #[test]
    fn a_predecessor_is_the_same_users_job_before() {
        assert_eq!(follow(&[(1, 0, 10), (2, 1, 11), (1, 2, 12)]), [None, None, Some((0, true))]);
    }

    #[test]
    fn a_session_lasts_while_a_job_is_there_and_less_than_twenty_minutes_more() {
        // The first is still running when the third comes, long after the second ended.
        let jobs = [(1, 0, 100), (1, 5, 6), (1, 119, 120), (1, 140, 150)];
        assert_eq!(follow(&jobs), [None, Some((0, true)), Some((1, true)), Some((2, false))]);
    }

    #[test]
    fn what_nobody_submitted_follows_nothing() {
        let mut histories = UserHistories::default();
        assert_eq!([0, 1].map(|time| histories.follow(None, Time(time), Time(time))), [None, None]);
        assert_eq!(histories.follow(Some(UserId(1)), Time(2), Time(2)), None);
        let predecessor = histories.follow(Some(UserId(1)), Time(3), Time(3)).unwrap();
        assert_eq!(predecessor.job, 2, "jobs of nobody are counted");
    }

    #[test]
    fn rates_are_fitted_apart_within_and_between_sessions() {
        let after = |job, same_session| Some(Predecessor { job, same_session });
        let predecessors = [None, after(0, true), after(1, true), after(2, false), after(3, true), after(4, true)];
        let estimates = [5, 5, 9, 9, 9, 5].map(Seconds);
        let fitted = Repetition::fit(&predecessors, &estimates);
        // Of the two changes, from 5 to 9 and back, the second is to what the user had before.
        assert_eq!(fitted, Repetition { within_session: 0.5, between_sessions: 1.0, recalled: 0.5 });
        assert_eq!(Repetition::fit(&[None], &[Seconds(5)]), Repetition::NONE);
    }
}
