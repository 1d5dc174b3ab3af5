//! Whatever a comment cites can be looked up: rules in `docs/reference/rules.md`, documents in the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use queuecast_testkit::repository;

use crate::texts::{Text, cells, texts};

const RULES: &str = "docs/reference/rules.md";

#[test]
fn every_rule_that_is_cited_is_defined() {
    let defined: BTreeSet<String> = rows().into_iter().map(|row| row.id).collect();
    let unknown: Vec<String> = texts()
        .iter()
        .filter(|text| text.path != RULES)
        .flat_map(|text| cited(&text.content).into_iter().map(|id| format!("{id} in {}", text.path)))
        .filter(|found| !defined.contains(found.split(' ').next().expect("an id and a path")))
        .collect();
    assert!(unknown.is_empty(), "not in {RULES}: {unknown:#?}");
}

#[test]
fn no_rule_is_defined_twice() {
    let mut times = BTreeMap::<String, u32>::new();
    for row in rows() {
        *times.entry(row.id).or_default() += 1;
    }
    assert!(times.len() > 80, "only {} rules were found in {RULES}", times.len());
    times.retain(|_, times| *times > 1);
    assert!(times.is_empty(), "defined more than once: {times:?}");
}

#[test]
fn every_rule_is_cited_where_it_is_said_to_be_done() {
    for Row { id, files } in rows() {
        assert!(!files.is_empty(), "{id} names no file");
        for file in files {
            let content = fs::read_to_string(repository().join(&file));
            let content = content.unwrap_or_else(|error| panic!("{id} is said to be done in {file}: {error}"));
            assert!(cited(&content).contains(&id), "{file} does not cite {id}");
        }
    }
}

#[test]
fn every_document_that_is_named_is_in_the_repository() {
    let texts = texts();
    let there = |name: &str| {
        let name = name.trim_start_matches("../").trim_start_matches("./");
        texts.iter().any(|text| text.path == name || text.path.ends_with(&format!("/{name}")))
    };
    let in_words = |text: &&Text| [".rs", ".md"].iter().any(|end| text.path.ends_with(end));
    for text in texts.iter().filter(in_words) {
        let part_of_a_path = |letter: char| letter.is_ascii_alphanumeric() || "._-/".contains(letter);
        for name in text.content.split(|letter| !part_of_a_path(letter)).filter(|name| is_document(name)) {
            assert!(there(name), "{} names {name}, which is not in the repository", text.path);
        }
    }
}

#[test]
fn every_file_that_the_lookups_name_is_there() {
    let lookups = fs::read_to_string(repository().join("docs/where.md")).expect("the lookups");
    let rows: Vec<Vec<&str>> = lookups.lines().filter_map(cells).filter(|cells| cells[1].contains('/')).collect();
    assert_eq!(rows.len(), 12);
    for row in rows {
        assert!(repository().join(row[1].trim_matches('`')).is_file(), "{row:?}");
    }
}

/// A name before the ending: the ending alone is about files of that kind.
fn is_document(name: &str) -> bool {
    name.strip_suffix(".md").is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/'))
}

#[test]
fn a_range_cites_what_lies_between() {
    assert_eq!(ids("(R-D9 to R-D11, E-S2.8)"), ["R-D9", "R-D10", "R-D11", "E-S2.8"]);
    assert_eq!(ids("R-SIM-1 to\n//! R-SIM-3 and R-K2."), ["R-SIM-1", "R-SIM-2", "R-SIM-3", "R-K2"]);
}

#[test]
fn what_only_looks_like_a_rule_is_none() {
    assert!(ids("M-4.4-4.4H4.4 SUPER-T1 R-Tree R-T E-S2 R-T1x MER-S1").is_empty());
}

/// One line of a table of rules.
struct Row {
    id: String,
    files: Vec<String>,
}

fn rows() -> Vec<Row> {
    let content = fs::read_to_string(repository().join(RULES)).unwrap();
    let row = |cells: Vec<&str>| {
        let [id, _, _, files] = cells[..] else { return None };
        let id = ids(id).pop()?;
        Some(Row { id, files: files.split('`').skip(1).step_by(2).map(str::to_owned).collect() })
    };
    content.lines().filter_map(cells).filter_map(row).collect()
}

fn cited(text: &str) -> BTreeSet<String> {
    ids(text).into_iter().collect()
}

/// The ids in a text, and those that lie between where one id "to" another is cited.
fn ids(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut last: Option<(&str, u32)> = None;
    let mut between = String::new();
    for word in text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "-.".contains(letter))) {
        let Some((kind, number)) = id(word.trim_end_matches('.')) else {
            between.push_str(word);
            continue;
        };
        let first = match last {
            Some((last_kind, from)) if last_kind == kind && between == "to" => from + 1,
            _ => number,
        };
        found.extend((first..=number).map(|number| format!("{kind}{number}")));
        last = Some((kind, number));
        between.clear();
    }
    found
}

/// `R-T5`, `R-SIM-1` or `E-S2.8`, as the part before the last number and that number.
fn id(word: &str) -> Option<(&str, u32)> {
    let digits = word.len() - word.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    let (kind, number) = word.split_at(word.len() - digits);
    let rule = kind.strip_prefix("R-").is_some_and(|subject| {
        let letters = subject.strip_suffix('-').unwrap_or(subject);
        (subject == letters) == (letters.len() == 1) && letters.chars().all(|letter| letter.is_ascii_uppercase())
    });
    let erratum = kind.strip_prefix("E-S").and_then(|paper| paper.strip_suffix('.'));
    let known = rule || erratum.is_some_and(|paper| paper.parse::<u32>().is_ok());
    Some((kind, number.parse().ok()?)).filter(|_| known)
}
