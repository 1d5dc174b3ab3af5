//! The key that Slurm signs tokens with, from its file, which is read again when it changes.
//!
//! For: refusing a key that others could have read or written: whoever has it is whoever they like.
//!
//! Not for: when it is read again (`reread`).
//!
//! Source: slurm.conf(5), `AuthAltParameters=jwt_key=`; Slurm takes the whole file, a line break at its end too. RFC 7518, 3.2: a key
//! of HS256 has at least 256 bits.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::api::reread::Reread;

/// Shorter keys can be guessed.
const SHORTEST_KEY: usize = 32;
/// Longer files are something else.
const LARGEST_KEY: u64 = 64 * 1024;
/// Group may read it, nobody may write to it but the owner, and others may do nothing.
const TOO_OPEN: u32 = 0o037;

/// A key, as its file has it now. It is shown to nobody.
#[derive(Clone)]
pub struct TokenKey(Arc<Reread<Box<[u8]>>>);

impl PartialEq for TokenKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for TokenKey {}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenKey(..)")
    }
}

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It cannot be read.
    #[error("cannot read the Slurm token key {}: {error}; use slurmctld's jwt_key, readable by the daemon", path.display())]
    NotRead {
        /// Where it should be.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others could have it.
    #[error("the Slurm token key {} has mode {mode:03o}; remove access for other users (chmod 640 or 600)", path.display())]
    TooOpen {
        /// Where it is.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It is no key.
    #[error("{} has {bytes} bytes; a Slurm token key has at least {SHORTEST_KEY}", path.display())]
    NotAKey {
        /// Where it is.
        path: PathBuf,
        /// How long it is.
        bytes: u64,
    },
}

impl TokenKey {
    /// Reads it, and from then on whenever its file changes.
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        let file = path.to_owned();
        Ok(Self(Arc::new(Reread::new(vec![path.to_owned()], move || bytes_of(&file))?)))
    }

    pub(super) fn bytes(&self) -> Arc<Box<[u8]>> {
        self.0.current()
    }

    #[cfg(test)]
    pub(crate) fn known(bytes: &[u8]) -> Self {
        Self(Arc::new(Reread::fixed(bytes.into())))
    }
}

fn bytes_of(path: &Path) -> Result<Box<[u8]>, KeyFileError> {
    let not_read = |error| KeyFileError::NotRead { path: path.to_owned(), error };
    let file = File::open(path).map_err(not_read)?;
    // Of the file that is open, so that nobody can put another in its place.
    let mode = file.metadata().map_err(not_read)?.mode() & 0o777;
    if mode & TOO_OPEN != 0 {
        return Err(KeyFileError::TooOpen { path: path.to_owned(), mode });
    }
    let mut bytes = Vec::new();
    let length = file.take(LARGEST_KEY + 1).read_to_end(&mut bytes).map_err(not_read)?;
    if length < SHORTEST_KEY || length as u64 > LARGEST_KEY {
        return Err(KeyFileError::NotAKey { path: path.to_owned(), bytes: length as u64 });
    }
    Ok(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_that_others_may_read_or_anybody_else_write_is_refused_and_none_is_shown() {
        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        let path = folder.path().join("jwt.key");
        let read = |bytes: &[u8], mode| {
            fs::write(&path, bytes).expect("it is ours");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
            TokenKey::read(&path)
        };
        let key = b"a secret of more than 32 bytes in all\n";
        for mode in [0o600, 0o400, 0o640] {
            let read = read(key, mode).expect("a key");
            assert_eq!(&**read.bytes(), key, "{mode:o}");
            assert!(!format!("{read:?}").contains("secret"));
        }
        for mode in [0o644, 0o604, 0o660, 0o602, 0o601] {
            assert!(matches!(read(key, mode), Err(KeyFileError::TooOpen { .. })), "{mode:o}");
        }
        for wrong in [&[][..], &key[..31], &vec![1; 70_000]] {
            assert!(matches!(read(wrong, 0o600), Err(KeyFileError::NotAKey { .. })), "{}", wrong.len());
        }
        let nowhere = TokenKey::read(&folder.path().join("nowhere"));
        assert!(matches!(nowhere, Err(KeyFileError::NotRead { .. })));
        assert!(matches!(
            TokenKey::read(folder.path()),
            Err(KeyFileError::NotRead { .. } | KeyFileError::TooOpen { .. })
        ));
    }

    #[test]
    fn a_key_that_is_replaced_counts_without_a_restart_and_one_that_is_open_to_others_does_not() {
        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        let path = folder.path().join("jwt.key");
        let write = |letter: u8, mode| {
            fs::write(&path, [letter; 32]).expect("it is ours");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
        };
        write(b'a', 0o600);
        let file = path.clone();
        let key =
            TokenKey(Arc::new(Reread::new(vec![path.clone()], move || bytes_of(&file)).expect("a key").at_once()));
        write(b'b', 0o600);
        assert_eq!(&**key.bytes(), [b'b'; 32]);
        write(b'c', 0o644);
        assert_eq!(&**key.bytes(), [b'b'; 32], "anybody could have written tokens with it");
        write(b'd', 0o640);
        assert_eq!(&**key.bytes(), [b'd'; 32]);
    }
}
