//! What the tests of the binary share.
#![allow(dead_code, reason = "every test file compiles this anew and uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// The built binary.
pub fn qcast() -> Command {
    Command::cargo_bin("qcast").expect("the binary is built with its tests")
}

/// A folder that is gone after the test.
pub fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder can be made")
}

/// A file with this text.
pub fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("a scratch folder can be written");
    path
}

/// What the command prints as JSON.
pub fn json(command: &mut Command) -> Value {
    let output = command.args(["--format", "json"]).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("JSON on standard output and nothing else")
}
