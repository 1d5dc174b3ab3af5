//! `qcast reproduce tsafrir`.

use queuecast_reproduce::{Heading, Log, tsafrir};
use queuecast_workload::TracedJob;

use super::{ReproduceArgs, Reproduced};
use crate::failure::{Cause, Failure};
use crate::input::progress::{SharedProgress, Unit};

pub fn run(arguments: &ReproduceArgs) -> Result<Reproduced, Failure> {
    let logs = tsafrir::LOGS.iter().map(|log| Ok(log.with_jobs(sane_jobs(arguments, log.file_prefix)?)));
    let logs = logs.collect::<Result<Vec<Log>, Failure>>()?;
    let effort = arguments.effort();
    let progress = SharedProgress::new(Unit::Replays, tsafrir::replays(effort));
    let reproduced = tsafrir::reproduce(&logs, effort, &|| progress.advance());
    progress.finish();
    let (tables, pictures) = reproduced.map_err(|error| Failure::new(Cause::Usage, error))?;
    let heading = Heading {
        title: "Tsafrir, Etsion, Feitelson: modelling user runtime estimates".to_owned(),
        about: vec![
            "EASY is simulated with the original estimates and with model estimates, on the machines of the paper's Table 1. Jobs \
             without allocated processors, run time or estimate are left out, and so are jobs with an estimate above the paper's \
             maximum. Runs longer than their estimate are cut at the estimate. A distance is the difference between the mean over seeds \
             and the original schedule, in per cent of the original. The original is a single schedule and as chaotic as any other, so \
             distances from its mean over shaken replicates are given as well."
                .to_owned(),
            "f0 to f300 add up to that many times the run time, uniformly distributed. feit is the phi-model with the log's own \
             share of exact estimates, cut at 24 h. shfl shuffles the estimates of the log. vanl and impr are the paper's \
             model with few and with more parameters of the site. *In sessions* is our addition: users repeat their last \
             estimate as often as in the log."
                .to_owned(),
            "In the tables with shortest-first backfilling, every model, including the original and f0, has at most 20 replicates with \
             shaken submissions and newly drawn estimates, and changes are paired by replicate. Jobs are killed at their estimate, \
             as in the paper, so the results do not depend on a correction after prediction misses."
                .to_owned(),
            arguments.how(),
        ],
        command: "qcast reproduce tsafrir --report experiments/tsafrir".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures })
}

/// The jobs of a log that the paper calls sane, in order of submission: those whose size, run time and submission are
/// known. Allocated processors are unknown for jobs of BLUE that were cancelled.
fn sane_jobs(arguments: &ReproduceArgs, prefix: &str) -> Result<Vec<TracedJob>, Failure> {
    let mut jobs = Vec::new();
    for record in arguments.source(prefix)?.open()? {
        let record = record?;
        if record.allocated_processors > 0 {
            jobs.extend(record.to_traced());
        }
    }
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    jobs.truncate(arguments.first.unwrap_or(usize::MAX));
    Ok(jobs)
}
