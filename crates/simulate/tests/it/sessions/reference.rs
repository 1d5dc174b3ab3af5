//! A slow and obvious session-based predictor, written from Listing 4 of Talby et al. (R-T4, R-T5, R-T8) and not from
//! the fast one.
//!
//! For: being right by inspection, so that the fast one can be held against it. It keeps every job in one list and
//! searches it anew for every question.
//!
//! Not for: what to plan where nothing matches (the limit, or a second), corrections, propagation.
//!
//! Jobs of unknown user are nobody's: they are in no session, and nothing is predicted for them.

use queuecast_workload::{JobId, Seconds, Submission, Time, UserId};

/// A job that arrives so long after the last end of a session, or later, begins a new one.
pub const THINK_TIME_SECONDS: i64 = 1_200;

/// What must be equal for two jobs to match; nothing at all is the paper's `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// P.
    pub processors: bool,
    /// E: the user's estimate. Two unknown ones are equal.
    pub limit: bool,
    /// X: the executable. Two unknown ones are equal.
    pub program: bool,
}

/// Which of the two loops is the outer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// For each criterion, each session: Listing 4.
    DepthFirst,
    /// For each session, each criterion.
    BreadthFirst,
}

/// Every job that ever arrived, with the session it belongs to.
#[derive(Clone, Debug, Default)]
pub struct Sessions {
    jobs: Vec<Job>,
}

#[derive(Clone, Debug)]
struct Job {
    handle: JobId,
    user: UserId,
    processors: u32,
    limit: Option<Seconds>,
    program: Option<u32>,
    /// Counted from zero for each user.
    session: usize,
    /// When it ended, and after what run time.
    end: Option<(Time, Seconds)>,
}

impl Sessions {
    /// A job was submitted: it joins its user's newest session or begins the next.
    pub fn arrived(&mut self, job: &Submission, now: Time) {
        let Some(user) = job.user else { return };
        let session = match self.newest_session(user) {
            None => 0,
            Some(newest) if self.is_open(user, newest, now) => newest,
            Some(newest) => newest + 1,
        };
        self.jobs.push(Job {
            handle: job.job,
            user,
            processors: job.request.processors,
            limit: job.limit,
            program: job.program.map(|program| program.0),
            session,
            end: None,
        });
    }

    /// A job ended.
    pub fn ended(&mut self, job: &Submission, run: Seconds, now: Time) {
        for known in &mut self.jobs {
            if known.handle == job.job {
                known.end = Some((now, run));
            }
        }
    }

    /// What the user's newest `depth` sessions say about a job, or all of them; `None` where nothing matches. To be
    /// asked after the job itself has arrived, so that its own session counts among the newest.
    pub fn predict(
        &self,
        job: &Submission,
        criteria: &[Criterion],
        search: Search,
        depth: Option<usize>,
    ) -> Option<Seconds> {
        let user = job.user?;
        let newest = self.newest_session(user)?;
        let mut sessions = Vec::new();
        for session in (0..=newest).rev() {
            if depth.is_none_or(|depth| sessions.len() < depth) {
                sessions.push(session);
            }
        }
        match search {
            Search::DepthFirst => {
                for criterion in criteria {
                    for session in &sessions {
                        let runs = self.matching_runs(job, user, *session, *criterion);
                        if !runs.is_empty() {
                            return Some(median(runs));
                        }
                    }
                }
            }
            Search::BreadthFirst => {
                for session in &sessions {
                    for criterion in criteria {
                        let runs = self.matching_runs(job, user, *session, *criterion);
                        if !runs.is_empty() {
                            return Some(median(runs));
                        }
                    }
                }
            }
        }
        None
    }

    /// The session a job was put in; for tests that compare sessions and not only predictions.
    pub fn session_of(&self, handle: JobId) -> Option<usize> {
        self.jobs.iter().find(|job| job.handle == handle).map(|job| job.session)
    }

    fn newest_session(&self, user: UserId) -> Option<usize> {
        self.jobs.iter().filter(|job| job.user == user).map(|job| job.session).max()
    }

    /// Whether a job arriving now would still belong to the session: some job of it waits or runs, or the last one
    /// ended less than the think time ago.
    fn is_open(&self, user: UserId, session: usize, now: Time) -> bool {
        let mut last_end = None;
        for job in self.jobs.iter().filter(|job| job.user == user && job.session == session) {
            match job.end {
                None => return true,
                Some((ended, _)) => last_end = last_end.max(Some(ended)),
            }
        }
        last_end.is_some_and(|ended| now - ended < Seconds(THINK_TIME_SECONDS))
    }

    /// The run times of the jobs of a session that have ended and match.
    fn matching_runs(&self, job: &Submission, user: UserId, session: usize, criterion: Criterion) -> Vec<i64> {
        let mut runs = Vec::new();
        for other in &self.jobs {
            let same_session = other.user == user && other.session == session;
            let same_processors = other.processors == job.request.processors;
            let same_limit = other.limit == job.limit;
            let same_program = other.program == job.program.map(|program| program.0);
            let matches = (same_processors || !criterion.processors)
                && (same_limit || !criterion.limit)
                && (same_program || !criterion.program);
            if let (true, true, Some((_, run))) = (same_session, matches, other.end) {
                runs.push(run.0);
            }
        }
        runs
    }
}

/// Of an even number, the mean of the middle two, rounded down.
fn median(mut runs: Vec<i64>) -> Seconds {
    runs.sort_unstable();
    let count = runs.len();
    Seconds((runs[(count - 1) / 2] + runs[count / 2]).div_euclid(2))
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{ProgramId, Request};

    use super::*;

    const ANY: Criterion = Criterion { processors: false, limit: false, program: false };
    const P: Criterion = Criterion { processors: true, ..ANY };
    const E: Criterion = Criterion { limit: true, ..ANY };
    const X: Criterion = Criterion { program: true, ..ANY };
    const DFS: Search = Search::DepthFirst;
    const BFS: Search = Search::BreadthFirst;

    fn job(handle: u64, user: u32, processors: u32, limit: i64) -> Submission {
        Submission {
            job: JobId(handle),
            submitted: Time(0),
            request: Request { processors },
            limit: Some(Seconds(limit)),
            user: Some(UserId(user)),
            group: None,
            program: None,
            queue: None,
            partition: None,
        }
    }

    /// Arrives, starts at once and has ended before anything else happens.
    fn ran(sessions: &mut Sessions, job: &Submission, arrival: i64, run: i64) {
        sessions.arrived(job, Time(arrival));
        sessions.ended(job, Seconds(run), Time(arrival + run));
    }

    #[test]
    fn a_session_goes_on_while_a_job_is_in_the_system_and_for_less_than_twenty_minutes_after() {
        let mut sessions = Sessions::default();
        ran(&mut sessions, &job(0, 1, 1, 100), 0, 10);
        ran(&mut sessions, &job(1, 1, 1, 100), 10 + 1_199, 1);
        sessions.arrived(&job(2, 1, 1, 100), Time(1_210 + 1_200));
        // Job 2 has not ended: however late, this is its session. So is what overlaps with it.
        sessions.arrived(&job(3, 1, 1, 100), Time(90_000));
        sessions.ended(&job(3, 1, 1, 100), Seconds(5), Time(90_005));
        sessions.arrived(&job(4, 1, 1, 100), Time(100_000));
        sessions.ended(&job(2, 1, 1, 100), Seconds(5), Time(100_001));
        sessions.ended(&job(4, 1, 1, 100), Seconds(5), Time(100_050));
        // The last end counts and not the end of the last to arrive.
        sessions.arrived(&job(5, 1, 1, 100), Time(100_050 + 1_199));
        sessions.ended(&job(5, 1, 1, 100), Seconds(1), Time(101_250));
        sessions.arrived(&job(6, 1, 1, 100), Time(101_250 + 1_200));
        // Another user's jobs keep nothing open.
        sessions.arrived(&job(7, 2, 1, 100), Time(200_000));
        let numbers: Vec<usize> = (0..8).map(|handle| sessions.session_of(JobId(handle)).unwrap()).collect();
        assert_eq!(numbers, [0, 0, 1, 1, 1, 1, 2, 0]);
    }

    #[test]
    fn depth_first_prefers_the_criterion_and_breadth_first_the_session() {
        let mut sessions = Sessions::default();
        // Oldest session: 4 processors. Next: 2 processors, limit 100. Newest: 1 processor, limit 200.
        ran(&mut sessions, &job(0, 1, 4, 300), 0, 40);
        ran(&mut sessions, &job(1, 1, 2, 100), 10_000, 20);
        ran(&mut sessions, &job(2, 1, 1, 200), 20_000, 10);
        let asked = job(3, 1, 4, 100);
        sessions.arrived(&asked, Time(20_100));
        let predict = |criteria: &[Criterion], search, depth| {
            sessions.predict(&asked, criteria, search, depth).map(|prediction| prediction.0)
        };
        assert_eq!(predict(&[P, E, ANY], DFS, None), Some(40));
        assert_eq!(predict(&[P, E, ANY], BFS, None), Some(10));
        assert_eq!(predict(&[P, E], BFS, None), Some(20));
        assert_eq!(predict(&[P, E, ANY], DFS, Some(2)), Some(20));
        assert_eq!(predict(&[P, E, ANY], DFS, Some(1)), Some(10));
        assert_eq!(predict(&[P, E], DFS, Some(1)), None);
        assert_eq!(predict(&[], DFS, None), None);
        assert_eq!(predict(&[ANY], DFS, Some(0)), None);
        let both = Criterion { processors: true, limit: true, program: true };
        assert_eq!(predict(&[both], DFS, None), None);
        assert_eq!(predict(&[X], DFS, None), Some(10), "unknown programs are equal");
        assert_eq!(sessions.predict(&job(9, 2, 4, 100), &[ANY], DFS, None), None, "another user");
    }

    #[test]
    fn the_median_is_of_all_jobs_that_match_in_the_session_and_have_ended() {
        let mut sessions = Sessions::default();
        let program = |handle, program| Submission { program: Some(ProgramId(program)), ..job(handle, 1, 1, 100) };
        for (handle, run) in [(0, 90), (1, 10), (2, 35)] {
            ran(&mut sessions, &program(handle, 7), 100 * i64::try_from(handle).unwrap(), run);
        }
        ran(&mut sessions, &program(3, 8), 300, 1_000);
        sessions.arrived(&program(4, 7), Time(1_400));
        sessions.arrived(&program(5, 7), Time(1_401));
        let predict = |sessions: &Sessions, criteria: &[Criterion]| {
            sessions.predict(&program(5, 7), criteria, DFS, None).map(|prediction| prediction.0)
        };
        assert_eq!(predict(&sessions, &[X]), Some(35));
        assert_eq!(predict(&sessions, &[ANY]), Some(62), "35 and 90, rounded down");
        sessions.ended(&program(4, 7), Seconds(20), Time(1_420));
        assert_eq!(predict(&sessions, &[X]), Some(27), "20 and 35, rounded down");
    }
}
