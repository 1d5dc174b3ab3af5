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
            "EASY with the original estimates and with made-up ones, on the machines of the paper's Table 1. Jobs \
             without allocated processors, a run time or an estimate are left out, as are those with an estimate above \
             the paper's maximum; a run longer than its estimate is cut at it. Distances are those of the mean over \
             seeds from the original, in per cent of it. The original is one schedule and as chaotic as any other, so \
             that distances are also taken from its mean over shaken replicates."
                .to_owned(),
            "f0 to f300 are uniform up to that many times the run time more; feit is the phi-model with the log's own \
             share of exact estimates, cut at 24 h; shfl is the log's own, shuffled; vanl and impr are the paper's \
             model with little and a little more said of the site. *In sessions* is ours: users repeat their last \
             estimate as often as in the log."
                .to_owned(),
            "Where the shortest are backfilled first, every model, the original and f0 included, has at most 20 replicates with \
             submissions shaken and estimates drawn anew, and changes are paired. Nothing here depends on what follows an \
             outlived plan: jobs are killed at their estimate, as in the paper."
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
