//! The option `--overrun`.

use clap::ValueEnum;
use queuecast_simulate::Overrun;

/// What happens to a job at its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OverrunChoice {
    /// It is killed.
    #[default]
    Kill,
    /// It runs on as long as the log says.
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
