//! Where a value comes from: the way back for whoever wants to change it.

use std::fmt;
use std::path::PathBuf;

/// Where a value comes from. Later ones count more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody has said anything else.
    Default,
    /// A line of a file.
    File {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
    /// A variable of the environment.
    Variable(String),
    /// The command line.
    CommandLine,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File { path, line } => write!(formatter, "{}:{line}", path.display()),
            Self::Variable(name) => write!(formatter, "variable {name}"),
            Self::CommandLine => formatter.write_str("command line"),
        }
    }
}
