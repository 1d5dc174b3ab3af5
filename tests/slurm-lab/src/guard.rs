//! Ends a lab whose process was killed: by a test runner's time limit, Ctrl-C, or a crash. `Drop` is not run then.
//!
//! A shell waits at the other end of a pipe that only the lab's process holds open.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use crate::folder::Folder;

/// The guard of one lab.
#[derive(Debug)]
pub struct Guard(Child);

impl Guard {
    /// Sets a guard over a lab that is about to come up.
    pub fn set(folder: &Folder) -> Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", include_str!("guard.sh"), "qcast-lab-guard"])
            .arg(folder.root())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Ok(Self(shell.context("starting the guard of the lab")?))
    }

    /// Lets the guard finish; after the lab's folder is gone it has nothing to do.
    pub fn dismiss(mut self) {
        drop(self.0.stdin.take());
        drop(self.0.wait());
    }

    /// Sends the guard away from a lab that is to outlive its process.
    pub fn stand_down(mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::leftovers::{self, MARK};
    use crate::process::Processes;
    use crate::wait::wait_until;

    #[test]
    fn when_the_pipe_ends_the_guard_ends_all_of_a_lab_that_is_still_there() {
        let root = tempfile::tempdir().unwrap().keep();
        let folder = Folder::at(&root);
        for part in ["run", "log"] {
            std::fs::create_dir(root.join(part)).unwrap();
        }
        let guard = Guard::set(&folder).unwrap();
        let mut processes = Processes::of(&folder);
        processes.start("daemon", Command::new("sleep").arg("600")).unwrap();
        let mut of_a_job = Command::new("sleep").arg("600").env(MARK, &root).spawn().unwrap();
        // The kernel lets `spawn` return a moment before a new program's environment can be read.
        let is_seen = || Ok(leftovers::of(&root) == [of_a_job.id()]);
        wait_until("the job's process to be seen", Duration::from_secs(10), is_seen).unwrap();
        guard.dismiss();
        assert!(!processes.all()[0].is_alive());
        assert!(leftovers::of(&root).is_empty());
        assert!(!root.exists());
        of_a_job.wait().unwrap();
        processes.end_all().unwrap();
    }
}
