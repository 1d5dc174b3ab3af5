//! A log replayed under several policies and predictors, and what that would have meant for those who waited.
//!
//! `cargo run --release -p queuecast-examples --bin replay_a_log -- LOG.swf.gz` for a log of the Parallel Workloads Archive;
//! without a log, for six jobs that are written below.
//!
//! [`Configuration`] puts a replay together from names; `own_predictor` and `own_policy` show what stands behind them.

use std::env;
use std::error::Error;
use std::io::BufRead;
use std::path::Path;

use queuecast_evaluate::Configuration;
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader};
use queuecast_workload::{Machine, TracedJob};

/// Number, submission, wait, run time, processors, ..., processors asked for, limit, ..., status, user; -1 is not known.
const SIX_JOBS: &str = "; MaxProcs: 10
    1   0 -1 100  6 -1 -1  6  600 -1 1 1 -1 -1 -1 -1 -1 -1
    2  10 -1 100  8 -1 -1  8  200 -1 1 2 -1 -1 -1 -1 -1 -1
    3  20 -1 400  4 -1 -1  4  500 -1 1 3 -1 -1 -1 -1 -1 -1
    4  30 -1  50  2 -1 -1  2  100 -1 1 1 -1 -1 -1 -1 -1 -1
    5  40 -1  50  4 -1 -1  4  100 -1 1 2 -1 -1 -1 -1 -1 -1
    6  50 -1 200 10 -1 -1 10  300 -1 1 3 -1 -1 -1 -1 -1 -1";

fn main() -> Result<(), Box<dyn Error>> {
    let (machine, jobs) = match env::args().nth(1) {
        Some(path) => read(Input::open(Path::new(&path))?)?,
        None => read(SIX_JOBS.as_bytes())?,
    };
    println!("{} jobs on {} processors", jobs.len(), machine.processors);
    println!("{:<14} {:<10} {:>12} {:>18} {:>12}", "policy", "predictor", "mean wait", "bounded slowdown", "left out");
    for (policy, predictor) in [
        ("fcfs", "estimate"),
        ("easy", "estimate"),
        ("conservative", "estimate"),
        ("easy-sjbf", "estimate"),
        ("easy-sjbf", "recent:n=3,stat=median"),
        ("easy-sjbf", "perfect"),
    ] {
        let configuration = Configuration::new(machine, policy.parse()?, predictor.parse()?);
        let (summary, dropped) = configuration.replay(jobs.iter().copied(), &mut ());
        let left_out = dropped.over_wide + dropped.no_run_time + dropped.no_limit;
        let (wait, slowdown) = (summary.wait.mean, summary.bounded_slowdown.mean);
        let predictor = predictor.split(':').next().unwrap_or(predictor);
        println!("{policy:<14} {predictor:<10} {wait:>10.0} s {slowdown:>18.1} {left_out:>12}");
    }
    Ok(())
}

/// The machine as the log's header has it, and all jobs in order of submission. What is wrong with a line is said, and the
/// line left out.
fn read(log: impl BufRead) -> Result<(Machine, Vec<TracedJob>), Box<dyn Error>> {
    let reader = SwfReader::new(log)?;
    let processors = reader.header().max_procs().ok_or("the log does not say how many processors there are")?;
    let mut jobs: Vec<TracedJob> = Vec::new();
    for line in reader {
        match line? {
            Line::Job(record) => match record.to_traced() {
                Ok(job) => jobs.push(job),
                Err(reason) => eprintln!("job {}: {reason}", record.job_number),
            },
            Line::Bad(bad) => eprintln!("{}", bad.in_source("the log")),
            Line::Comment(_) => {}
        }
    }
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    Ok((Machine { processors }, jobs))
}
