//! What must hold of every schedule of mouldable jobs, and where it must agree with the schedules of rigid ones.

use proptest::prelude::*;
use proptest::sample::select;
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::mouldable::AllocationStrategy;
use queuecast_schedule::mouldable::queue_time::Interpretation;
use queuecast_simulate::mouldable::{
    AllocatedJob, Incentives, MouldableTracedJob, Moulding, Passing, PlannedQueue, QueueTimeModel, StrictQueue,
};
use queuecast_simulate::{Overrun, Rules};
use queuecast_workload::log_uniform::LogUniform;
use queuecast_workload::mouldable::{MouldableJob, Speedup};
use queuecast_workload::{JobId, Machine, Time, TracedJob};

use crate::support::{Finished, Setup, job};

/// Each job for itself.
const SELFISH: Moulding = Moulding::Turnaround { pays_for_others: false };
const STRATEGIES: [&str; 8] =
    ["avg", "opt", "pred", "bias", "heur", "pred:lock-in", "bias:lock-in,risk=0.2", "pred:shared-cost"];

/// Run times are given, since short workloads teach nobody.
fn model(interpretation: Interpretation) -> QueueTimeModel {
    let run_times = LogUniform { ln_shortest: 0.0, ln_longest: 7.0 };
    QueueTimeModel { run_times: Some(run_times), interpretation, bias: None }
}

fn mouldable_workloads() -> impl Strategy<Value = (u32, Vec<MouldableJob>)> {
    (1..=16_u32).prop_flat_map(|processors| {
        let numbers = (prop_oneof![Just(0), 0..60_i64], 1.0..400.0_f64, 1.0..20.0_f64, 0.0..2.5_f64);
        let jobs = proptest::collection::vec(numbers, 1..40).prop_map(|numbers| {
            let mut now = 0;
            let jobs = numbers.into_iter().map(|(gap, sequential_seconds, parallelism, variance)| {
                now += gap;
                MouldableJob { submitted: Time(now), sequential_seconds, speedup: Speedup::new(parallelism, variance) }
            });
            jobs.collect()
        });
        (Just(processors), jobs)
    })
}

fn run(processors: u32, strategy: &str, jobs: &[MouldableJob]) -> Vec<AllocatedJob> {
    let strategy: AllocationStrategy = strategy.parse().expect("a strategy");
    StrictQueue::new(processors, strategy, model(Interpretation::Right)).run(jobs)
}

/// At every start, what runs fits the machine.
fn assert_never_oversubscribed(processors: u32, allocated: &[AllocatedJob]) {
    for job in allocated {
        let now = job.started_seconds;
        let running = allocated.iter().filter(|other| other.started_seconds <= now && other.ended_seconds() > now);
        let held: u32 = running.map(|other| other.processors).sum();
        assert!(held <= processors, "{held} of {processors} processors at {now}");
    }
}

proptest! {
    #[test]
    fn nobody_passes_the_head_and_no_processor_is_held_twice(
        (processors, jobs) in mouldable_workloads(),
        strategy in select(STRATEGIES.to_vec()),
    ) {
        let allocated = run(processors, strategy, &jobs);
        prop_assert_eq!(allocated.len(), jobs.len());
        prop_assert!(allocated.is_sorted_by(|one, next| one.started_seconds <= next.started_seconds));
        for allocated in &allocated {
            prop_assert!(allocated.started_seconds >= allocated.job.submitted_seconds());
            prop_assert!((1..=allocated.job.widest(processors)).contains(&allocated.processors));
            let run = allocated.job.run_seconds(allocated.processors);
            prop_assert!((allocated.run_seconds - run).abs() < 1e-9);
        }
        assert_never_oversubscribed(processors, &allocated);
    }

    /// Under AVG, whoever waited started in the moment something became free or the job before it started.
    #[test]
    fn under_avg_the_head_never_waits_while_anything_is_free((processors, jobs) in mouldable_workloads()) {
        let allocated = run(processors, "avg", &jobs);
        for (index, job) in allocated.iter().enumerate() {
            let now = job.started_seconds;
            let head_from = job.job.submitted_seconds().max(if index == 0 { 0.0 } else { allocated[index - 1].started_seconds });
            let held_just_before = |time: f64| -> u32 {
                let before = allocated[..index].iter();
                before.filter(|other| other.ended_seconds() > time).map(|other| other.processors).sum()
            };
            if now > head_from {
                let just_before = f64::midpoint(head_from, now).max(now - 1e-6);
                prop_assert_eq!(held_just_before(just_before), processors, "job {} at {}", index, now);
            }
        }
    }

    #[test]
    fn the_oracle_never_loses_and_saves_the_most((processors, jobs) in mouldable_workloads()) {
        let strategies: Vec<AllocationStrategy> =
            ["opt", "pred", "bias", "heur"].iter().map(|name| name.parse().expect("a strategy")).collect();
        let incentives = Incentives::measure([jobs.as_slice()], processors, &strategies, model(Interpretation::Right));
        let saved = |index: usize| incentives.by_strategy[index].savings_seconds.iter().sum::<f64>();
        prop_assert!(incentives.by_strategy[0].savings_seconds.iter().all(|saving| *saving >= 0.0));
        for (index, strategy) in strategies.iter().enumerate() {
            prop_assert!(saved(index) <= saved(0) + 1e-6, "{} saves more than the oracle", strategy);
        }
    }

    /// No peeking: how long a job still runs makes no difference before the shorter of the two has ended.
    #[test]
    fn what_a_running_job_will_do_decides_nothing_before_it_is_done(
        (processors, jobs) in mouldable_workloads(),
        which: prop::sample::Index,
        strategy in select(vec!["avg", "pred", "bias", "heur", "pred:lock-in", "pred:shared-cost", "bias:risk=0.2"]),
    ) {
        let which = which.index(jobs.len());
        // A job knows its own run time: jobs of one width do not choose by it.
        let mut narrow = jobs.clone();
        narrow[which].speedup = Speedup::new(1.0, 0.0);
        let short = run(processors, strategy, &narrow);
        narrow[which].sequential_seconds *= 3.0;
        let long = run(processors, strategy, &narrow);
        let known_from = short[which].ended_seconds();
        for (short, long) in short.iter().zip(&long).filter(|(short, _)| short.started_seconds < known_from) {
            prop_assert!((short.started_seconds - long.started_seconds).abs() < 1e-9);
            prop_assert_eq!(short.processors, long.processors);
        }
    }
}

fn planned(
    machine: Machine,
    jobs: &[TracedJob],
    moulding: Moulding,
    passing: Passing,
    predictor: &str,
) -> Vec<AllocatedJob> {
    let predictor: PredictorSpecification = predictor.parse().expect("a predictor");
    let (built, foresight) = predictor.build(Correction::Steps, false);
    let numbered = jobs.iter().zip(0..).map(|(job, id)| {
        let mut traced = *job;
        traced.submission.job = JobId(id);
        if let Some(foresight) = &foresight {
            foresight.hear(&traced);
        }
        MouldableTracedJob { traced, job: MouldableJob::from_traced(&traced, 0.7) }
    });
    let jobs: Vec<MouldableTracedJob> = numbered.collect();
    PlannedQueue::new(machine.processors, moulding, passing, built).run(&jobs)
}

fn rigid_workloads() -> impl Strategy<Value = (Machine, Vec<TracedJob>)> {
    (1..=12_u32).prop_flat_map(|processors| {
        let numbers = (prop_oneof![Just(0), 0..20_i64], 1..=processors, 1..40_i64, 0..60_i64, 0..3_u32);
        let jobs = proptest::collection::vec(numbers, 1..40).prop_map(|numbers| {
            let mut now = 0;
            let jobs = numbers.into_iter().zip(1..).map(|((gap, processors, run, above_run, user), number)| {
                now += gap;
                job(number, now, processors, run, Some(run + above_run), user)
            });
            jobs.collect()
        });
        (Just(Machine { processors }), jobs)
    })
}

proptest! {
    /// Jobs that do not mould are scheduled as the rigid scheduler schedules them, start by start.
    #[test]
    fn rigid_jobs_are_planned_as_by_the_rigid_policies(
        (machine, jobs) in rigid_workloads(),
        (passing, policy) in select(vec![(Passing::Nobody, "fcfs"), (Passing::Planned(usize::MAX), "conservative")]),
    ) {
        let mut ours = planned(machine, &jobs, Moulding::Rigid, passing, "perfect");
        ours.sort_by(|one, other| one.started_seconds.total_cmp(&other.started_seconds));
        let setup = Setup {
            overrun: Overrun::RunOn,
            predictor: PredictorSpecification::Perfect,
            ..Setup::with_estimates(machine.processors, Rules::Clean, policy)
        };
        let theirs: Vec<Finished> = setup.play(jobs.iter().copied());
        let mut theirs: Vec<(i64, i64)> = theirs.iter().map(|job| (job.outcome.started.0, job.outcome.run().0)).collect();
        theirs.sort_unstable();
        #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
        let mut ours: Vec<(i64, i64)> =
            ours.iter().map(|job| (job.started_seconds as i64, job.run_seconds as i64)).collect();
        ours.sort_unstable();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn planned_jobs_never_share_a_processor_and_never_take_more_than_they_asked_for(
        (machine, jobs) in rigid_workloads(),
        moulding in select(vec![Moulding::Rigid, Moulding::Average, SELFISH, Moulding::Turnaround { pays_for_others: true }]),
        passing in select(vec![Passing::Nobody, Passing::Planned(3), Passing::Planned(usize::MAX)]),
        predictor in select(vec!["estimate", "perfect", "constant:1", "recent:n=2,stat=mean"]),
    ) {
        let allocated = planned(machine, &jobs, moulding, passing, predictor);
        prop_assert_eq!(allocated.len(), jobs.len());
        for job in &allocated {
            prop_assert!(job.started_seconds >= job.job.submitted_seconds());
            prop_assert!(job.processors <= job.job.widest(machine.processors));
            prop_assert!(job.run_seconds >= job.job.run_seconds(job.processors) - 1e-6);
        }
        assert_never_oversubscribed(machine.processors, &allocated);
    }
}

/// Two processors are free and eight in a second: whoever saves by waiting waits, and the plan says when.
#[test]
fn a_planned_job_waits_for_more_where_that_pays() {
    let machine = Machine { processors: 8 };
    let jobs = [job(1, 0, 6, 10, Some(10), 1), job(2, 1, 8, 100, Some(100), 2)];
    let chosen = planned(machine, &jobs, SELFISH, Passing::Nobody, "perfect");
    assert!((chosen[1].started_seconds - 10.0).abs() < 1e-9 && chosen[1].processors == 8, "{chosen:?}");
    let average = planned(machine, &jobs, Moulding::Average, Passing::Nobody, "perfect");
    assert!((average[1].started_seconds - 1.0).abs() < 1e-9 && average[1].processors == 2, "{average:?}");
    assert!(average[1].run_seconds > 300.0);
}
