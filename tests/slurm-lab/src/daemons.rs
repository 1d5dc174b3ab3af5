//! The daemons of a lab: how each is started, and when it is there.
//!
//! Not for: what they are told (`configuration.rs`), or stopping some of them in a test (`control.rs`).

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::folder::{Folder, open_to};
use crate::lab::Lab;
use crate::process::Processes;
use crate::settings::ClusterSettings;
use crate::users;
use crate::wait::wait_until;

/// How long a daemon may take to answer, on a machine with much else to do.
const PATIENCE: Duration = Duration::from_mins(2);

/// Writes the keys of the lab: munge's, and the one tokens are signed with.
pub fn write_keys(folder: &Folder) -> Result<()> {
    for (name, length_bytes) in [("munge.key", 1024), ("jwt.key", 32)] {
        let mut key = vec![0; length_bytes];
        File::open("/dev/urandom")?.read_exact(&mut key)?;
        let path = folder.configuration(name);
        std::fs::write(&path, key)?;
        open_to(&path, 0o600)?;
    }
    Ok(())
}

/// Starts munge. Forced, because it finds its folders too open: they must be, for the users of the lab.
pub fn start_munge(folder: &Folder, processes: &mut Processes) -> Result<()> {
    let mut command = Command::new("/usr/sbin/munged");
    command
        .args(["--foreground", "--force", "--num-threads=4"])
        .arg(format!("--socket={}", folder.munge_socket().display()))
        .arg(format!("--key-file={}", folder.configuration("munge.key").display()))
        .arg(format!("--pid-file={}", folder.running("munged.own").display()))
        .arg(format!("--log-file={}", folder.log("munged.log").display()))
        .arg(format!("--seed-file={}", folder.state("munged.seed").display()));
    processes.start("munged", &mut command)?;
    wait_until("munge", PATIENCE, || Ok(folder.munge_socket().exists()))
}

impl Lab {
    pub(crate) fn begin_accounting_daemon(&mut self) -> Result<()> {
        let mut command = self.environment().command(&self.folder().daemon("slurmdbd"));
        command.arg("-D").env("SLURM_CONF", self.folder().configuration("slurmdbd.conf"));
        self.processes_mut().start("slurmdbd", &mut command)?;
        wait_until("slurmdbd", PATIENCE, || {
            let mut asked = self.first_cluster().command("sacctmgr");
            Ok(asked.args(["-n", "show", "cluster"]).output()?.status.success())
        })
    }

    pub(crate) fn add_accounts(&self) -> Result<()> {
        let clusters = self.settings().clusters.iter().map(|cluster| cluster.name.as_str());
        let orders = match &self.settings().accounts {
            Some(accounts) => users::clusters(clusters) + accounts,
            None => users::accounting(clusters, self.settings().users),
        };
        self.tell_accounting(&orders)
    }

    /// Gives sacctmgr orders, one a line, in one run because each run takes a second. It ends well even if it did not understand one: what
    /// it said is in the lab's log.
    pub fn tell_accounting(&self, orders: &str) -> Result<()> {
        let mut command = self.first_cluster().command("sacctmgr");
        let log = self.folder().log("sacctmgr.out");
        let said = File::options().create(true).append(true).open(&log)?;
        let mut sacctmgr = command.arg("-i").stdin(Stdio::piped()).stdout(said.try_clone()?).stderr(said).spawn()?;
        sacctmgr.stdin.take().expect("it was asked for above").write_all(orders.as_bytes())?;
        ensure!(sacctmgr.wait()?.success(), "sacctmgr failed; see {}", log.display());
        Ok(())
    }

    /// `-i`: a controller that has never run has no state to recover, and would otherwise refuse to begin.
    pub(crate) fn begin_controller(&mut self, cluster: &str) -> Result<()> {
        let mut command = self.cluster(cluster).command_at(&self.folder().daemon("slurmctld"));
        command.args(["-D", "-i", "-f"]).arg(self.folder().slurm_configuration(cluster));
        self.processes_mut().start(&format!("slurmctld-{cluster}"), &mut command)
    }

    pub(crate) fn controller_answers(&self, cluster: &str) -> Result<()> {
        wait_until(&format!("slurmctld of {cluster}"), PATIENCE, || {
            Ok(self.cluster(cluster).command("scontrol").arg("ping").output()?.status.success())
        })
    }

    pub(crate) fn begin_node(&mut self, cluster: &str, node: &str) -> Result<()> {
        let mut command = self.cluster(cluster).command_at(&self.folder().daemon("slurmd"));
        command.args(["-D", "-N", node, "-f"]).arg(self.folder().slurm_configuration(cluster));
        command.arg("-d").arg(self.folder().daemon("slurmstepd"));
        self.processes_mut().start(&format!("slurmd-{node}"), &mut command)
    }

    pub(crate) fn nodes_answer(&self, cluster: &ClusterSettings) -> Result<()> {
        wait_until(&format!("the {} nodes of {}", cluster.nodes, cluster.name), PATIENCE, || {
            let idle = self.cluster(&cluster.name).run("sinfo", &["-h", "-N", "-t", "idle", "-o", "%N %t"]);
            // A node is listed once for each of its partitions.
            Ok(idle.is_ok_and(|idle| {
                let nodes: BTreeSet<&str> = idle.lines().filter(|line| line.ends_with(" idle")).collect();
                nodes.len() == usize::from(cluster.nodes)
            }))
        })
    }

    /// Two daemons: in 22.05 one cannot do both. With tokens slurmrestd needs `SLURM_JWT=daemon`, and then local
    /// authentication, which acts as whoever asks, answers with status 500.
    pub(crate) fn begin_rest(&mut self, cluster: &str, port: u16) -> Result<()> {
        let configuration = self.folder().slurm_configuration(cluster);
        let slurmrestd = |lab: &Self, authentication: &str, place: &str| {
            let mut command = lab.cluster(cluster).command_at(&lab.folder().daemon("slurmrestd"));
            // It warns against root and stops, unless told that this is meant.
            command.env("SLURMRESTD_SECURITY", "disable_user_check");
            command.arg("-f").arg(&configuration).args(["-a", authentication, place]);
            command
        };
        let socket = format!("unix:{}", self.cluster(cluster).rest_socket().display());
        let mut local = slurmrestd(self, "rest_auth/local", &socket);
        self.processes_mut().start(&format!("slurmrestd-{cluster}"), &mut local)?;
        let mut tokens = slurmrestd(self, "rest_auth/jwt", &format!("127.0.0.1:{port}"));
        tokens.env("SLURM_JWT", "daemon");
        self.processes_mut().start(&format!("slurmrestd-tokens-{cluster}"), &mut tokens)
    }
}
