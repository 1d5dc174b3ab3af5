//! `qcast reproduce smith`.

use queuecast_reproduce::Heading;
use queuecast_reproduce::smith::{self, POPULATION};

use super::{ReproduceArgs, Reproduced};
use crate::failure::Failure;
use crate::input::progress::{SharedProgress, Unit};

pub fn run(arguments: &ReproduceArgs) -> Result<Reproduced, Failure> {
    let logs = arguments.read(&smith::LOGS)?;
    let effort = arguments.effort();
    let progress = SharedProgress::new(Unit::Searches, smith::searches(&logs));
    let tables = smith::reproduce(&logs, effort, &|| progress.advance());
    progress.finish();
    let jobs: Vec<String> = logs.iter().map(|log| format!("{} ({} jobs)", log.name, log.jobs.len())).collect();
    let part = arguments.part();
    let heading = Heading {
        title: "Smith, Foster, Taylor: predicting run times from templates".to_owned(),
        about: vec![
            "Each job is predicted when it starts, from the jobs that had ended by then, at the times in the log. Figures are mean \
             absolute errors in per cent of the mean run time, with an interval from resampled weeks; the verdict column gives the \
             errors in minutes. The paper's logs were cut differently from those of the archive. If no template gives an estimate for \
             a job, its prediction is its limit or, without a limit, the mean run time of ended jobs; such jobs count. The table \
             \"Held-out split\" scores sets that were found on the first third of a log on the rest of it."
                .to_owned(),
            format!("Logs: {}. The paper's ANL log and its SDSC log of 1995 are not in the archive.", jobs.join(", ")),
            format!(
                "qcast {}, {} generations of {POPULATION} sets, seed {}{part}.",
                env!("CARGO_PKG_VERSION"),
                effort.generations,
                effort.shaking.seed
            ),
        ],
        command: "qcast reproduce smith --report experiments/smith".to_owned(),
    };
    Ok(Reproduced { heading, tables, pictures: Vec::new() })
}
