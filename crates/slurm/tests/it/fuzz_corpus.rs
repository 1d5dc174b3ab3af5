//! Runs the fuzzer's seeds, and whatever it once found, without the fuzzer.

use std::fs;
use std::path::Path;

fn every_file(folder: &str, read: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(folder);
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the corpus is there") {
        read(&fs::read(entry.expect("the folder can be listed").path()).expect("the file can be read"));
        count += 1;
    }
    assert!(count >= 2, "only {count} seeds in {}", folder.display());
}

#[test]
fn every_file_of_the_text_corpus_survives() {
    every_file("sacct_text", crate::any_bytes::read_text);
}

#[test]
fn every_file_of_the_json_corpus_survives() {
    every_file("slurm_json", crate::any_bytes::read_json);
}

#[test]
fn every_file_of_the_node_list_corpus_survives() {
    every_file("node_list", crate::any_bytes::read_node_list);
}

#[test]
fn every_file_of_the_squeue_corpus_survives() {
    every_file("squeue_text", crate::any_bytes::read_squeue);
}

#[test]
fn every_file_of_the_scontrol_corpus_survives() {
    every_file("scontrol_text", crate::any_bytes::read_scontrol);
}
