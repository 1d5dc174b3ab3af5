//! A word has one meaning: the glossary explains none twice.

use std::collections::BTreeSet;
use std::fs;

use queuecast_testkit::repository;

use crate::texts::cells;

#[test]
fn the_glossary_explains_no_word_twice() {
    let content = fs::read_to_string(repository().join("docs/reference/glossary.md")).unwrap();
    let rows: Vec<_> = content.lines().filter_map(cells).skip(2).collect();
    assert!(rows.len() > 50, "only {} rows were found", rows.len());
    assert!(rows.iter().all(|row| row.len() == 3), "a row has a word, what it means and what it is not");
    let mut seen = BTreeSet::new();
    for word in rows.iter().flat_map(|row| row[0].split(',')) {
        assert!(seen.insert(plain(word)), "{word} is explained twice");
    }
}

/// Without what is said in parentheses: `bound (of a wait)` and `bound` are one word with two meanings.
fn plain(word: &str) -> &str {
    word.split('(').next().expect("a split has a first part").trim()
}
