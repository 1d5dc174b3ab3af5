//! Files: the configuration's, and the store with its folder and its disk.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use queuecast_daemon::Settings;
use queuecast_daemon::store::{Store, StoreError};
use rustix::fs::{Access, access, statfs, statvfs};

use super::finding::Finding;
use crate::config::layers::Configuration;

/// Less room than this is soon gone.
const ROOM_LEAST_BYTES: u64 = 1 << 30;

/// File systems of several machines, by the number that statfs(2) gives: a lock on one does not hold on all.
const SHARED: [(i64, &str); 7] = [
    (0x6969, "NFS"),
    (0x0bd0_0bd0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x1983_0326, "BeeGFS"),
    (0x00c3_6400, "Ceph"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
];

/// Whoever may change the configuration may decide who is believed.
pub fn of_configuration(configuration: &Configuration) -> Vec<Finding> {
    const CHECK: &str = "configuration files";
    if configuration.files.is_empty() {
        return vec![Finding::good(CHECK, "no configuration file; defaults, environment variables and options apply")];
    }
    let findings = configuration.files.iter().map(|path| {
        let shown = path.display();
        match fs::metadata(path) {
            Ok(found) if found.mode() & 0o022 != 0 => Finding::bad(
                CHECK,
                format!("other users can change {shown} (mode {:03o})", found.mode() & 0o777),
                format!("chmod go-w {shown}"),
            ),
            Ok(_) => Finding::good(CHECK, shown.to_string()),
            Err(error) => {
                Finding::bad(CHECK, format!("{shown}: {error}"), "make the file readable for the daemon's user")
            }
        }
    });
    findings.collect()
}

/// The store, its folder and its disk. A daemon that runs has it open.
pub fn of_store(settings: &Settings, is_running: bool) -> Vec<Finding> {
    let path = &settings.store;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut findings = vec![of_folder(folder)];
    // Where there is no folder there is nothing else to look at.
    if folder.is_dir() {
        findings.extend(of_disk(folder, settings.watch.store_bytes));
        findings.extend(of_file(path, is_running));
    }
    findings
}

fn of_folder(folder: &Path) -> Finding {
    const CHECK: &str = "store's folder";
    let shown = folder.display();
    let metadata = match fs::metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) => {
            let remedy = format!("install -d -o queuecast -g queuecast -m 0700 {shown}");
            return Finding::bad(CHECK, format!("{shown}: {error}"), remedy);
        }
    };
    if !metadata.is_dir() {
        Finding::bad(CHECK, format!("{shown} is not a directory"), "set another path with store = \"...\"")
    } else if access(folder, Access::WRITE_OK | Access::EXEC_OK).is_err() {
        let remedy = format!("chown queuecast: {shown}; the check applies to the user who runs `qcast doctor`");
        Finding::bad(CHECK, format!("{shown} is not writable"), remedy)
    } else if metadata.mode() & 0o022 != 0 {
        let found = format!("other users can create files in {shown} (mode {:03o})", metadata.mode() & 0o777);
        Finding::bad(CHECK, found, format!("chmod 0700 {shown}"))
    } else {
        Finding::good(CHECK, shown.to_string())
    }
}

fn of_disk(folder: &Path, store_bytes: Option<u64>) -> Vec<Finding> {
    const CHECK: &str = "store's disk";
    let mut findings = Vec::new();
    if let Ok(found) = statfs(folder) {
        #[allow(clippy::unnecessary_cast, reason = "the number's type differs between C libraries")]
        let kind = found.f_type as i64;
        if let Some((_, name)) = SHARED.iter().find(|(number, _)| *number == kind) {
            findings.push(Finding::bad(
                CHECK,
                format!("{} is on {name}, where file locks may not work between machines", folder.display()),
                "keep the store on a local disk: store = \"/var/lib/queuecast/store.sqlite\"",
            ));
        }
    }
    if let Ok(found) = statvfs(folder) {
        let room = found.f_bavail.saturating_mul(found.f_frsize);
        let shown = format!("{} MiB free", room >> 20);
        findings.push(if room < ROOM_LEAST_BYTES {
            Finding::bad(CHECK, shown, "free some disk space; on a full disk forecasts are not saved")
        } else if store_bytes.is_some_and(|bytes| room < bytes) {
            let most = store_bytes.unwrap_or_default() >> 20;
            Finding::warning(
                CHECK,
                shown,
                format!("the store may grow to {most} MiB; set store-limit to the available space"),
            )
        } else {
            Finding::good(CHECK, shown)
        });
    }
    findings
}

fn of_file(path: &Path, is_running: bool) -> Vec<Finding> {
    const CHECK: &str = "store";
    let shown = path.display();
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return vec![Finding::good(CHECK, format!("{shown} does not exist yet; the daemon creates it"))];
        }
        Err(error) => {
            return vec![Finding::bad(CHECK, format!("{shown}: {error}"), "check the permissions of its directory")];
        }
        Ok(metadata) => metadata,
    };
    let mut findings = Vec::new();
    if metadata.mode() & 0o077 != 0 && metadata.is_file() {
        let found = format!(
            "other users can read {shown} (mode {:03o}), which contains names of users and jobs",
            metadata.mode() & 0o777
        );
        findings.push(Finding::bad(CHECK, found, format!("chmod 600 {shown}")));
    }
    if let Err(error) = File::open(path) {
        let remedy = format!("chown queuecast: {shown}*");
        findings.push(Finding::bad(CHECK, format!("{shown}: {error}"), remedy));
        return findings;
    }
    let checked = Store::open_to_read(path).and_then(|store| store.check().map(|()| store.job_count()));
    findings.push(match checked {
        Ok(jobs) => {
            let open = if is_running { "; in use by a daemon" } else { "" };
            Finding::good(CHECK, format!("{jobs} jobs, intact{open}"))
        }
        Err(error) => {
            let remedy = match error {
                StoreError::Newer { .. } => "install the newer qcast again, or restore the backup copy named above",
                StoreError::NotAStore { .. } => "set another file with store = \"...\"",
                _ => {
                    "stop the daemon, then restore a backup (made by `qcast store backup`), or move the file away to start \
                     with an empty store"
                }
            };
            Finding::bad(CHECK, error.to_string(), remedy)
        }
    });
    findings
}
