//! A folder of the asker's own on this machine, for Slurm's answers.
//!
//! In `XDG_RUNTIME_DIR`, which is private, in memory and gone with the session; else in the temporary folder, which anybody may
//! write to, so that what is there is looked at first. Not in the home folder: on clusters that is often on other machines, and the
//! same on several clusters.
//!
//! Source: XDG Base Directory Specification 0.8.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::DirectError;

/// Which cluster Slurm's commands talk to; answers of one are no answers of another.
const WHICH_SLURM: [&str; 2] = ["SLURM_CONF", "SLURM_CLUSTERS"];

/// A folder that nobody else may look into.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    user_id: u32,
}

impl PrivateFolder {
    /// That of whoever runs this, for the Slurm they talk to.
    pub fn of_this_process() -> Result<Self, DirectError> {
        let this = Path::new("/proc/self");
        let user_id = fs::metadata(this).map_err(|error| DirectError::Folder { path: this.to_owned(), error })?.uid();
        let which: Vec<Option<OsString>> = WHICH_SLURM.iter().map(std::env::var_os).collect();
        let mut hasher = DefaultHasher::new();
        which.hash(&mut hasher);
        let name = format!("{:016x}", hasher.finish());
        let session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
        if let Some(folder) = session.and_then(|session| Self::made(&session.join("queuecast"), &name, user_id).ok()) {
            return Ok(folder);
        }
        Self::made(&std::env::temp_dir().join(format!("queuecast-{user_id}")), &name, user_id)
    }

    fn made(root: &Path, name: &str, user_id: u32) -> Result<Self, DirectError> {
        let path = root.join(name);
        for place in [root, &path] {
            let made = DirBuilder::new().mode(0o700).create(place);
            let failed = |error| DirectError::Folder { path: place.to_owned(), error };
            match made {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
                _ => {}
            }
            let found = fs::symlink_metadata(place).map_err(failed)?;
            if !found.is_dir() || found.uid() != user_id || found.mode() & 0o077 != 0 {
                return Err(DirectError::NotPrivate { path: place.to_owned() });
            }
        }
        Ok(Self { path, user_id })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whose it is.
    pub fn user_id(&self) -> u32 {
        self.user_id
    }

    /// Waits until nobody else asks Slurm for the same person; until it is dropped, nobody does.
    pub fn lock(&self) -> Result<File, DirectError> {
        let path = self.path.join("lock");
        let opened = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
        let locked = opened.and_then(|file| file.lock().map(|()| file));
        locked.map_err(|error| DirectError::Folder { path, error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn own_user_id() -> u32 {
        fs::metadata("/proc/self").expect("Linux").uid()
    }

    #[test]
    fn a_folder_is_made_for_its_owner_only_and_found_again() {
        let here = tempfile::tempdir().expect("a folder");
        let root = here.path().join("queuecast");
        for _ in 0..2 {
            let folder = PrivateFolder::made(&root, "one", own_user_id()).expect("it is ours");
            let mode = fs::metadata(folder.path()).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
            folder.lock().expect("nobody else has it");
        }
    }

    #[test]
    fn a_folder_that_others_may_look_into_or_own_or_that_leads_elsewhere_is_not_used() {
        let here = tempfile::tempdir().expect("a folder");
        let open = here.path().join("open");
        fs::create_dir(&open).expect("it is made");
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let elsewhere = here.path().join("elsewhere");
        symlink(here.path(), &elsewhere).expect("a link");
        let file = here.path().join("file");
        fs::write(&file, "").expect("a file");
        for root in [open, elsewhere, file] {
            let refused = PrivateFolder::made(&root, "one", own_user_id());
            assert!(matches!(refused, Err(DirectError::NotPrivate { .. })), "{refused:?}");
        }
        let another = PrivateFolder::made(&here.path().join("new"), "one", own_user_id() + 1);
        assert!(matches!(another, Err(DirectError::NotPrivate { .. })), "{another:?}");
    }
}
