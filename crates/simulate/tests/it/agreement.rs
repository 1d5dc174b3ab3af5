//! The fast simulator against the slow and obvious one: the same starts, promises, predictions and misses, job by job,
//! on ten thousand crowded little workloads.
//!
//! A failure prints the workload as a log and the seed that made it.

use std::ops::RangeInclusive;

use queuecast_predict::{Correction, PredictorSpecification, RecentParameters, Statistic};
use queuecast_schedule::Order;
use queuecast_simulate::{Overrun, Replay, Rules};
use queuecast_workload::{Machine, Seconds, Time, TracedJob};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::reference::{Fate, Policy};
use crate::support::{Setup, as_log, crowded};

const CORRECTIONS: [Correction; 5] =
    [Correction::Raise, Correction::RaiseThenFirst, Correction::Steps, Correction::OffsetSteps, Correction::Tenfold];

const PREDICTORS: [&str; 7] =
    ["estimate", "perfect", "constant:1", "constant:50", "recent:n=1", "recent:n=2,stat=mean", "recent:n=3"];

/// What a predictor says, from its description alone.
fn predict(predictor: &PredictorSpecification, job: &TracedJob, ended: &[Fate]) -> i64 {
    let own = ended.iter().rev().filter(|fate| fate.traced.submission.user == job.submission.user);
    let guess = match *predictor {
        PredictorSpecification::Estimate => None,
        PredictorSpecification::Perfect => return job.recorded.run.0,
        PredictorSpecification::Constant(planned) => Some(planned.0),
        PredictorSpecification::Recent(RecentParameters { jobs, statistic, .. }) => {
            let mut runs: Vec<i64> = own.take(jobs).map(|fate| fate.traced.recorded.run.0).collect();
            runs.sort_unstable();
            (runs.len() == jobs).then(|| match statistic {
                Statistic::Mean => runs.iter().sum::<i64>() / jobs as i64,
                Statistic::Median => i64::midpoint(runs[(jobs - 1) / 2], runs[jobs / 2]),
            })
        }
        _ => unimplemented!("not among the predictors above"),
    };
    let limit = job.submission.limit.map(|limit| limit.0);
    let mean = || {
        let runs = ended.iter().map(|fate| fate.traced.recorded.run.0);
        (!ended.is_empty()).then(|| runs.sum::<i64>() / ended.len() as i64)
    };
    let never = Seconds::MAX.0;
    guess.or(limit).or_else(mean).unwrap_or(never).min(limit.unwrap_or(never))
}

/// Where the two simulators differ on a workload, in words.
fn disagreement(setup: &Setup, policy: Policy, workload: &[TracedJob]) -> Option<String> {
    let jobs: Vec<TracedJob> = Replay::new(workload.iter().copied(), setup.machine, setup.overrun, false).collect();
    let reference_setup = crate::reference::Setup {
        processors: setup.machine.processors,
        policy,
        predict: &|job, ended| predict(&setup.predictor, job, ended),
        correction: setup.correction,
        propagate: setup.propagate,
    };
    let mut slow = crate::reference::play(&reference_setup, &jobs);
    slow.sort_by_key(|fate| fate.traced.submission.job);
    // A panic is a disagreement like any other: the workload that makes it is wanted too.
    let Ok(fast) = std::panic::catch_unwind(|| setup.play_sorted(workload)) else {
        return Some("the fast simulator panics".to_owned());
    };
    assert_eq!(fast.len(), slow.len(), "every job ends in both");
    fast.iter().zip(&slow).find_map(|(fast, slow)| {
        let promised = fast.promised;
        let fast_fate = (Some(fast.outcome.started), fast.accuracy.first, fast.accuracy.misses, promised);
        let promised = slow.promised.map(Time);
        let slow_fate = (slow.started.map(Time), Seconds(slow.first), slow.misses, promised);
        let told = format!("start, first prediction, misses and promise {fast_fate:?}, in the reference {slow_fate:?}");
        (fast_fate != slow_fate).then(|| format!("job {}: {told}", fast.number))
    })
}

/// Plays one workload, drawn from the seed with everything but the policy, on both.
fn compare(seed: u64, scope: &Scope, draw_policy: fn(&mut Pcg64) -> (String, Policy)) {
    let generator = &mut Pcg64::seed_from_u64(seed);
    let machine = Machine { processors: generator.random_range(scope.processors.clone()) };
    let (name, policy) = draw_policy(generator);
    let setup = Setup {
        machine,
        rules: Rules::Clean,
        overrun: if generator.random_ratio(1, 2) { Overrun::Kill } else { Overrun::RunOn },
        policy: name.parse().expect("a policy"),
        predictor: PREDICTORS[generator.random_range(0..PREDICTORS.len())].parse().expect("a predictor"),
        correction: CORRECTIONS[generator.random_range(0..CORRECTIONS.len())],
        propagate: generator.random_ratio(1, 3),
    };
    let workload = crowded(generator, machine, scope.jobs.clone());
    let disagreement = |jobs: &[TracedJob]| disagreement(&setup, policy, jobs);
    if let Some(first) = disagreement(&workload) {
        let smallest = shrunk(workload.clone(), |jobs| disagreement(jobs).is_some());
        panic!(
            "seed {seed}: {setup}\n{first}\n; MaxProcs: {processors}\n{}the same with fewer jobs: {}\n{}",
            as_log(&workload),
            disagreement(&smallest).unwrap_or_default(),
            as_log(&smallest),
            processors = machine.processors,
        );
    }
}

/// The workload without any job it can do without and still disagree.
fn shrunk(mut jobs: Vec<TracedJob>, still_disagrees: impl Fn(&[TracedJob]) -> bool) -> Vec<TracedJob> {
    let mut place = 0;
    while place < jobs.len() {
        let without = [&jobs[..place], &jobs[place + 1..]].concat();
        if still_disagrees(&without) {
            jobs = without;
            place = 0;
        } else {
            place += 1;
        }
    }
    jobs
}

/// How large.
struct Scope {
    processors: RangeInclusive<u32>,
    jobs: RangeInclusive<i64>,
}

const SMALL: Scope = Scope { processors: 1..=16, jobs: 1..=40 };

fn strict(queue: Order) -> (String, Policy) {
    (format!("fcfs:queue={queue}"), Policy::Queue { queue, backfill: Order::Arrival, depth: 0 })
}

fn easy(queue: Order, backfill: Order, depth: Option<usize>) -> (String, Policy) {
    let named = depth.map_or("all".to_owned(), |depth| depth.to_string());
    let policy = Policy::Queue { queue, backfill, depth: depth.unwrap_or(usize::MAX) };
    (format!("easy:queue={queue},backfill={backfill},depth={named}"), policy)
}

fn any_order(generator: &mut Pcg64) -> Order {
    Order::ALL[generator.random_range(0..Order::ALL.len())]
}

fn any_depth(generator: &mut Pcg64) -> Option<usize> {
    [Some(2), Some(3), Some(5), None][generator.random_range(0..4)]
}

#[test]
fn fcfs_agrees_with_the_reference_in_every_queue_order() {
    for seed in 0..1_000 {
        compare(seed, &SMALL, |generator| strict(any_order(generator)));
    }
}

#[test]
fn easy_agrees_with_the_reference_in_arrival_order() {
    for seed in 1_000..2_500 {
        compare(seed, &SMALL, |_| easy(Order::Arrival, Order::Arrival, Some(1)));
    }
}

#[test]
fn sjbf_agrees_with_the_reference() {
    for seed in 2_500..4_000 {
        compare(seed, &SMALL, |_| easy(Order::Arrival, Order::Shortest, Some(1)));
    }
}

#[test]
fn easy_agrees_with_the_reference_in_every_pair_of_orders() {
    for seed in 4_000..6_000 {
        compare(seed, &SMALL, |generator| easy(any_order(generator), any_order(generator), Some(1)));
    }
}

#[test]
fn several_reservations_agree_with_the_reference() {
    for seed in 6_000..8_000 {
        compare(seed, &SMALL, |generator| easy(any_order(generator), any_order(generator), any_depth(generator)));
    }
}

#[test]
fn conservative_agrees_with_the_reference() {
    for seed in 8_000..10_000 {
        compare(seed, &SMALL, |_| ("conservative".to_owned(), Policy::Conservative));
    }
}

/// Beyond the ten thousand: hundreds of jobs waiting and running at once, which the fast queue keeps in a tree that a
/// handful of jobs never makes it split.
#[test]
fn long_queues_agree_with_the_reference() {
    let large = Scope { processors: 20..=200, jobs: 400..=600 };
    for seed in 10_000..10_040 {
        compare(seed, &large, |generator| easy(Order::Arrival, any_order(generator), Some(1)));
        compare(seed, &large, |generator| easy(any_order(generator), any_order(generator), Some(1)));
    }
}
