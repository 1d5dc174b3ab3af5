//! `qcast serve` on a real Slurm: how soon it forecasts, how well, and what it survives.
//!
//! Needs root and Slurm (`tests/install-slurm.sh`); `.ci/run` runs these. Each brings up a lab of its own.

mod direct;
mod first_answers;
mod kills;
mod outages;
mod replay;
mod tokens;
mod told;
mod two_clusters;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use queuecast_slurm_lab::Daemon;
use serde_json::Value;

/// The command as it was just built.
fn qcast() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_qcast"))
}

const SOON: Duration = Duration::from_mins(1);

/// The jobs that wait, with what is said of them.
fn waiting(daemon: &Daemon) -> Vec<Value> {
    let answer = daemon.get("/v1/queue?limit=1000").expect("the daemon answers");
    answer["jobs"].as_array().expect("a list of jobs").clone()
}

/// What `qcast` prints when it asks the daemon.
fn asked(daemon: &Daemon, arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        Command::new(qcast()).args(arguments).arg("--socket").arg(daemon.socket()).output().expect("qcast runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}
