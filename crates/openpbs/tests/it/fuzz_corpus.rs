//! Runs the fuzzer's seeds, and whatever it once found, without the fuzzer.

use std::fs;
use std::path::Path;

#[test]
fn every_file_of_the_corpus_survives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/openpbs_accounting");
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the corpus is there") {
        crate::support::read_any_bytes(&fs::read(entry.expect("listed").path()).expect("readable"));
        count += 1;
    }
    assert!(count >= 2, "only {count} seeds");
}
