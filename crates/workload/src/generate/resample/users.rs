//! A log taken apart into its users, and their jobs into sessions.
//!
//! For: whose jobs are whose, who stays and who only visits, which jobs belong to one session, and which groups are
//! only another name of a user.
//!
//! Not for: putting them together again.
//!
//! A job without a known user is a user of its own: nothing ties it to any other job.
//!
//! Sessions are those of `queuecast-predict` (Talby et al. 2007): a job is in the session of the one before it if it
//! was submitted less than twenty minutes after all earlier ones had ended. Where the log does not know how long a job
//! waited, it counts as not having waited.

use rustc_hash::{FxHashMap, FxHashSet};

use super::calendar::{Calendar, in_weeks, weekday};
use crate::session::THINK_TIME;
use crate::{GroupId, Time, TracedJob, UserId};

/// Users active for less than this are temporary.
const LONG_TERM_WEEKS: f64 = 12.0;
/// Places `from` up to, not including, `to` in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: usize,
    pub(super) to: usize,
}

/// A job of the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogJob {
    pub(super) job: TracedJob,
    /// If nobody but its user is in its group: which of the user's own groups it is, from zero.
    pub(super) own_group: Option<u32>,
}

/// One user of the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogUser {
    pub(super) jobs: Stretch,
    sessions: Stretch,
    /// The week of the first job.
    first_week: i64,
    /// From the first job's week to the last job's, both included.
    pub(super) weeks: i64,
    /// Whether the log knows who it was.
    pub(super) known: bool,
    /// Groups in which there is nobody else.
    pub(super) own_groups: u32,
}

/// One session of a user.
#[derive(Clone, Copy, Debug)]
pub(super) struct Session {
    pub(super) jobs: Stretch,
    /// The day on which it began.
    pub(super) day: i64,
    week: i64,
}

/// The log.
#[derive(Clone, Debug)]
pub(super) struct LogUsers {
    calendar: Calendar,
    /// User by user, each one's in order of submission.
    jobs: Vec<LogJob>,
    /// User by user, each one's in order.
    sessions: Vec<Session>,
    /// Places in `sessions`: user by user, each one's by day of the week.
    sessions_by_weekday: Vec<usize>,
    pub(super) long_term: Vec<LogUser>,
    pub(super) temporary: Vec<LogUser>,
    /// The largest number of a group.
    pub(super) largest_group: Option<GroupId>,
}

impl LogUsers {
    /// Takes a log apart.
    pub(super) fn new(mut traced: Vec<TracedJob>, calendar: Calendar) -> Self {
        // Without a user each job is one; the number of the job in the log keeps the order defined.
        traced.sort_by_key(|job| (job.submission.user, job.submission.submitted, job.number));
        let groups = GroupMembers::of(&traced);
        let mut log = Self {
            calendar,
            jobs: Vec::with_capacity(traced.len()),
            sessions: Vec::new(),
            sessions_by_weekday: Vec::new(),
            long_term: Vec::new(),
            temporary: Vec::new(),
            largest_group: traced.iter().filter_map(|job| job.submission.group).max(),
        };
        for jobs in traced.chunk_by(|one, other| one.submission.user.is_some() && same_user(one, other)) {
            log.add_user(jobs, &groups);
        }
        log
    }

    pub(super) fn job(&self, place: usize) -> &LogJob {
        &self.jobs[place]
    }

    pub(super) fn submitted(&self, place: usize) -> Time {
        self.jobs[place].job.submission.submitted
    }

    /// The user's jobs without those of the first `weeks` weeks.
    pub(super) fn jobs_after(&self, user: &LogUser, weeks: i64) -> Stretch {
        let Stretch { from, to } = user.jobs;
        let week = |held: &LogJob| self.calendar.week(held.job.submission.submitted);
        let passed = self.jobs[from..to].partition_point(|held| week(held) < user.first_week + weeks);
        Stretch { from: from + passed, to }
    }

    /// The weeks by which the user's jobs are moved if the user begins in `week`.
    pub(super) fn weeks_moved(user: &LogUser, week: i64) -> i64 {
        week - user.first_week
    }

    /// The sessions that began in the user's week of this number, from zero.
    pub(super) fn sessions_in_week(&self, user: &LogUser, week: i64) -> &[Session] {
        let sessions = &self.sessions[user.sessions.from..user.sessions.to];
        let before = |week: i64| sessions.partition_point(|session| session.week < week);
        &sessions[before(user.first_week + week)..before(user.first_week + week + 1)]
    }

    /// All sessions of the user that began on the same day of the week as this one.
    pub(super) fn sessions_like(&self, user: &LogUser, session: &Session) -> &[usize] {
        let places = &self.sessions_by_weekday[user.sessions.from..user.sessions.to];
        let before = |day: i64| places.partition_point(|&place| weekday(self.sessions[place].day) < day);
        let day = weekday(session.day);
        &places[before(day)..before(day + 1)]
    }

    pub(super) fn session(&self, place: usize) -> &Session {
        &self.sessions[place]
    }

    /// The most weeks that a temporary user or, if these are asked for, a session takes.
    pub(super) fn longest_weeks(&self, of_sessions: bool) -> i64 {
        let last_week = |session: &Session| self.calendar.week(self.submitted(session.jobs.to - 1));
        let sessions = self.sessions.iter().map(|session| last_week(session) - session.week + 1);
        let sessions = sessions.filter(|_| of_sessions);
        self.temporary.iter().map(|user| user.weeks).chain(sessions).max().unwrap_or(0)
    }

    fn add_user(&mut self, traced: &[TracedJob], groups: &GroupMembers) {
        let [first, ..] = traced else { return };
        let last = traced.last().unwrap_or(first);
        let (begun, ended) = (first.submission.submitted, last.submission.submitted);
        let jobs = Stretch { from: self.jobs.len(), to: self.jobs.len() + traced.len() };
        let (mut places, mut own_groups) = (FxHashMap::default(), 0);
        for &job in traced {
            let own_group = job.submission.group.filter(|group| !groups.shared.contains(group)).map(|group| {
                *places.entry(group).or_insert_with(|| {
                    own_groups += 1;
                    own_groups - 1
                })
            });
            self.jobs.push(LogJob { job, own_group });
        }
        let first_week = self.calendar.week(begun);
        let user = LogUser {
            jobs,
            sessions: self.add_sessions(jobs),
            first_week,
            weeks: self.calendar.week(ended) - first_week + 1,
            known: first.submission.user.is_some(),
            own_groups,
        };
        let stays = in_weeks(ended - begun) >= LONG_TERM_WEEKS;
        if stays { &mut self.long_term } else { &mut self.temporary }.push(user);
    }

    fn add_sessions(&mut self, jobs: Stretch) -> Stretch {
        let from = self.sessions.len();
        let mut over_at = None;
        for place in jobs.from..jobs.to {
            let submitted = self.submitted(place);
            if over_at.is_none_or(|over_at| submitted >= over_at) {
                let (day, week) = (self.calendar.day(submitted), self.calendar.week(submitted));
                self.sessions.push(Session { jobs: Stretch { from: place, to: place }, day, week });
            }
            if let Some(session) = self.sessions.last_mut() {
                session.jobs.to = place + 1;
            }
            let recorded = &self.jobs[place].job.recorded;
            let ended = submitted + recorded.wait.unwrap_or_default() + recorded.run;
            over_at = over_at.max(Some(ended + THINK_TIME));
        }
        let added = Stretch { from, to: self.sessions.len() };
        let mut by_weekday: Vec<usize> = (added.from..added.to).collect();
        by_weekday.sort_by_key(|&place| weekday(self.sessions[place].day));
        self.sessions_by_weekday.extend(by_weekday);
        added
    }
}

fn same_user(one: &TracedJob, other: &TracedJob) -> bool {
    one.submission.user == other.submission.user
}

/// Which groups have more than one user; jobs without a user count as somebody else's each.
struct GroupMembers {
    shared: FxHashSet<GroupId>,
}

impl GroupMembers {
    fn of(traced: &[TracedJob]) -> Self {
        let mut member: FxHashMap<GroupId, Option<UserId>> = FxHashMap::default();
        let mut shared = FxHashSet::default();
        for job in traced {
            let (Some(group), user) = (job.submission.group, job.submission.user) else { continue };
            if member.insert(group, user).is_some_and(|before| before.is_none() || before != user) {
                shared.insert(group);
            }
        }
        Self { shared }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::job;
    use super::*;
    use crate::Seconds;

    const WEEK: i64 = 604_800;

    fn log(jobs: Vec<TracedJob>) -> LogUsers {
        LogUsers::new(jobs, Calendar::new(Seconds(0)))
    }

    #[test]
    fn who_is_active_for_twelve_weeks_stays_and_who_is_not_visits() {
        let log = log(vec![
            job(1, Some(1), 0),
            job(2, Some(1), 12 * WEEK),
            job(3, Some(2), 0),
            job(4, Some(2), 12 * WEEK - 1),
            job(5, None, 0),
            job(6, None, 20 * WEEK),
        ]);
        assert_eq!(log.long_term.iter().map(|user| user.weeks).collect::<Vec<_>>(), [13]);
        assert_eq!(log.temporary.iter().map(|user| user.weeks).collect::<Vec<_>>(), [1, 1, 12]);
        assert_eq!(log.temporary.iter().map(|user| user.known).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn a_session_lasts_until_all_its_jobs_have_ended_and_twenty_minutes_more() {
        let mut first = job(1, Some(1), 0);
        (first.recorded.wait, first.recorded.run) = (Some(Seconds(100)), Seconds(10_000));
        let mut short = job(2, Some(1), 50);
        (short.recorded.wait, short.recorded.run) = (None, Seconds(1));
        let log = log(vec![first, short, job(3, Some(1), 11_299), job(4, Some(1), 99_999)]);
        let sessions: Vec<Stretch> = log.sessions.iter().map(|session| session.jobs).collect();
        assert_eq!(sessions, [Stretch { from: 0, to: 3 }, Stretch { from: 3, to: 4 }]);

        let mut apart = log.jobs.iter().map(|held| held.job).collect::<Vec<_>>();
        apart[2].submission.submitted = Time(11_300);
        assert_eq!(self::log(apart).sessions.len(), 3);
    }

    #[test]
    fn a_group_of_one_user_is_the_users_own() {
        let with_group = |number, user, group| {
            let mut job = job(number, user, number);
            job.submission.group = Some(GroupId(group));
            job
        };
        let log = log(vec![
            with_group(1, Some(1), 10),
            with_group(2, Some(1), 11),
            with_group(3, Some(1), 12),
            with_group(4, Some(2), 11),
            with_group(5, None, 13),
            with_group(6, None, 13),
        ]);
        let own: Vec<Option<u32>> = log.jobs.iter().map(|held| held.own_group).collect();
        assert_eq!(own, [None, None, Some(0), None, Some(1), None]);
        assert_eq!(log.largest_group, Some(GroupId(13)));
    }
}
