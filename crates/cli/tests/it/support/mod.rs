//! What the tests of the binary share.

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

/// A result without how it was asked for, which is told in it: what two command lines have in common.
pub fn without_provenance(mut result: Value) -> Value {
    result.as_object_mut().expect("an object").remove("provenance").expect("it says where it comes from");
    result
}

/// Every tag that is opened is closed, in order, and every attribute is quoted.
pub fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = page.strip_prefix("<!DOCTYPE html>\n").expect("a document type");
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or_else(|| panic!("unclosed tag: {piece}"));
        assert!(!text.contains('>'), "a stray > after <{tag}>");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes something else");
        } else {
            assert!(tag.matches('"').count().is_multiple_of(2), "unbalanced quotes: <{tag}>");
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}
