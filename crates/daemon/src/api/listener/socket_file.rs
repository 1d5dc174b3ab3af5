//! The file of a unix socket: made where nobody else can put another in its place, replaced only if nobody listens on it.
//!
//! For: starting after a crash without help, and never taking a running daemon's place or somebody's file.
//!
//! Not for: two daemons that start in the same instant; a store has one writer (`store`).
//!
//! Source: unix(7): permissions of a socket's file decide who may connect, and `bind` makes it with the process's mask; so it
//! is made under another name, given its permissions, and only then put in its place. rename(2) does not follow links.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use tokio::net::{UnixListener, UnixStream};

use crate::api::ApiError;

const WRITABLE_BY_ALL: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// A socket's file; removed when dropped, if it is still the same.
pub(super) struct SocketFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl SocketFile {
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // Somebody else's by now, or gone: both are not ours to mend.
        if fs::symlink_metadata(&self.path).is_ok_and(|found| identity(&found) == self.identity) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Listens at this path.
pub(super) async fn bind(path: &Path, mode: u32) -> Result<(UnixListener, SocketFile), ApiError> {
    let failed = |error| ApiError::NotBound { place: path.display().to_string(), error };
    let folder = checked_folder(path)?;
    check_place(path).await?;
    let aside = tempfile::Builder::new().prefix(".api-").make_in(folder, |aside| UnixListener::bind(aside));
    let (listener, identity) = aside.and_then(|aside| placed(aside, path, mode)).map_err(failed)?;
    Ok((listener, SocketFile { path: path.to_owned(), identity }))
}

fn placed(aside: NamedTempFile<UnixListener>, path: &Path, mode: u32) -> io::Result<(UnixListener, (u64, u64))> {
    fs::set_permissions(aside.path(), Permissions::from_mode(mode))?;
    let identity = identity(&fs::symlink_metadata(aside.path())?);
    Ok((aside.persist(path)?, identity))
}

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// Where others may rename what is ours, a socket proves nothing about who answers on it.
fn checked_folder(path: &Path) -> Result<&Path, ApiError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let metadata = fs::metadata(folder).map_err(|error| ApiError::NoFolder { folder: folder.to_owned(), error })?;
    if !metadata.is_dir() {
        let error = io::ErrorKind::NotADirectory.into();
        return Err(ApiError::NoFolder { folder: folder.to_owned(), error });
    }
    if metadata.mode() & WRITABLE_BY_ALL != 0 && metadata.mode() & STICKY == 0 {
        return Err(ApiError::UnsafeFolder { folder: folder.to_owned() });
    }
    Ok(folder)
}

/// Nothing is there, or a socket on which nobody listens.
async fn check_place(path: &Path) -> Result<(), ApiError> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(|error| ApiError::NotBound { place: path.display().to_string(), error })?,
    };
    if !found.file_type().is_socket() {
        return Err(ApiError::NotASocket { path: path.to_owned() });
    }
    match UnixStream::connect(path).await {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // Connected, or too busy to be: somebody is there.
        _ => Err(ApiError::InUse { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a scratch folder can be made")
    }

    #[tokio::test]
    async fn a_socket_has_the_permissions_it_was_asked_for_and_is_gone_with_its_listener() {
        let folder = folder();
        let path = folder.path().join("api.sock");
        let (listener, file) = bind(&path, 0o660).await.expect("a fresh place");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o660);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left in the folder");
        drop((listener, file));
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn a_stale_socket_is_replaced_and_one_in_use_is_not() {
        let folder = folder();
        let path = folder.path().join("api.sock");
        drop(std::os::unix::net::UnixListener::bind(&path).expect("a socket"));
        let (listener, file) = bind(&path, 0o666).await.expect("nobody listens on it");
        assert!(matches!(bind(&path, 0o666).await, Err(ApiError::InUse { .. })));
        drop((listener, file));
    }

    #[tokio::test]
    async fn files_links_and_folders_are_left_alone() {
        let folder = folder();
        let file = folder.path().join("precious");
        fs::write(&file, "data").unwrap();
        let link = folder.path().join("link");
        symlink(&file, &link).unwrap();
        let dangling = folder.path().join("dangling");
        symlink(folder.path().join("elsewhere"), &dangling).unwrap();
        for path in [&file, &link, &dangling, &folder.path().to_owned()] {
            assert!(matches!(bind(path, 0o666).await, Err(ApiError::NotASocket { .. })), "{}", path.display());
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "data");
    }

    #[tokio::test]
    async fn a_folder_in_which_everybody_may_replace_the_socket_is_refused() {
        let folder = folder();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let path = folder.path().join("api.sock");
        assert!(matches!(bind(&path, 0o666).await, Err(ApiError::UnsafeFolder { .. })));
        fs::set_permissions(folder.path(), Permissions::from_mode(0o1777)).unwrap();
        assert!(bind(&path, 0o666).await.is_ok());
        assert!(matches!(bind(Path::new("/no/such/folder/api.sock"), 0o666).await, Err(ApiError::NoFolder { .. })));
    }

    #[tokio::test]
    async fn a_socket_that_somebody_else_put_there_since_stays() {
        let folder = folder();
        let path = folder.path().join("api.sock");
        let (listener, file) = bind(&path, 0o666).await.expect("a fresh place");
        fs::remove_file(&path).unwrap();
        let _other = std::os::unix::net::UnixListener::bind(&path).unwrap();
        drop((listener, file));
        assert!(path.exists());
    }
}
