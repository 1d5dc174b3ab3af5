//! `qcast reproduce downey`.

use queuecast_reproduce::Heading;
use queuecast_reproduce::downey::{self, DAYS, DEPTH};

use super::{ReproduceArgs, Reproduced};
use crate::failure::Failure;
use crate::input::progress::{SharedProgress, Unit};

pub fn run(arguments: &ReproduceArgs) -> Result<Reproduced, Failure> {
    let logs = arguments.read_limited(&downey::LOGS)?;
    let effort = arguments.effort();
    let progress = SharedProgress::new(Unit::Replays, downey::steps(&logs, effort));
    let (tables, pictures) = downey::reproduce(&logs, effort, &|| progress.advance());
    progress.finish();
    let jobs: Vec<String> = logs.iter().map(|log| format!("{} ({} jobs)", log.name, log.jobs.len())).collect();
    let heading = Heading {
        title: "Downey: using queue time predictions for processor allocation".to_owned(),
        about: vec![
            format!(
                "Synthetic workloads of {DAYS} days at a load of 0.75 on 128 processors, one for each replicate, with strict first \
                 come, first served. Each day starts with an empty machine, and a job takes at most its average parallelism, \
                 rounded up. These two rules are not stated in the paper; with them, its figures that need no prediction are \
                 reproduced. Intervals are over workloads."
            ),
            "*Published* uses queue times from the distribution of sequential lifetimes, the equations as printed (the age of a \
             running job is not added to the queue time) and the published bias line. *Corrected* learns run times and bias \
             from ended jobs and adds the age."
                .to_owned(),
            format!(
                "Logs, beyond the paper: {}. The average parallelism of a job is the number of processors it requested, and its \
                 variance is drawn as in the paper. The first {DEPTH} jobs of the queue are planned with predicted run times: *limits* \
                 are the users' limits, *sessions* is the session predictor, and *oracle* is the actual run time. Jobs that exceed \
                 their limit run on.",
                jobs.join(", ")
            ),
            arguments.how(),
        ],
        command: "qcast reproduce downey --report experiments/downey".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures })
}
