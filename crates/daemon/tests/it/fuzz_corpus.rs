//! Runs the fuzzer's seeds for the daemon, and whatever it once found, without the fuzzer.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// What came of every seed, by its name.
fn every_seed<T>(folder: &str, read: fn(&[u8]) -> T) -> Vec<(String, T)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(folder);
    let entries = fs::read_dir(&folder).expect("the corpus is there");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    paths
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, read(&fs::read(&path).expect("the file can be read")))
        })
        .collect()
}

#[test]
fn every_request_of_the_corpus_is_answered_and_breaks_nothing() {
    let answers =
        every_seed("http_requests", |bytes| crate::fuzz_support::ask_anything(bytes, Duration::from_secs(20)));
    assert!(answers.len() >= 6, "only {} seeds", answers.len());
    // Seeds are named by what is answered to them.
    for (name, status) in answers {
        assert_eq!(name.split('-').next().and_then(|status| status.parse().ok()), status, "{name}");
    }
}

#[test]
fn every_token_of_the_corpus_is_believed_only_if_it_says_what_it_must() {
    let answers = every_seed("tokens", crate::fuzz_support::believe_anything);
    let count = |prefix: &str| answers.iter().filter(|(name, _)| name.starts_with(prefix)).count();
    assert!(count("believed") >= 2 && count("refused") >= 4, "{answers:?}");
    for (name, status) in &answers {
        let expected = if name.starts_with("believed") { 200 } else { 401 };
        assert_eq!(*status, Some(expected), "{name}");
    }
}

#[test]
fn every_changed_row_of_the_corpus_is_found_out_or_changes_nothing() {
    let answers = every_seed("store_rows", crate::fuzz_support::read_anything);
    assert!(answers.len() >= 4, "only {} seeds", answers.len());
    for (name, is_found_out) in answers {
        assert_eq!(is_found_out, !name.starts_with("same"), "{name}");
    }
}
