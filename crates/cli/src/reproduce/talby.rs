//! `qcast reproduce talby`.

use queuecast_reproduce::{Heading, talby};

use super::{ReproduceArgs, Reproduced};
use crate::failure::Failure;
use crate::input::progress::{SharedProgress, Unit};

pub fn run(arguments: &ReproduceArgs) -> Result<Reproduced, Failure> {
    let logs = arguments.read_limited(&talby::LOGS)?;
    let progress = SharedProgress::new(Unit::Replays, talby::replays(arguments.effort()));
    let tables = talby::reproduce(&logs, arguments.effort(), &|| progress.advance());
    progress.finish();
    let jobs: Vec<String> = logs.iter().map(|log| format!("{} ({} jobs)", log.name, log.jobs.len())).collect();
    let heading = Heading {
        title: "Talby, Tsafrir, Goldberg, Feitelson: session-based, estimation-less and information-less prediction"
            .to_owned(),
        about: vec![
            "SJBF everywhere, EASY as the baseline where the paper says so. Improvements are relative changes in per \
             cent, paired replicate by replicate and averaged over the four logs of the paper; positive is better. \
             Accuracies are weighted over each job's stay (equation 2). Jobs that exceed their estimate run on. The \
             95 % interval is that of the noise of the schedule alone; other weeks and other users are what it would be if weeks, or users, of \
             the same logs were drawn anew, by one schedule each."
                .to_owned(),
            format!("Logs: {}. CTC with the 338 processors of its header stands outside the mean.", jobs.join(", ")),
            arguments.how(),
        ],
        command: "qcast reproduce talby --report experiments/talby".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures: Vec::new() })
}
