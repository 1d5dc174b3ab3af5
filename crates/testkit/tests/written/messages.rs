//! Keeps `docs/development/messages.txt`, the list of all messages, equal to the messages in the source code, so that a reviewer can
//! read them from top to bottom and sees in a change which of them changed.
//!
//! Not for: help texts (`docs/reference/commands`), descriptions of the HTTP API (`docs/reference/api-fields.md`) and the texts of
//! the web interface (`web/src/words.ts`), which have lists already.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use queuecast_testkit::repository;

use crate::style::{MINIMUM_WORDS, Source, Token, has_strings, test_module};
use crate::texts::{Text, texts};

const LIST: &str = "docs/development/messages.txt";
const INTRODUCTION: &str = "\
All messages of qcast: results, errors, hints, log lines, notifications and words of reports. {...} is a value.
Not here: help texts (docs/reference/commands), descriptions of the HTTP API (docs/reference/api-fields.md) and
texts of the web interface (web/src/words.ts).

Made from the source code; do not edit. To update the file:
QCAST_BLESS=1 cargo test -p queuecast-testkit --test written messages
";

/// Functions and macros whose text only developers see.
const FOR_DEVELOPERS: [&str; 5] = ["expect", "expect_err", "panic", "todo", "unreachable"];
/// First words of a query to the store.
const SQL: [&str; 9] = ["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP", "PRAGMA", "ATTACH"];

#[test]
fn list_of_messages_is_that_of_the_source_code() {
    let list = list(&texts());
    let path = repository().join(LIST);
    if std::env::var_os("QCAST_BLESS").is_some() {
        fs::write(&path, &list).expect("a writable repository");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let change = list.lines().find(|line| !written.contains(line)).unwrap_or("a message is gone");
    assert!(
        written == list,
        "{LIST} is out of date ({change}); its first lines show the command that updates the file"
    );
}

/// Returns the list with a section for each source file that has messages.
fn list(texts: &[Text]) -> String {
    let of_tests: BTreeSet<String> = texts.iter().flat_map(test_modules).collect();
    let is_source = |path: &str| Path::new(path).extension() == Some("rs".as_ref()) && has_strings(path);
    let is_of_tests = |path: &str| Path::new(path).ancestors().any(|part| of_tests.contains(&*part.to_string_lossy()));
    let mut sources: Vec<&Text> =
        texts.iter().filter(|text| is_source(&text.path) && !is_of_tests(&text.path)).collect();
    sources.sort_by_key(|text| &text.path);
    let mut list = INTRODUCTION.to_owned();
    for text in sources {
        let messages = messages(&text.content);
        if !messages.is_empty() {
            write!(list, "\n{}\n    {}\n", text.path, messages.join("\n    ")).expect("a string");
        }
    }
    list
}

/// Returns the paths of the modules that a file declares for tests only: a file and a folder each, of which one exists.
fn test_modules(text: &Text) -> Vec<String> {
    let path = Path::new(&text.path);
    let stem = path.with_extension("");
    let is_root = ["mod", "lib", "main"].iter().any(|name| stem.ends_with(name));
    let folder = if is_root { path.parent().unwrap_or(path) } else { &stem };
    let lines: Vec<&str> = text.content.lines().map(str::trim).collect();
    let module = |pair: &[&str]| {
        let name = pair[1].rsplit_once("mod ")?.1.strip_suffix(';')?;
        (pair[0] == "#[cfg(test)]").then(|| folder.join(name).to_string_lossy().into_owned())
    };
    lines.windows(2).filter_map(module).flat_map(|path| [format!("{path}.rs"), path]).collect()
}

/// Returns the messages in Rust code, without those of tests and for developers.
fn messages(content: &str) -> Vec<String> {
    let end = test_module(content);
    let code: Vec<&str> = content.lines().collect();
    let mut source = Source::new(content);
    let (mut messages, mut word) = (Vec::new(), "");
    while let Some(token) = source.rust_token() {
        match token {
            Token::Word(next) => word = next,
            Token::Literal(lines) if source.line < end && !FOR_DEVELOPERS.contains(&word) => {
                let parts: Vec<&str> = lines.iter().map(|(_, line)| line.trim_end()).collect();
                let message = parts.join("\\n");
                let is_reason_of_lint = code[lines.first().map_or(0, |line| line.0 - 1)].contains("reason = \"");
                if is_message(&message) && !is_reason_of_lint {
                    messages.push(message);
                }
            }
            _ => (),
        }
    }
    messages
}

fn is_message(literal: &str) -> bool {
    let words = || literal.split_whitespace();
    let has_letters = |word: &&str| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
    words().filter(has_letters).count() >= MINIMUM_WORDS && !words().next().is_some_and(|word| SQL.contains(&word))
}

#[test]
fn modules_for_tests_are_found_next_to_their_file() {
    let text =
        |path: &str| Text { path: path.to_owned(), content: "#[cfg(test)]\nmod sample;\nmod real;\n".to_owned() };
    assert_eq!(test_modules(&text("crates/a/src/lib.rs")), ["crates/a/src/sample.rs", "crates/a/src/sample"]);
    assert_eq!(test_modules(&text("crates/a/src/b/mod.rs")), ["crates/a/src/b/sample.rs", "crates/a/src/b/sample"]);
    assert_eq!(test_modules(&text("crates/a/src/b.rs")), ["crates/a/src/b/sample.rs", "crates/a/src/b/sample"]);
}

#[test]
fn messages_of_code_are_found_without_queries_and_words_for_developers() {
    let code = r#"
        const QUERY: &str = "SELECT id FROM jobs";
        fn read() -> Result<(), String> {
            let first = LIST.first().expect("a list that is not empty");
            Err(format!("cannot read {path}: {error}"))
        }
        const WORDS: [&str; 2] = ["two words", "a message \
            over two lines"];
        #[cfg(test)]
        mod tests {
        }
    "#;
    assert_eq!(messages(code), ["cannot read {path}: {error}", "a message over two lines"]);
    let of_tests = "#[cfg(test)]\nmod tests {\n    const TEXT: &str = \"a text of tests\";\n}\n";
    assert_eq!(messages(of_tests), Vec::<String>::new());
}
