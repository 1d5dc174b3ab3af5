//! The option `--overrun`.

use clap::ValueEnum;
use queuecast_simulate::Overrun;

/// What happens to a job at its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OverrunChoice {
    /// Kill the job.
    #[default]
    Kill,
    /// Let the job run for its recorded run time.
    RunOn,
}

impl From<OverrunChoice> for Overrun {
    fn from(choice: OverrunChoice) -> Self {
        match choice {
            OverrunChoice::Kill => Self::Kill,
            OverrunChoice::RunOn => Self::RunOn,
        }
    }
}
