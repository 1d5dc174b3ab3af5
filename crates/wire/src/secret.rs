//! Files that hold a secret: read only if others could not have read them.
//!
//! Not for: what is in them.
//!
//! Source: open(2), fstat(2): permissions are looked at on the file that is open, so that nobody can put another in its place.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Larger files are something else.
const LARGEST: u64 = 256 * 1024;

/// Who may read a secret beside its owner. Nobody else may ever write to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretReaders {
    /// Nobody.
    Owner,
    /// Its group: where a daemon shares a key with another.
    Group,
}

/// Why a secret is not used.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// It cannot be read.
    #[error("{what} in {} cannot be read: {error}", path.display())]
    NotRead {
        /// What it is.
        what: &'static str,
        /// Where it should be.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others could have it.
    #[error("{what} in {} has mode {mode:03o}, so other users may have read the secret; create a new one in a file with mode 600 (chmod 600)", path.display())]
    TooOpen {
        /// What it is.
        what: &'static str,
        /// Where it is.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It is something else.
    #[error("{} is too large for {what} or not a regular file; check the path", path.display())]
    NotASecret {
        /// What it should be.
        what: &'static str,
        /// Where it is.
        path: PathBuf,
    },
}

/// Reads a secret; `what` is what it is called in messages.
pub fn read(path: &Path, what: &'static str, readers: SecretReaders) -> Result<Vec<u8>, SecretError> {
    let not_read = |error| SecretError::NotRead { what, path: path.to_owned(), error };
    let file = File::open(path).map_err(not_read)?;
    let metadata = file.metadata().map_err(not_read)?;
    if !metadata.is_file() {
        return Err(SecretError::NotASecret { what, path: path.to_owned() });
    }
    let mode = metadata.mode() & 0o777;
    let too_open = match readers {
        SecretReaders::Owner => 0o077,
        SecretReaders::Group => 0o037,
    };
    if mode & too_open != 0 {
        return Err(SecretError::TooOpen { what, path: path.to_owned(), mode });
    }
    let mut bytes = Vec::new();
    let length = file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(not_read)?;
    if length as u64 > LARGEST {
        return Err(SecretError::NotASecret { what, path: path.to_owned() });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_secret_that_others_could_have_is_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        fs::write(&path, "secret").expect("it is ours");
        let with = |mode, readers| {
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is ours");
            read(&path, "the token", readers)
        };
        for mode in [0o600, 0o400] {
            assert_eq!(with(mode, SecretReaders::Owner).expect("its owner's"), b"secret");
        }
        for mode in [0o640, 0o604, 0o620, 0o602, 0o644, 0o777] {
            let refused = with(mode, SecretReaders::Owner).expect_err("it is open");
            assert!(matches!(refused, SecretError::TooOpen { .. }), "{mode:o}");
            assert!(refused.to_string().contains("chmod 600"), "{refused}");
        }
        assert!(with(0o640, SecretReaders::Group).is_ok());
        for mode in [0o660, 0o644, 0o641] {
            assert!(with(mode, SecretReaders::Group).is_err(), "{mode:o}");
        }
        assert!(matches!(read(folder.path(), "the token", SecretReaders::Owner), Err(SecretError::NotASecret { .. })));
        let nowhere = read(&folder.path().join("none"), "the token", SecretReaders::Owner);
        assert!(matches!(nowhere, Err(SecretError::NotRead { .. })));
    }
}
