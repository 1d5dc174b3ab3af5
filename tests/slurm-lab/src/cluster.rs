//! One cluster of a lab, as its users and programs see it: commands, times, places.
//!
//! Not for: jobs (`jobs.rs`, `replay.rs`), the REST interface (`rest.rs`), doing harm to daemons (`control.rs`).

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::command::printed;
use crate::lab::Lab;
use crate::users;

/// One cluster of a lab.
#[derive(Clone, Copy, Debug)]
pub struct ClusterHandle<'lab> {
    lab: &'lab Lab,
    name: &'lab str,
}

impl<'lab> ClusterHandle<'lab> {
    pub(crate) fn new(lab: &'lab Lab, name: &'lab str) -> Self {
        Self { lab, name }
    }

    /// Its name.
    pub fn name(&self) -> &'lab str {
        self.name
    }

    /// The lab it is in.
    pub fn lab(&self) -> &'lab Lab {
        self.lab
    }

    /// A command that talks to this cluster as root, from the folder users submit from.
    pub fn command(&self, program: &str) -> Command {
        self.command_at(Path::new(program))
    }

    /// The same for a program that is not on the path: a daemon, or `qcast` as it was just built.
    pub fn command_at(&self, program: &Path) -> Command {
        let folder = self.lab.folder();
        let mut command = self.lab.environment().command(program);
        command.env("SLURM_CONF", folder.slurm_configuration(self.name)).current_dir(folder.work());
        command
    }

    /// A command as one of the lab's users: `user01`, ..., or `root`.
    pub fn command_as(&self, user: &str, program: &str) -> Command {
        let number = users::number(user).unwrap_or_else(|| panic!("the lab has no user {user}"));
        let mut command = self.command(program);
        // As root, std also drops the groups of whoever runs the test.
        command.gid(number).uid(number).env("USER", user).env("HOME", self.lab.folder().work());
        command
    }

    /// What a command prints, as text.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.run_bytes(program, arguments)?).into_owned())
    }

    /// What a command prints, byte by byte: names of jobs need not be text.
    pub fn run_bytes(&self, program: &str, arguments: &[&str]) -> Result<Vec<u8>> {
        printed(self.command(program).args(arguments))
    }

    /// Its `slurm.conf`.
    pub fn slurm_configuration(&self) -> PathBuf {
        self.lab.folder().slurm_configuration(self.name)
    }

    /// The socket of the slurmrestd that acts as whoever asks.
    pub fn rest_socket(&self) -> PathBuf {
        self.lab.folder().running(&format!("rest-{}.sock", self.name))
    }

    /// Where the slurmrestd with tokens is.
    pub fn rest_address(&self) -> String {
        let index = self.lab.settings().clusters.iter().position(|cluster| cluster.name == self.name);
        let ports = &self.lab.ports().clusters[index.expect("a handle is only made for a cluster of the lab")];
        format!("127.0.0.1:{}", ports.rest)
    }
}
