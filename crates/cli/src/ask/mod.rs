//! How people on a login node ask the daemon: where it is, which job they mean, and on which clock they read the answer.
//!
//! For: whatever `qcast when`, `limit`, `where`, `size`, `why`, `top` and `score` have in common.
//!
//! Not for: what each of them asks, and in which words it answers.

pub mod arguments;
pub mod clusters;
pub mod direct;
pub mod flat;
pub mod inert;
mod options;
mod script;
pub mod service;
pub mod subject;
pub mod wall;
pub mod zone;

use std::io::{self, Write};

use anyhow::Context;

use crate::failure::{Failure, OnSide};

/// The exit code for an answer without an estimate.
pub const NO_FORECAST: u8 = 5;

/// That something of what was asked has no part in the answer, if that is so.
pub fn not_modelled(fields: &[String]) -> Option<String> {
    let fields: Vec<String> = fields.iter().map(|field| inert::inert(field)).collect();
    (!fields.is_empty())
        .then(|| format!("The forecast ignores these options, which are not simulated: {}.", fields.join(", ")))
}

/// Prints an answer.
pub fn print(text: &str) -> Result<(), Failure> {
    writeln!(io::stdout().lock(), "{text}").context("standard output").writing()
}
