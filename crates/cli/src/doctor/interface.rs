//! Where it answers: the socket's folder, the port, the certificate.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use queuecast_daemon::Settings;
use queuecast_daemon::api::Listen;
use rustix::fs::{Access, access};

use super::finding::Finding;

/// Looks at each place.
pub fn checked(settings: &Settings, is_running: bool) -> Vec<Finding> {
    let findings = settings.listen.iter().map(|listen| match listen {
        Listen::Unix(path) => of_socket(path, is_running),
        Listen::Tcp(address) => {
            const CHECK: &str = "port";
            let is_safe = address.ip().to_canonical().is_loopback() || settings.api.tls.is_some() || settings.api.tls_by_proxy;
            if !is_safe {
                return Finding::bad(
                    CHECK,
                    format!("{address} is reachable from other machines without TLS"),
                    "set tls-certificate and tls-key, listen on 127.0.0.1, or set tls-by-proxy = true if a proxy terminates TLS",
                );
            }
            match TcpListener::bind(address) {
                Ok(_) => Finding::good(CHECK, format!("{address} is free")),
                Err(error) if is_running && error.kind() == std::io::ErrorKind::AddrInUse => {
                    Finding::good(CHECK, format!("{address} is in use; a daemon is running"))
                }
                Err(error) => Finding::bad(
                    CHECK,
                    format!("{address}: {error}"),
                    format!("`ss -ltnp` shows which process uses the port; set another with listen = \"{}:...\"", address.ip()),
                ),
            }
        }
    });
    findings.collect()
}

fn of_socket(path: &Path, is_running: bool) -> Finding {
    const CHECK: &str = "socket";
    let shown = path.display();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = folder.display();
    let metadata = match fs::metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) => {
            return Finding::bad(
                CHECK,
                format!("directory {place}: {error}"),
                "systemd creates the directory (RuntimeDirectory=queuecast); by hand: install -d -o queuecast -m 0755 /run/queuecast",
            );
        }
    };
    if metadata.mode() & 0o1002 == 0o002 {
        return Finding::bad(CHECK, format!("all users can replace files in {place}"), format!("chmod 0755 {place}"));
    }
    if !is_running && access(folder, Access::WRITE_OK).is_err() {
        return Finding::bad(
            CHECK,
            format!("{place} is not writable"),
            format!("chown queuecast: {place}; the check applies to the user who runs `qcast doctor`"),
        );
    }
    let is_there = fs::symlink_metadata(path);
    if is_there.is_ok_and(|found| !std::os::unix::fs::FileTypeExt::is_socket(&found.file_type())) {
        return Finding::bad(
            CHECK,
            format!("{shown} exists and is not a socket"),
            "remove it, or set another path with socket = \"...\"",
        );
    }
    Finding::good(CHECK, shown.to_string())
}
