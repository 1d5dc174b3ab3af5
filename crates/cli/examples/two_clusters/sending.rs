//! The stream, sent by one rule on a real Slurm.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use queuecast_slurm_lab::{
    ClusterSettings, Daemon, JobNumber, Lab, LabSettings, LogPiece, Placed, Placing, ReplayJob, Rule, at_load,
    wait_until,
};

use crate::outcome::{JobOutcome, write};

/// As many as the largest of the logs has; beyond, they share.
const USERS: u32 = 700;

/// Which stream, onto what, by which rule.
#[derive(Debug, Args)]
pub struct SendArgs {
    /// static, slurm or where.
    #[arg(long)]
    rule: Rule,
    /// The command `qcast`.
    #[arg(long)]
    qcast: PathBuf,
    /// The log.
    #[arg(long)]
    log: PathBuf,
    /// Jobs left out at its beginning.
    #[arg(long)]
    skip: usize,
    /// Jobs sent.
    #[arg(long)]
    jobs: usize,
    /// Jobs before these that the daemons are given as an export of accounting.
    #[arg(long)]
    past: usize,
    /// Nodes of alpha.
    #[arg(long)]
    alpha: u16,
    /// Nodes of beta; a job that is wider than the smaller cluster has all of that many.
    #[arg(long)]
    beta: u16,
    /// Processors of the log that become one node.
    #[arg(long)]
    processors_per_node: u32,
    /// The share of both clusters' nodes that the stream would keep busy from its first to its last submission.
    #[arg(long)]
    load: f64,
    /// Lab seconds in a real second.
    #[arg(long)]
    speed: u32,
    /// Where the outcome is written.
    #[arg(long)]
    folder: PathBuf,
}

/// Sends it, waits until everything has started, and writes what became of each job.
pub fn send(arguments: &SendArgs) -> Result<()> {
    let nodes = u32::from(arguments.alpha.min(arguments.beta));
    let piece = LogPiece {
        skip: arguments.skip,
        count: arguments.jobs,
        nodes,
        processors_per_node: arguments.processors_per_node,
    };
    let mut jobs = piece.of(&arguments.log)?;
    at_load(&mut jobs, u32::from(arguments.alpha) + u32::from(arguments.beta), arguments.load);
    let clusters = vec![ClusterSettings::new("alpha", arguments.alpha), ClusterSettings::new("beta", arguments.beta)];
    let lab = Lab::up(LabSettings { clusters, users: USERS, speed: arguments.speed, ..LabSettings::default() })?;
    let scratch = tempfile::tempdir()?;
    let mut daemons = Vec::new();
    for cluster in &lab.settings().clusters {
        let past = piece.past(&arguments.log, arguments.past, lab.now_seconds()?, USERS, &cluster.name)?;
        daemons.push(daemon(&lab, &cluster.name, &arguments.qcast, scratch.path(), &past)?);
    }
    let last = jobs.last().map_or(0, |job| job.submit_offset_seconds);
    eprintln!("{}: {} jobs in {:.1} hours of the lab", arguments.rule, jobs.len(), f64::from(last) / 3_600.0);
    let placing = Placing { lab: &lab, rule: arguments.rule, daemons: &daemons };
    let placed = lab.submit_in_time(&jobs, |job| placing.submit(job))?;
    eprintln!("submitted; waiting until all have started");
    let outcomes = outcomes(&lab, &jobs, placed)?;
    fs::create_dir_all(&arguments.folder)?;
    write(&arguments.folder, arguments.rule, &outcomes)?;
    for daemon in &daemons {
        let path = arguments.folder.join(format!("{}-{}-score.json", arguments.rule, daemon.cluster()));
        fs::write(path, serde_json::to_vec_pretty(&daemon.get("/v1/score")?["overall"])?)?;
    }
    Ok(())
}

/// A daemon that knows this past, and answers.
fn daemon(lab: &Lab, cluster: &str, qcast: &Path, scratch: &Path, past: &str) -> Result<Daemon> {
    let folder = scratch.join(cluster);
    fs::create_dir(&folder)?;
    let export = folder.join("past.txt");
    fs::write(&export, past)?;
    let more = ["--cluster", cluster, "--import", &export.display().to_string()];
    let mut daemon = Daemon::of(lab.cluster(cluster), qcast, &folder, &more)?;
    daemon.start()?;
    wait_until("a daemon that forecasts", Duration::from_mins(1), || {
        Ok(daemon.get("/v1/health").is_ok_and(|health| health["status"] == "ok"))
    })
    .with_context(|| daemon.complaints())?;
    Ok(daemon)
}

/// What became of each job, in their order.
fn outcomes(lab: &Lab, jobs: &[ReplayJob], placed: Vec<(Placed, f64)>) -> Result<Vec<JobOutcome>> {
    let mut started = HashMap::new();
    for cluster in &lab.settings().clusters {
        let handle = lab.cluster(&cluster.name);
        handle.wait_until_all_started(Duration::from_mins(30))?;
        let here = placed.iter().filter(|(placed, _)| placed.cluster == cluster.name).count();
        wait_until("the records of all starts", Duration::from_mins(1), || {
            Ok(handle.recorded_jobs()?.iter().filter(|job| job.started.is_some()).count() == here)
        })?;
        for job in handle.recorded_jobs()? {
            let wait_seconds = job.started.map(|started| started - job.submitted);
            started.insert((cluster.name.clone(), job.number), wait_seconds);
        }
    }
    let wait_of = |cluster: &str, number: JobNumber| {
        let wait = started.get(&(cluster.to_owned(), number)).copied().flatten();
        wait.with_context(|| format!("{cluster} has no start of job {number}"))
    };
    let each = jobs.iter().zip(placed).zip(1..).map(|((job, (placed, late_seconds)), place)| {
        Ok(JobOutcome {
            place,
            user: job.user,
            nodes: job.nodes,
            limit_minutes: job.limit_minutes,
            run_seconds: job.runs_seconds(),
            wait_seconds: wait_of(&placed.cluster, placed.number)?,
            late_seconds: late_seconds.round(),
            by_default: placed.by_default,
            cluster: placed.cluster,
        })
    });
    each.collect()
}
