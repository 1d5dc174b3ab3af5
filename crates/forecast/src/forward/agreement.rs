//! Futures against the simulator: given the real run times, everybody starts when the simulator starts them.
//!
//! The slow and obvious way is the history itself, played by a cluster under clean rules from the first job on, with
//! nobody after the job asked about; or with everybody, where those who come later are given to the future as arrivals.

use proptest::prelude::*;
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{FinishedJob, Observer, Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::{JobId, Machine, Outcome, Recorded, Seconds, Status, Submission, Time, TracedJob, UserId};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::forward::{
    ForwardForecaster, ForwardParameters, Futures, LimitPlanner, OracleSampler, PastArrivals, PastArrivalsParameters,
    PlayableMachine, RecentRatios, RecentRatiosParameters, SampledArrival,
};
use crate::{ForecastJob, ForecastObserver, SiteState, WaitDistribution, WaitForecast, WaitForecaster, replay_waits};
use queuecast_testkit::submission;

const MACHINE: Machine = Machine { processors: 16 };
/// Those in which waiting jobs hold no reservation that is not on record.
const POLICIES: [&str; 8] = [
    "easy",
    "fcfs",
    "easy-sjbf",
    "spf",
    "saf",
    "easy:queue=f1,backfill=shortest",
    "easy:depth=3",
    "easy:queue=wfp3,backfill=wfp3",
];

/// Jobs that crowd the machine; with `Overrun::RunOn` many outlive their limits.
fn workload(generator: &mut Pcg64, overrun: Overrun) -> Vec<TracedJob> {
    let mut now = 0;
    // The last spans days, so that the arrivals of earlier ones can come again.
    let longest = [5, 60, 2_000, 40_000][generator.random_range(0..4)];
    let jobs = (0..generator.random_range(1..70)).map(|number| {
        if generator.random_ratio(2, 3) {
            now += generator.random_range(0..=longest / 4);
        }
        let limit = generator.random_range(1..=longest);
        let run = if generator.random_ratio(1, 4) { limit } else { generator.random_range(1..=longest) };
        let processors = if generator.random_ratio(1, 2) { 1 } else { generator.random_range(1..=MACHINE.processors) };
        let user = Some(UserId(generator.random_range(0..3)));
        TracedJob {
            number,
            submission: Submission { user, ..submission(0, now, processors, Some(limit)) },
            recorded: Recorded { wait: None, run: Seconds(run), status: Status::Completed },
        }
    });
    let jobs: Vec<TracedJob> = jobs.collect();
    Replay::new(jobs.into_iter(), MACHINE, overrun, true).collect()
}

struct Starts(Vec<Time>);

impl Observer for Starts {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0[usize::try_from(job.submission.job.0).unwrap()] = job.outcome.started;
    }
}

/// When the simulator starts these jobs.
fn simulated(jobs: &[TracedJob], policy: PolicySpecification) -> Vec<Time> {
    let (predictor, _) = PredictorSpecification::Estimate.build(Correction::Steps, false);
    let mut cluster = SimulatedCluster::new(MACHINE, Rules::Clean, predictor, policy.build(MACHINE));
    let mut starts = Starts(vec![Time(0); jobs.len()]);
    simulate(jobs.iter().copied(), &mut cluster, &mut starts);
    starts.0
}

fn with_waits(jobs: &[TracedJob], starts: &[Time]) -> Vec<TracedJob> {
    let mut jobs = jobs.to_vec();
    for (job, start) in jobs.iter_mut().zip(starts) {
        job.recorded.wait = Some(*start - job.submission.submitted);
    }
    jobs
}

/// Keeps what the site looks like when one job arrives.
struct Snapshot {
    wanted: JobId,
    taken: Option<SiteState>,
}

impl WaitForecaster for Snapshot {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, _now: Time) -> WaitForecast {
        if job.job == self.wanted {
            self.taken = Some(state.clone());
        }
        WaitForecast::from_distribution(WaitDistribution::of([0.0]))
    }
    fn on_start(&mut self, _job: &Submission, _now: Time) {}
}

#[derive(Default)]
struct Forecasts(Vec<(JobId, WaitForecast)>);

impl ForecastObserver for Forecasts {
    fn started(&mut self, job: ForecastJob<'_>) {
        self.0.push((job.submission.job, job.forecast.clone()));
    }
}

/// Plays the future of the job at `target` with the real run times. `history` has the waits that the simulator gave;
/// those after the target are the arrivals.
fn assert_same_starts(mut futures: Futures, history: &[TracedJob], target: usize, overrun: Overrun) {
    let job = history[target].submission;
    let now = job.submitted;
    let mut snapshot = Snapshot { wanted: job.job, taken: None };
    replay_waits(history.iter().copied(), MACHINE, &mut snapshot, &mut Forecasts::default());
    let state = snapshot.taken.expect("the job arrives");
    let mut situation = PlayableMachine::new(overrun);
    situation.take(&job, &state, now, &LimitPlanner);
    let arrivals: Vec<SampledArrival> = history[target + 1..]
        .iter()
        .map(|job| SampledArrival {
            arrives: job.submission.submitted,
            processors: job.submission.request.processors,
            limit: job.submission.limit,
            planned: job.submission.limit.unwrap(),
            run: job.recorded.run,
        })
        .collect();
    let handles: Vec<usize> = situation
        .prospects()
        .iter()
        .map(|prospect| prospect.submission.job)
        .chain(history[target + 1..].iter().map(|job| job.submission.job))
        .map(|handle| usize::try_from(handle.0).unwrap())
        .collect();
    let start_of = |handle: usize| history[handle].submission.submitted + history[handle].recorded.wait.unwrap();
    if futures.prepare(&situation) {
        assert_eq!(start_of(target), now, "the job starts at once");
        return;
    }
    let start = futures.play(&situation, &arrivals, |place| history[handles[place]].recorded.run);
    assert_eq!(start, start_of(target), "job {target}");
    for (started, handle) in futures.starts().into_iter().zip(handles) {
        match started {
            Some(started) => assert_eq!(started, start_of(handle), "job {handle} on the way to job {target}"),
            None => assert!(start_of(handle) >= start, "job {handle} was forgotten on the way to job {target}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn everybody_starts_when_the_simulator_starts_them(seed: u64, policy in 0..POLICIES.len(), run_on: bool) {
        let policy: PolicySpecification = POLICIES[policy].parse().unwrap();
        let overrun = if run_on { Overrun::RunOn } else { Overrun::Kill };
        let jobs = workload(&mut Pcg64::seed_from_u64(seed), overrun);
        for target in 0..jobs.len() {
            let known = &jobs[..=target];
            let history = with_waits(known, &simulated(known, policy));
            assert_same_starts(Futures::new(policy), &history, target, overrun);
            assert_same_starts(Futures::through_scheduler(policy), &history, target, overrun);
        }
    }

    #[test]
    fn arrivals_that_are_foreseen_are_played_as_they_come(seed: u64, policy in 0..POLICIES.len(), run_on: bool) {
        let name = POLICIES[policy];
        let policy: PolicySpecification = name.parse().unwrap();
        let overrun = if run_on { Overrun::RunOn } else { Overrun::Kill };
        let jobs = workload(&mut Pcg64::seed_from_u64(seed), overrun);
        let history = with_waits(&jobs, &simulated(&jobs, policy));
        for target in 0..jobs.len() {
            // Who arrives later in the same second is not known at the first pass, and matters where it may overtake.
            let alone = jobs.get(target + 1).is_none_or(|next| next.submission.submitted > jobs[target].submission.submitted);
            if alone || ["easy", "fcfs"].contains(&name) {
                assert_same_starts(Futures::new(policy), &history, target, overrun);
            }
            if alone {
                assert_same_starts(Futures::through_scheduler(policy), &history, target, overrun);
            }
        }
    }

    /// Its reservations are made anew, so only the sound of it can be held to the simulator.
    #[test]
    fn conservative_futures_come_to_an_end(seed: u64) {
        let jobs = workload(&mut Pcg64::seed_from_u64(seed), Overrun::RunOn);
        let policy = PolicySpecification::Conservative;
        let history = with_waits(&jobs, &simulated(&jobs, policy));
        let (oracle, foresight) = OracleSampler::new();
        for job in &history {
            foresight.hear(job);
        }
        let mut parameters = ForwardParameters::new(policy);
        parameters.overrun = Overrun::RunOn;
        let mut forecasts = Forecasts::default();
        replay_waits(history.iter().copied(), MACHINE, &mut ForwardForecaster::new(parameters, oracle), &mut forecasts);
        prop_assert_eq!(forecasts.0.len(), jobs.len());
    }

    #[test]
    fn run_times_of_jobs_that_have_not_ended_change_no_forecast(seed: u64, with_arrivals: bool) {
        let generator = &mut Pcg64::seed_from_u64(seed);
        let jobs = workload(generator, Overrun::Kill);
        let policy: PolicySpecification = ["easy", "easy-sjbf"][generator.random_range(0..2)].parse().unwrap();
        let history = with_waits(&jobs, &simulated(&jobs, policy));
        let cut = history[generator.random_range(0..history.len())].submission.submitted;
        let start_of = |job: &TracedJob| job.submission.submitted + job.recorded.wait.unwrap();
        let mut altered = history.clone();
        let mut unknown: Vec<&mut TracedJob> =
            altered.iter_mut().filter(|job| start_of(job) + job.recorded.run > cut).collect();
        let mut runs: Vec<Seconds> = unknown.iter().map(|job| job.recorded.run).collect();
        runs.shuffle(generator);
        for (job, run) in unknown.iter_mut().zip(runs) {
            // Still running at the cut if it was.
            job.recorded.run = run.max(cut - start_of(job) + Seconds(1));
        }
        let forecasts = [history, altered].map(|jobs| {
            let sampler = RecentRatios::new(RecentRatiosParameters::default());
            let mut forecaster = ForwardForecaster::new(ForwardParameters::new(policy), sampler);
            if with_arrivals {
                let arrivals = PastArrivals::new(PastArrivalsParameters { days: 2, horizon: Seconds(86_400) });
                forecaster = forecaster.with_arrivals(Box::new(arrivals));
            }
            let mut forecasts = Forecasts::default();
            replay_waits(jobs.iter().copied(), MACHINE, &mut forecaster, &mut forecasts);
            forecasts.0.retain(|(job, _)| jobs[usize::try_from(job.0).unwrap()].submission.submitted <= cut);
            forecasts.0.sort_by_key(|(job, _)| *job);
            forecasts.0
        });
        prop_assert_eq!(&forecasts[0], &forecasts[1]);
    }
}

#[test]
fn with_the_oracle_a_forecast_without_later_arrivals_is_the_wait() {
    let jobs = workload(&mut Pcg64::seed_from_u64(7), Overrun::Kill);
    let policy = "easy".parse().unwrap();
    let history = with_waits(&jobs, &simulated(&jobs, policy));
    let (oracle, foresight) = OracleSampler::new();
    for job in &history {
        foresight.hear(job);
    }
    let mut forecasts = Forecasts::default();
    let mut forecaster = ForwardForecaster::new(ForwardParameters::new(policy), oracle);
    replay_waits(history.iter().copied(), MACHINE, &mut forecaster, &mut forecasts);
    let last = JobId(jobs.len() as u64 - 1);
    let (_, forecast) = forecasts.0.iter().find(|(job, _)| *job == last).unwrap();
    let wait = history[jobs.len() - 1].recorded.wait.unwrap().as_f64();
    assert!((forecast.point_seconds - wait).abs() < f64::EPSILON);
    assert_eq!(
        forecast.distribution.points().count(),
        if wait > 0.0 { 16 } else { 1 },
        "sixteen of one mind are enough"
    );
}

#[test]
fn a_forecast_is_the_same_whoever_was_asked_about_before() {
    let policy = "easy".parse().unwrap();
    let mut state = SiteState::new(MACHINE);
    for (handle, processors) in [(0, 10), (1, 12), (2, 4)] {
        state.arrive(&submission(handle, 0, processors, Some(1_000)));
    }
    state.start(JobId(0), Time(0));
    let forecaster = || {
        let mut sampler = RecentRatios::new(RecentRatiosParameters::default());
        for run in [10, 500, 900] {
            let outcome = Outcome { started: Time(0), ended: Time(run), status: Status::Completed };
            crate::forward::RuntimeSampler::on_end(&mut sampler, &submission(9, 0, 1, Some(1_000)), &outcome);
        }
        ForwardForecaster::new(ForwardParameters::new(policy), sampler)
    };
    let job = submission(4, 5, 16, Some(100));
    let fresh = forecaster().on_arrival(&job, &state, Time(5));
    let mut asked = forecaster();
    asked.on_arrival(&submission(3, 5, 1, Some(100)), &state, Time(5));
    assert_eq!(asked.on_arrival(&job, &state, Time(5)), fresh);
    assert!(fresh.bound95_seconds > fresh.distribution.quantile(0.05), "futures differ");
}
