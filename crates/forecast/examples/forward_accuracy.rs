//! How good and how fast forward forecasts are under a simulated policy:
//! `cargo run --release --example forward_accuracy -- LOG PROCESSORS oracle|limits|recent [JOBS] [POLICY] [FUTURES] [none|past|foreseen]`.
//!
//! The jobs of the log are simulated under the policy with limits as plans; the waits that come out are what is
//! forecast. The first hundredth of the jobs is not scored. Everything is played twice, and the shorter of a forecast's
//! two times counts: on a machine that others use, a forecast is now and then put aside for some milliseconds.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use queuecast_forecast::forward::{
    ArrivalSampler, ForwardForecaster, ForwardParameters, LimitSampler, OracleSampler, PastArrivals,
    PastArrivalsParameters, RecentRatios, RecentRatiosParameters, RuntimeSampler, SampledArrival,
};
use queuecast_forecast::{
    CLASSES, ForecastJob, ForecastObserver, SiteState, WaitClass, WaitForecast, WaitForecaster, replay_waits,
};
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::PolicySpecification;
use queuecast_simulate::{Cluster, FinishedJob, Observer, Overrun, Replay, Rules, simulate};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{Machine, Outcome, Seconds, Submission, Time, TracedJob};

struct Waits(Vec<Seconds>);

impl Observer for Waits {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        let index = usize::try_from(job.submission.job.0).expect("handles are counted from zero");
        self.0[index] = job.wait();
    }
}

/// Times every forecast.
struct Timed<F> {
    forecaster: F,
    times: Vec<Duration>,
    waiting: Vec<usize>,
}

impl<F: WaitForecaster> WaitForecaster for Timed<F> {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        self.waiting.push(state.waiting().len());
        let begin = Instant::now();
        let forecast = self.forecaster.on_arrival(job, state, now);
        self.times.push(begin.elapsed());
        forecast
    }
    fn on_start(&mut self, job: &Submission, now: Time) {
        self.forecaster.on_start(job, now);
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.forecaster.on_end(job, outcome);
    }
}

/// Everybody who will arrive: what is left of the error without them is what later arrivals do.
struct Foreseen(Vec<SampledArrival>);

impl ArrivalSampler for Foreseen {
    fn arrivals(&mut self, job: &Submission, _now: Time, _future: u64, arrivals: &mut Vec<SampledArrival>) {
        let next = usize::try_from(job.job.0).expect("handles are counted from zero") + 1;
        arrivals.extend(self.0[next..].iter().take(3_000));
    }
}

#[derive(Default)]
struct Scores {
    skipped_below: u64,
    jobs: f64,
    single: f64,
    two: f64,
    classes: [f64; CLASSES],
    covered: f64,
    bound_sum: f64,
    absolute_error: f64,
    wait_sum: f64,
}

impl ForecastObserver for Scores {
    fn started(&mut self, job: ForecastJob<'_>) {
        if job.submission.job.0 < self.skipped_below {
            return;
        }
        let wait = job.wait.as_f64();
        let class = WaitClass::of(wait);
        let one = |yes: bool| f64::from(u8::from(yes));
        self.jobs += 1.0;
        self.classes[class.index()] += 1.0;
        self.single += one(job.forecast.ranges.single == class);
        self.two += one(job.forecast.ranges.two.contains(&class));
        self.covered += one(wait <= job.forecast.bound95_seconds);
        self.bound_sum += job.forecast.bound95_seconds;
        self.absolute_error += (wait - job.forecast.point_seconds).abs();
        self.wait_sum += wait;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize, otherwise: &'static str| arguments.get(index).map_or(otherwise, String::as_str);
    let (log, machine) = (argument(0, "-"), Machine { processors: argument(1, "100").parse()? });
    let (sampler, most) = (argument(2, "recent"), argument(3, "1000000000").parse()?);
    let policy: PolicySpecification = argument(4, "easy").parse()?;
    let mut parameters = ForwardParameters::new(policy);
    parameters.futures = argument(5, "64").parse()?;

    let mut traced: Vec<TracedJob> = SwfReader::new(io::BufReader::new(Input::open(Path::new(log))?))?
        .filter_map(|line| if let Ok(Line::Job(record)) = line { record.to_traced().ok() } else { None })
        .collect();
    traced.sort_by_key(|job| (job.submission.submitted, job.number));
    let mut jobs: Vec<TracedJob> = Replay::new(traced.into_iter(), machine, Overrun::Kill, true).take(most).collect();
    let (predictor, _) = PredictorSpecification::Estimate.build(Correction::Steps, false);
    let mut cluster = Cluster::new(machine, Rules::Clean, predictor, policy.build(machine));
    let mut waits = Waits(vec![Seconds::ZERO; jobs.len()]);
    simulate(jobs.iter().copied(), &mut cluster, &mut waits);
    for (job, wait) in jobs.iter_mut().zip(waits.0) {
        job.recorded.wait = Some(wait);
    }
    let whose_arrivals = argument(6, "none");
    let arrivals = |jobs: &[TracedJob]| -> Option<Box<dyn ArrivalSampler>> {
        match whose_arrivals {
            "past" => Some(Box::new(PastArrivals::new(PastArrivalsParameters::default()))),
            "foreseen" => Some(Box::new(Foreseen(jobs.iter().map(as_arrival).collect()))),
            _ => None,
        }
    };
    let name = format!(
        "{} {sampler} {policy} arrivals {whose_arrivals}",
        Path::new(log).file_name().unwrap_or_default().display()
    );
    match sampler {
        "oracle" => {
            let oracle = || {
                let (oracle, foresight) = OracleSampler::new();
                for job in &jobs {
                    foresight.hear(job);
                }
                oracle
            };
            measure(&name, &jobs, machine, parameters, oracle, &arrivals)?;
        }
        "limits" => measure(&name, &jobs, machine, parameters, LimitSampler::default, &arrivals)?,
        "recent" => {
            let ratios = || RecentRatios::new(RecentRatiosParameters::default());
            measure(&name, &jobs, machine, parameters, ratios, &arrivals)?;
        }
        _ => return Err("the sampler is oracle, limits or recent".into()),
    }
    Ok(())
}

fn as_arrival(job: &TracedJob) -> SampledArrival {
    let limit = job.submission.limit;
    SampledArrival {
        arrives: job.submission.submitted,
        processors: job.submission.request.processors,
        limit,
        planned: limit.unwrap_or(Seconds::MAX),
        run: job.recorded.run,
    }
}

fn measure<S: RuntimeSampler>(
    name: &str,
    jobs: &[TracedJob],
    machine: Machine,
    parameters: ForwardParameters,
    sampler: impl Fn() -> S,
    arrivals: &impl Fn(&[TracedJob]) -> Option<Box<dyn ArrivalSampler>>,
) -> io::Result<()> {
    let play = |sampler: S| {
        let mut forecaster = ForwardForecaster::new(parameters, sampler);
        if let Some(arrivals) = arrivals(jobs) {
            forecaster = forecaster.with_arrivals(arrivals);
        }
        let mut timed = Timed { forecaster, times: Vec::new(), waiting: Vec::new() };
        let mut scores = Scores { skipped_below: jobs.len() as u64 / 100, ..Scores::default() };
        replay_waits(jobs.iter().copied(), machine, &mut timed, &mut scores);
        (timed, scores)
    };
    let begin = Instant::now();
    let (again, _) = play(sampler());
    let (mut timed, scores) = play(sampler());
    let took = begin.elapsed().as_secs_f64();
    for (time, other) in timed.times.iter_mut().zip(again.times) {
        *time = other.min(*time);
    }
    timed.times.sort_unstable();
    timed.waiting.sort_unstable();
    let place = |thousandths: usize| (jobs.len() - 1) * thousandths / 1_000;
    let milliseconds = |thousandths: usize| timed.times[place(thousandths)].as_secs_f64() * 1e3;
    let mean = timed.times.iter().sum::<Duration>().as_secs_f64() * 1e3 / jobs.len() as f64;
    let most = scores.classes.iter().copied().fold(0.0, f64::max);
    let of_jobs = |count: f64| 100.0 * count / scores.jobs;
    writeln!(
        io::stdout(),
        "{name}: {} jobs, mean wait {:.0} s | single {:.1} % (majority {:.1}) two {:.1} % | MAE/wait {:.3} | \
         95 % bound covers {:.1} % at {:.2}x | ms mean {mean:.3} p50 {:.3} p99 {:.2} p99.9 {:.2} max {:.2} | \
         waiting p50 {} p99 {} max {} | {took:.1} s",
        jobs.len(),
        scores.wait_sum / scores.jobs,
        of_jobs(scores.single),
        of_jobs(most),
        of_jobs(scores.two),
        scores.absolute_error / scores.wait_sum,
        of_jobs(scores.covered),
        scores.bound_sum / scores.wait_sum,
        milliseconds(500),
        milliseconds(990),
        milliseconds(999),
        milliseconds(1_000),
        timed.waiting[place(500)],
        timed.waiting[place(990)],
        timed.waiting[place(1_000)],
    )
}
