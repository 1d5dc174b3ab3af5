//! Shared parts of tests: the traces and golden schedules, the repository's folder, a plain job, and the rule for skipping.
//!
//! For: tests that need real logs, which are too large and not ours to keep in the repository; tests of the repository's own text.
//!
//! Not for: anything a test can make by hand; anything but tests.
//!
//! The shared folder is `$QCAST_SHARED`, otherwise `../shared` next to the workspace. A test that needs it is skipped where the folder is
//! missing, and its name is added to the file `$QCAST_SKIPPED_TESTS`, which `.ci/run` prints at its end. Nothing else may be skipped with
//! `CI=true`: a test that needs a missing program fails there.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

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

/// Returns the folder with `traces/` and `golden/`, or `None` after recording that the test is skipped.
pub fn shared_dir() -> Option<PathBuf> {
    let folder = std::env::var_os("QCAST_SHARED").map_or_else(beside_the_workspace, PathBuf::from);
    shared_or_skip(folder, std::env::var_os("QCAST_SKIPPED_TESTS").map(PathBuf::from).as_deref())
}

/// Says that a test is skipped because this machine lacks something other than the shared folder.
///
/// # Panics
///
/// With `CI=true` in the environment: the gate installs what tests need.
pub fn skip_outside_ci(missing: &str) {
    refuse_in_ci(missing, std::env::var_os("CI").is_some_and(|ci| ci == "true"));
    eprintln!("SKIPPED: {missing}");
}

/// The folder of the repository, or of the source archive, that the running test belongs to.
///
/// # Panics
///
/// If the test's crate is not in a workspace.
pub fn repository() -> PathBuf {
    let crate_folder = crate_folder();
    let root = crate_folder.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    root.expect("a parent folder contains Cargo.lock").to_owned()
}

fn beside_the_workspace() -> PathBuf {
    let above = crate_folder().ancestors().map(|folder| folder.join("shared")).find(|folder| folder.is_dir());
    above.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"))
}

/// Looked for when the test runs: what was compiled in may be another checkout, whose target folder is shared.
fn crate_folder() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

fn shared_or_skip(folder: PathBuf, list: Option<&Path>) -> Option<PathBuf> {
    if folder.is_dir() {
        return Some(folder);
    }
    let name = std::env::var("NEXTEST_TEST_NAME").ok().or_else(|| std::thread::current().name().map(str::to_owned));
    let name = name.unwrap_or_else(|| "a test without a name".to_owned());
    if let Some(list) = list {
        let mut file =
            OpenOptions::new().create(true).append(true).open(list).expect("the list of skipped tests opens");
        // One write, so that tests that run at the same time do not mix their lines.
        file.write_all(format!("{name}\n").as_bytes()).expect("the list of skipped tests can be written");
    }
    eprintln!("SKIPPED: {} is missing; set QCAST_SHARED to the folder with traces/ and golden/", folder.display());
    None
}

fn refuse_in_ci(missing: &str, in_ci: bool) {
    assert!(!in_ci, "with CI=true this test may not be skipped: {missing}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_folder_that_exists_is_returned() {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(shared_or_skip(here.clone(), None), Some(here));
    }

    #[test]
    fn missing_shared_folder_skips_the_test_and_lists_it() {
        let list = std::env::temp_dir().join(format!("queuecast-skipped-{}", std::process::id()));
        assert_eq!(shared_or_skip(PathBuf::from("/no/such/folder"), Some(&list)), None);
        let listed = std::fs::read_to_string(&list).expect("the list was written");
        std::fs::remove_file(&list).expect("the list is ours");
        assert!(listed.ends_with("missing_shared_folder_skips_the_test_and_lists_it\n"), "{listed}");
    }

    #[test]
    #[should_panic(expected = "may not be skipped: tmux is not installed")]
    fn missing_program_fails_the_test_in_ci() {
        refuse_in_ci("tmux is not installed", true);
    }
}
