//! Says from which commit the program is built, for the provenance of results. Outside of a repository there is none.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=QCAST_COMMIT");
    // Every commit and checkout is written down there.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // Whoever builds from an archive knows the commit, and git does not.
    if let Some(commit) = std::env::var("QCAST_COMMIT").ok().or_else(|| git(&["rev-parse", "HEAD"])) {
        println!("cargo::rustc-env=QCAST_BUILT_FROM={commit}");
    }
}
