//! How good the classic forecasters are on logs' own waits, by Kumar and Vadhiyar's protocol (M6):
//! `cargo run --release -p queuecast-forecast --features svm --example classic_accuracy -- [LOG or METHOD ...]`.
//!
//! Logs are those in `$QCAST_SHARED/traces` whose names begin with a word of the command line; methods those named by
//! one; without any, all of the paper's that are to be had. Prints a Markdown table a log, over jobs 10,001 to 50,000
//! in order of submission: the share of jobs whose class is the one named, among the two and among the three named, of
//! all jobs and of those that waited more than an hour; the mean absolute error over the mean wait; how often the 95 %
//! bound held, and the mean bound over the mean wait; precision and recall of "waits less than an hour" at a
//! probability of one half; and microseconds a forecast, with learning but without the replay.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use queuecast_forecast::{
    BoundForecaster, Distance, ForecastJob, ForecastObserver, InstanceForecaster, MajorityForecaster, Naming,
    NeighbourForecaster, NeighbourSettings, PointEstimate, QuickStartForecaster, SiteState, TimeUnit, WaitClass,
    WaitForecast, WaitForecaster, replay_waits,
};
#[cfg(feature = "svm")]
use queuecast_forecast::{SvmForecaster, SvmSettings};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{Machine, Outcome, Submission, Time, TracedJob};

/// The logs of the paper that are to be had, with its single-class accuracy (R-K9).
const LOGS: [(&str, f64); 5] = [
    ("CTC-SP2-1996-3.1-cln", 59.0),
    ("HPC2N-2002-2.2-cln", 64.0),
    ("SDSC-BLUE-2000-4.2-cln", 74.0),
    ("SDSC-SP2-1998-4.2-cln", 64.0),
    ("LANL-CM5-1994-4.1-cln", 76.0),
];
const FIRST_JUDGED: u64 = 10_000;
const JOBS: usize = 50_000;
const HOUR_SECONDS: f64 = 3_600.0;

type Method = (&'static str, Box<dyn Fn() -> Box<dyn WaitForecaster>>);

fn method<F: WaitForecaster + 'static>(name: &'static str, make: impl Fn() -> F + 'static) -> Method {
    (name, Box::new(move || Box::new(make())))
}

fn methods() -> Vec<Method> {
    let neighbours = |distance, point, naming| {
        let settings = NeighbourSettings { point, naming, ..NeighbourSettings::with_distance(distance) };
        move || NeighbourForecaster::new(settings)
    };
    let (mean, paper, better) = (PointEstimate::WeightedMean, Distance::default(), Distance::Heom);
    #[allow(unused_mut, reason = "grows with the feature `svm`")]
    let mut methods = vec![
        method("majority", MajorityForecaster::new),
        method("bounds", BoundForecaster::default),
        method("ibl", InstanceForecaster::default),
        method("quick", QuickStartForecaster::default),
        method("knn", neighbours(paper, mean, Naming::AroundPoint)),
        method("knn-days", neighbours(Distance::BrayCurtis(TimeUnit::Days), mean, Naming::AroundPoint)),
        method("knn-linear", neighbours(paper, PointEstimate::Linear, Naming::AroundPoint)),
        method("knn-kernel", neighbours(paper, PointEstimate::RadialKernel, Naming::AroundPoint)),
        method("knn-mode", neighbours(paper, mean, Naming::MostProbable)),
        method("heom", neighbours(better, mean, Naming::AroundPoint)),
        method("heom-mode", neighbours(better, mean, Naming::MostProbable)),
    ];
    #[cfg(feature = "svm")]
    methods.extend([
        method("svm", || SvmForecaster::alone(SvmSettings::default())),
        method("knn-svm", || SvmForecaster::with_neighbours(SvmSettings::default(), NeighbourSettings::default())),
    ]);
    methods
}

/// Counts the time that a forecaster takes.
struct Timed {
    inner: Box<dyn WaitForecaster>,
    spent: Duration,
    forecasts: u32,
}

impl Timed {
    fn timed<T>(&mut self, work: impl FnOnce(&mut dyn WaitForecaster) -> T) -> T {
        let begin = Instant::now();
        let result = work(&mut *self.inner);
        self.spent += begin.elapsed();
        result
    }
}

impl WaitForecaster for Timed {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        self.forecasts += 1;
        self.timed(|inner| inner.on_arrival(job, state, now))
    }
    fn on_start(&mut self, job: &Submission, now: Time) {
        self.timed(|inner| inner.on_start(job, now));
    }
    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.timed(|inner| inner.on_end(job, outcome));
    }
}

/// How many jobs, and whose class was the one, among the two and among the three named.
#[derive(Clone, Copy, Default)]
struct Hits {
    jobs: f64,
    named: [f64; 3],
}

impl Hits {
    fn add(&mut self, actual: WaitClass, forecast: &WaitForecast) {
        let ranges = &forecast.ranges;
        let hits = [ranges.single == actual, ranges.two.contains(&actual), ranges.three.contains(&actual)];
        self.jobs += 1.0;
        for (named, hit) in self.named.iter_mut().zip(hits) {
            *named += f64::from(u8::from(hit));
        }
    }

    fn percents(&self) -> String {
        let [one, two, three] = self.named.map(|named| 100.0 * named / self.jobs);
        format!("{one:.1} / {two:.1} / {three:.1}")
    }
}

#[derive(Default)]
struct Score {
    all: Hits,
    slow: Hits,
    within_an_hour: f64,
    wait_sum: f64,
    error_sum: f64,
    bound_sum: f64,
    bound_held: f64,
    quick: f64,
    said_quick: f64,
    rightly_said_quick: f64,
}

impl ForecastObserver for Score {
    fn started(&mut self, job: ForecastJob<'_>) {
        if job.submission.job.0 < FIRST_JUDGED {
            return;
        }
        let wait = job.wait.as_f64();
        let actual = WaitClass::of(wait);
        let count = |condition: bool| f64::from(u8::from(condition));
        self.all.add(actual, job.forecast);
        if wait > HOUR_SECONDS {
            self.slow.add(actual, job.forecast);
        }
        self.within_an_hour += count(wait <= HOUR_SECONDS);
        self.wait_sum += wait;
        self.error_sum += (job.forecast.point_seconds - wait).abs();
        self.bound_sum += job.forecast.bound95_seconds;
        self.bound_held += count(wait <= job.forecast.bound95_seconds);
        let (quick, said) = (wait < HOUR_SECONDS, job.forecast.classes[0] >= 0.5);
        self.quick += count(quick);
        self.said_quick += count(said);
        self.rightly_said_quick += count(quick && said);
    }
}

fn load(path: &Path) -> Result<(Vec<TracedJob>, Machine), Box<dyn Error>> {
    let mut reader = SwfReader::new(Input::open(path)?)?;
    let processors = reader.header().max_procs().ok_or("the log does not say how large the machine is")?;
    let mut jobs = Vec::new();
    while let Some(line) = reader.next_line()? {
        if let Line::Job(record) = line
            && let Ok(job) = record.to_traced()
            && job.recorded.wait.is_some()
        {
            jobs.push(job);
        }
    }
    jobs.sort_by_key(|job| job.submission.submitted);
    jobs.truncate(JOBS);
    Ok((jobs, Machine { processors }))
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let methods = methods();
    let any_method = words.iter().any(|word| methods.iter().any(|(name, _)| name == word));
    let any_log = words.iter().any(|word| LOGS.iter().any(|(name, _)| name.starts_with(word.as_str())));
    let shared = std::env::var_os("QCAST_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let mut out = io::stdout();
    for (log, published) in LOGS {
        if any_log && !words.iter().any(|word| log.starts_with(word.as_str())) {
            continue;
        }
        let (jobs, machine) = load(&shared.join("traces").join(format!("{log}.swf.gz")))?;
        writeln!(out, "\n{log}: {} jobs; the paper's Avg_wt names the class of {published} %\n", jobs.len())?;
        writeln!(
            out,
            "| method | one / two / three classes, % | > 1 h | error / mean wait | bound held, % | bound / mean wait | \
             quick: precision / recall, % | µs |\n|---|---|---|---|---|---|---|---|"
        )?;
        let mut always_an_hour = 0.0;
        for (name, make) in &methods {
            if any_method && !words.iter().any(|word| word == name) {
                continue;
            }
            let mut forecaster = Timed { inner: make(), spent: Duration::ZERO, forecasts: 0 };
            let mut score = Score::default();
            replay_waits(jobs.iter().copied(), machine, &mut forecaster, &mut score);
            always_an_hour = 100.0 * score.within_an_hour / score.all.jobs;
            writeln!(
                out,
                "| {name} | {} | {} | {:.2} | {:.1} | {:.1} | {:.1} / {:.1} | {:.0} |",
                score.all.percents(),
                score.slow.percents(),
                score.error_sum / score.wait_sum,
                100.0 * score.bound_held / score.all.jobs,
                score.bound_sum / score.wait_sum,
                100.0 * score.rightly_said_quick / score.said_quick,
                100.0 * score.rightly_said_quick / score.quick,
                1e6 * forecaster.spent.as_secs_f64() / f64::from(forecaster.forecasts),
            )?;
            out.flush()?;
        }
        writeln!(out, "\nAlways \"up to an hour\": {always_an_hour:.1} %")?;
    }
    Ok(())
}
