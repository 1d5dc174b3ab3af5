//! The option `--at`.

use clap::ValueEnum;
use queuecast_simulate::AskedAt;

/// When the first prediction is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AskedAtChoice {
    /// At submission.
    #[default]
    Submit,
    /// At the start of the job, as in Smith et al.
    Start,
}

impl From<AskedAtChoice> for AskedAt {
    fn from(choice: AskedAtChoice) -> Self {
        match choice {
            AskedAtChoice::Submit => Self::Submission,
            AskedAtChoice::Start => Self::Start,
        }
    }
}
