//! Others' methods without Rust: a predictor, a policy or a wait forecaster that is a program.
//!
//! For: `exec:./mine.py` on the command line. A program hears the events of our own traits as lines of JSON on its standard input and
//! answers those that ask on its standard output; `docs/guides/own-methods.md` has every line of it. It is told what the types of the core hold at that
//! moment and nothing else: a [`Submission`](queuecast_workload::Submission) when a job arrives, an
//! [`Outcome`](queuecast_workload::Outcome) when it has ended.
//!
//! Not for: deciding anything. Limits, corrections and propagation are ours (`queuecast-predict`), as for every other model; the core
//! knows nothing of programs.
//!
//! The traits of the core cannot fail, since nothing of ours does. A program can: whoever is asking then unwinds with an [`ExecFailure`],
//! which [`caught`] gives back. No figure comes out of a replay in which a program failed.

mod conversation;
mod failure;
mod forecaster;
mod message;
mod policy;
mod predictor;
mod program;

pub use failure::{ExecFailure, Fault, caught};
pub use forecaster::ProgramForecaster;
pub use policy::ProgramPolicy;
pub use predictor::ProgramPredictor;
pub use program::{PATIENCE, Program};
