//! Asking slurmrestd, on its socket as root and on its port with a token.
//!
//! By curl, which knows every way a server may answer; a lab needs no client of its own.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cluster::ClusterHandle;
use crate::command::printed;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

impl ClusterHandle<'_> {
    /// The answer to a path such as `/slurm/v0.0.38/jobs`, as root.
    pub fn rest(&self, path: &str) -> Result<Vec<u8>> {
        self.rest_within(path, PATIENCE)
    }

    /// The same, giving up after a real time.
    pub fn rest_within(&self, path: &str, deadline: Duration) -> Result<Vec<u8>> {
        let mut curl = curl(deadline);
        printed(curl.arg("--unix-socket").arg(self.rest_socket()).arg(format!("http://localhost{path}")))
    }

    /// A token for a user, good for an hour of the lab.
    pub fn token(&self, user: &str) -> Result<String> {
        let answer = self.run("scontrol", &["token", &format!("username={user}"), "lifespan=3600"])?;
        Ok(answer.trim().strip_prefix("SLURM_JWT=").context("scontrol gave no token")?.to_owned())
    }

    /// The answer to a path, asked with a user's token.
    pub fn rest_as(&self, user: &str, path: &str) -> Result<Vec<u8>> {
        let mut curl = curl(PATIENCE);
        curl.args(["--header", &format!("X-SLURM-USER-NAME: {user}")]);
        curl.args(["--header", &format!("X-SLURM-USER-TOKEN: {}", self.token(user)?)]);
        printed(curl.arg(format!("http://{}{path}", self.rest_address())))
    }
}

fn curl(deadline: Duration) -> Command {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--fail", "--max-time", &deadline.as_secs().to_string()]);
    command
}
