//! Resampling little logs that are made by hand or at random; real logs are in `tests/resample.rs`.

use proptest::prelude::*;
use rand::SeedableRng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::*;
use crate::{ProgramId, Recorded, Request, Status, Submission};

const WEEK: i64 = 604_800;
const MACHINE: Machine = Machine { processors: 16 };

/// A job that runs for ten seconds on one processor. Its program is its number: by this it is known again.
pub(super) fn job(number: i64, user: Option<u32>, submitted: i64) -> TracedJob {
    TracedJob {
        number,
        submission: Submission {
            job: JobId(0),
            submitted: Time(submitted),
            request: Request { processors: 1 },
            limit: Some(Seconds(60)),
            user: user.map(UserId),
            group: None,
            program: u32::try_from(number).ok().map(ProgramId),
            queue: None,
            partition: None,
        },
        recorded: Recorded { wait: Some(Seconds(5)), run: Seconds(10), status: Status::Completed },
    }
}

fn resample(log: &[TracedJob], options: ResampleOptions, seed: u64) -> Vec<TracedJob> {
    let jobs = Resampled::new(log.to_vec(), MACHINE, options, Pcg64::seed_from_u64(seed));
    jobs.expect("the log can be resampled").collect()
}

fn weeks(count: u32) -> ResampleOptions {
    ResampleOptions::new(Length::Weeks(count))
}

fn by_sessions(options: ResampleOptions) -> ResampleOptions {
    ResampleOptions { by: ResampleBy::Sessions, ..options }
}

fn program(job: &TracedJob) -> u32 {
    job.submission.program.expect("every job of these logs has one").0
}

/// Jobs of the persons in it, each person's in order.
fn by_person(jobs: &[TracedJob]) -> FxHashMap<UserId, Vec<&TracedJob>> {
    let mut persons: FxHashMap<UserId, Vec<&TracedJob>> = FxHashMap::default();
    for job in jobs {
        if let Some(user) = job.submission.user {
            persons.entry(user).or_default().push(job);
        }
    }
    persons
}

/// Users who stay and users who visit, with some jobs without a user between them.
fn mixed_log() -> Vec<TracedJob> {
    let mut jobs = Vec::new();
    for user in 0..20_u32 {
        let stays = user % 3 == 0;
        for visit in 0..if stays { 40 } else { 3 } {
            let submitted = i64::from(user) * 90_001 + visit * 3 * 86_400 + visit * 777;
            jobs.push(job(0, Some(user), submitted));
            jobs.push(job(0, Some(user), submitted + 100));
        }
    }
    jobs.extend((0..10).map(|place| job(0, None, place * 900_000)));
    jobs.sort_by_key(|job| job.submission.submitted);
    for (job, number) in jobs.iter_mut().zip(1_u32..) {
        job.number = number.into();
        job.submission.program = Some(ProgramId(number));
    }
    jobs
}

#[test]
fn the_seed_decides() {
    let log = mixed_log();
    for options in [weeks(30), by_sessions(weeks(30))] {
        assert_eq!(resample(&log, options, 1), resample(&log, options, 1));
        assert_ne!(resample(&log, options, 1), resample(&log, options, 2));
    }
}

#[test]
fn the_order_of_the_log_decides_nothing() {
    let log = mixed_log();
    let mut turned = log.clone();
    turned.reverse();
    assert_eq!(resample(&log, weeks(30), 1), resample(&turned, weeks(30), 1));
}

#[test]
fn a_job_keeps_everything_but_its_number_its_time_its_person_and_its_wait() {
    let log = mixed_log();
    for options in [weeks(50), by_sessions(weeks(50))] {
        for job in resample(&log, options, 3) {
            let original = log[program(&job) as usize - 1];
            let mut expected = original;
            expected.number = job.number;
            expected.submission.job = job.submission.job;
            expected.submission.submitted = job.submission.submitted;
            expected.submission.user = job.submission.user;
            expected.recorded.wait = None;
            assert_eq!(job, expected);
            assert_eq!(job.submission.user.is_some(), original.submission.user.is_some());
        }
    }
}

#[test]
fn every_job_of_the_log_is_expected_equally_often_in_every_week() {
    let log = mixed_log();
    let log_weeks = in_weeks(log[log.len() - 1].submission.submitted - log[0].submission.submitted);
    for options in [weeks(20), by_sessions(weeks(20))] {
        let mut counts = vec![0_u32; log.len()];
        let mut in_week = [0_u32; 20];
        let seeds = 2_000;
        for seed in 0..seeds {
            for job in resample(&log, options, seed) {
                counts[program(&job) as usize - 1] += 1;
                in_week[usize::try_from(job.submission.submitted.0 / WEEK).unwrap()] += 1;
            }
        }
        let expected = f64::from(u32::try_from(seeds).unwrap()) * 20.0 / log_weeks;
        for (job, &count) in log.iter().zip(&counts) {
            assert!((f64::from(count) / expected - 1.0).abs() < 0.2, "{count}, expected {expected}: {job:?}");
        }
        let expected = seeds as f64 * log.len() as f64 / log_weeks;
        for (week, &count) in in_week.iter().enumerate() {
            assert!((f64::from(count) / expected - 1.0).abs() < 0.06, "{count} in week {week}, expected {expected}");
        }
    }
}

#[test]
fn a_user_comes_with_all_jobs_and_the_gaps_between_them() {
    let log: Vec<TracedJob> = (0..30).map(|place| job(place + 1, Some(7), place * WEEK + place * 1_000)).collect();
    let jobs = resample(&log, weeks(300), 4);
    let persons = by_person(&jobs);
    assert!(persons.len() > 5);
    // The first was met in the middle and the last did not come to the end.
    let whole: Vec<_> = persons.values().filter(|jobs| jobs.len() == log.len()).collect();
    assert!(whole.len() + 4 >= persons.len(), "{} of {}", whole.len(), persons.len());
    for jobs in persons.values() {
        for pair in jobs.windows(2) {
            assert_eq!(program(pair[1]), program(pair[0]) + 1);
            assert_eq!(pair[1].submission.submitted - pair[0].submission.submitted, Seconds(WEEK + 1_000));
        }
    }
}

/// Three jobs a session, of which a user has two on every fourth day, far apart.
#[test]
fn sessions_stay_whole_and_are_exchanged_within_a_user_and_a_day_of_the_week() {
    let mut log = Vec::new();
    for user in 0..4_u32 {
        for session in 0..60_i64 {
            let begun = session / 2 * 4 * 86_400 + (session % 2) * 40_000 + i64::from(user) * 1_000 + session;
            for step in 0..3 {
                log.push(job(log.len() as i64 + 1, Some(user), begun + step * 200));
            }
        }
    }
    let jobs = resample(&log, by_sessions(weeks(200)), 5);
    let session = |job: &TracedJob| (program(job) - 1) / 3;
    let mut out_of_turn = 0;
    for jobs in by_person(&jobs).values() {
        let users: FxHashSet<u32> = jobs.iter().map(|job| session(job) / 60).collect();
        assert_eq!(users.len(), 1, "one user's sessions in one person");
        // Two sessions drawn for one day may interleave, so each is looked at by itself.
        let mut sessions: FxHashMap<(u32, i64), Vec<&TracedJob>> = FxHashMap::default();
        for &job in jobs {
            let original = log[program(job) as usize - 1].submission.submitted;
            sessions.entry((session(job), (job.submission.submitted - original).0)).or_default().push(job);
        }
        for ((_, moved), jobs) in &sessions {
            assert_eq!(moved % WEEK, 0);
            assert!(jobs.len().is_multiple_of(3), "a session was torn apart: {jobs:?}");
        }
        out_of_turn += jobs.windows(2).filter(|pair| session(pair[1]) < session(pair[0])).count();
    }
    assert!(out_of_turn > 100, "sessions are exchanged: {out_of_turn}");
}

#[test]
fn a_load_is_reached_with_more_or_fewer_users() {
    let log = mixed_log();
    let population = |load| {
        let options = ResampleOptions { load, ..weeks(1) };
        Resampled::new(log.clone(), MACHINE, options, Pcg64::seed_from_u64(1)).unwrap().population()
    };
    let own = population(None);
    let tripled = population(Some(3.0 * own.log_load));
    assert!((tripled.long_term_present / own.long_term_present - 3.0).abs() < 1e-9);
    assert!((tripled.temporary_a_week / own.temporary_a_week - 3.0).abs() < 1e-9);

    // A tenth of the load is less than one long-term user, there for some stays and not for others: a standard
    // deviation of 4.7 % over seeds, so that only the mean of several says anything. From half the load on it is below 0.7 %.
    for (factor, seeds, most_apart) in
        [(0.1, 12_u32, 0.06), (0.5, 1, 0.03), (1.0, 1, 0.03), (3.0, 1, 0.02), (10.0, 1, 0.01)]
    {
        let options = ResampleOptions { load: Some(factor * own.log_load), ..weeks(5_000) };
        let work: f64 =
            (0..seeds).flat_map(|seed| resample(&log, options, seed.into())).map(|job| job.recorded.run.as_f64()).sum();
        let load = offered_load(work, MACHINE, Seconds(5_000 * WEEK)).unwrap() / f64::from(seeds);
        assert!((load / own.log_load / factor - 1.0).abs() < most_apart, "{load}, {factor} times {}", own.log_load);
    }
}

#[test]
fn a_group_of_one_user_is_as_new_as_the_person_and_a_shared_one_stays() {
    let in_group = |number, user, group| {
        let mut job = job(number, Some(user), number * 1_000);
        job.submission.group = Some(GroupId(group));
        job
    };
    let log = [in_group(1, 1, 5), in_group(2, 1, 9), in_group(3, 2, 5), in_group(4, 1, 8)];
    let jobs = resample(&log, weeks(100), 7);
    let mut owners: FxHashMap<GroupId, FxHashSet<UserId>> = FxHashMap::default();
    for job in &jobs {
        let group = job.submission.group.expect("all are in groups");
        owners.entry(group).or_default().insert(job.submission.user.expect("all have users"));
        assert_eq!(program(job) % 2 == 1, group == GroupId(5), "{job:?}");
        assert!(group == GroupId(5) || group > GroupId(9), "{job:?}");
    }
    assert!(owners[&GroupId(5)].len() > 50);
    assert!(owners.iter().all(|(&group, users)| group == GroupId(5) || users.len() == 1));
    assert!(owners.len() > 100, "two groups of their own for each coming of the first user");
}

#[test]
fn what_cannot_be_resampled_is_refused_with_the_reason() {
    let refused = |log: Vec<TracedJob>, machine, load| {
        let options = ResampleOptions { load, ..weeks(1) };
        Resampled::new(log, machine, options, Pcg64::seed_from_u64(1)).unwrap_err().to_string()
    };
    let nobody = Machine { processors: 0 };
    assert!(refused(vec![], MACHINE, None).starts_with("no jobs to resample"));
    assert_eq!(refused(mixed_log(), nobody, None), "the machine has 0 processors; at least 1 is needed");
    for load in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(mixed_log(), MACHINE, Some(load)).contains("expected a number above 0"));
    }
    let mut idle = job(1, None, 0);
    idle.recorded.run = Seconds(0);
    assert!(refused(vec![idle], MACHINE, Some(0.5)).starts_with("all run times are zero"));
    assert!(refused(mixed_log(), MACHINE, Some(1e9)).contains("use a lower load"));
}

fn little_log() -> impl Strategy<Value = Vec<TracedJob>> {
    let user = prop_oneof![Just(None), (0..4_u32).prop_map(Some)];
    let submitted = prop_oneof![Just(0), 0..WEEK, 0..30 * WEEK];
    let numbered = |parts: Vec<(Option<u32>, i64)>| {
        parts.into_iter().zip(1..).map(|((user, submitted), number)| job(number, user, submitted)).collect()
    };
    proptest::collection::vec((user, submitted), 1..40).prop_map(numbered)
}

/// One job; one user with all; all in one second.
fn odd_log() -> impl Strategy<Value = Vec<TracedJob>> {
    let odd = (1..30_i64, 0..3_u8, 0..40 * WEEK).prop_map(|(count, oddity, second)| {
        let one = |number: i64| match oddity {
            0 => job(number, u32::try_from(number).ok(), number * 100_000),
            1 => job(number, Some(1), number * 100_000),
            _ => job(number, u32::try_from(number).ok().filter(|number| number % 2 == 0), second),
        };
        (1..=count).map(one).collect()
    });
    prop_oneof![little_log(), odd]
}

proptest! {
    #[test]
    fn jobs_come_in_order_numbered_from_one_at_their_second_of_the_week(
        log in odd_log(),
        sessions: bool,
        load_factor in prop_oneof![Just(None), (0.2..4.0).prop_map(Some)],
        time_of_day in 0..86_400_i64,
        seed: u64,
    ) {
        let (_, log_load) = span_and_load(&log, MACHINE).unwrap();
        let options = ResampleOptions {
            load: load_factor.map(|factor: f64| factor * log_load),
            by: if sessions { ResampleBy::Sessions } else { ResampleBy::Users },
            time_of_day_at_zero: Seconds(time_of_day),
            ..weeks(60)
        };
        let jobs = resample(&log, options, seed);
        prop_assert!(jobs.is_sorted_by_key(|job| job.submission.submitted));
        for (job, place) in jobs.iter().zip(0..) {
            prop_assert_eq!((job.submission.job, job.number), (JobId(place), place as i64 + 1));
            prop_assert!((0..60 * WEEK).contains(&job.submission.submitted.0));
            let original = log[program(job) as usize - 1].submission.submitted;
            prop_assert_eq!((job.submission.submitted - original).0 % WEEK, 0);
        }
        // One person is never two users.
        for jobs in by_person(&jobs).values() {
            let user = |job: &TracedJob| log[program(job) as usize - 1].submission.user;
            prop_assert!(jobs.iter().all(|job| user(job) == user(jobs[0])));
        }
    }

    #[test]
    fn so_many_jobs_are_made_as_were_asked_for(log in odd_log(), count in 0..3_000_u64, sessions: bool, seed: u64) {
        let options = ResampleOptions::new(Length::Jobs(count));
        let options = if sessions { by_sessions(options) } else { options };
        prop_assert_eq!(resample(&log, options, seed).len() as u64, count);
    }

    /// What comes does not depend on how long it goes on.
    #[test]
    fn a_shorter_workload_is_the_beginning_of_a_longer_one(log in odd_log(), sessions: bool, seed: u64) {
        let of = |count| if sessions { by_sessions(weeks(count)) } else { weeks(count) };
        let (short, long) = (resample(&log, of(20), seed), resample(&log, of(60), seed));
        prop_assert_eq!(&short[..], &long[..short.len()]);
    }
}
