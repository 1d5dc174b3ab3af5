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
            "The policy is SJBF, with EASY as the baseline where the paper uses it. Improvements are relative changes in per \
             cent, paired by replicate and averaged over the four logs of the paper; positive is better. Accuracies are weighted by \
             time, from submission to end of each job (equation 2). Jobs that exceed their estimate run on. The 95 % interval covers \
             only the noise of the schedule. The columns for other weeks and other users are intervals for resampled weeks or users \
             of the same logs, from one schedule for each log."
                .to_owned(),
            format!("Logs: {}. CTC with the 338 processors of its header is not part of the mean.", jobs.join(", ")),
            "Interpretations. Without estimates, balanced growth stops at the longest limit requested so far (36 h before the first \
             limit), as in `qcast simulate` without a threshold. After a prediction miss, the planned run time is raised to the \
             estimate, and the raise counts as one of the gradual steps. The last table shows the other interpretation, in which \
             the steps start with the first one after the raise. Unknown executables are equal to each other: on KTH and BLUE, where \
             all are unknown, [PEX,*] is [PE,*], [E,P,X] is [E,P,*] and [PX,P,X,*] is [P,*]."
                .to_owned(),
            arguments.how(),
        ],
        command: "qcast reproduce talby --report experiments/talby".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures })
}
