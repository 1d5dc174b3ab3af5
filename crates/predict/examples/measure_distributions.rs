//! How good and how fast run-time distributions are along logs as they happened:
//! `cargo run --release -p queuecast-predict --example measure_distributions -- [NAME=VALUE | all-but-one] LOG...`.
//!
//! Every job with a run time and, where the log has limits, with a limit is asked about when it is submitted; run times
//! are cut at the limit (R-P8). Starts and ends are those of the log; within one second ends come first,
//! then arrivals, then starts. `all-but-one` measures with each component left out in turn.
//!
//! Columns: jobs; the score (CRPS) and the absolute error of the median, both as shares of the mean run time; the
//! share of run times within the central 50, 80 and 90 % intervals, once with their ends (which counts atoms at the
//! ends in full) and once with ties broken at random, which is 50, 80, 90 for a calibrated distribution; nanoseconds
//! for a distribution and for a draw.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::path::Path;
use std::time::Instant;

use queuecast_predict::distribution::{
    RuntimeDistribution, RuntimeDistributions, WeightedHistory, WeightedHistoryParameters, Workspace,
};
use queuecast_workload::clean::{CleanOptions, OverLong, clean};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{JobId, Outcome, Seconds, Time, TracedJob};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const INTERVALS: [f64; 3] = [0.5, 0.8, 0.9];
const DRAWS: u32 = 64;

fn main() -> io::Result<()> {
    let mut parameters = WeightedHistoryParameters::default();
    let mut all_but_one = false;
    let mut logs = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some((name, value)) => set(&mut parameters, name, value)?,
            None if argument == "all-but-one" => all_but_one = true,
            None => logs.push(argument),
        }
    }
    let mut variants = vec![("all".to_owned(), parameters)];
    if all_but_one {
        for name in [
            "learning=0",
            "running=0",
            "relative=0",
            "programs=0",
            "groups=0",
            "habit=0",
            "nearness=0",
            "status=0",
            "hour=0",
            "burst=0",
            "recency=0",
        ] {
            let mut variant = parameters;
            let (component, value) = name.split_once('=').unwrap_or((name, "0"));
            set(&mut variant, component, value)?;
            variants.push((name.to_owned(), variant));
        }
    }
    for log in logs {
        let jobs = read(Path::new(&log))?;
        let name = Path::new(&log).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (variant, parameters) in &variants {
            println!("{name:>26} {variant:>12} {}", measure(&jobs, *parameters));
        }
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers that a person gives")]
fn set(parameters: &mut WeightedHistoryParameters, name: &str, value: &str) -> io::Result<()> {
    let invalid = |error: std::num::ParseFloatError| io::Error::new(io::ErrorKind::InvalidInput, error);
    let value: f64 = value.parse().map_err(invalid)?;
    let on = value > 0.0;
    match name {
        "window" => parameters.window = value as usize,
        "site_window" => parameters.site_window = value as usize,
        "recency" => parameters.recency = value,
        "learning" => parameters.learning_rate = value,
        "habit" => parameters.habit_rate = value,
        "forgetting" => parameters.forgetting = value,
        "prior" => parameters.prior_log_weight = value,
        "running" => parameters.running_weight = value,
        "relative" => parameters.relative = on,
        "programs" => parameters.programs = on,
        "groups" => parameters.groups_and_queues = on,
        "nearness" => parameters.distinctions.nearness = on,
        "status" => parameters.distinctions.status = on,
        "hour" => parameters.distinctions.time_of_day = on,
        "burst" => parameters.distinctions.burst = on,
        _ => return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("no parameter {name}"))),
    }
    Ok(())
}

/// The sane jobs of a log in order of submission, cut at their limits.
fn read(path: &Path) -> io::Result<Vec<TracedJob>> {
    let mut records = Vec::new();
    let mut reader = SwfReader::new(Input::open(path)?)?;
    while let Some(line) = reader.next_line()? {
        if let Line::Job(record) = line {
            records.push(record);
        }
    }
    let drop_without_limit = records.iter().any(|record| record.requested_time > 0);
    let options = CleanOptions { drop_without_limit, over_long: OverLong::Cut, ..CleanOptions::default() };
    let (records, _) = clean(records, options);
    let mut jobs: Vec<TracedJob> = records.iter().filter_map(|record| record.to_traced().ok()).collect();
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    for (job, id) in jobs.iter_mut().zip(0..) {
        job.submission.job = JobId(id);
    }
    Ok(jobs)
}

#[derive(Default)]
struct Scores {
    jobs: f64,
    run_seconds: f64,
    crps_seconds: f64,
    error_seconds: f64,
    within: [f64; INTERVALS.len()],
    within_random: [f64; INTERVALS.len()],
    points: f64,
    making_nanoseconds: f64,
    drawing_nanoseconds: f64,
}

impl Scores {
    fn add(&mut self, distribution: &RuntimeDistribution, run: Seconds, generator: &mut Pcg64) {
        self.jobs += 1.0;
        self.run_seconds += run.as_f64();
        self.crps_seconds += distribution.crps(run);
        self.error_seconds += (distribution.quantile(0.5) - run).as_f64().abs();
        self.points += distribution.points().len() as f64;
        let (below, within) = (distribution.share_within(run - Seconds(1)), distribution.share_within(run));
        let rank = below + generator.random::<f64>() * (within - below);
        for (place, interval) in INTERVALS.iter().enumerate() {
            let (low, high) = (0.5 - interval / 2.0, 0.5 + interval / 2.0);
            let ends = distribution.quantile(low)..=distribution.quantile(high);
            self.within[place] += f64::from(u8::from(ends.contains(&run)));
            self.within_random[place] += f64::from(u8::from((low..=high).contains(&rank)));
        }
    }
}

fn measure(jobs: &[TracedJob], parameters: WeightedHistoryParameters) -> String {
    let mut history = WeightedHistory::new(parameters);
    let mut generator = Pcg64::seed_from_u64(1);
    let (mut workspace, mut distribution) = (Workspace::default(), RuntimeDistribution::default());
    let mut scores = Scores::default();
    let mut starts: BinaryHeap<Reverse<(Time, usize)>> = BinaryHeap::new();
    let mut ends: BinaryHeap<Reverse<(Time, usize, Time)>> = BinaryHeap::new();
    let mut arrivals = jobs.iter().enumerate().peekable();
    let mut drawn = 0;
    let begin = Instant::now();
    loop {
        let next = [
            arrivals.peek().map(|(_, job)| job.submission.submitted),
            starts.peek().map(|Reverse((time, _))| *time),
            ends.peek().map(|Reverse((time, ..))| *time),
        ];
        let Some(now) = next.into_iter().flatten().min() else { break };
        while let Some(Reverse((ended, place, started))) = ends.peek().copied().filter(|Reverse(end)| end.0 <= now) {
            ends.pop();
            let outcome = Outcome { started, ended, status: jobs[place].recorded.status };
            history.on_end(&jobs[place].submission, &outcome);
        }
        while let Some((place, job)) = arrivals.next_if(|(_, job)| job.submission.submitted <= now) {
            history.on_arrival(&job.submission, now);
            let making = Instant::now();
            history.distribution_into(&job.submission, Seconds::ZERO, now, &mut workspace, &mut distribution);
            scores.making_nanoseconds += making.elapsed().as_nanos() as f64;
            scores.add(&distribution, job.recorded.run, &mut generator);
            let left = distribution.beyond(Seconds(i64::try_from(place % 2).unwrap_or_default() * 600));
            let drawing = Instant::now();
            for draw in 0..DRAWS {
                // Weyl's sequence: even draws at next to no cost of their own.
                drawn += left.sample((f64::from(draw) * 0.618_033_988_749_895).fract()).0;
            }
            scores.drawing_nanoseconds += drawing.elapsed().as_nanos() as f64;
            let wait = job.recorded.wait.unwrap_or(Seconds::ZERO).max(Seconds::ZERO);
            starts.push(Reverse((now + wait, place)));
        }
        while let Some(Reverse((_, place))) = starts.peek().copied().filter(|Reverse((time, _))| *time <= now) {
            starts.pop();
            history.on_start(&jobs[place].submission, now);
            ends.push(Reverse((now + jobs[place].recorded.run, place, now)));
        }
    }
    std::hint::black_box(drawn);
    let Scores { jobs: count, run_seconds, crps_seconds, error_seconds, .. } = scores;
    let percent = |shares: [f64; 3]| shares.map(|sum| format!("{:5.1}", 100.0 * sum / count)).join(" ");
    format!(
        "jobs {count:7} CRPS {:.4} MAE {:.4} within {} ties at random {} points {:4.0} \
         ns/distribution {:6.0} ns/draw {:5.1} s {:.1}",
        crps_seconds / run_seconds,
        error_seconds / run_seconds,
        percent(scores.within),
        percent(scores.within_random),
        scores.points / count,
        scores.making_nanoseconds / count,
        scores.drawing_nanoseconds / count / f64::from(DRAWS),
        begin.elapsed().as_secs_f64(),
    )
}
