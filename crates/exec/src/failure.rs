//! What a program did wrong, told so that its author finds the line.
//!
//! For: the one way out of a replay whose traits cannot fail. [`leave`] unwinds with the failure, through whatever threads ask, and
//! [`caught`] gives it back to whoever began. Nobody can forget to look, and nothing is reckoned with answers that were never given.
//!
//! Not for: panics of our own, which go on as they are.

use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

/// A program failed.
#[derive(Debug)]
pub struct ExecFailure {
    /// Which.
    pub program: String,
    /// What it did.
    pub fault: Fault,
    /// The line it was to answer, where it was to answer one.
    pub question: Option<String>,
    /// The answer that would have been right.
    pub expected: String,
    /// The end of what it said on standard error.
    pub last_words: String,
}

/// What a program can do wrong.
#[derive(Debug, Error)]
pub enum Fault {
    /// It could not be started.
    #[error("the program cannot be started: {0}")]
    NotStarted(io::Error),
    /// Its pipes failed.
    #[error("communication with the program failed: {0}")]
    Pipe(io::Error),
    /// It did not answer in time.
    #[error("no answer within {} s", patience.as_secs_f64())]
    Silent {
        /// For how long it was waited for.
        patience: Duration,
    },
    /// It did not read what it was told.
    #[error("the program did not read its standard input for {} s", patience.as_secs_f64())]
    Deaf {
        /// For how long it was waited for.
        patience: Duration,
    },
    /// It ended.
    #[error("the program ended before it answered ({})", status.map_or_else(|| "standard output was closed".to_owned(), |status| status.to_string()))]
    Ended {
        /// How, where that is known: it may have closed its output only.
        status: Option<ExitStatus>,
    },
    /// It spoke without being asked.
    #[error("the program wrote {said} without a pending question")]
    Unasked {
        /// What it said.
        said: String,
    },
    /// A line without end.
    #[error("line {line} of the answers is longer than {bytes} bytes")]
    TooLong {
        /// Counted from one.
        line: u64,
        /// What a line may have.
        bytes: usize,
    },
    /// Not an answer.
    #[error("line {line} of the answers is invalid: {why}; the program wrote {said}")]
    NotUnderstood {
        /// Counted from one.
        line: u64,
        /// What it said.
        said: String,
        /// What is wrong with it.
        why: String,
    },
}

impl ExecFailure {
    /// What its author can do, where that is plain.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.fault {
            Fault::NotStarted(error) => match error.kind() {
                io::ErrorKind::NotFound => Some(
                    "use the path of a file, such as exec:./mine.py, or a program in PATH; the interpreter in the first line of a script must also exist",
                ),
                io::ErrorKind::PermissionDenied => Some("make the file executable: chmod +x FILE"),
                _ => Some("start a script with a line for its interpreter, such as #!/usr/bin/env python3"),
            },
            Fault::Silent { .. } | Fault::Deaf { .. } => Some(
                "write each answer as one line and flush the output: print(..., flush=True); QCAST_EXEC_TIMEOUT sets the timeout in seconds",
            ),
            Fault::Unasked { .. } => {
                Some("write one line after each line with a question, and all other output to standard error")
            }
            _ => None,
        }
    }
}

impl fmt::Display for ExecFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.program, self.fault)?;
        if let Some(question) = &self.question {
            write!(f, "; question {question}; expected {}", self.expected)?;
        }
        match self.last_words.as_str() {
            "" => Ok(()),
            words => write!(f, "; last output on standard error: {words}"),
        }
    }
}

impl std::error::Error for ExecFailure {}

/// Out of whatever asks a program, up to [`caught`]. Nothing is printed on the way.
pub(crate) fn leave(failure: Box<ExecFailure>) -> ! {
    resume_unwind(failure)
}

/// What was run, or what a program did wrong in it.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, Box<ExecFailure>> {
    // Whatever was halfway is gone with the replay that it belonged to.
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| match payload.downcast::<ExecFailure>() {
        Ok(failure) => failure,
        Err(panic) => resume_unwind(panic),
    })
}
