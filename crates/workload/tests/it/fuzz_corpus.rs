//! Runs the fuzzer's seeds, and whatever it once found, without the fuzzer.

use std::fs;
use std::path::Path;

#[test]
fn every_file_of_the_corpus_survives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/swf_reader");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("fuzz/corpus/swf_reader is there") {
        let path = entry.expect("the folder can be listed").path();
        crate::round_trip::read_write_read(&fs::read(&path).expect("the file can be read"));
        count += 1;
    }
    assert!(count >= 5, "only {count} seeds in {}", folder.display());
}
