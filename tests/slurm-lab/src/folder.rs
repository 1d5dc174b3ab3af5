//! Where things are in a lab's folder.
//!
//! The folder must be short, because a Unix socket's path may have 108 bytes at most, and readable by the lab's users,
//! so never below `/root`: it is directly in `/tmp`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The folder of one lab.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder that is there or will be.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Makes the folders of the lab, and names for the daemons to be started by.
    pub fn make(&self) -> Result<()> {
        for part in ["etc", "run", "log", "state", "spool", "sbin", "work", "database"] {
            fs::create_dir_all(self.root.join(part))
                .with_context(|| format!("making {}/{part}", self.root.display()))?;
        }
        open_to(&self.root, 0o755)?;
        open_to(&self.work(), 0o1777)?;
        for daemon in ["slurmctld", "slurmd", "slurmstepd", "slurmdbd", "slurmrestd"] {
            symlink(installed(daemon)?, self.daemon(daemon))?;
        }
        Ok(())
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A configuration file, key or list of users.
    pub fn configuration(&self, name: &str) -> PathBuf {
        self.root.join("etc").join(name)
    }

    /// The `slurm.conf` of a cluster.
    pub fn slurm_configuration(&self, cluster: &str) -> PathBuf {
        self.configuration(&format!("{cluster}.conf"))
    }

    /// A socket, process number or other trace of something that runs.
    pub fn running(&self, name: &str) -> PathBuf {
        self.root.join("run").join(name)
    }

    /// What a daemon says.
    pub fn log(&self, name: &str) -> PathBuf {
        self.root.join("log").join(name)
    }

    /// What a daemon keeps.
    pub fn state(&self, name: &str) -> PathBuf {
        self.root.join("state").join(name)
    }

    /// Where nodes keep the scripts of their jobs.
    pub fn spool(&self, cluster: &str) -> PathBuf {
        self.root.join("spool").join(cluster)
    }

    /// Where users submit from; everybody may write.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The data of `MariaDB`.
    pub fn database(&self) -> PathBuf {
        self.root.join("database/data")
    }

    /// The name a daemon is started by.
    pub fn daemon(&self, name: &str) -> PathBuf {
        self.root.join("sbin").join(name)
    }

    /// The socket of munge.
    pub fn munge_socket(&self) -> PathBuf {
        self.running("munge.sock")
    }
}

/// Writes nothing but the permissions.
pub fn open_to(path: &Path, mode: u32) -> Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).with_context(|| format!("opening {}", path.display()))
}

/// The real daemon. With the package slurm-wlm-emulator the plain name may lead to a daemon that refuses to start; the
/// name with `-wlm` never does. It must still be *called* by its plain name, since Slurm finds out from `argv[0]` which
/// daemon it is, hence the links in the folder.
fn installed(daemon: &str) -> Result<PathBuf> {
    [format!("/usr/sbin/{daemon}-wlm"), format!("/usr/sbin/{daemon}")]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
        .with_context(|| format!("{daemon} is not installed; run tests/install-slurm.sh as root"))
}
