//! What is linked into whom: who only asks carries no server, no store and no learner, and a daemon no terminal.

use std::process::Command;

/// The names of all crates that are linked into this one.
fn linked(package: &str) -> Vec<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--prefix", "none", "--edges", "normal", "--package", package]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("text");
    tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn none_of(package: &str, unwanted: &[&str]) {
    let linked = linked(package);
    assert!(linked.iter().any(|name| name == "serde"), "{package} is looked at: {linked:?}");
    let found: Vec<&str> = unwanted.iter().copied().filter(|name| linked.iter().any(|linked| linked == name)).collect();
    assert_eq!(found, Vec::<&str>::new(), "linked into {package}");
}

#[test]
fn who_only_asks_carries_no_server_no_store_and_no_learner() {
    none_of("queuecast-api", &["axum", "rusqlite", "forust-ml"]);
}

#[test]
fn a_daemon_carries_no_terminal_and_no_trees() {
    none_of("queuecast-daemon", &["ratatui", "comfy-table", "clap", "indicatif", "forust-ml"]);
}
