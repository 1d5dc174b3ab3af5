//! How long jobs like one ran: its user's own first, then those of its class.
//!
//! For: the last runs of every category a job is in, and the user's jobs that run now, which are known to take at least as long as
//! they have. Only what has happened is in here, and of other users' runs only what a crowd of them did.
//!
//! Not for: what any of it says about the next run ([`super::risk_model`]).

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use queuecast_predict::distribution::crowd::{Crowd, in_steps};
use queuecast_workload::{JobId, Seconds, Submission, Time, UserId};
use rustc_hash::{FxHashMap, FxHasher};

/// What the runs of a category have in common, from the nearest on.
pub const LEVELS: [Level; 7] = [
    Level { user: true, program: true, limit: true, processors: true },
    Level { user: true, program: false, limit: true, processors: true },
    Level { user: true, program: true, limit: false, processors: false },
    Level { user: true, program: false, limit: true, processors: false },
    Level { user: true, program: false, limit: false, processors: false },
    Level { user: false, program: false, limit: true, processors: true },
    Level { user: false, program: false, limit: true, processors: false },
];
/// So many runs of a category are remembered: older ones say little of a user who has moved on.
const RUNS_REMEMBERED: usize = 128;
/// More categories than this are not remembered; those that had no run for the longest go first.
const CATEGORIES_REMEMBERED: usize = 400_000;
/// A run that came this near to its limit was ended by it: how long it would have been is not known.
const SHARE_OF_LIMIT_USED_UP: f64 = 0.98;
/// Stands for a run that was ended by a limit, where limits differ.
const ENDLESS: u32 = u32::MAX;
/// No run that has ended is longer.
const LONGEST: u32 = ENDLESS - 1;

/// What jobs must have in common to be of one category.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is something jobs may have in common")]
pub struct Level {
    /// The user.
    pub user: bool,
    program: bool,
    limit: bool,
    processors: bool,
}

impl Level {
    /// The job's category; `None` if something it goes by is not known of the job.
    fn category(self, place: usize, job: &Submission) -> Option<u64> {
        if (self.user && job.user.is_none()) || (self.program && job.program.is_none()) {
            return None;
        }
        let mut hasher = FxHasher::default();
        place.hash(&mut hasher);
        if self.user {
            job.user.hash(&mut hasher);
        }
        if self.program {
            job.program.hash(&mut hasher);
        }
        if self.limit {
            job.limit.hash(&mut hasher);
        }
        if self.processors {
            job.request.processors.hash(&mut hasher);
        }
        Some(hasher.finish())
    }

    /// Whether two jobs of one user are of one category.
    fn shared_by(self, one: &Submission, other: &Submission) -> bool {
        self.user
            && (!self.program || one.program == other.program)
            && (!self.limit || one.limit == other.limit)
            && (!self.processors || one.request == other.request)
    }
}

/// The last runs of one category.
#[derive(Clone, Debug, Default)]
struct Category {
    /// As they came, of a user's own.
    runs: VecDeque<u32>,
    /// Those of everybody, as far as a crowd ran them.
    crowd: Crowd<u32>,
    /// The one or the other, in order: every arrival asks for all of them.
    in_order: Vec<u32>,
    /// The number of the run that came last, over all categories.
    last: u64,
}

impl Category {
    fn add(&mut self, run: u32) {
        if self.runs.len() == RUNS_REMEMBERED
            && let Some(oldest) = self.runs.pop_front()
        {
            self.in_order.remove(self.in_order.partition_point(|other| *other < oldest));
        }
        self.runs.push_back(run);
        self.in_order.insert(self.in_order.partition_point(|other| *other < run), run);
    }

    fn add_to_crowd(&mut self, user: Option<UserId>, run: u32) {
        if self.crowd.add(user, in_steps(run), RUNS_REMEMBERED) {
            self.in_order.clear();
            self.in_order.extend(self.crowd.newest_first());
            self.in_order.sort_unstable();
        }
    }
}

/// A job that runs.
#[derive(Clone, Copy, Debug)]
struct Running {
    submission: Submission,
    started: Time,
}

/// The runs of one category that are known of at some moment, in seconds, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRuns {
    /// Which of [`LEVELS`].
    pub level: usize,
    /// Runs that have ended.
    pub ended: usize,
    /// Those, and how long those have run that run now.
    seconds: Vec<u32>,
}

impl KnownRuns {
    /// How many are longer than this.
    pub fn longer(&self, limit: Seconds) -> usize {
        self.seconds.len() - self.seconds.partition_point(|run| i64::from(*run) <= limit.0)
    }

    /// The longest; `None` if nothing is known.
    pub fn longest(&self) -> Option<u32> {
        self.seconds.last().copied()
    }

    /// The one in the middle; `None` if nothing is known.
    pub fn median(&self) -> Option<u32> {
        self.seconds.get(self.seconds.len() / 2).copied()
    }
}

/// What is remembered of runs.
#[derive(Clone, Debug, Default)]
pub struct PastRuns {
    categories: FxHashMap<u64, Category>,
    running: FxHashMap<UserId, Vec<Running>>,
    ended: u64,
}

impl PastRuns {
    /// What is known of jobs like this one, by level; levels that go by what is not known of it are left out.
    pub fn known(&self, job: &Submission, now: Time) -> Vec<KnownRuns> {
        let running = job.user.and_then(|user| self.running.get(&user)).map_or(&[][..], |running| running);
        let known = LEVELS.iter().enumerate().filter_map(|(place, level)| {
            let category = self.categories.get(&level.category(place, job)?);
            let mut seconds = category.map_or_else(Vec::new, |category| category.in_order.clone());
            let ended = seconds.len();
            let alike = running
                .iter()
                .filter(|other| other.submission.job != job.job && level.shared_by(job, &other.submission));
            seconds.extend(alike.map(|other| whole(now - other.started)));
            if seconds.len() > ended {
                seconds.sort_unstable();
            }
            Some(KnownRuns { level: place, ended, seconds })
        });
        known.collect()
    }

    /// A job started.
    pub fn on_start(&mut self, job: &Submission, now: Time) {
        self.forget_running(job.job, job.user);
        if let Some(user) = job.user {
            self.running.entry(user).or_default().push(Running { submission: *job, started: now });
        }
    }

    /// A job ended after this long.
    pub fn on_end(&mut self, job: &Submission, run: Seconds) {
        self.forget_running(job.job, job.user);
        let is_at_limit = job.limit.is_some_and(|limit| run.as_f64() >= SHARE_OF_LIMIT_USED_UP * limit.as_f64());
        let run = whole(run);
        self.ended += 1;
        for (place, level) in LEVELS.iter().enumerate() {
            let Some(key) = level.category(place, job) else { continue };
            let category = self.categories.entry(key).or_default();
            category.last = self.ended;
            if level.user {
                category.add(if is_at_limit && !level.limit { ENDLESS } else { run });
            } else {
                category.add_to_crowd(job.user, run);
            }
        }
        if self.categories.len() > CATEGORIES_REMEMBERED {
            // Each end touches as many categories as there are levels: at most half of them are left.
            let since = self.ended.saturating_sub((CATEGORIES_REMEMBERED / LEVELS.len() / 2) as u64);
            self.categories.retain(|_, category| category.last > since);
        }
    }

    /// A job is gone without an end that says anything.
    pub fn forget_running(&mut self, job: JobId, user: Option<UserId>) {
        let Some(user) = user else { return };
        if let Some(running) = self.running.get_mut(&user) {
            running.retain(|other| other.submission.job != job);
            if running.is_empty() {
                self.running.remove(&user);
            }
        }
    }
}

/// Seconds of a run, at least one, and fewer than what has a meaning of its own.
fn whole(run: Seconds) -> u32 {
    u32::try_from(run.0.max(1)).unwrap_or(LONGEST).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_testkit::submission;

    fn job(number: u64, processors: u32, limit: i64) -> Submission {
        Submission { user: Some(UserId(1)), ..submission(number, 0, processors, Some(limit)) }
    }

    fn longer(known: &[KnownRuns], level: usize, seconds: i64) -> Option<(usize, usize)> {
        known.iter().find(|runs| runs.level == level).map(|runs| (runs.longer(Seconds(seconds)), runs.ended))
    }

    #[test]
    fn runs_are_known_by_user_and_class_and_only_when_they_have_ended() {
        let mut past = PastRuns::default();
        past.on_end(&job(1, 4, 3_600), Seconds(600));
        past.on_end(&job(2, 8, 3_600), Seconds(1_200));
        let known = past.known(&job(3, 4, 3_600), Time(0));
        assert_eq!(longer(&known, 0, 0), None, "no program, no category by program");
        assert_eq!(longer(&known, 1, 599), Some((1, 1)), "the same processors");
        assert_eq!(longer(&known, 4, 600), Some((1, 2)), "all of the user's");
        let other = Submission { user: Some(UserId(2)), ..job(4, 4, 3_600) };
        let of_others =
            |past: &PastRuns| (longer(&past.known(&other, Time(0)), 4, 0), longer(&past.known(&other, Time(0)), 6, 0));
        assert_eq!(of_others(&past), (Some((0, 0)), Some((0, 0))), "of one user nothing is told to another");
        for user in 10..15 {
            past.on_end(&Submission { user: Some(UserId(user)), ..job(u64::from(user), 4, 3_600) }, Seconds(600));
        }
        assert_eq!(of_others(&past), (Some((0, 0)), Some((6, 6))), "of six the last run of each");
    }

    #[test]
    fn who_runs_is_known_to_run_as_long_as_it_has_and_not_after_it_is_gone() {
        let mut past = PastRuns::default();
        past.on_start(&job(1, 1, 3_600), Time(0));
        assert_eq!(longer(&past.known(&job(2, 1, 3_600), Time(500)), 4, 499), Some((1, 0)));
        past.forget_running(JobId(1), Some(UserId(1)));
        assert_eq!(longer(&past.known(&job(2, 1, 3_600), Time(500)), 4, 499), Some((0, 0)));
    }

    #[test]
    fn a_run_that_its_limit_ended_would_have_been_longer_under_another() {
        let mut past = PastRuns::default();
        past.on_end(&job(1, 1, 600), Seconds(600));
        let known = past.known(&job(2, 1, 36_000), Time(0));
        assert_eq!(longer(&known, 4, 30_000), Some((1, 1)), "nobody knows how long it would have been");
        let known = past.known(&job(2, 1, 600), Time(0));
        assert_eq!(longer(&known, 3, 600), Some((0, 1)), "under the same limit it would have been ended again");
    }

    /// The slow way: all that is remembered, sorted anew.
    #[test]
    fn what_is_kept_in_order_is_what_came() {
        let mut past = PastRuns::default();
        for number in 0..500_u32 {
            past.on_end(&job(u64::from(number), 1, 3_600), Seconds(i64::from(number * 7_919 % 97 * 40)));
            for category in past.categories.values() {
                let mut sorted: Vec<u32> = category.runs.iter().chain(category.crowd.newest_first()).copied().collect();
                sorted.sort_unstable();
                assert_eq!(category.in_order, sorted);
            }
        }
    }

    #[test]
    fn only_the_last_runs_are_remembered() {
        let mut past = PastRuns::default();
        (0..300).for_each(|number| past.on_end(&job(number, 1, 3_600), Seconds(if number < 172 { 900 } else { 60 })));
        assert_eq!(longer(&past.known(&job(999, 1, 3_600), Time(0)), 4, 60), Some((0, RUNS_REMEMBERED)));
    }
}
