//! What tests have in common: where the shared traces, the golden schedules and the repository are, and a job of nobody.
//!
//! For: tests that need real logs, which are too large and not ours to keep in the repository; tests of what the
//! repository says of itself.
//!
//! Not for: anything a test can make by hand; anything but tests.
//!
//! The shared folder is `$QCAST_SHARED`, else `../shared` beside the workspace. Where it is absent a test says so loudly and
//! passes, except with `CI=true`, where an absent folder is a failure: a test that is always skipped tests nothing.

use std::path::PathBuf;

use queuecast_workload::{JobId, Request, Seconds, Submission, Time};

/// A job of nobody.
pub fn submission(job: u64, submitted: i64, processors: u32, limit: Option<i64>) -> Submission {
    Submission {
        job: JobId(job),
        submitted: Time(submitted),
        request: Request { processors },
        limit: limit.map(Seconds),
        user: None,
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}

/// The folder with `traces/` and `golden/`, or `None` after saying that the test is skipped.
///
/// # Panics
///
/// With `CI=true` in the environment, if the folder is absent.
pub fn shared_dir() -> Option<PathBuf> {
    let folder = std::env::var_os("QCAST_SHARED").map_or_else(beside_the_workspace, PathBuf::from);
    let in_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
    if_there(folder, in_ci)
}

/// The folder of the repository, or of the source archive, that the running test belongs to.
///
/// # Panics
///
/// If the test's crate is not in a workspace.
pub fn repository() -> PathBuf {
    let crate_folder = crate_folder();
    let root = crate_folder.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.expect("a crate of the workspace stands below Cargo.lock").to_owned()
}

fn beside_the_workspace() -> PathBuf {
    let above = crate_folder().ancestors().map(|folder| folder.join("shared")).find(|folder| folder.is_dir());
    above.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"))
}

/// Looked for when the test runs: what was compiled in may be another checkout, whose target folder is shared.
fn crate_folder() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

fn if_there(folder: PathBuf, in_ci: bool) -> Option<PathBuf> {
    if folder.is_dir() {
        return Some(folder);
    }
    let missing = format!("{} is not there; set QCAST_SHARED to the folder with traces/ and golden/", folder.display());
    assert!(!in_ci, "in CI the shared traces are needed: {missing}");
    eprintln!("SKIPPED: {missing}");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_there_is_given() {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(if_there(here.clone(), true), Some(here));
    }

    #[test]
    fn an_absent_folder_skips_the_test_outside_of_ci() {
        assert_eq!(if_there(PathBuf::from("/no/such/folder"), false), None);
    }

    #[test]
    #[should_panic(expected = "in CI the shared traces are needed")]
    fn an_absent_folder_fails_the_test_in_ci() {
        if_there(PathBuf::from("/no/such/folder"), true);
    }
}
