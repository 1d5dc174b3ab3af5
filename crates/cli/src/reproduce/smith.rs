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
            "Jobs are predicted when they start, from jobs that had ended, at the times the log records. Figures are mean \
             absolute errors in per cent of the mean run time, with the interval from resampling weeks; minutes are in \
             the reasons. The paper's logs were cut otherwise than the archive's. Jobs no template can estimate are planned at their limit or, without one, \
             at the mean of what has ended, and count. The rows of the honest split were found on the first third of the \
             log and are scored on the rest."
                .to_owned(),
            format!("Logs: {}. ANL's and SDSC's of 1995 are not in the archive.", jobs.join(", ")),
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
