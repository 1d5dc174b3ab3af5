//! The lab's clock, and the environment through which every process of the lab sees it and the lab's users.
//!
//! At real speed there is nothing to it. Above, libfaketime shows a fast clock, kept in shared memory, to all daemons,
//! commands and jobs: `sleep 600` in a job ends after 10 s at speed 60, and Slurm records ten minutes; limits, backfill
//! and priorities follow. munge and `MariaDB` stay on real time, which nobody compares with Slurm's.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::folder::{Folder, open_to};
use crate::leftovers::MARK;
use crate::process::Processes;
use crate::wait::wait_until;

const USERS_LIBRARY: &str = "libnss_wrapper.so";
/// What holds the shared memory open: the command `faketime` ends, and takes it along, when its child does.
const HOLDER: &str = r#"echo "$FAKETIME_SHARED" >"$0"; exec tail -f /dev/null"#;

/// Variables, by name and value.
pub type Environment = Vec<(String, String)>;

/// Starts the clock if it is to be fast, and says what every process of the lab must have in its environment.
pub fn start(folder: &Folder, processes: &mut Processes, speed: u32) -> Result<Environment> {
    let path = |path: &Path| path.display().to_string();
    let mut environment = vec![
        (MARK.to_owned(), path(folder.root())),
        ("NSS_WRAPPER_PASSWD".to_owned(), path(&folder.configuration("passwd"))),
        ("NSS_WRAPPER_GROUP".to_owned(), path(&folder.configuration("group"))),
    ];
    if speed <= 1 {
        environment.push(("LD_PRELOAD".to_owned(), USERS_LIBRARY.to_owned()));
        return Ok(environment);
    }
    let library = format!("/usr/lib/{}-linux-gnu/faketime/libfaketimeMT.so.1", std::env::consts::ARCH);
    ensure!(Path::new(&library).exists(), "{library} is not installed; run tests/install-slurm.sh as root");
    let rate = format!("+0 x{speed}");
    let shared = folder.running("clock");
    let mut command = Command::new("faketime");
    command
        .env(MARK, folder.root())
        .env("FAKETIME_DONT_RESET", "1")
        .args(["-f", &rate, "sh", "-c", HOLDER])
        .arg(&shared);
    processes.start("clock", &mut command)?;
    wait_until("the fast clock", Duration::from_secs(10), || {
        Ok(fs::read_to_string(&shared).is_ok_and(|names| names.ends_with('\n')))
    })?;
    let names = fs::read_to_string(&shared)?.trim().to_owned();
    for file in shared_memory(&names) {
        // Jobs run as the lab's users, and see the clock only if they may open it.
        open_to(Path::new(&file), 0o666)?;
    }
    environment.extend([
        ("FAKETIME_DONT_RESET".to_owned(), "1".to_owned()),
        ("FAKETIME".to_owned(), rate),
        ("FAKETIME_SHARED".to_owned(), names),
        ("LD_PRELOAD".to_owned(), format!("{USERS_LIBRARY}:{library}")),
    ]);
    Ok(environment)
}

/// Removes the shared memory of a fast clock, the one thing of a lab outside of its folder.
pub fn remove(folder: &Folder) {
    if let Ok(names) = fs::read_to_string(folder.running("clock")) {
        for file in shared_memory(names.trim()) {
            drop(fs::remove_file(file));
        }
    }
}

/// The files behind a semaphore and a piece of shared memory, whichever of the two a name is for.
fn shared_memory(names: &str) -> Vec<String> {
    let files = names
        .split_whitespace()
        .flat_map(|name| [format!("/dev/shm{name}"), format!("/dev/shm/sem.{}", name.trim_start_matches('/'))]);
    files.filter(|file| Path::new(file).exists()).collect()
}

/// The lab's time, in seconds since 1970, as any process of the lab sees it.
pub fn now_seconds(command: &mut Command) -> Result<i64> {
    let output = command.arg("+%s").output().context("asking the lab for the time")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
}
