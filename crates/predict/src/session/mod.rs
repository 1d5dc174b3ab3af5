//! Session-based history (Talby et al., section 5): predict from the jobs that are most alike among the user's last
//! working sessions (R-T4, R-T5), with or without user estimates (R-T8).
//!
//! Two jobs of a user are in one session if the second arrived less than a think time (20 minutes) after the first
//! ended, or before that. A session therefore stays open while any of its jobs is in the system, and a job that ends
//! always ends in its user's newest session. Listing 4 searches back through sessions for the first that holds a match;
//! which session that is only changes when a matching job ends, and then it is the newest. So for every criterion and
//! every value jobs are matched by, it is enough to keep the run times of the last session in which such a job ended: a
//! prediction looks at one place a criterion, however long the history, and nothing is ever scanned. The places of a job
//! are found by everything criteria can ask for at once, since users submit the same job again and again.

mod criteria;
mod specification;

pub use criteria::{Criteria, Criterion};
pub use specification::{Growth, Search, SessionParameters};

use queuecast_workload::{Outcome, ProgramId, Seconds, Submission, Time, UserId};
use rustc_hash::FxHashMap;

use crate::RuntimeModel;
use crate::running_median::RunningMedian;

/// What is predicted without estimates when nothing matches.
const WITHOUT_ESTIMATES: Seconds = Seconds(1);

/// Predicts from the user's sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    parameters: SessionParameters,
    by_user: FxHashMap<UserId, UserSessions>,
}

#[derive(Clone, Debug, Default)]
struct UserSessions {
    /// The number of the newest session, from one.
    newest: u32,
    /// Its jobs that have not ended.
    in_system: u32,
    /// The latest end in it.
    last_end: Option<Time>,
    matches: Vec<Matches>,
    /// Where in `matches` the jobs that match by one criterion are.
    places: FxHashMap<MatchKey, u32>,
    /// The places of a job, one a criterion.
    places_of: FxHashMap<Likeness, Box<[u32]>>,
}

/// Everything that criteria can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Likeness {
    processors: u32,
    limit: Option<Seconds>,
    program: Option<ProgramId>,
}

/// What jobs must have in common to match by one criterion; what it does not ask for is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct MatchKey {
    criterion: Criterion,
    processors: Option<u32>,
    limit: Option<Seconds>,
    program: Option<ProgramId>,
}

/// The matching jobs that ended in the last session that had any.
#[derive(Clone, Debug, Default)]
struct Matches {
    /// That session, or zero before any ended.
    session: u32,
    runs: RunningMedian,
}

impl Sessions {
    /// No history yet.
    pub fn new(parameters: SessionParameters) -> Self {
        Self { parameters, by_user: FxHashMap::default() }
    }

    fn search(&self, job: &Submission) -> Option<Seconds> {
        let sessions = self.by_user.get(&job.user?)?;
        let criteria = self.parameters.criteria.as_slice();
        let known = sessions.places_of.get(&Likeness::of(job));
        let place = |(index, criterion): (usize, &Criterion)| match known {
            Some(places) => Some(places[index]),
            // Nobody has submitted the like; it may match by some criterion nevertheless.
            None => sessions.places.get(&MatchKey::new(*criterion, job)).copied(),
        };
        let reachable = |place: u32| {
            let matches = &sessions.matches[place as usize];
            let depth = self.parameters.depth.unwrap_or(u32::MAX);
            (matches.session > 0 && sessions.newest - matches.session < depth).then_some(matches)
        };
        let mut found = criteria.iter().enumerate().filter_map(place).filter_map(reachable);
        let matches = match self.parameters.search {
            Search::DepthFirst => found.next(),
            // The latest session; within it the first criterion, so a later one must be later to take its place.
            Search::BreadthFirst => found.reduce(|best, other| if other.session > best.session { other } else { best }),
        };
        matches?.runs.median()
    }
}

impl UserSessions {
    /// The job's places, made where it is the first of its kind.
    fn make_places(&mut self, criteria: &[Criterion], job: &Submission) {
        let Self { matches, places, places_of, .. } = self;
        places_of.entry(Likeness::of(job)).or_insert_with(|| {
            let place = |criterion: &Criterion| {
                *places.entry(MatchKey::new(*criterion, job)).or_insert_with(|| {
                    matches.push(Matches::default());
                    u32::try_from(matches.len() - 1).expect("fewer kinds of jobs than 2^32")
                })
            };
            criteria.iter().map(place).collect()
        });
    }
}

impl RuntimeModel for Sessions {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.search(job).or(self.parameters.growth.map(|_| WITHOUT_ESTIMATES))
    }

    fn arrived(&mut self, job: &Submission, now: Time) {
        let Some(user) = job.user else { return };
        let sessions = self.by_user.entry(user).or_default();
        let goes_on = sessions.last_end.is_some_and(|last_end| now - last_end < self.parameters.think_time);
        if sessions.in_system == 0 && !goes_on {
            sessions.newest += 1;
        }
        sessions.in_system += 1;
        sessions.make_places(self.parameters.criteria.as_slice(), job);
    }

    fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        let Some(sessions) = job.user.and_then(|user| self.by_user.get_mut(&user)) else { return };
        sessions.in_system = sessions.in_system.saturating_sub(1);
        sessions.last_end = sessions.last_end.max(Some(outcome.ended));
        let Some(places) = sessions.places_of.get(&Likeness::of(job)) else { return };
        for place in places {
            let matches = &mut sessions.matches[*place as usize];
            if matches.session != sessions.newest {
                matches.session = sessions.newest;
                matches.runs.clear();
            }
            matches.runs.add(outcome.run());
        }
    }
}

impl Likeness {
    fn of(job: &Submission) -> Self {
        Self { processors: job.request.processors, limit: job.limit, program: job.program }
    }
}

impl MatchKey {
    /// Values a log does not know equal each other: where no job has an executable, every job has the same.
    fn new(criterion: Criterion, job: &Submission) -> Self {
        Self {
            criterion,
            processors: criterion.processors().then_some(job.request.processors),
            limit: job.limit.filter(|_| criterion.limit()),
            program: job.program.filter(|_| criterion.program()),
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{JobId, Request, Status};

    use super::*;
    use crate::submissions::job_of;
    use crate::{Outlived, PredictorSpecification, Revisions};

    fn sessions(specification: &str) -> Sessions {
        Sessions::new(specification.parse().expect(specification))
    }

    fn job(processors: u32, limit: i64) -> Submission {
        Submission { request: Request { processors }, limit: Some(Seconds(limit)), ..job_of(1) }
    }

    impl Sessions {
        /// The job arrives, starts at once and ends after `run` seconds.
        fn play(&mut self, job: Submission, arrival: i64, run: i64) {
            self.arrived(&job, Time(arrival));
            self.finish(job, arrival, run);
        }

        fn finish(&mut self, job: Submission, start: i64, run: i64) {
            let outcome = Outcome { started: Time(start), ended: Time(start + run), status: Status::Completed };
            self.ended(&job, &outcome);
        }

        fn newest(&self) -> u32 {
            self.by_user[&UserId(1)].newest
        }
    }

    #[test]
    fn a_session_ends_after_twenty_idle_minutes() {
        let mut sessions = sessions("criteria=*");
        sessions.play(job(1, 10), 0, 100);
        sessions.play(job(1, 10), 100 + 1_199, 1);
        assert_eq!(sessions.newest(), 1, "a second less than twenty minutes after the end");
        sessions.play(job(1, 10), 1_300 + 1_200, 1);
        assert_eq!(sessions.newest(), 2);
    }

    #[test]
    fn a_job_that_arrives_while_another_is_in_the_system_is_of_its_session() {
        let mut sessions = sessions("criteria=*");
        let long = Submission { job: JobId(1), ..job(1, 10) };
        sessions.arrived(&long, Time(0));
        sessions.play(job(1, 10), 50_000, 10);
        assert_eq!(sessions.newest(), 1);
        sessions.finish(long, 0, 100_000);
        sessions.play(job(1, 10), 100_100, 10);
        assert_eq!(sessions.newest(), 1, "the session lasts until the longest of its jobs has ended");
    }

    /// First session: (4, 60) ran 100. Second: (4, 30) ran 7, 9. Third, now.
    #[test]
    fn depth_first_prefers_the_better_match_and_breadth_first_the_later_session() {
        for (search, expected) in [("dfs", 100), ("bfs", 8)] {
            let mut sessions = sessions(&format!("criteria=PE/P/E/*,search={search}"));
            sessions.play(job(4, 60), 0, 100);
            sessions.play(job(4, 30), 10_000, 7);
            sessions.play(job(4, 30), 10_010, 9);
            sessions.arrived(&job(4, 60), Time(90_000));
            assert_eq!(sessions.predict(&job(4, 60)), Some(Seconds(expected)), "{search}");
        }
    }

    #[test]
    fn breadth_first_takes_the_first_criterion_of_the_latest_session() {
        let mut sessions = sessions("criteria=PE/P/*,search=bfs");
        sessions.play(job(4, 60), 0, 100);
        sessions.play(job(4, 30), 200, 500);
        assert_eq!(sessions.predict(&job(4, 60)), Some(Seconds(100)));
    }

    #[test]
    fn a_depth_limit_counts_sessions_from_the_newest() {
        for (depth, expected) in [("2", None), ("3", Some(Seconds(100))), ("all", Some(Seconds(100)))] {
            let mut sessions = sessions(&format!("criteria=P,depth={depth}"));
            sessions.play(job(4, 60), 0, 100);
            sessions.play(job(8, 60), 10_000, 7);
            sessions.arrived(&job(4, 60), Time(90_000));
            assert_eq!(sessions.predict(&job(4, 60)), expected, "depth {depth}");
        }
    }

    #[test]
    fn a_job_the_like_of_which_was_never_submitted_matches_by_what_it_shares() {
        let mut sessions = sessions("criteria=PE/P/*");
        sessions.play(job(4, 60), 0, 100);
        assert_eq!(sessions.predict(&job(4, 999)), Some(Seconds(100)), "asked about before it arrives");
    }

    #[test]
    fn one_users_sessions_say_nothing_of_anothers_jobs() {
        let mut sessions = sessions("criteria=*");
        sessions.play(job(1, 10), 0, 100);
        assert_eq!(sessions.predict(&job_of(2)), None);
        assert_eq!(sessions.predict(&Submission { user: None, ..job_of(1) }), None);
    }

    /// Jobs with these limits arrive, the first of them without a like; then it outlives a plan of 10,000 seconds.
    fn balanced_plan(specification: &str, limits: &[Option<i64>]) -> Seconds {
        let specification: PredictorSpecification = specification.parse().expect(specification);
        let (mut predictor, _) = specification.build(specification.default_correction(), false);
        let mut others = Revisions::default();
        for (number, limit) in (1..).zip(limits) {
            let job = Submission { job: JobId(number), limit: limit.map(Seconds), ..job_of(1) };
            predictor.on_arrival(&job, Time(0), &mut others);
        }
        let age = Seconds(10_000);
        let miss = Outlived { age, first: Seconds(1), previous: age, earlier_misses: 4 };
        predictor.on_outlived(&Submission { job: JobId(1), ..job_of(1) }, &miss, Time(10_000), &mut others)
    }

    #[test]
    fn balanced_growth_stops_at_the_longest_limit_submitted_so_far() {
        let balanced = "session:estimates=no";
        assert_eq!(balanced_plan(balanced, &[Some(600), Some(50_000), Some(700)]), Seconds(50_000));
        assert_eq!(balanced_plan(balanced, &[Some(600)]), Seconds(10_000 + 3_600), "already beyond it: by steps");
        assert_eq!(balanced_plan(balanced, &[None, None]), Seconds(100_000), "36 hours where nobody has a limit");
    }

    #[test]
    fn a_threshold_that_is_named_is_kept_whatever_limits_are_seen() {
        assert_eq!(balanced_plan("session:estimates=no,threshold=20000", &[Some(50_000)]), Seconds(20_000));
        assert_eq!(balanced_plan("session:estimates=no,growth=unbalanced", &[Some(50_000)]), Seconds(100_000));
    }

    #[test]
    fn executables_that_nobody_knows_are_all_the_same_one() {
        for unknown in ["criteria=PEX/*", "criteria=PE/*"] {
            let mut sessions = sessions(unknown);
            sessions.play(job(4, 60), 0, 100);
            sessions.play(job(8, 60), 10_000, 7);
            assert_eq!(sessions.predict(&job(4, 60)), Some(Seconds(100)), "{unknown}");
        }
        let mut sessions = sessions("criteria=PEX/*");
        sessions.play(Submission { program: Some(ProgramId(3)), ..job(4, 60) }, 0, 100);
        sessions.play(job(8, 60), 10_000, 7);
        assert_eq!(sessions.predict(&job(4, 60)), Some(Seconds(7)), "a known one is not the unknown one");
    }

    #[test]
    fn without_estimates_an_unknown_job_is_given_a_second() {
        let sessions = sessions("criteria=PX/P/X/*,estimates=no");
        assert_eq!(sessions.predict(&job_of(2)), Some(Seconds(1)));
    }
}
