//! Says from which commit the program is built, and of which day that is, for `qcast --version` and the provenance of results. Outside of a
//! repository there is none. No clock: two builds of one commit give the same bytes.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}

/// The day in UTC of a time in seconds since 1970, as 2026-11-18.
fn day(seconds: &str) -> String {
    let time = seconds.parse().ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    time.expect("SOURCE_DATE_EPOCH is seconds since 1970").strftime("%Y-%m-%d").to_string()
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=QCAST_COMMIT");
    println!("cargo::rerun-if-env-changed=SOURCE_DATE_EPOCH");
    // Every commit and checkout is written down there.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // Whoever builds from an archive knows the commit and its time, and git does not.
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let commit = variable("QCAST_COMMIT").or_else(|| git(&["rev-parse", "HEAD"]));
    let time = variable("SOURCE_DATE_EPOCH").or_else(|| git(&["show", "--no-patch", "--format=%ct", "HEAD"]));
    let day = time.map(|time| day(&time));
    let short = commit.as_ref().map(|commit| commit.get(..12).unwrap_or(commit).to_owned());
    let details: Vec<String> = short.into_iter().chain(day).collect();
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let told = if details.is_empty() { version } else { format!("{version} ({})", details.join(" ")) };
    println!("cargo::rustc-env=QCAST_VERSION_TOLD={told}");
    if let Some(commit) = commit {
        println!("cargo::rustc-env=QCAST_BUILT_FROM={commit}");
    }
}
