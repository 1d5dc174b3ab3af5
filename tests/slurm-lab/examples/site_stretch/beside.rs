//! A process that runs while a stretch is recorded, such as `qcast serve`: told where the lab is, and ended with it.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, thread};

use anyhow::{Context, Result};
use queuecast_slurm_lab::ClusterHandle;

/// How long it may take to end by itself.
const TO_END: Duration = Duration::from_secs(20);

/// The process, ended when dropped.
pub struct Beside(Child);

impl Beside {
    /// Starts it in a group of its own; what it says is kept in `beside.log`. It runs on real time and among the machine's own users: Slurm's
    /// commands, which are first on its path, see the lab's.
    pub fn start(cluster: ClusterHandle<'_>, command: &str, recording: &Path) -> Result<Self> {
        let commands = cluster.commands_folder()?;
        let real = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64();
        let lab = cluster.lab();
        let clock = format!("{real}:{}:{}", lab.now_seconds()?, lab.settings().speed.max(1));
        let log = File::create(recording.join("beside.log"))?;
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .env("PATH", format!("{}:{}", commands.display(), env::var("PATH").unwrap_or_default()))
            .env("SLURM_CONF", cluster.slurm_configuration())
            .env("QCAST_LAB_CLOCK", clock)
            .env("QCAST_LAB_REST", cluster.rest_socket())
            .env("QCAST_LAB_RECORDING", recording)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0);
        Ok(Self(shell.spawn().with_context(|| format!("starting {command}"))?))
    }

    fn signal(&self, signal: &str) {
        // Its group, by its number: what the shell has started ends too. Gone already is as good.
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-s", signal, "--", &group]).stderr(Stdio::null()).status();
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.signal("TERM");
        let begun = Instant::now();
        while begun.elapsed() < TO_END && matches!(self.0.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(100));
        }
        self.signal("KILL");
        // Nobody is left to tell if that fails.
        let _ = self.0.wait();
    }
}
