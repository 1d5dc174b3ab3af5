//! Watches a stretch with `qcast serve` while it is recorded: `site_watch QCAST PLAN [PROBES]`, to be run by `site_stretch record --beside`.
//!
//! QCAST must be where every user may run it. PLAN is what `site_stretch plan --to` wrote of the same stretch. Some jobs of it, 120 unless told, are
//! asked about before and after they are submitted. All that is told goes into the recording's folder; the daemon's store and what it logs too. Goes
//! on until it is ended with the recording.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, thread};

use anyhow::{Context, Result, bail};
use queuecast_slurm_lab::site::{FastClock, StretchJob, Watch, choose_probes};
use queuecast_slurm_lab::wait_until;

/// Nobody is asked about before the daemon has learnt what there is, in lab seconds.
const PROBES_FROM_SECONDS: u32 = 900;
const PROBES: usize = 120;

fn main() -> Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let (qcast, plan, probes) = match words.as_slice() {
        [qcast, plan] => (qcast, plan, PROBES),
        [qcast, plan, probes] => (qcast, plan, probes.parse().with_context(|| probes.clone())?),
        _ => bail!("site_watch QCAST PLAN [PROBES]"),
    };
    let variable =
        |name: &str| env::var(name).with_context(|| format!("{name}: run me with site_stretch record --beside"));
    let (recording, clock) = (PathBuf::from(variable("QCAST_LAB_RECORDING")?), variable("QCAST_LAB_CLOCK")?);
    let recording = fs::canonicalize(recording)?;
    let socket = start_daemon(qcast, &recording, &clock)?;
    let began = wait_for_beginning(&recording)?;
    let jobs: Vec<StretchJob> = fs::read_to_string(plan)
        .with_context(|| plan.clone())?
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let chosen = choose_probes(&jobs, probes, PROBES_FROM_SECONDS);
    let watch = Watch { qcast: qcast.into(), socket, recording, clock: FastClock::parse(&clock)?, began };
    watch.keep(&chosen, &AtomicBool::new(false))
}

/// It is of our group of processes and ends with us.
fn start_daemon(qcast: &str, recording: &Path, clock: &str) -> Result<PathBuf> {
    let folder = recording.join("daemon");
    fs::create_dir_all(&folder)?;
    let socket = folder.join("api.sock");
    let log = File::create(folder.join("daemon.log"))?;
    let mut serve = Command::new(qcast);
    serve.args(["serve", "--clock", clock, "--store"]).arg(folder.join("store.sqlite")).arg("--socket").arg(&socket);
    let mut daemon =
        serve.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn().context("starting qcast serve")?;
    thread::spawn(move || eprintln!("qcast serve ended: {:?}", daemon.wait()));
    wait_until("the daemon's socket", Duration::from_secs(20), || Ok(socket.exists()))?;
    Ok(socket)
}

/// When the stretch began, by the lab's clock; the recorder writes it down right then.
fn wait_for_beginning(recording: &Path) -> Result<i64> {
    let read = || {
        let text = fs::read(recording.join("stretch.json")).ok()?;
        serde_json::from_slice::<serde_json::Value>(&text).ok()?["began"].as_i64()
    };
    wait_until("the stretch", Duration::from_mins(5), || Ok(read().is_some()))?;
    read().context("stretch.json does not say when it began")
}
