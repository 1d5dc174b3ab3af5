//! Who forecasts, as `--method` names it: one of ours, or somebody else's program.

use std::fmt;
use std::str::FromStr;

use queuecast_exec::{Program, ProgramForecaster};
use queuecast_forecast::{LibsvmError, MethodContext, MethodSpecification, WaitForecaster};
use queuecast_workload::UnknownName;

use crate::options::program;

/// Who forecasts.
#[derive(Clone, Debug)]
pub enum Method {
    /// One of ours.
    Ours(MethodSpecification),
    /// A program.
    Program(Program),
}

impl Method {
    /// Whether it is one of the plain answers that a forecaster has to beat.
    pub fn is_simple(&self) -> bool {
        matches!(self, Self::Ours(method) if method.is_simple())
    }

    /// Whether what it needs beside this program is on the machine. Programs are asked when they are begun.
    pub fn require(&self) -> Result<(), LibsvmError> {
        match self {
            Self::Ours(method) => method.require(),
            Self::Program(_) => Ok(()),
        }
    }

    /// A forecaster that has seen nothing.
    pub fn build(&self, context: &MethodContext<'_>) -> Box<dyn WaitForecaster> {
        match self {
            Self::Ours(method) => method.build(context),
            Self::Program(program) => Box::new(ProgramForecaster::begin(program, context.machine)),
        }
    }
}

/// Two of one name are the same.
impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(program) = program::parse(text) {
            return program.map(Self::Program);
        }
        text.parse().map(Self::Ours).map_err(|error: UnknownName| format!("{error}, exec:PROGRAM"))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours(method) => method.fmt(f),
            Self::Program(program) => program.fmt(f),
        }
    }
}
