//! The book says what the command says: its examples are run, and its pages of commands are those of this binary.
//!
//! Examples that need a Slurm are printed by `docs/capture` and not run here (`console,ignore`); that none is typed by hand is held by
//! `crates/testkit/tests/written/book.rs`.

use std::fs;
use std::path::Path;
use std::process::Command;

use queuecast_testkit::repository;

/// After a change of what is printed: `TRYCMD=overwrite cargo nextest run --workspace -E 'test(/^book::/)'`, and read the difference.
#[test]
fn every_example_prints_what_the_book_and_the_readme_show() {
    let book = repository();
    let folder = tempfile::tempdir().unwrap();
    // As a reader has them: in the folder one is in, and below the repository's own.
    let below = folder.path().join("docs/samples");
    fs::create_dir_all(&below).unwrap();
    for sample in fs::read_dir(book.join("docs/samples")).unwrap().map(Result::unwrap) {
        for place in [folder.path(), &below] {
            fs::copy(sample.path(), place.join(sample.file_name())).unwrap();
        }
    }
    std::env::set_current_dir(folder.path()).unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("qcast", Path::new(env!("CARGO_BIN_EXE_qcast")));
    cases.register_bin("cat", Path::new("/bin/cat"));
    cases.env("TZ", "UTC").env("NO_COLOR", "1").env("COLUMNS", "100");
    cases.case(book.join("README.md")).case(book.join("docs/**/*.md"));
    cases.run();
}

#[test]
fn the_pages_of_commands_are_those_of_this_binary() {
    let generate = repository().join("docs/generate");
    let mut command = Command::new("python3");
    let done = command.arg(generate).arg("--check").env("QCAST", env!("CARGO_BIN_EXE_qcast")).output().unwrap();
    let said = [done.stdout, done.stderr].concat();
    assert!(done.status.success(), "run docs/generate: {}", String::from_utf8_lossy(&said));
}
