//! `qcast reproduce talby`.

use queuecast_reproduce::{Heading, talby};

use super::{ReproduceArgs, Reproduced};
use crate::failure::Failure;
use crate::input::progress::{SharedProgress, Unit};

pub fn run(arguments: &ReproduceArgs) -> Result<Reproduced, Failure> {
    let logs = arguments.read_limited(&talby::LOGS)?;
    let progress = SharedProgress::new(Unit::Replays, talby::replays(arguments.effort()));
    let (tables, pictures) = talby::reproduce(&logs, arguments.effort(), &|| progress.advance());
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
            "Readings. Without estimates, balanced growth stops at the longest limit anybody has asked for so far (36 h before \
             there is one): what `qcast simulate` does when no threshold is named. An outlived plan is raised to the estimate, \
             which counts as one of the gradual steps; the last table has the other reading, in which the steps begin with the \
             first after the raise. An executable that a log does not know equals any other it does not know: on KTH and BLUE, \
             which know none, [PEX,*] is [PE,*], [E,P,X] is [E,P,*] and [PX,P,X,*] is [P,*]."
                .to_owned(),
            arguments.how(),
        ],
        command: "qcast reproduce talby --report experiments/talby".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures })
}
