//! No distribution depends on a run time that is not known yet (R-P2).
//!
//! Random workloads are played as logged. Every run time that is not over at some second is replaced by another that
//! is not over either; whatever was said up to that second, of waiting, running and arriving jobs alike, must stay the
//! same.

use queuecast_predict::distribution::{
    RuntimeDistribution, RuntimeDistributions, WeightedHistory, WeightedHistoryParameters,
};
use queuecast_workload::{
    GroupId, JobId, Outcome, ProgramId, QueueId, Request, Seconds, Status, Submission, Time, UserId,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const WORKLOADS: u64 = 100;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Job {
    submission: Submission,
    start: Time,
    run: Seconds,
    status: Status,
}

/// What was said of whom, and when.
type Said = Vec<(Time, JobId, RuntimeDistribution)>;

fn jobs(generator: &mut Pcg64) -> Vec<Job> {
    let mut now = 0;
    let mut jobs = Vec::new();
    for id in 0..generator.random_range(5..60) {
        now += generator.random_range(0..60);
        let limit = generator.random_ratio(4, 5).then(|| Seconds(100 * generator.random_range(1..4)));
        let submission = Submission {
            job: JobId(id),
            submitted: Time(now),
            request: Request { processors: generator.random_range(1..4) },
            limit,
            user: generator.random_ratio(9, 10).then(|| UserId(generator.random_range(0..3))),
            group: Some(GroupId(generator.random_range(0..2))),
            program: Some(ProgramId(generator.random_range(0..3))),
            queue: Some(QueueId(generator.random_range(0..2))),
            partition: None,
        };
        let status = if generator.random_ratio(1, 4) { Status::Failed } else { Status::Completed };
        let start = Time(now + generator.random_range(0..100));
        jobs.push(Job { submission, start, run: Seconds(generator.random_range(0..300)), status });
    }
    jobs
}

/// Plays the jobs up to a second and asks about every job in the system with every event.
fn overhear(jobs: &[Job], until: Time) -> Said {
    // Within one second ends come first, then arrivals, then starts.
    let mut events: Vec<(Time, u8, usize)> = Vec::new();
    for (place, job) in jobs.iter().enumerate() {
        events.push((job.start + job.run, if job.run == Seconds::ZERO { 3 } else { 0 }, place));
        events.push((job.submission.submitted, 1, place));
        events.push((job.start, 2, place));
    }
    events.sort_unstable();
    let mut history = WeightedHistory::new(WeightedHistoryParameters::default());
    let mut said = Said::new();
    for (now, kind, place) in events.into_iter().filter(|(now, ..)| *now <= until) {
        let job = &jobs[place];
        match kind {
            1 => history.on_arrival(&job.submission, now),
            2 => history.on_start(&job.submission, now),
            _ => {
                let outcome = Outcome { started: job.start, ended: now, status: job.status };
                history.on_end(&job.submission, &outcome);
            }
        }
        for other in jobs.iter().filter(|other| other.submission.submitted <= now && other.start + other.run > now) {
            let age = (now - other.start).max(Seconds::ZERO);
            said.push((now, other.submission.job, history.distribution(&other.submission, age, now)));
        }
    }
    said
}

#[test]
fn no_distribution_depends_on_a_run_time_not_yet_known() {
    for seed in 0..WORKLOADS {
        let generator = &mut Pcg64::seed_from_u64(seed);
        let jobs = jobs(generator);
        let known = Time(generator.random_range(0..=jobs.last().expect("there are jobs").start.0));
        let mut others = jobs.clone();
        for job in others.iter_mut().filter(|job| job.start + job.run > known) {
            let age = (known - job.start).max(Seconds::ZERO);
            job.run = age + Seconds(generator.random_range(1..400));
            job.status = Status::Cancelled;
        }
        assert_ne!(jobs, others, "seed {seed}: the test changed nothing");
        assert_eq!(overhear(&jobs, known), overhear(&others, known), "seed {seed}");
        // Were nothing ever learnt, nothing could leak: what comes later must differ.
        let end = Time(1_000_000);
        assert_ne!(overhear(&jobs, end), overhear(&others, end), "seed {seed}: the test sees nothing");
    }
}

#[test]
fn every_distribution_is_beyond_the_age_and_sums_to_one() {
    for seed in 0..WORKLOADS {
        let jobs = jobs(&mut Pcg64::seed_from_u64(seed));
        for (now, id, distribution) in overhear(&jobs, Time(1_000_000)) {
            let job = jobs.iter().find(|job| job.submission.job == id).expect("it is one of them");
            let age = (now - job.start).max(Seconds::ZERO);
            assert!(distribution.points().all(|(seconds, _)| seconds > age), "seed {seed}");
            assert!(distribution.points().map(|(_, share)| share).is_sorted(), "seed {seed}");
            assert!((distribution.share_within(Seconds::MAX) - 1.0).abs() < 1e-12, "seed {seed}");
        }
    }
}

#[test]
fn the_same_events_give_the_same_distributions() {
    let jobs = jobs(&mut Pcg64::seed_from_u64(7));
    assert_eq!(overhear(&jobs, Time(1_000_000)), overhear(&jobs, Time(1_000_000)));
}
