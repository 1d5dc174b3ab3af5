//! The secret that a proxy shares with the daemon, so that it is known to be the proxy.
//!
//! For: proxies that come over TCP, where an address says nothing: whoever runs programs on the proxy's machine has the same.
//!
//! Not for: proxies on the unix socket, whom the kernel names.
//!
//! Source: compared in constant time (`subtle`), so that it cannot be guessed letter by letter.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue};
use queuecast_wire::{SecretError, SecretReaders, secret};
use subtle::ConstantTimeEq;

use crate::api::reread::Reread;

/// In which header a proxy sends it.
pub(crate) const PROXY_SECRET: HeaderName = HeaderName::from_static("x-queuecast-proxy-secret");

/// Shorter ones can be guessed.
const SHORTEST: usize = 32;

/// A secret, as its file has it now. It is shown to nobody.
#[derive(Clone)]
pub struct ProxySecret(Arc<Reread<Box<[u8]>>>);

/// Why a secret cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProxySecretError {
    /// It cannot be read, or others could.
    #[error(transparent)]
    File(#[from] SecretError),
    /// It could be guessed.
    #[error("the proxy secret in {} is shorter than {SHORTEST} characters; create a secret with `openssl rand -hex 32`", path.display())]
    TooShort {
        /// Where it is.
        path: PathBuf,
    },
    /// No header can hold it.
    #[error("the proxy secret in {} is not a single line of printable characters; create a secret with `openssl rand -hex 32`", path.display())]
    NotOneLine {
        /// Where it is.
        path: PathBuf,
    },
}

impl fmt::Debug for ProxySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProxySecret(..)")
    }
}

impl PartialEq for ProxySecret {
    fn eq(&self, other: &Self) -> bool {
        self.0.current() == other.0.current()
    }
}

impl Eq for ProxySecret {}

impl ProxySecret {
    /// Reads it, and from then on whenever its file changes.
    pub fn read(path: &Path) -> Result<Self, ProxySecretError> {
        let file = path.to_owned();
        Ok(Self(Arc::new(Reread::new(vec![path.to_owned()], move || bytes_of(&file))?)))
    }

    pub(super) fn is(&self, sent: &HeaderValue) -> bool {
        self.0.current().ct_eq(sent.as_bytes()).into()
    }

    #[cfg(test)]
    pub(crate) fn known(bytes: &[u8]) -> Self {
        Self(Arc::new(Reread::fixed(bytes.into())))
    }
}

fn bytes_of(path: &Path) -> Result<Box<[u8]>, ProxySecretError> {
    let bytes = secret::read(path, "the proxy secret", SecretReaders::Owner)?;
    let bytes = bytes.trim_ascii();
    if bytes.len() < SHORTEST {
        return Err(ProxySecretError::TooShort { path: path.to_owned() });
    }
    if !bytes.iter().all(u8::is_ascii_graphic) {
        return Err(ProxySecretError::NotOneLine { path: path.to_owned() });
    }
    Ok(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_secret_that_others_could_have_or_guess_is_refused_and_none_is_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        let read = |text: &str, mode| {
            fs::write(&path, text).expect("it is ours");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
            ProxySecret::read(&path)
        };
        let good = "0123456789abcdef0123456789abcdef\n";
        let secret = read(good, 0o600).expect("a secret");
        assert!(secret.is(&HeaderValue::from_static("0123456789abcdef0123456789abcdef")));
        for wrong in ["", "0123456789abcdef0123456789abcdeF", "0123456789abcdef0123456789abcde"] {
            assert!(!secret.is(&HeaderValue::try_from(wrong).expect("a value")), "{wrong}");
        }
        assert!(!format!("{secret:?}").contains("0123"));
        for mode in [0o640, 0o644, 0o604] {
            assert!(matches!(read(good, mode), Err(ProxySecretError::File(SecretError::TooOpen { .. }))), "{mode:o}");
        }
        assert!(matches!(read("short\n", 0o600), Err(ProxySecretError::TooShort { .. })));
        assert!(matches!(read(&"a b".repeat(20), 0o600), Err(ProxySecretError::NotOneLine { .. })));
    }
}
