//! A folder of Slurm's commands that talk to one cluster of the lab, for programs that call plain `squeue`.
//!
//! The program itself stays on real time and among the machine's own users: only the commands see the lab's clock.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::cluster::ClusterHandle;
use crate::folder::open_to;

/// What programs ask Slurm with.
const COMMANDS: [&str; 9] = ["squeue", "sacct", "sinfo", "scontrol", "sacctmgr", "sdiag", "sprio", "sshare", "sbatch"];

impl ClusterHandle<'_> {
    /// Makes the folder, to be put in front of `PATH`. Every call is noted in [`ClusterHandle::calls`].
    pub fn commands_folder(&self) -> Result<PathBuf> {
        let folder = self.lab().folder().running(&format!("commands-{}", self.name()));
        fs::create_dir_all(&folder)?;
        let configuration = self.lab().folder().slurm_configuration(self.name());
        let configuration = ("SLURM_CONF".to_owned(), configuration.display().to_string());
        let variables = self.lab().environment().variables().iter().chain([&configuration]);
        let exports: Vec<String> = variables.map(|(name, value)| format!("export {name}={}", quoted(value))).collect();
        let exports = exports.join("\n");
        let calls = quoted(&self.calls_file().display().to_string());
        for command in COMMANDS {
            let path = folder.join(command);
            fs::write(
                &path,
                format!("#!/bin/sh\necho {command} >>{calls}\n{exports}\nexec /usr/bin/{command} \"$@\"\n"),
            )?;
            open_to(&path, 0o755)?;
        }
        Ok(folder)
    }

    /// The names of the commands that were called through [`ClusterHandle::commands_folder`], in order.
    pub fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.calls_file()).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }

    fn calls_file(&self) -> PathBuf {
        self.lab().folder().running(&format!("calls-{}", self.name()))
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
