//! What goes wrong on real sites, at random times, one thing after the other: each is done, lasts a while and is undone.
//!
//! Faults of Slurm hit whoever watches: the controller or accounting is stopped, killed or hangs, a node dies. Those of the daemon's own place hit only the
//! daemon that lives there: Slurm's commands hang, fail, break off or print rubbish, and its disk is full.

use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use queuecast_slurm_lab::{Lab, site};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::json;

/// In real seconds.
const PAUSE_SECONDS: std::ops::Range<u64> = 10..60;
const LASTS_SECONDS: std::ops::Range<u64> = 3..40;
/// How many nodes may be killed: those whose number is the least.
const NODES: u32 = 20;
/// Of the disk that the daemon has for its store.
const DISK: &str = "size=1g";

/// Does what it is told in the file beside it, and else what the command of that name does further down the path.
const COMMAND: &str = r#"#!/bin/sh
here=${0%/*} name=${0##*/}
PATH=${PATH#"$here":}
case $(cat "$here/fault" 2>/dev/null) in
    hangs) sleep 1000 ;;
    fails) echo "$name: error: Unable to contact slurm controller (connect failure)" >&2; exit 1 ;;
    breaks-off) "$name" "$@" | head -c 3000; exit 1 ;;
    rubbish) head -c 200000 /dev/urandom ;;
    *) exec "$name" "$@" ;;
esac
"#;
const COMMANDS: [&str; 6] = ["squeue", "sacct", "sinfo", "scontrol", "sacctmgr", "sdiag"];

/// Where the harmed daemon lives: its commands, and a disk of its own.
#[derive(Debug)]
pub struct Place {
    commands: PathBuf,
    disk: PathBuf,
}

impl Place {
    /// Makes it.
    pub fn make(folder: &Path) -> Result<Self> {
        let place = Self { commands: folder.join("commands"), disk: folder.join("disk") };
        fs::create_dir(&place.commands)?;
        for name in COMMANDS {
            let path = place.commands.join(name);
            fs::write(&path, COMMAND)?;
            fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
        }
        fs::create_dir(&place.disk)?;
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", DISK, "soak"]).arg(&place.disk).status()?;
        ensure!(mounted.success(), "no disk of its own can be had for the daemon (mount: {mounted})");
        Ok(place)
    }

    /// To be put in front of its path.
    pub fn commands(&self) -> &Path {
        &self.commands
    }

    /// For its store.
    pub fn store_folder(&self) -> &Path {
        &self.disk
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What is on it is not kept. Nobody is left to tell if that fails.
        let _ = Command::new("umount").arg("--lazy").arg(&self.disk).status();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    ControllerStopped,
    ControllerKilled,
    ControllerHangs,
    AccountingStopped,
    NodeKilled(u32),
    Commands(&'static str),
    DiskFull,
}

impl Fault {
    fn draw(random: &mut Pcg64) -> Self {
        match random.random_range(0..12) {
            0 => Self::ControllerStopped,
            1 => Self::ControllerKilled,
            2 => Self::ControllerHangs,
            3 | 4 => Self::AccountingStopped,
            5 => Self::NodeKilled(random.random_range(1..=NODES)),
            6 => Self::Commands("hangs"),
            7 => Self::Commands("fails"),
            8 => Self::Commands("breaks-off"),
            9 => Self::Commands("rubbish"),
            _ => Self::DiskFull,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ControllerStopped => f.write_str("slurmctld stopped"),
            Self::ControllerKilled => f.write_str("slurmctld killed"),
            Self::ControllerHangs => f.write_str("slurmctld hangs"),
            Self::AccountingStopped => f.write_str("slurmdbd stopped"),
            Self::NodeKilled(_) => f.write_str("slurmd killed"),
            Self::Commands(how) => write!(f, "commands: {how}"),
            Self::DiskFull => f.write_str("disk full"),
        }
    }
}

/// What goes wrong, and where it is written down.
pub struct Faults<'a> {
    lab: Lab,
    place: &'a Place,
    random: Pcg64,
    record: File,
}

impl<'a> Faults<'a> {
    /// Of this lab and place.
    pub fn of(lab: Lab, place: &'a Place, seed: u64, record: &Path) -> Result<Self> {
        Ok(Self { lab, place, random: Pcg64::seed_from_u64(seed ^ 0xFA), record: File::create(record)? })
    }

    /// One after the other until it is over. A fault that cannot be undone ends the soak: the rest would measure nothing.
    pub fn happen_until(&mut self, is_over: &AtomicBool) -> Result<()> {
        let begun = Instant::now();
        loop {
            let pause = Duration::from_secs(self.random.random_range(PAUSE_SECONDS));
            let until = Instant::now() + pause;
            while Instant::now() < until {
                if is_over.load(Ordering::Relaxed) {
                    return Ok(());
                }
                thread::sleep(Duration::from_millis(200));
            }
            let fault = Fault::draw(&mut self.random);
            let at_seconds = begun.elapsed().as_secs();
            let lasts = Duration::from_secs(self.random.random_range(LASTS_SECONDS));
            self.begin(fault).with_context(|| format!("{fault} after {at_seconds} s"))?;
            thread::sleep(lasts);
            self.undo(fault).with_context(|| format!("undoing: {fault} after {at_seconds} s"))?;
            let line = json!({"at_seconds": at_seconds, "fault": fault.to_string(), "lasted_seconds": lasts.as_secs()});
            writeln!(self.record, "{line}")?;
        }
    }

    fn begin(&mut self, fault: Fault) -> Result<()> {
        match fault {
            Fault::ControllerStopped => self.lab.stop_controller(site::CLUSTER),
            Fault::ControllerKilled => self.lab.kill_controller(site::CLUSTER),
            Fault::ControllerHangs => self.lab.freeze_controller(site::CLUSTER),
            Fault::AccountingStopped => self.lab.stop_accounting(),
            Fault::NodeKilled(node) => self.lab.kill_node(&node_name(node)),
            Fault::Commands(how) => Ok(fs::write(self.place.commands.join("fault"), how)?),
            Fault::DiskFull => {
                // It takes all that is left, and says that it was not enough.
                let mut fill = Command::new("dd");
                fill.args(["if=/dev/zero", "bs=4k"]).arg(format!("of={}", self.filling().display()));
                ensure!(!fill.output()?.status.success(), "the disk does not become full");
                Ok(())
            }
        }
    }

    fn undo(&mut self, fault: Fault) -> Result<()> {
        match fault {
            Fault::ControllerStopped | Fault::ControllerKilled => self.lab.start_controller(site::CLUSTER),
            Fault::ControllerHangs => self.lab.thaw_controller(site::CLUSTER),
            Fault::AccountingStopped => self.lab.start_accounting(),
            Fault::NodeKilled(node) => {
                // It is there again even if Slurm does not take it back at once.
                if let Err(error) = self.lab.start_node(site::CLUSTER, &node_name(node)) {
                    eprintln!("{fault}: {error:#}");
                }
                Ok(())
            }
            Fault::Commands(_) => Ok(fs::remove_file(self.place.commands.join("fault"))?),
            Fault::DiskFull => Ok(fs::remove_file(self.filling())?),
        }
    }

    fn filling(&self) -> PathBuf {
        self.place.disk.join("filling")
    }
}

fn node_name(node: u32) -> String {
    format!("{}{node}", site::CLUSTER)
}
