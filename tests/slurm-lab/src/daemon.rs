//! A `qcast serve` that watches a cluster of the lab.
//!
//! For: starting it, asking it, killing it at any moment and starting it again on the same store.
//!
//! The daemon itself runs on real time and is told how fast the lab's clock is; Slurm's commands, which it calls, see the
//! lab's.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::cluster::ClusterHandle;
use crate::command::printed;
use crate::wait::wait_until;

/// A daemon, killed when dropped.
#[derive(Debug)]
pub struct Daemon {
    cluster: String,
    program: PathBuf,
    arguments: Vec<String>,
    path: String,
    folder: PathBuf,
    process: Option<Child>,
}

impl Daemon {
    /// For a cluster, with its store in `folder`; not started yet. `program` is `qcast`. Arguments may be added to those of
    /// `serve`.
    pub fn of(cluster: ClusterHandle<'_>, program: &Path, folder: &Path, more: &[&str]) -> Result<Self> {
        let commands = cluster.commands_folder()?;
        let path = format!("{}:{}", commands.display(), std::env::var("PATH").unwrap_or_default());
        let real = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64();
        let clock = format!("{real}:{}:{}", cluster.lab().now_seconds()?, cluster.lab().settings().speed.max(1));
        let mut arguments = vec![
            "serve".to_owned(),
            "--store".to_owned(),
            folder.join("store.sqlite").display().to_string(),
            "--socket".to_owned(),
            folder.join("api.sock").display().to_string(),
            "--clock".to_owned(),
            clock,
        ];
        arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
        let cluster = cluster.name().to_owned();
        Ok(Self { cluster, program: program.to_owned(), arguments, path, folder: folder.to_owned(), process: None })
    }

    /// With commands of this folder in front of Slurm's.
    #[must_use]
    pub fn behind(mut self, commands: &Path) -> Self {
        self.path = format!("{}:{}", commands.display(), self.path);
        self
    }

    /// Starts it; its complaints go to `daemon.log` in its folder.
    pub fn start(&mut self) -> Result<()> {
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env("PATH", &self.path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.process = Some(command.spawn().with_context(|| format!("starting {}", self.program.display()))?);
        Ok(())
    }

    /// Kills it, as `kill -9` does.
    pub fn kill(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill()?;
            process.wait()?;
        }
        Ok(())
    }

    /// Whether it runs.
    pub fn is_alive(&mut self) -> bool {
        self.process.as_mut().is_some_and(|process| matches!(process.try_wait(), Ok(None)))
    }

    /// Its number.
    pub fn number(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// The cluster that it watches.
    pub fn cluster(&self) -> &str {
        &self.cluster
    }

    /// Where it answers.
    pub fn socket(&self) -> PathBuf {
        self.folder.join("api.sock")
    }

    /// Where it keeps everything.
    pub fn store(&self) -> PathBuf {
        self.folder.join("store.sqlite")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("daemon.log")
    }

    /// What it has complained about.
    pub fn complaints(&self) -> String {
        fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// What it answers to a GET.
    pub fn get(&self, path: &str) -> Result<Value> {
        let answer = get_bytes(&self.socket(), path)?;
        serde_json::from_slice(&answer).with_context(|| format!("{path}: {}", String::from_utf8_lossy(&answer)))
    }

    /// `qcast` with a command, to be asked where this daemon is.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(name);
        command
    }

    /// Waits until it answers at all.
    pub fn wait_until_it_answers(&self, deadline: Duration) -> Result<()> {
        wait_until("the daemon's answer", deadline, || Ok(self.get("/v1/health").is_ok()))
    }
}

/// What is answered at a socket to a GET.
pub fn get_bytes(socket: &Path, path: &str) -> Result<Vec<u8>> {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--max-time", "5", "--unix-socket"]).arg(socket);
    printed(curl.arg(format!("http://localhost{path}")))
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // Nobody is left to tell if that fails.
        let _ = self.kill();
    }
}
