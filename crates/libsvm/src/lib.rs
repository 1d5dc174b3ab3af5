//! A thin, safe door to libsvm, the library behind the papers' scikit-learn (R-K6, ADR 0008).
//!
//! For: C-support-vector classification with Platt probabilities, on the system's shared library (Debian: `libsvm3`), which
//! is loaded when it is first asked for ([`Library::of_this_machine`]). Nothing is linked, so that whoever builds or runs
//! anything else needs nothing native.
//!
//! Not for: scaling, waits, classes of wait: `queuecast-forecast`. Not for any other kind of machine.
//!
//! This is the only crate of the workspace with unsafe code.

mod library;
mod model;

pub use library::{FILE_VARIABLE, Library, LibraryError};
pub use model::{Kernel, Model, Settings, TrainingError};
