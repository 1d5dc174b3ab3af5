//! No forecaster knows a wait before the job has started, nor a run time before it has ended; and none throws dice.
//!
//! Every wait and every run time that is not yet known at some second is replaced by another. Whatever is forecast up
//! to that second, for whichever job, must stay the same.

use queuecast_forecast::forward::{ForwardForecaster, ForwardParameters, RecentRatios, RecentRatiosParameters};
use queuecast_forecast::pooled::{PooledForecaster, PooledSettings};
use queuecast_forecast::{
    AttributeWeights, BoundForecaster, BoundSettings, Distance, ForecastJob, ForecastObserver, InstanceForecaster,
    InstanceSettings, Kernel, LearnedForecaster, LearnedSettings, Libsvm, MajorityForecaster, MethodContext,
    MethodSpecification, Naming, NeighbourForecaster, NeighbourSettings, PointEstimate, QuickStartForecaster,
    SizeGrouping, SvmForecaster, SvmSettings, WaitForecast, WaitForecaster, replay_waits,
};
use queuecast_workload::{
    JobId, Machine, ProgramId, Recorded, Request, Seconds, Status, Submission, Time, TracedJob, UserId,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const WORKLOADS: u64 = 40;
const JOBS: usize = 200;
/// Small, so that jobs leave the history too.
const HISTORY_JOBS: usize = 60;
const MACHINE: Machine = Machine { processors: 64 };

/// Every forecaster of this crate that learns from waits has a line here.
fn forecasters() -> Vec<(&'static str, Box<dyn WaitForecaster>)> {
    let neighbours = |distance, point, naming| {
        let settings = NeighbourSettings::with_distance(distance);
        Box::new(NeighbourForecaster::new(NeighbourSettings { point, naming, history_jobs: HISTORY_JOBS, ..settings }))
    };
    let instances = InstanceSettings { history_jobs: HISTORY_JOBS, nearest: 5, ..InstanceSettings::default() };
    let of_jobs = InstanceSettings { weights: AttributeWeights::of_jobs_alone(), ..instances };
    let clusters =
        BoundSettings { sizes: SizeGrouping::Clusters, starts_between_groupings: 70, ..BoundSettings::default() };
    let mut forecasters: Vec<(&'static str, Box<dyn WaitForecaster>)> = vec![
        ("knn", neighbours(Distance::default(), PointEstimate::WeightedMean, Naming::AroundPoint)),
        ("knn-linear", neighbours(Distance::default(), PointEstimate::Linear, Naming::AroundPoint)),
        ("heom-kernel", neighbours(Distance::Heom, PointEstimate::RadialKernel, Naming::MostProbable)),
        ("ibl", Box::new(InstanceForecaster::new(instances))),
        ("ibl:jobs", Box::new(InstanceForecaster::new(of_jobs))),
        ("bounds", Box::new(BoundForecaster::default())),
        ("clusters", Box::new(BoundForecaster::new(clusters))),
        ("quick", Box::new(QuickStartForecaster::new(HISTORY_JOBS))),
        ("majority", Box::new(MajorityForecaster::new())),
    ];
    for name in ["downey", "forward", "forward:recent", "forward:limits", "recent", "recent:class", "recent:user"] {
        let method: MethodSpecification = name.parse().expect("a method");
        let context = MethodContext { machine: MACHINE, policy: None, futures: 6, seed: 1, jobs: &[] };
        forecasters.push((name, method.build(&context)));
    }
    let settings =
        LearnedSettings { history_jobs: 4 * HISTORY_JOBS, first_jobs: 60, retrain_jobs: 60, trees: 5, seed: 1 };
    forecasters.push(("learned", Box::new(LearnedForecaster::new(settings, MajorityForecaster::new()))));
    let settings =
        PooledSettings { rows: 4 * HISTORY_JOBS, first_rows: 40, more_rows: 30, ..PooledSettings::default() };
    let forward = ForwardParameters { futures: 6, ..ForwardParameters::new("easy".parse().expect("a policy")) };
    let forward = ForwardForecaster::new(forward, RecentRatios::new(RecentRatiosParameters::default()));
    forecasters.push(("pooled", Box::new(PooledForecaster::new(settings, forward, MACHINE.processors))));
    let libsvm = Libsvm::of_this_machine().expect("apt-get install libsvm3");
    let kernels = [
        ("svm", "knn-svm", Kernel::Radial),
        ("svm:polynomial", "knn-svm:polynomial", Kernel::Polynomial { degree: 3 }),
        ("svm:sigmoid", "knn-svm:sigmoid", Kernel::Sigmoid),
    ];
    for (alone, with_neighbours, kernel) in kernels {
        let settings = SvmSettings { retrain_jobs: 40, history_jobs: HISTORY_JOBS, ..SvmSettings::of(kernel) };
        forecasters.push((alone, Box::new(SvmForecaster::alone(libsvm, settings))));
        let forecaster = SvmForecaster::with_neighbours(libsvm, settings, NeighbourSettings::default());
        forecasters.push((with_neighbours, Box::new(forecaster)));
    }
    forecasters
}

fn random_jobs(random: &mut Pcg64) -> Vec<TracedJob> {
    let mut now = 0;
    let mut job = || {
        now += random.random_range(0..600);
        let submission = Submission {
            job: JobId(0),
            submitted: Time(now),
            request: Request { processors: 1 << random.random_range(0..7) },
            limit: random.random_bool(0.9).then(|| Seconds(random.random_range(1..20_000))),
            user: Some(UserId(random.random_range(0..4))),
            group: None,
            program: random.random_bool(0.5).then(|| ProgramId(random.random_range(0..3))),
            queue: None,
            partition: None,
        };
        let wait = if random.random_bool(0.5) { 0 } else { random.random_range(0..30_000) };
        let recorded = Recorded {
            wait: Some(Seconds(wait)),
            run: Seconds(random.random_range(0..20_000)),
            status: Status::Completed,
        };
        TracedJob { number: 1, submission, recorded }
    };
    (0..JOBS).map(|_| job()).collect()
}

/// Replaces what is not known to who arrives at this second: starts from then on (arrivals come before starts), ends
/// after.
fn with_another_future(jobs: &[TracedJob], cut: Time, random: &mut Pcg64) -> Vec<TracedJob> {
    let change = |job: &TracedJob| {
        let mut job = *job;
        let started = job.submission.submitted + job.recorded.wait.unwrap_or(Seconds::ZERO);
        let mut run = job.recorded.run;
        if started >= cut {
            let earliest = (cut - job.submission.submitted).max(Seconds::ZERO);
            job.recorded.wait = Some(earliest + Seconds(random.random_range(0..90_000)));
            run = Seconds(random.random_range(0..90_000));
        } else if started + run > cut {
            run = (cut - started) + Seconds(random.random_range(1..90_000));
        }
        job.recorded.run = run;
        job
    };
    jobs.iter().map(change).collect()
}

/// What was said of each job, by handle.
#[derive(Default)]
struct Said(Vec<(JobId, Time, WaitForecast)>);

impl ForecastObserver for Said {
    fn started(&mut self, job: ForecastJob<'_>) {
        self.0.push((job.submission.job, job.submission.submitted, job.forecast.clone()));
    }
}

fn said_up_to(cut: Time, jobs: &[TracedJob], forecaster: &mut dyn WaitForecaster) -> Vec<(JobId, Time, WaitForecast)> {
    let mut said = Said::default();
    replay_waits(jobs.iter().copied(), MACHINE, forecaster, &mut said);
    said.0.retain(|(_, submitted, _)| *submitted <= cut);
    said.0.sort_by_key(|(job, ..)| *job);
    said.0
}

#[test]
fn what_has_not_happened_changes_no_forecast() {
    for seed in 0..WORKLOADS {
        let mut random = Pcg64::seed_from_u64(seed);
        let jobs = random_jobs(&mut random);
        let cut = jobs[random.random_range(JOBS / 4..JOBS)].submission.submitted;
        let other = with_another_future(&jobs, cut, &mut random);
        assert_ne!(jobs, other);
        for ((name, mut one), (_, mut another)) in forecasters().into_iter().zip(forecasters()) {
            let said = said_up_to(cut, &jobs, &mut *one);
            assert!(said.len() >= JOBS / 4);
            assert!(said == said_up_to(cut, &other, &mut *another), "{name}, workload {seed}");
        }
    }
}

#[test]
fn the_past_does_change_forecasts() {
    // Otherwise the test above would hold for whoever says nothing.
    let mut random = Pcg64::seed_from_u64(1);
    let jobs = random_jobs(&mut random);
    let other = with_another_future(&jobs, jobs[JOBS / 2].submission.submitted, &mut random);
    for ((name, mut one), (_, mut another)) in forecasters().into_iter().zip(forecasters()) {
        let said = said_up_to(Time::MAX, &jobs, &mut *one);
        assert!(said != said_up_to(Time::MAX, &other, &mut *another), "{name}");
    }
}

#[test]
fn the_same_history_gives_the_same_forecasts() {
    let jobs = random_jobs(&mut Pcg64::seed_from_u64(7));
    for ((name, mut one), (_, mut another)) in forecasters().into_iter().zip(forecasters()) {
        let said = said_up_to(Time::MAX, &jobs, &mut *one);
        assert_eq!(said.len(), JOBS);
        assert!(said == said_up_to(Time::MAX, &jobs, &mut *another), "{name}");
    }
}
