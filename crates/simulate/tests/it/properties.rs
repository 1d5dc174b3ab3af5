//! What must hold of every schedule, whatever the workload: no processor is held twice, nobody starts before being
//! submitted, promises made on upper bounds are kept, and the same input gives the same output.

use proptest::prelude::*;
use proptest::sample::select;
use queuecast_simulate::{Overrun, Rules};
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{Machine, Seconds, Time, TracedJob};

use crate::support::{Finished, Setup, as_log, job};

const POLICIES: [&str; 13] = [
    "fcfs",
    "fcfs:queue=f1",
    "easy",
    "easy-sjbf",
    "spf",
    "saf",
    "easy:queue=f2,backfill=f3",
    "easy:queue=f4,backfill=wfp3",
    "easy:queue=wfp3",
    "easy:depth=2",
    "easy:backfill=shortest,depth=4",
    "easy:queue=smallest-area,depth=all",
    "conservative",
];
const EASY_IN_ARRIVAL_ORDER: [&str; 8] = [
    "easy",
    "easy-sjbf",
    "easy:backfill=smallest-area",
    "easy:backfill=f1",
    "easy:backfill=f2",
    "easy:backfill=f3",
    "easy:backfill=f4",
    "easy:backfill=wfp3",
];
const PREDICTORS: [&str; 6] =
    ["estimate", "perfect", "constant:1", "constant:50", "recent:n=1", "recent:n=2,stat=mean"];
const CORRECTIONS: [&str; 6] = ["raise", "raise-then-first", "steps", "offset-steps", "x10", "x10:longest"];

/// A machine and jobs that crowd it. Small numbers, so that submissions, ends and plans often meet in one second.
fn workloads() -> impl Strategy<Value = (Machine, Vec<TracedJob>)> {
    (1..=12_u32).prop_flat_map(|processors| {
        let limit = prop_oneof![Just(0), 0..60_i64, -20..0_i64];
        let numbers = (prop_oneof![Just(0), 0..20_i64], 1..=processors, 1..40_i64, limit, 0..3_u32);
        let jobs = proptest::collection::vec(numbers, 1..40).prop_map(|numbers| {
            let mut now = 0;
            let jobs = numbers.into_iter().zip(1..).map(|((gap, processors, run, above_run, user), number)| {
                now += gap;
                job(number, now, processors, run, Some((run + above_run).max(1)), user)
            });
            jobs.collect()
        });
        (Just(Machine { processors }), jobs)
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    prop_oneof![Just(Rules::Clean), Just(Rules::Pyss)]
}

/// Any policy with any predictor, good or bad.
fn setups() -> impl Strategy<Value = Setup> {
    let overruns = prop_oneof![Just(Overrun::Kill), Just(Overrun::RunOn)];
    let parts = (rules(), overruns, select(&POLICIES), select(&PREDICTORS), select(&CORRECTIONS), any::<bool>());
    parts.prop_map(|(rules, overrun, policy, predictor, correction, propagate)| Setup {
        overrun,
        predictor: predictor.parse().expect("a predictor"),
        correction: correction.parse().expect("a correction"),
        // See `propagation_does_not_touch_a_job_that_ends_in_the_same_second`.
        propagate,
        ..Setup::with_estimates(1, rules, policy)
    })
}

/// Processors held during the second that begins at `time`. A job's last second ends where the next job's first begins,
/// so the intervals are half open.
fn held(finished: &[Finished], time: Time) -> u32 {
    let running = finished.iter().filter(|job| job.outcome.started <= time && time < job.outcome.ended);
    running.map(|job| job.submission.request.processors).sum()
}

proptest! {
    #[test]
    fn processors_are_never_oversubscribed((machine, jobs) in workloads(), setup in setups()) {
        let finished = Setup { machine, ..setup }.play_sorted(&jobs);
        // What is held grows only where a job starts.
        for job in &finished {
            let time = job.outcome.started;
            prop_assert!(held(&finished, time) <= machine.processors, "{} held at {time}", held(&finished, time));
        }
    }

    #[test]
    fn every_job_starts_after_its_submission_and_ends_after_its_run_time(
        (machine, jobs) in workloads(),
        setup in setups(),
    ) {
        let finished = Setup { machine, ..setup }.play_sorted(&jobs);
        prop_assert_eq!(finished.len(), jobs.len());
        for (job, traced) in finished.iter().zip(&jobs) {
            prop_assert_eq!(job.number, traced.number);
            prop_assert!(job.outcome.started >= traced.submission.submitted);
            let limit = traced.submission.limit.filter(|_| setup.overrun == Overrun::Kill);
            prop_assert_eq!(job.outcome.run(), traced.recorded.run.min(limit.unwrap_or(Seconds::MAX)));
        }
    }

    #[test]
    fn fcfs_starts_jobs_in_order_of_arrival((machine, jobs) in workloads(), rules in rules()) {
        let finished = Setup::with_estimates(machine.processors, rules, "fcfs").play_sorted(&jobs);
        prop_assert!(finished.is_sorted_by_key(|job| job.outcome.started));
    }

    /// Jobs are killed at their estimates, so plans are upper bounds and whoever came to hold the reservation starts
    /// no later than promised, however the holes are filled.
    #[test]
    fn easy_keeps_its_promise_to_the_head(
        (machine, jobs) in workloads(),
        rules in rules(),
        policy in select(&EASY_IN_ARRIVAL_ORDER),
    ) {
        for job in Setup::with_estimates(machine.processors, rules, policy).play_sorted(&jobs) {
            let promised = job.promised.unwrap_or(Time::MAX);
            prop_assert!(job.outcome.started <= promised, "job {}: {} after {promised}", job.number, job.outcome.started);
        }
    }

    #[test]
    fn conservative_promises_everybody_a_start_and_keeps_it((machine, jobs) in workloads(), rules in rules()) {
        for job in Setup::with_estimates(machine.processors, rules, "conservative").play_sorted(&jobs) {
            let promised = job.promised.expect("everybody is promised a start on arrival");
            prop_assert!(job.outcome.started <= promised, "job {}: {} after {promised}", job.number, job.outcome.started);
        }
    }

    /// The first job to wait is the head of an empty queue, so there is a promise exactly if anybody waits at all.
    #[test]
    fn easy_promises_something_whenever_somebody_waits(
        (machine, jobs) in workloads(),
        policy in select(&EASY_IN_ARRIVAL_ORDER),
    ) {
        let finished = Setup::with_estimates(machine.processors, Rules::Clean, policy).play_sorted(&jobs);
        let waited = finished.iter().any(|job| job.outcome.started > job.submission.submitted);
        prop_assert_eq!(waited, finished.iter().any(|job| job.promised.is_some()));
    }

    #[test]
    fn two_runs_give_the_same_result_in_the_same_order((machine, jobs) in workloads(), setup in setups()) {
        let setup = Setup { machine, ..setup };
        prop_assert_eq!(setup.play(jobs.iter().copied()), setup.play(jobs.iter().copied()));
    }

    /// Nothing but the next job is ever looked at: a log read line by line gives what the list gives.
    #[test]
    fn streamed_jobs_give_the_result_of_a_list((machine, jobs) in workloads(), setup in setups()) {
        let setup = Setup { machine, ..setup };
        let log = as_log(&jobs);
        let stream = SwfReader::new(log.as_bytes()).expect("memory reads").map(|line| match line {
            Ok(Line::Job(record)) => record.to_traced().expect("what was a job is a job"),
            other => panic!("{other:?}"),
        });
        prop_assert_eq!(setup.play(stream), setup.play(jobs.iter().copied()));
    }
}

/// Jobs 2, 3 and 4 end at 40, in that order, and job 5 takes their place. The pass that starts it counts job 4, planned
/// until 20 + 20 = 40, as gone; then job 3 of the same user ends after 40 seconds, by which job 4 would be planned until
/// 20 + 40 = 60.
#[test]
fn propagation_does_not_touch_a_job_that_ends_in_the_same_second() {
    let jobs = [
        job(1, 0, 4, 20, Some(20), 1),
        job(2, 0, 1, 40, Some(40), 2),
        job(3, 0, 2, 40, Some(40), 1),
        job(4, 5, 1, 20, Some(50), 1),
        job(5, 40, 7, 10, Some(10), 2),
    ];
    for policy in ["conservative", "fcfs", "easy", "easy-sjbf", "easy:depth=2"] {
        let setup = Setup {
            predictor: "recent:n=1".parse().expect("a predictor"),
            propagate: true,
            ..Setup::with_estimates(7, Rules::Pyss, policy)
        };
        let ends: Vec<i64> = setup.play_sorted(&jobs).iter().map(|job| job.outcome.ended.0).collect();
        assert_eq!(ends, [20, 40, 40, 40, 50], "{policy}");
    }
}
