//! Doing harm on purpose: what happens to daemons on real sites.
//!
//! Not for: bringing a lab up or down (`lab.rs`).

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::lab::Lab;
use crate::wait::wait_until;

/// How long a daemon may take to save its state.
const TO_SAVE_STATE: Duration = Duration::from_secs(30);

impl Lab {
    /// Stops a cluster's slurmctld, which saves its state.
    pub fn stop_controller(&mut self, cluster: &str) -> Result<()> {
        self.processes_mut().named(&format!("slurmctld-{cluster}"))?.end_politely(TO_SAVE_STATE)
    }

    /// Kills a cluster's slurmctld: what it has not saved, up to five seconds of jobs and their numbers, is lost.
    pub fn kill_controller(&mut self, cluster: &str) -> Result<()> {
        self.processes_mut().named(&format!("slurmctld-{cluster}"))?.end()
    }

    /// Starts a cluster's slurmctld again, and waits until it answers.
    pub fn start_controller(&mut self, cluster: &str) -> Result<()> {
        self.begin_controller(cluster)?;
        self.controller_answers(cluster)
    }

    /// Stops a cluster's slurmctld and starts it again.
    pub fn restart_controller(&mut self, cluster: &str) -> Result<()> {
        self.stop_controller(cluster)?;
        self.start_controller(cluster)
    }

    /// Stops a cluster's slurmctld in its tracks: connections are accepted and never answered.
    pub fn freeze_controller(&mut self, cluster: &str) -> Result<()> {
        self.processes_mut().named(&format!("slurmctld-{cluster}"))?.signal("STOP")
    }

    /// Lets it go on.
    pub fn thaw_controller(&mut self, cluster: &str) -> Result<()> {
        self.processes_mut().named(&format!("slurmctld-{cluster}"))?.signal("CONT")
    }

    /// Stops slurmdbd: sacct fails, and the controllers keep what they have to tell it.
    pub fn stop_accounting(&mut self) -> Result<()> {
        self.processes_mut().named("slurmdbd")?.end_politely(TO_SAVE_STATE)
    }

    /// Starts slurmdbd again, and waits until it answers.
    pub fn start_accounting(&mut self) -> Result<()> {
        self.begin_accounting_daemon()
    }

    /// Stops both slurmrestd of a cluster in their tracks: connections are accepted and never answered.
    pub fn freeze_rest(&mut self, cluster: &str) -> Result<()> {
        self.signal_rest(cluster, "STOP")
    }

    /// Lets them go on.
    pub fn thaw_rest(&mut self, cluster: &str) -> Result<()> {
        self.signal_rest(cluster, "CONT")
    }

    fn signal_rest(&mut self, cluster: &str, signal: &str) -> Result<()> {
        self.processes_mut().named(&format!("slurmrestd-{cluster}"))?.signal(signal)?;
        self.processes_mut().named(&format!("slurmrestd-tokens-{cluster}"))?.signal(signal)
    }

    /// Kills the slurmd of a node. Slurm notices after `silent_node_down_after_seconds`.
    pub fn kill_node(&mut self, node: &str) -> Result<()> {
        self.processes_mut().named(&format!("slurmd-{node}"))?.end()
    }

    /// Starts the slurmd of a node again.
    pub fn start_node(&mut self, cluster: &str, node: &str) -> Result<()> {
        self.begin_node(cluster, node)?;
        wait_until(&format!("{node} to come back"), Duration::from_mins(1), || {
            let state = self.cluster(cluster).run("sinfo", &["-h", "-n", node, "-p", "batch", "-N", "-o", "%t"])?;
            Ok(matches!(state.trim(), "idle" | "mix" | "alloc"))
        })
    }

    /// Adds a line to a cluster's `slurm.conf` and has it read; where a key occurs twice Slurm takes the last.
    pub fn reconfigure(&self, cluster: &str, line: &str) -> Result<()> {
        let path = self.folder().slurm_configuration(cluster);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        fs::write(&path, format!("{text}{line}\n"))?;
        self.cluster(cluster).run("scontrol", &["reconfigure"]).map(drop)
    }
}
