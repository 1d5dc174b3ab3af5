//! A piece of a log brought to life on a real Slurm, forecast by a real daemon, and scored:
//! `live_replay QCAST LOG SKIP JOBS NODES PROCESSORS_PER_NODE SPEED PAST FOLDER`.
//!
//! PAST is how many jobs before the piece the daemon is given as an export of accounting, as it would find them by itself on a
//! site that has run for a while. Brings a lab up, starts `qcast serve` on it, submits the jobs at their times of the lab's fast
//! clock, waits until all are done and writes what the daemon says of itself (`score.json`, `score.txt`, `health.json`) into the
//! folder. Needs root and Slurm (`tests/install-slurm.sh`). `experiments/slurm-live/run` calls it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use queuecast_slurm_lab::{ClusterSettings, Daemon, Lab, LabSettings, LogPiece, wait_until};

/// As many as the largest of the logs has; beyond, they share.
const USERS: u32 = 700;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    ensure!(arguments.len() == 9, "live_replay QCAST LOG SKIP JOBS NODES PROCESSORS_PER_NODE SPEED PAST FOLDER");
    let number = |place: usize| arguments[place].parse::<u32>().with_context(|| arguments[place].clone());
    let (nodes, per_node, speed) = (number(4)?, number(5)?, number(6)?);
    let folder = PathBuf::from(&arguments[8]);
    fs::create_dir_all(&folder)?;
    let piece =
        LogPiece { skip: number(2)? as usize, count: number(3)? as usize, nodes, processors_per_node: per_node };
    let jobs = piece.of(Path::new(&arguments[1]))?;
    let clusters = vec![ClusterSettings::new("alpha", u16::try_from(nodes)?)];
    let lab = Lab::up(LabSettings { clusters, users: USERS, speed, ..LabSettings::default() })?;
    let cluster = lab.cluster("alpha");
    let scratch = tempfile::tempdir()?;
    let export = scratch.path().join("past.txt");
    fs::write(&export, piece.past(Path::new(&arguments[1]), number(7)? as usize, lab.now_seconds()?, USERS, "alpha")?)?;
    let import = export.display().to_string();
    let mut daemon = Daemon::of(cluster, Path::new(&arguments[0]), scratch.path(), &["--import", &import])?;
    daemon.start()?;
    daemon.wait_until_it_answers(Duration::from_secs(20))?;
    eprintln!(
        "{} jobs in {:.1} hours of the lab",
        jobs.len(),
        f64::from(jobs[jobs.len() - 1].submit_offset_seconds) / 3_600.0
    );
    let submitted = cluster.replay(&jobs)?;
    eprintln!("submitted; waiting for the queue to empty");
    cluster.wait_until_empty(Duration::from_mins(40))?;
    wait_until("the daemon to see it", Duration::from_mins(1), || {
        let queue = daemon.get("/v1/queue")?;
        Ok(queue["jobs"].as_array().is_some_and(Vec::is_empty))
    })?;
    for name in ["score", "health"] {
        let answer = daemon.get(&format!("/v1/{name}"))?;
        fs::write(folder.join(format!("{name}.json")), serde_json::to_vec_pretty(&answer)?)?;
    }
    let table = Command::new(&arguments[0]).arg("score").arg("--socket").arg(daemon.socket()).output()?;
    fs::write(folder.join("score.txt"), table.stdout)?;
    let mut late: Vec<f64> = submitted.iter().map(|job| job.late_seconds).collect();
    late.sort_by(f64::total_cmp);
    eprintln!(
        "submitted late by, in lab seconds: median {:.0}, most {:.0}",
        late[late.len() / 2],
        late[late.len() - 1]
    );
    Ok(())
}
