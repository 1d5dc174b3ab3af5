//! Every term in the glossary is explained once.

use std::collections::BTreeSet;
use std::fs;

use queuecast_testkit::repository;

use crate::texts::cells;

#[test]
fn the_glossary_explains_no_word_twice() {
    let content = fs::read_to_string(repository().join("docs/reference/glossary.md")).unwrap();
    let rows: Vec<_> = content.lines().filter_map(cells).filter(|row| !is_head(row)).collect();
    assert!(rows.len() > 50, "only {} rows were found", rows.len());
    assert!(rows.iter().all(|row| row.len() == 3), "a row has a term, its meaning and its other names");
    let mut seen = BTreeSet::new();
    for word in rows.iter().flat_map(|row| row[0].split(',')) {
        assert!(seen.insert(plain(word)), "{word} is explained twice");
    }
}

/// Whether this row is one of the two with which every table begins: names of columns, and dashes.
fn is_head(row: &[&str]) -> bool {
    row[0] == "term" || row[0].starts_with("---")
}

/// The term without its parentheses, because `bound (of a wait)` and `bound` would be one term with two meanings.
fn plain(word: &str) -> &str {
    word.split('(').next().expect("a split has a first part").trim()
}
