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
                "Made-up workloads of {DAYS} days at a load of 0.75 on 128 processors, one a replicate; strict first come, \
                 first served. Each day begins on an empty machine and a job takes at most its average parallelism rounded \
                 up: the paper says neither, and with these its figures that need no prediction come out. \
                 Intervals are over workloads."
            ),
            "As published: queue times from the distribution of sequential life times, the equations as they are printed \
             (the age of a running job is not added to the queue time), and the published line of bias. Put right: run times \
             and bias learnt from what has ended, and the age added."
                .to_owned(),
            format!(
                "Beyond the paper, logs: {}. Jobs are taken to have the parallelism they asked for and a variance drawn as \
                 the paper draws it; the first {DEPTH} of the queue are planned with predicted run times. Limits: what users \
                 said. Sessions: the session predictor. Oracle: the run time itself. Jobs that exceed their limit run on.",
                jobs.join(", ")
            ),
            arguments.how(),
        ],
        command: "qcast reproduce downey --report experiments/downey".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures })
}
