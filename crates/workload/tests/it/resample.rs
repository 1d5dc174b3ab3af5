//! Real logs resampled: what stays as it was in the log, and how near a load that is asked for is met.

use queuecast_testkit::shared_dir;
use queuecast_workload::describe::Describer;
use queuecast_workload::files::Input;
use queuecast_workload::generate::resample::{Length, ResampleBy, ResampleOptions, Resampled};
use queuecast_workload::swf::{Line, SwfReader, SwfRecord};
use queuecast_workload::{Machine, Seconds, TracedJob};
use rand::SeedableRng;
use rand_pcg::Pcg64;

const WEEK: i64 = 604_800;
const KTH: &str = "KTH-SP2-1996-2.1-cln.swf.gz";
const CTC: &str = "CTC-SP2-1996-3.1-cln.swf.gz";

struct Log {
    machine: Machine,
    time_of_day_at_zero: Seconds,
    jobs: Vec<TracedJob>,
}

fn read(file: &str) -> Option<Log> {
    let path = shared_dir()?.join("traces").join(file);
    let reader = SwfReader::new(Input::open(&path).expect("the log opens")).expect("the header reads");
    let machine = Machine { processors: reader.header().max_procs().expect("MaxProcs is in the header") };
    let time_of_day_at_zero = reader.header().time_of_day_at_zero();
    let jobs = reader.filter_map(|line| match line.expect("the log reads") {
        Line::Job(record) => record.to_traced().ok().filter(|job| job.recorded.run.0 > 0),
        Line::Comment(_) | Line::Bad(_) => None,
    });
    Some(Log { machine, time_of_day_at_zero, jobs: jobs.collect() })
}

impl Log {
    fn weeks(&self) -> u32 {
        let submits = || self.jobs.iter().map(|job| job.submission.submitted);
        let span = submits().max().unwrap() - submits().min().unwrap();
        u32::try_from(span.0 / WEEK).unwrap()
    }

    fn resample(&self, options: ResampleOptions, seed: u64) -> Vec<TracedJob> {
        // Days are cut where the command line cuts them.
        let options = ResampleOptions { time_of_day_at_zero: self.time_of_day_at_zero, ..options };
        let jobs = Resampled::new(self.jobs.clone(), self.machine, options, Pcg64::seed_from_u64(seed));
        jobs.expect("the log can be resampled").collect()
    }

    fn offered_load(&self, jobs: &[TracedJob]) -> f64 {
        let mut describer = Describer::new();
        for job in jobs {
            describer.add(&SwfRecord::from_traced(job, Seconds(-1)));
        }
        describer.describe(Some(self.machine)).offered_load.expect("it spans weeks")
    }
}

fn weeks(count: u32) -> ResampleOptions {
    ResampleOptions::new(Length::Weeks(count))
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (squares / (values.len() as f64 - 1.0)).sqrt())
}

/// The Kolmogorov-Smirnov distance: how far two distribution functions are apart at most.
fn distance(mut one: Vec<i64>, mut other: Vec<i64>) -> f64 {
    one.sort_unstable();
    other.sort_unstable();
    let below = |values: &[i64], bound| values.partition_point(|&value| value <= bound) as f64 / values.len() as f64;
    let gap = |&value: &i64| (below(&one, value) - below(&other, value)).abs();
    one.iter().chain(&other).map(gap).fold(0.0, f64::max)
}

fn values(jobs: &[TracedJob], value: impl Fn(&TracedJob) -> i64) -> Vec<i64> {
    jobs.iter().map(value).collect()
}

fn gaps(jobs: &[TracedJob]) -> Vec<i64> {
    let mut submits = values(jobs, |job| job.submission.submitted.0);
    submits.sort_unstable();
    submits.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

fn jobs_by_week(jobs: &[TracedJob]) -> Vec<f64> {
    let first = jobs.iter().map(|job| job.submission.submitted.0 / WEEK).min().unwrap();
    let mut counts = Vec::new();
    for job in jobs {
        let week = usize::try_from(job.submission.submitted.0 / WEEK - first).unwrap();
        counts.resize(counts.len().max(week + 1), 0.0);
        counts[week] += 1.0;
    }
    // The last is cut off in a log, and the first begins anywhere.
    counts.pop();
    counts.split_off(1)
}

/// Measured: means within 3.2 % over 30 seeds; standard deviations of 5 to 14 % over the log's own length, and of 0.6
/// to 2.8 % over ten times that. It varies most with the fewest users.
#[test]
fn over_seeds_the_load_is_the_one_asked_for() {
    for file in [KTH, CTC] {
        let Some(log) = read(file) else { return };
        for by in [ResampleBy::Users, ResampleBy::Sessions] {
            for load in [0.5, 0.9] {
                let achieved = |length, seed| {
                    let options = ResampleOptions { load: Some(load), by, ..weeks(length) };
                    log.offered_load(&log.resample(options, seed)) / load
                };
                let loads: Vec<f64> = (0..20).map(|seed| achieved(log.weeks(), seed)).collect();
                let (mean, deviation) = mean_and_deviation(&loads);
                assert!((mean - 1.0).abs() < 0.1, "{file} {by:?}: in the mean {mean} times {load}");
                assert!(deviation < 0.18, "{file} {by:?}: {deviation} of {load}");
                let longer = achieved(10 * log.weeks(), 1);
                assert!((longer - 1.0).abs() < 0.08, "{file} {by:?}: {longer} times {load} over ten times the length");
            }
        }
    }
}

/// Over ten times the log's length, for over its own a few heavy users decide (sizes are then up to 0.06 apart). Measured
/// over eight seeds: at most 0.006 by users and 0.010 by sessions, but for the gaps between jobs, which are 0.014 to
/// 0.020 and 0.047 to 0.051 apart and stay so.
#[test]
fn jobs_are_like_those_of_the_log() {
    let Some(log) = read(KTH) else { return };
    for (by, most_apart_in_gaps) in [(ResampleBy::Users, 0.03), (ResampleBy::Sessions, 0.065)] {
        for seed in 0..3 {
            let jobs = log.resample(ResampleOptions { by, ..weeks(480) }, seed);
            let assert_near = |what: &str, most: f64, distance: f64| {
                assert!(distance < most, "{what} by {by:?} with seed {seed}: {distance}");
            };
            let apart = |value: fn(&TracedJob) -> i64| distance(values(&log.jobs, value), values(&jobs, value));
            assert_near("run times", 0.02, apart(|job| job.recorded.run.0));
            assert_near("sizes", 0.02, apart(|job| job.submission.request.processors.into()));
            assert_near("limits", 0.02, apart(|job| job.submission.limit.map_or(-1, |limit| limit.0)));
            assert_near("hours of the day", 0.01, apart(|job| job.submission.submitted.0 % 86_400 / 3_600));
            assert_near("hours of the week", 0.02, apart(|job| job.submission.submitted.0 % WEEK / 3_600));
            assert_near("gaps", most_apart_in_gaps, distance(gaps(&log.jobs), gaps(&jobs)));
        }
    }
}

/// Measured over five seeds: 593 to 601 jobs a week where the log has 598; a standard deviation of 146 to 174, the log's
/// is 182.
#[test]
fn weeks_are_as_busy_and_as_different_as_those_of_the_log() {
    let Some(log) = read(KTH) else { return };
    let (log_mean, log_deviation) = mean_and_deviation(&jobs_by_week(&log.jobs));
    for by in [ResampleBy::Users, ResampleBy::Sessions] {
        let (mean, deviation) =
            mean_and_deviation(&jobs_by_week(&log.resample(ResampleOptions { by, ..weeks(500) }, 1)));
        assert!((mean / log_mean - 1.0).abs() < 0.06, "{by:?}: {mean} a week, in the log {log_mean}");
        assert!((0.7..1.2).contains(&(deviation / log_deviation)), "{by:?}: {deviation}, in the log {log_deviation}");
    }
}

#[test]
fn twice_the_load_is_twice_the_jobs_of_other_persons() {
    let Some(log) = read(KTH) else { return };
    let own = log.offered_load(&log.jobs);
    let at = |load| log.resample(ResampleOptions { load: Some(load), ..weeks(300) }, 2);
    let (single, double) = (at(own), at(2.0 * own));
    let ratio = double.len() as f64 / single.len() as f64;
    assert!((ratio - 2.0).abs() < 0.1, "{ratio} times the jobs");
    let persons = |jobs: &[TracedJob]| values(jobs, |job| job.submission.user.unwrap().0.into());
    let distinct = |mut persons: Vec<i64>| {
        persons.sort_unstable();
        persons.dedup();
        persons.len() as f64
    };
    let ratio = distinct(persons(&double)) / distinct(persons(&single));
    assert!((ratio - 2.0).abs() < 0.1, "{ratio} times the persons");
}

/// KTH's jobs are told apart by their second of the week, size and run time.
#[test]
fn every_job_is_one_of_the_log_at_its_second_of_the_week() {
    let Some(log) = read(KTH) else { return };
    let mark = |job: &TracedJob| {
        (job.submission.submitted.0 % WEEK, job.submission.request.processors, job.recorded.run, job.submission.limit)
    };
    let mut known: Vec<_> = log.jobs.iter().map(mark).collect();
    known.sort_unstable();
    for by in [ResampleBy::Users, ResampleBy::Sessions] {
        let jobs = log.resample(ResampleOptions { by, ..weeks(100) }, 3);
        assert!(jobs.len() > 40_000);
        assert!(jobs.iter().all(|job| known.binary_search(&mark(job)).is_ok()), "{by:?}");
    }
}
