//! Why a command stopped: for the shell an exit code, for the person a message and, where there is one, a way out.
//!
//! Not for: problems in the input that do not stop the command, such as bad lines.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use queuecast_exec::ExecFailure;
use queuecast_forecast::LibsvmError;
use queuecast_logs::LogError;
use queuecast_workload::order::OrderError;

/// What kind of failure, as the exit code tells it; see `main.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A check that was asked for did not hold.
    Check = 1,
    /// The arguments do not fit each other or the input.
    Usage = 2,
    /// Input could not be read.
    Input = 3,
    /// Output could not be written.
    Output = 4,
    /// Whoever is asked is not ready yet.
    NotReady = 6,
    /// A program that was named could not be asked, or a library that is needed not be loaded.
    Program = 7,
}

impl Cause {
    /// Next step after a failure that has no specific hint.
    fn hint(self) -> Option<&'static str> {
        match self {
            Self::Check => None,
            Self::Usage => Some("the same command with --help describes its options"),
            Self::Input => Some("check the path, its permissions and the content of the file"),
            Self::Output => Some("check the path, its permissions and the free disk space"),
            Self::NotReady => Some("retry in a minute"),
            Self::Program => Some("check the path of the program, and its messages on standard error"),
        }
    }
}

/// A failure that ends the command.
#[derive(Debug)]
pub struct Failure {
    cause: Cause,
    error: anyhow::Error,
    hint: Option<String>,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(cause: Cause, error: impl Into<anyhow::Error>) -> Self {
        Self { cause, error: error.into(), hint: None }
    }

    /// The arguments do not fit each other or the input.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self::new(Cause::Usage, anyhow::anyhow!("{message}"))
    }

    /// Says what the person can do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What the person can do, if that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// What went wrong, in one line.
    pub fn told(&self) -> String {
        format!("{:#}", self.error)
    }

    /// Tells the person and gives the code for the shell. That nobody reads the output any more (`| head`) is not
    /// a failure.
    pub fn report(&self) -> ExitCode {
        if self.cause == Cause::Output && self.is_broken_pipe() {
            return ExitCode::SUCCESS;
        }
        say(self.message());
        ExitCode::from(self.cause as u8)
    }

    /// The error, and the next step in a second line unless the error names one.
    fn message(&self) -> String {
        let error = self.told();
        // An error that names the next step does so after a semicolon.
        let common = self.cause.hint().filter(|_| !error.contains("; "));
        match self.hint().or(common) {
            Some(hint) => format!("error: {error}\nhint: {hint}"),
            None => format!("error: {error}"),
        }
    }

    fn is_broken_pipe(&self) -> bool {
        let mut causes = self.error.chain().filter_map(by_the_system);
        causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What the system said, if this is that: some who write keep it to themselves and are no link of the chain.
fn by_the_system<'a>(cause: &'a (dyn std::error::Error + 'static)) -> Option<&'a io::Error> {
    let of_csv = || match cause.downcast_ref::<csv::Error>()?.kind() {
        csv::ErrorKind::Io(error) => Some(error),
        _ => None,
    };
    cause.downcast_ref::<io::Error>().or_else(of_csv)
}

/// What happened, on one line.
impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#}", self.error)
    }
}

/// Says which side of the command an error is on.
pub trait OnSide<T> {
    /// The error came from reading.
    fn reading(self) -> Result<T, Failure>;
    /// The error came from writing.
    fn writing(self) -> Result<T, Failure>;
}

impl<T, E: Into<anyhow::Error>> OnSide<T> for Result<T, E> {
    fn reading(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(Cause::Input, error))
    }
    fn writing(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(Cause::Output, error))
    }
}

/// That a log cannot be read is its own fault, unless it is only too long for what was asked for.
impl From<LogError> for Failure {
    fn from(error: LogError) -> Self {
        match error {
            LogError::TooManyJobs { .. } => {
                Self::new(Cause::Usage, error).with_hint("cut the log with `qcast trace cut`")
            }
            LogError::NothingLeft { name, dropped } => crate::input::all_dropped(&name, &dropped),
            LogError::NotUsable { hint: Some(hint), .. } => Self::new(Cause::Input, error).with_hint(hint),
            other => Self::new(Cause::Input, other),
        }
    }
}

impl From<OrderError<LogError>> for Failure {
    fn from(error: OrderError<LogError>) -> Self {
        LogError::from(error).into()
    }
}

impl From<Box<ExecFailure>> for Failure {
    fn from(failure: Box<ExecFailure>) -> Self {
        let hint = failure.hint();
        let told = Self::new(Cause::Program, *failure);
        match hint {
            Some(hint) => told.with_hint(hint),
            None => told,
        }
    }
}

/// A library is somebody else's program, as far as whoever asks is concerned.
impl From<LibsvmError> for Failure {
    fn from(error: LibsvmError) -> Self {
        let hint = error.hint();
        Self::new(Cause::Program, error).with_hint(hint)
    }
}

/// A line on standard error. If that is closed there is nobody left to tell.
pub fn say(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken_pipe() -> io::Error {
        io::ErrorKind::BrokenPipe.into()
    }

    #[test]
    fn every_error_has_a_next_step() {
        let own = Failure::usage("--a requires --b").with_hint("add --b");
        assert_eq!(own.message(), "error: --a requires --b\nhint: add --b");
        let common = Failure::usage("--a requires --b").message();
        assert_eq!(common, "error: --a requires --b\nhint: the same command with --help describes its options");
        let inside = Failure::new(Cause::Input, anyhow::anyhow!("job 7 has started; see `qcast when 7`"));
        assert_eq!(inside.message(), "error: job 7 has started; see `qcast when 7`");
    }

    #[test]
    fn a_broken_pipe_is_known_whoever_wrote() {
        let said: [anyhow::Error; 3] = [
            broken_pipe().into(),
            csv::Error::from(broken_pipe()).into(),
            anyhow::Error::new(csv::Error::from(broken_pipe())).context("standard output"),
        ];
        for error in said {
            assert!(Failure::new(Cause::Output, error).is_broken_pipe());
        }
        let full: io::Error = io::ErrorKind::StorageFull.into();
        assert!(!Failure::new(Cause::Output, csv::Error::from(full)).is_broken_pipe());
    }
}
