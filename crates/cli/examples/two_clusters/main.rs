//! One stream of jobs and two clusters: who waits how long if each job is sent by this or that rule.
//!
//! `two_clusters send --rule where ...` brings two clusters of a real Slurm up, each watched by its own `qcast serve`, sends a piece
//! of a log and writes what became of every job to `RULE.csv`; `two_clusters compare FOLDER` sets the rules in a folder beside each
//! other, job by job. Needs root and Slurm (`tests/install-slurm.sh`). `experiments/where/run` calls it.

mod comparison;
mod outcome;
mod sending;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "One stream of jobs on two clusters, sent by a rule")]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Sends the stream by one rule.
    Send(sending::SendArgs),
    /// Sets the rules beside each other.
    Compare {
        /// Where the outcomes are.
        folder: PathBuf,
    },
}

fn main() -> Result<()> {
    match Cli::parse().what {
        What::Send(arguments) => sending::send(&arguments),
        What::Compare { folder } => comparison::print(&folder),
    }
}
