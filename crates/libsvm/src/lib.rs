//! A thin, safe door to libsvm, the library behind the papers' scikit-learn (R-K6, ADR 0008).
//!
//! For: C-support-vector classification with a radial kernel and Platt probabilities, on the system's library (Debian:
//! `libsvm-dev`), behind the feature `native`; without the feature there is nothing in here.
//!
//! Not for: scaling, waits, classes of wait: `queuecast-forecast`. Not for any other kernel or kind of machine.
//!
//! This is the only crate of the workspace with unsafe code.

#[cfg(feature = "native")]
mod native;

#[cfg(feature = "native")]
pub use native::{Model, Settings, TrainingError};
