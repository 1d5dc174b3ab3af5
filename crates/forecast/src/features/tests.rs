//! The index says at every arrival what a look at every job says, to the last digit; and both say what the paper means.

use proptest::prelude::*;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{JobId, Machine, Outcome, Seconds, Submission, Time, TracedJob};

use super::scanning::features_by_scanning;
use super::*;
use crate::{ForecastJob, ForecastObserver, SiteState, WaitDistribution, WaitForecast, WaitForecaster, replay_waits};
use queuecast_testkit::submission;

const MACHINE: Machine = Machine { processors: 100 };

fn job(id: u64, processors: u32, limit: Option<i64>) -> Submission {
    submission(id, 0, processors, limit)
}

#[test]
fn features_are_those_of_the_papers_table() {
    let mut state = SiteState::new(MACHINE);
    for running in [job(0, 4, Some(100)), job(1, 2, Some(1_000)), job(2, 8, Some(50))] {
        state.arrive(&running);
        state.start(running.job, Time(1_000));
    }
    for waiting in [job(3, 1, Some(500)), job(4, 4, Some(10)), job(5, 16, Some(200)), job(6, 3, Some(200))] {
        state.arrive(&waiting);
    }
    // Of the running jobs 4 x 40 and 2 x 940 processor-seconds are left; the third is 10 s over its estimate.
    let features = state.features(&job(7, 4, Some(200)), Time(1_060));
    let expected = [
        ("request_size", 4.0),
        ("ert", 200.0),
        ("queue_jobrank_req_size", 2.0),
        ("queue_jobrank_ert", 1.0),
        ("queue_jobrank_cputime", 3.0),
        ("queue_demand_cputime", 500.0 + 40.0 + 3_200.0 + 600.0),
        ("n_queue", 4.0),
        ("queue_demand_cputime_lower_req_size", 500.0 + 600.0),
        ("queue_demand_cputime_lower_ert", 40.0),
        ("queue_demand_cputime_lower_cputime", 500.0 + 40.0 + 600.0),
        ("proc_jobrank_req_size", 1.0),
        ("proc_jobrank_ert", 2.0),
        ("proc_jobrank_cputime", 2.0),
        ("proc_remain_cputime", 160.0 + 1_880.0),
        ("n_proc", 3.0),
        ("proc_remain_cputime_lower_req_size", 1_880.0),
        ("proc_remain_cputime_lower_ert", 160.0),
        ("proc_remain_cputime_lower_cputime", 160.0),
        ("occupied_nodes", 14.0),
    ];
    assert_eq!(features.named().collect::<Vec<_>>(), expected);
}

#[test]
fn an_empty_site_has_nothing_but_the_job() {
    let features = SiteState::new(MACHINE).features(&job(0, 3, Some(60)), Time(0));
    let mut expected = [0.0; FEATURES];
    expected[..2].copy_from_slice(&[3.0, 60.0]);
    assert_eq!(features, Features(expected));
}

#[test]
fn a_job_without_a_limit_is_reckoned_with_the_mean_of_the_limits_before_it_for_good() {
    let mut state = SiteState::new(MACHINE);
    let unlimited = |id| job(id, 2, None);
    assert_eq!(state.estimate(&unlimited(0)), Seconds(86_400));
    state.arrive(&unlimited(0));
    state.arrive(&job(1, 1, Some(100)));
    state.arrive(&job(2, 1, Some(201)));
    assert_eq!(state.estimate(&unlimited(3)), Seconds(150));
    state.arrive(&unlimited(3));
    state.arrive(&job(4, 1, Some(-5)));
    let estimates: Vec<i64> = state.waiting_demands().map(|demand| demand.estimate.0).collect();
    assert_eq!(estimates, [86_400, 100, 201, 150, 0]);
    state.start(JobId(3), Time(10));
    assert_eq!(state.running().next().map(|running| running.estimate), Some(Seconds(150)));
}

#[test]
fn the_largest_limits_on_the_largest_machine_do_not_overflow() {
    let mut state = SiteState::new(Machine { processors: u32::MAX });
    for id in 0..2_000 {
        state.arrive(&job(id, u32::MAX, Some(Seconds::MAX.0)));
        if id % 2 == 0 {
            state.start(JobId(id), Time::MAX);
        }
    }
    let newcomer = job(2_000, u32::MAX, Some(Seconds::MAX.0));
    assert_eq!(state.features(&newcomer, Time::MAX), features_by_scanning(&state, &newcomer, Time::MAX));
}

/// What may happen at a site; indices are taken modulo what there is.
#[derive(Clone, Debug)]
enum Event {
    Arrive {
        processors: u32,
        limit: Option<i64>,
    },
    Start(usize),
    End(usize),
    Pass {
        seconds: i64,
        told: bool,
    },
    /// A handle is given out a second time.
    Repeat(usize),
}

/// Few values, so that many are equal, or many; spans within reach of each other, so that jobs outlive their limits.
fn event() -> impl Strategy<Value = Event> {
    let limit = prop_oneof![
        1 => Just(None),
        4 => prop::sample::select(vec![0, 1, 60, 60, 3_600, 3_600, 7_200]).prop_map(Some),
        2 => (-3_i64..20_000).prop_map(Some),
    ];
    let processors = prop_oneof![prop::sample::select(vec![0_u32, 1, 1, 2, 4, 8]), 1_u32..500];
    let seconds = prop_oneof![0_i64..3, 0_i64..5_000];
    prop_oneof![
        8 => (processors, limit).prop_map(|(processors, limit)| Event::Arrive { processors, limit }),
        5 => any::<usize>().prop_map(Event::Start),
        3 => any::<usize>().prop_map(Event::End),
        4 => (seconds, any::<bool>()).prop_map(|(seconds, told)| Event::Pass { seconds, told }),
        1 => any::<usize>().prop_map(Event::Repeat),
    ]
}

fn one_of(jobs: impl ExactSizeIterator<Item = JobId>, index: usize) -> Option<JobId> {
    let mut jobs = jobs;
    let place = index.checked_rem(jobs.len())?;
    jobs.nth(place)
}

proptest! {
    #[test]
    fn the_index_agrees_with_a_look_at_every_job(
        events in prop::collection::vec(event(), 0..400),
        begin in -10_000_i64..1_000_000_000,
    ) {
        let mut state = SiteState::new(MACHINE);
        let mut now = Time(begin);
        for (event, id) in events.into_iter().zip(0..) {
            match event {
                Event::Arrive { processors, limit } => {
                    let newcomer = job(id, processors, limit);
                    let features = state.features(&newcomer, now);
                    prop_assert_eq!(features, features_by_scanning(&state, &newcomer, now));
                    prop_assert!(features.as_array().iter().all(|feature| *feature >= 0.0));
                    state.arrive(&newcomer);
                }
                Event::Start(index) => {
                    let id = one_of(state.waiting().map(|waiting| waiting.job), index);
                    if let Some(id) = id {
 state.start(id, now);
 }
                }
                Event::End(index) => {
                    let id = one_of(state.running().map(|running| running.submission.job), index);
                    if let Some(id) = id {
 state.end(id);
 }
                }
                Event::Pass { seconds, told } => {
                    now = now + Seconds(seconds);
                    if told {
                        state.advance(now);
                    }
                }
                Event::Repeat(index) => {
                    let waiting = one_of(state.waiting().map(|waiting| waiting.job), index);
                    let running = one_of(state.running().map(|running| running.submission.job), index);
                    for id in [waiting, running].into_iter().flatten() {
                        state.arrive(&job(id.0, 5, Some(300)));
                    }
                }
            }
        }
        prop_assert_eq!(
            state.occupied_processors(),
            state.running().map(|running| u64::from(running.submission.request.processors)).sum::<u64>()
        );
    }
}

/// Holds the two ways against each other at every arrival.
#[derive(Default)]
struct Comparison {
    arrivals: usize,
    longest_queue: usize,
    overrun: usize,
}

impl WaitForecaster for Comparison {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        assert_eq!(state.features(job, now), features_by_scanning(state, job, now), "{job:?} at {now}");
        self.arrivals += 1;
        self.longest_queue = self.longest_queue.max(state.waiting().len());
        self.overrun += state.running().filter(|running| now - running.started > running.estimate).count();
        WaitForecast::from_distribution(WaitDistribution::of([0.0]))
    }
    fn on_start(&mut self, _job: &Submission, _now: Time) {}
    fn on_end(&mut self, _job: &Submission, _outcome: &Outcome) {}
}

struct Nobody;

impl ForecastObserver for Nobody {
    fn started(&mut self, _job: ForecastJob<'_>) {}
}

fn first_jobs_of_kth() -> Option<Vec<TracedJob>> {
    let path = queuecast_testkit::shared_dir()?.join("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    let reader = SwfReader::new(Input::open(&path).unwrap()).unwrap();
    let jobs =
        reader.filter_map(|line| if let Line::Job(record) = line.unwrap() { record.to_traced().ok() } else { None });
    let mut jobs: Vec<TracedJob> = jobs.take(5_000).collect();
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    Some(jobs)
}

#[test]
fn the_index_agrees_with_a_look_at_every_job_along_a_real_log() {
    let Some(jobs) = first_jobs_of_kth() else { return };
    let mut comparison = Comparison::default();
    replay_waits(jobs.into_iter(), MACHINE, &mut comparison, &mut Nobody);
    assert_eq!(comparison.arrivals, 5_000);
    assert!(comparison.longest_queue > 10, "{}", comparison.longest_queue);
}

#[test]
fn the_index_agrees_along_a_real_log_whose_limits_are_partly_lost() {
    let Some(mut jobs) = first_jobs_of_kth() else { return };
    for job in jobs.iter_mut().step_by(3) {
        job.submission.limit = None;
    }
    let mut comparison = Comparison::default();
    replay_waits(jobs.into_iter(), MACHINE, &mut comparison, &mut Nobody);
    assert_eq!(comparison.arrivals, 5_000);
    assert!(comparison.overrun > 100, "jobs without a limit outlive the mean: {}", comparison.overrun);
}
