//! What happens in which order when several things happen in the same second.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::UnknownName;

/// The order of events within one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// All ends, then corrections of outlived predictions, then submissions, then one scheduling pass if a job
    /// ended or arrived.
    #[default]
    Clean,
    /// The order of pyss, the simulator behind the golden schedules (R-SIM-1 a to f): outlived predictions, then
    /// submissions, then ends, with a scheduling pass after every single submission (where it can matter) and end.
    Pyss,
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clean => "clean",
            Self::Pyss => "pyss",
        })
    }
}

impl FromStr for Rules {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "clean" => Ok(Self::Clean),
            "pyss" => Ok(Self::Pyss),
            _ => Err(UnknownName::new("rules", text, "clean, pyss")),
        }
    }
}
