//! The book holds together: every link leads somewhere, every page is in it, every example was printed by the command.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use queuecast_testkit::repository;

use crate::markdown::{anchors, links, parts};
use crate::texts::{Text, texts};

/// All pages of Markdown.
fn pages() -> Vec<Text> {
    texts().into_iter().filter(|text| path_is_page(Path::new(&text.path))).collect()
}

/// Whether a page is in the book.
pub fn is_in_the_book(text: &Text) -> bool {
    text.path.starts_with("docs/") && path_is_page(Path::new(&text.path)) && text.path != "docs/SUMMARY.md"
}

#[test]
fn every_relative_link_and_anchor_leads_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        for link in links(&page.content).iter().filter(|link| !is_of_another_host(link)) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { PathBuf::from(&page.path) } else { beside(&page.path, path) };
            let there = repository().join(&target);
            if !there.exists() {
                dead.push(format!("{}: {link}: no such file", page.path));
            } else if !anchor.is_empty() && path_is_page(&target) {
                let found = anchors(&fs::read_to_string(there).unwrap());
                if !found.contains(anchor) {
                    dead.push(format!("{}: {link}: no such heading", page.path));
                }
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn the_book_links_to_nothing_outside_of_itself() {
    // The book is read without the repository: on a login node, on a machine without a network.
    let mut outside = Vec::new();
    for page in pages().iter().filter(|page| is_in_the_book(page)) {
        for link in links(&page.content).iter().filter(|link| !is_of_another_host(link)) {
            let path = link.split('#').next().expect("a split has a first part");
            if !path.is_empty() && !beside(&page.path, path).starts_with("docs") {
                outside.push(format!("{}: {link}", page.path));
            }
        }
    }
    assert!(outside.is_empty(), "name these as code, without a link: {outside:#?}");
}

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    let summary = fs::read_to_string(repository().join("docs/SUMMARY.md")).unwrap();
    let listed = links(&summary);
    let once: BTreeSet<String> = listed.iter().map(|path| format!("docs/{path}")).collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let there: BTreeSet<String> = pages().into_iter().filter(is_in_the_book).map(|page| page.path).collect();
    let template = BTreeSet::from(["docs/adr/0000-template.md".to_owned()]);
    let missing: Vec<_> = there.difference(&once).filter(|page| !template.contains(*page)).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:#?}");
}

#[test]
fn no_console_example_is_typed_by_hand() {
    // `console` is run by crates/cli/tests/it/book.rs; what needs a Slurm is printed by docs/capture, which looks for the mark.
    let mut typed = Vec::new();
    let shown = |page: &Text| is_in_the_book(page) || page.path == "README.md";
    for page in pages().iter().filter(|page| shown(page)) {
        for block in parts(&page.content).1 {
            let run = block.language == "console" && block.lines.iter().any(|line| line.starts_with("$ "));
            let captured = block.language == "console,ignore" && block.before.starts_with("<!-- lab: ");
            let prompt = block.lines.iter().any(|line| line.starts_with("$ "));
            if (block.language.starts_with("console") || prompt) && !run && !captured {
                typed.push(format!("{}: {:?}", page.path, block.lines.first()));
            }
        }
    }
    assert!(typed.is_empty(), "{typed:#?}");
}

fn is_of_another_host(link: &str) -> bool {
    link.contains("://") || link.starts_with("mailto:")
}

fn path_is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// A path as a page names it, from the repository's folder.
fn beside(page: &str, link: &str) -> PathBuf {
    let folder = Path::new(page).parent().expect("a page is in a folder");
    let mut path = PathBuf::new();
    for part in folder.join(link).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{page}: {link} leads out of the repository"),
            Component::CurDir => (),
            other => path.push(other),
        }
    }
    path
}
