//! The queue played forward against what is known to be right: the simulator's EASY on one pool, and small cases by hand.

#![expect(clippy::cast_possible_truncation, reason = "shares of small spans")]

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::PolicySpecification;
use queuecast_schedule::slurm::priority::{Association, Priorities, ShareTree, Shares, Standing};
use queuecast_schedule::slurm::{Amount, Blocked, Chunk, Cluster, Demand, Lumps, Node, Pool, PoolSet, SlurmSettings};
use queuecast_simulate::{FinishedJob, Observer, Rules, SimulatedCluster, simulate};
use queuecast_workload::{Machine, Outcome, Recorded, Seconds, Status, Time, TracedJob};

use super::*;
use crate::forward::{LimitSampler, Prospect, RuntimeSampler};
use queuecast_testkit::submission;

/// One pool of one-processor nodes under EASY.
pub(super) fn easy(nodes: u32) -> Cluster {
    let settings = SlurmSettings {
        backfill_interval: Seconds(0),
        window: Seconds::MAX,
        resolution: Seconds(1),
        lumps: Lumps::NONE,
        jobs_tested: usize::MAX,
        main_depth: usize::MAX,
        reservations: 1,
        backfills: true,
    };
    Cluster { pools: vec![Pool { node: Amount::processors(1), nodes }], settings, ..Cluster::default() }
}

pub(super) fn waits(job: &TracedJob) -> WaitingHere {
    let demand = Demand::of(job.submission.request.processors, Chunk::WholeNode, PoolSet(1));
    WaitingHere::new(job.submission, demand, job.submission.limit.unwrap())
}

fn runs(job: &TracedJob, started: Time) -> RunningHere {
    let holds = vec![(0, Amount::processors(i64::from(job.submission.request.processors)))];
    RunningHere::new(job.submission, started, started + job.submission.limit.unwrap(), holds)
}

pub(super) fn traced(number: u64, processors: u32, limit: i64, run: i64) -> TracedJob {
    TracedJob {
        number: i64::try_from(number).unwrap(),
        submission: submission(number, 0, processors, Some(limit)),
        recorded: Recorded { wait: None, run: Seconds(run), status: Status::Completed },
    }
}

/// Knows how long each job, by handle, runs.
pub(super) struct Known {
    runs: Vec<Seconds>,
    prospects: Vec<Prospect>,
}

impl Known {
    pub(super) fn new(runs: Vec<Seconds>) -> Self {
        Self { runs, prospects: Vec::new() }
    }
}

impl RuntimeSampler for Known {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        self.prospects = prospects.to_vec();
    }
    fn sample(&self, place: usize, _uniform: f64) -> Seconds {
        self.runs[usize::try_from(self.prospects[place].submission.job.0).unwrap()]
    }
}

struct Starts(Vec<Outcome>);

impl Observer for Starts {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0[usize::try_from(job.submission.job.0).unwrap()] = job.outcome;
    }
}

fn simulated(jobs: &[TracedJob], processors: u32) -> Vec<Outcome> {
    let machine = Machine { processors };
    let policy: PolicySpecification = "easy".parse().unwrap();
    let (predictor, _) = PredictorSpecification::Estimate.build(Correction::Steps, false);
    let mut cluster = SimulatedCluster::new(machine, Rules::Clean, predictor, policy.build(machine));
    let unknown = Outcome { started: Time(0), ended: Time(0), status: Status::Unknown };
    let mut starts = Starts(vec![unknown; jobs.len()]);
    simulate(jobs.iter().copied(), &mut cluster, &mut starts);
    starts.0
}

pub(super) const ONE: QueueSettings = QueueSettings {
    futures: 1,
    seed: 0,
    horizon: Seconds(1_000_000),
    tasks_played: 10,
    patience: Patience::ENDLESS,
    threads: Threads::SHARED,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn with_one_pool_and_one_reservation_everybody_starts_as_under_easy(
        jobs in proptest::collection::vec((1_u32..17, 1_i64..500, 0_f64..1.0), 1..60),
        share in 0_f64..1.0,
    ) {
        let jobs: Vec<TracedJob> = (0..).zip(jobs).map(|(number, (processors, limit, share))| {
            let run = ((limit as f64 * share).round() as i64).max(1);
            traced(number, processors, limit, run)
        }).collect();
        let outcomes = simulated(&jobs, 16);
        let last = outcomes.iter().map(|outcome| outcome.ended.0).max().unwrap();
        let now = Time((last as f64 * share) as i64);
        let mut situation = PlayableQueue::new(now, easy(16), Vec::new(), Vec::new());
        let mut expected = Vec::new();
        for (job, outcome) in jobs.iter().zip(&outcomes) {
            if outcome.started >= now {
                situation.waiting.push(waits(job));
                expected.push(vec![Some(outcome.started)]);
            } else if outcome.ended > now {
                situation.running.push(runs(job, outcome.started));
            }
        }
        let runs = jobs.iter().map(|job| job.recorded.run).collect();
        let forecast = forecast_queue(&situation, &mut Known::new(runs), &ONE);
        prop_assert_eq!(forecast.starts, expected);
    }
}

fn starts_of(situation: &PlayableQueue) -> Vec<Option<i64>> {
    let forecast = forecast_queue(situation, &mut LimitSampler::default(), &ONE);
    forecast.starts.iter().map(|starts| starts[0].map(|time| time.0)).collect()
}

#[test]
fn who_depends_on_another_waits_for_its_end_and_who_begins_later_until_then() {
    let jobs = [traced(0, 2, 100, 100), traced(1, 1, 50, 50), traced(2, 1, 50, 50), traced(3, 1, 50, 50)];
    let mut situation = PlayableQueue::new(Time(0), easy(4), jobs.iter().map(waits).collect(), Vec::new());
    situation.waiting[1].after.push(After { job: Awaited::Waiting(0), task: None, end: true });
    situation.waiting[2].after.push(After { job: Awaited::Waiting(1), task: None, end: false });
    situation.waiting[3].not_before = Some(Time(33));
    assert_eq!(starts_of(&situation), [Some(0), Some(100), Some(101), Some(33)]);
}

#[test]
fn nobody_runs_into_a_reservation() {
    let jobs = [traced(0, 2, 100, 100), traced(1, 2, 10, 10)];
    let mut cluster = easy(2);
    cluster.blocked.push(Blocked {
        place: 0,
        amount: Amount::processors(1),
        reservation: 0,
        from: Time(50),
        until: Time(70),
    });
    let situation = PlayableQueue::new(Time(0), cluster, jobs.iter().map(waits).collect(), Vec::new());
    assert_eq!(starts_of(&situation), [Some(70), Some(0)]);
}

#[test]
fn the_tasks_of_an_array_are_played_and_the_first_is_told() {
    let mut situation = PlayableQueue::new(
        Time(0),
        easy(2),
        [traced(0, 1, 100, 100), traced(1, 2, 10, 10)].iter().map(waits).collect(),
        Vec::new(),
    );
    situation.waiting[0].tasks = 5;
    assert_eq!(starts_of(&situation), [Some(0), Some(300)]);
}

/// Five tasks, two at a time, are over after 300 s; the last starts at 200, the third ends at 200.
#[test]
fn who_depends_on_an_array_waits_for_all_of_its_tasks_and_who_names_a_task_for_that_one() {
    let mut situation = PlayableQueue::new(
        Time(0),
        easy(2),
        [traced(0, 1, 100, 100), traced(1, 1, 10, 10)].iter().map(waits).collect(),
        Vec::new(),
    );
    situation.waiting[0].tasks = 5;
    for (task, end, expected) in [(None, true, 300), (None, false, 201), (Some(2), true, 200), (Some(99), true, 300)] {
        situation.waiting[1].after = vec![After { job: Awaited::Waiting(0), task, end }];
        assert_eq!(starts_of(&situation), [Some(0), Some(expected)], "{task:?} {end}");
    }
}

#[test]
fn an_array_that_depends_on_another_starts_with_all_its_tasks_when_the_other_is_over() {
    let mut situation = PlayableQueue::new(
        Time(0),
        easy(2),
        [traced(0, 1, 100, 100), traced(1, 1, 10, 10), traced(2, 1, 1_000, 1_000)].iter().map(waits).collect(),
        Vec::new(),
    );
    situation.waiting[0].tasks = 3;
    situation.waiting[1].tasks = 4;
    situation.waiting[1].after = vec![After { job: Awaited::Waiting(0), task: None, end: true }];
    situation.waiting[2].after = vec![After { job: Awaited::Waiting(1), task: None, end: true }];
    assert_eq!(starts_of(&situation), [Some(0), Some(200), Some(220)]);
}

/// Two users of equal shares: the first has used much and runs more, the second has used nothing. A job of the second that stands
/// last is first once priorities are worked out; without weights everything stays where it is.
#[test]
fn who_has_used_less_overtakes_when_priorities_are_worked_out() {
    let root = Association { parent: None, shares: Shares::Number(1), is_user: false };
    let user = Association { parent: Some(0), shares: Shares::Number(1), is_user: true };
    let jobs = [traced(0, 2, 600, 600), traced(1, 2, 600, 600), traced(2, 2, 600, 600)];
    let mut situation = PlayableQueue::new(Time(0), easy(2), jobs.iter().map(waits).collect(), Vec::new());
    for (job, association) in situation.waiting.iter_mut().zip([1, 1, 2]) {
        job.standing = Standing { association: Some(association), charge: 2.0, ..Standing::default() };
    }
    assert_eq!(starts_of(&situation), [Some(0), Some(600), Some(1_200)]);
    situation.priorities = Priorities {
        fair_share_weight: 1_000.0,
        shares: ShareTree::new(vec![root, user, user], vec![100.0, 100.0, 0.0], true),
        ..Priorities::default()
    };
    assert_eq!(starts_of(&situation), [Some(0), Some(1_200), Some(600)]);
    // What the second user's job uses counts as well: a job of the first that comes behind two of the second's stands between them.
    situation.priorities.shares = ShareTree::new(vec![root, user, user], vec![0.0, 0.0, 0.0], true);
    for (job, association) in situation.waiting.iter_mut().zip([2, 2, 1]) {
        job.standing.association = Some(association);
    }
    assert_eq!(starts_of(&situation), [Some(0), Some(1_200), Some(600)]);
}

#[test]
fn who_is_put_out_waits_again_and_starts_from_the_beginning() {
    let jobs = [traced(0, 2, 600, 600), traced(1, 2, 100, 100), traced(2, 1, 50, 50)];
    let mut cluster = easy(2);
    cluster.nodes = vec![Node { pool: 0, weight: 1 }; 2];
    let mut situation = PlayableQueue::new(Time(0), cluster, jobs.iter().map(waits).collect(), Vec::new());
    situation.waiting[0].class = Some(3);
    situation.waiting[1].demand.preempts = 1 << 3;
    situation.waiting[1].not_before = Some(Time(200));
    situation.waiting[2].after.push(After { job: Awaited::Waiting(0), task: None, end: true });
    // Put out at 200, it runs again from 300 to 900.
    assert_eq!(starts_of(&situation), [Some(0), Some(200), Some(900)]);
    situation.requeues = false;
    assert_eq!(starts_of(&situation), [Some(0), Some(200), None], "it is gone, and never ends");
}

#[test]
fn the_last_task_of_an_array_is_told_and_of_a_part_of_it_as_much_later() {
    let mut situation = PlayableQueue::new(Time(0), easy(2), vec![waits(&traced(0, 1, 100, 100))], Vec::new());
    situation.waiting[0].tasks = 5;
    let last = |tasks_played: u32| {
        let settings = QueueSettings { tasks_played, ..ONE };
        forecast_queue(&situation, &mut LimitSampler::default(), &settings).last_starts[0][0].map(|time| time.0)
    };
    assert_eq!((last(10), last(3)), (Some(200), Some(200)), "two at a time");
}

/// Six tasks, two at a time, hold the machine for 300 s, whether six are played or two that stand for three each; without the four that were not played it
/// would be 100.
#[test]
fn whoever_comes_behind_an_array_waits_for_all_of_it_though_a_part_is_played() {
    let jobs = [traced(0, 1, 100, 100), traced(1, 2, 10, 10)];
    let mut situation = PlayableQueue::new(Time(0), easy(2), jobs.iter().map(waits).collect(), Vec::new());
    situation.waiting[0].tasks = 6;
    for (tasks_played, not_modelled) in [(10, 0), (2, 4)] {
        let settings = QueueSettings { tasks_played, ..ONE };
        let played = forecast_queue(&situation, &mut LimitSampler::default(), &settings);
        assert_eq!(played.starts[1], [Some(Time(300))], "{tasks_played}");
        assert_eq!(played.last_starts[0], [Some(Time(200))], "{tasks_played}");
        assert_eq!(played.effort.tasks_not_modelled, not_modelled);
    }
}

/// Over when it has been asked so often.
fn patience(times: usize) -> Patience {
    let asked = AtomicUsize::new(0);
    Patience::until(move || asked.fetch_add(1, Ordering::Relaxed) >= times)
}

/// Ten jobs that each fill the machine for 100 s: time runs out behind the third, and the rest is told by the work before it, which is right where nothing is
/// backfilled. One that may not begin before a day has passed is not told to.
#[test]
fn when_time_runs_out_the_rest_is_told_by_the_work_before_it_and_that_is_said() {
    let jobs: Vec<TracedJob> = (0..10).map(|number| traced(number, 2, 100, 100)).collect();
    let mut situation = PlayableQueue::new(Time(0), easy(2), jobs.iter().map(waits).collect(), Vec::new());
    let starts: Vec<_> = (0..10).map(|number| vec![Some(Time(number * 100))]).collect();
    for (times, is_tail_coarse) in [(0, true), (1, true), (3, true), (1_000, false)] {
        let settings = QueueSettings { patience: patience(times), ..ONE };
        let played = forecast_queue(&situation, &mut LimitSampler::default(), &settings);
        assert_eq!(played.starts, starts, "{times}");
        let effort =
            PlayedEffort { simulations_planned: 1, simulations_finished: 1, is_tail_coarse, tasks_not_modelled: 0 };
        assert_eq!(played.effort, effort, "{times}");
    }
    situation.waiting[4].not_before = Some(Time(86_400));
    let settings = QueueSettings { patience: patience(0), ..ONE };
    let played = forecast_queue(&situation, &mut LimitSampler::default(), &settings);
    assert_eq!(played.starts[4], [Some(Time(86_400))]);
}

/// Of a hundred futures as many are told as are finished in time.
#[test]
fn when_time_runs_out_those_futures_are_told_that_are_finished() {
    let jobs: Vec<TracedJob> = (0..10).map(|number| traced(number, 2, 100, 100)).collect();
    let situation = PlayableQueue::new(Time(0), easy(2), jobs.iter().map(waits).collect(), Vec::new());
    let settings = QueueSettings { futures: 100, patience: patience(300), ..ONE };
    let played = forecast_queue(&situation, &mut LimitSampler::default(), &settings);
    let PlayedEffort { simulations_planned, simulations_finished, is_tail_coarse, .. } = played.effort;
    assert!(
        simulations_planned == 100 && (2..60).contains(&simulations_finished) && !is_tail_coarse,
        "{:?}",
        played.effort
    );
    assert!(played.starts.iter().all(|starts| starts.len() as u64 == simulations_finished));
    assert!(played.runs.iter().all(|runs| runs.len() as u64 == simulations_finished));
}
