//! What the book tells people to type exists: commands, options, and paths of the installation and of the repository.
//!
//! Commands and options are looked up in `docs/reference/commands`, which is made from the binary's own help and compared with it by
//! `crates/cli/tests/it/book.rs`.

use std::collections::{BTreeMap, BTreeSet};

use queuecast_testkit::repository;

use crate::book::is_in_the_book;
use crate::markdown::{parts, spans};
use crate::texts::{Text, texts};

/// Options of other programs that the book names by themselves. Those of sbatch are options of `qcast when`, too.
const FOREIGN: [&str; 20] = [
    "--bless",
    "--check",
    "--delimiter",
    "--Format",
    "--helpformat",
    "--hold",
    "--json",
    "--local",
    "--nice",
    "--noheader",
    "--offline",
    "--oneliner",
    "--readonly",
    "--start",
    "--states",
    "--switches",
    "--test-only",
    "--wrap",
    "--all",
    "--parsable2",
];

#[test]
fn every_command_and_option_that_is_named_exists() {
    let texts = texts();
    let commands = commands(&texts);
    let every: BTreeSet<&str> = commands.values().flatten().map(String::as_str).collect();
    let mut unknown = Vec::new();
    for page in texts.iter().filter(|page| written(page)) {
        for code in code_of(&page.content) {
            let complaint = if let Some(line) = asked_of_qcast(&code) {
                look_up(line, &commands)
            } else if code.starts_with("--") {
                let name = option(&code);
                let known = every.contains(name) || FOREIGN.contains(&name);
                (!known).then(|| format!("no command has {name}"))
            } else {
                None
            };
            unknown.extend(complaint.map(|complaint| format!("{}: {code}: {complaint}", page.path)));
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn every_key_of_the_configuration_that_is_shown_is_an_option_of_the_daemon() {
    let texts = texts();
    let serve = &commands(&texts)["serve"];
    let mut unknown = Vec::new();
    for page in texts.iter().filter(|page| written(page)) {
        for block in parts(&page.content).1.into_iter().filter(|block| block.language == "toml") {
            let settings = block.lines.iter().take_while(|line| !line.starts_with('['));
            for key in settings.filter_map(|line| line.split_once(" = ")).map(|(key, _)| format!("--{}", key.trim())) {
                let known = key.starts_with("--#") || serve.contains(&key);
                if !known {
                    unknown.push(format!("{}: {key}", page.path));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "qcast serve has no such options: {unknown:#?}");
}

#[test]
fn every_path_of_the_repository_that_is_named_exists() {
    let folders = [
        "crates/",
        "tests/",
        "experiments/",
        "examples/",
        "docs/",
        "benchmarks/",
        "fuzz/",
        "packaging/",
        "integrations/",
    ];
    let mut missing = Vec::new();
    for page in texts().iter().filter(|page| written(page)) {
        for line in parts(&page.content).0 {
            for span in spans(line).filter(|span| folders.iter().any(|folder| span.starts_with(folder))) {
                let path = span.split([' ', ':', '{']).next().expect("a split has a first part");
                // Of `store_*.rs` the folder.
                let path = path.split_once('*').map_or(path, |(stem, _)| &stem[..stem.rfind('/').unwrap_or(0)]);
                if !repository().join(path.trim_end_matches('/')).exists() {
                    missing.push(format!("{}: {span}", page.path));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_daemon_lives_at_one_place() {
    // Four documents once named three paths for one store.
    let known = ["/var/lib/queuecast", "/run/queuecast", "/etc/queuecast", "/usr/share/doc/queuecast"];
    let mut odd = Vec::new();
    for page in texts().iter().filter(|page| written(page)) {
        for word in page.content.split(|letter: char| letter.is_whitespace() || "`'\"(),;=<>|".contains(letter)) {
            let ours = word.starts_with('/') && (word.contains("/queuecast") || word.contains("/qcast"));
            let system = ["/var/", "/run/", "/etc/"].iter().any(|folder| word.starts_with(folder));
            if ours && system && !known.iter().any(|folder| word.starts_with(folder)) && !word.contains("systemd") {
                let by_others = ["/etc/nginx", "/etc/ssl", "/etc/ood", "/etc/apache2", "/etc/httpd", "/var/www"];
                if !by_others.iter().any(|folder| word.starts_with(folder)) {
                    odd.push(format!("{}: {word}", page.path));
                }
            }
        }
    }
    assert!(odd.is_empty(), "{odd:#?}");
}

/// Pages that people wrote: the book, and what lies beside it at the top. What changed once may name what is gone.
fn written(page: &Text) -> bool {
    let made = page.path.starts_with("docs/reference/commands/") || page.path.starts_with("docs/adr/");
    (is_in_the_book(page) && !made) || ["README.md", "SECURITY.md"].contains(&page.path.as_str())
}

/// What stands in backquotes, and the lines of blocks.
fn code_of(page: &str) -> Vec<String> {
    let (words, blocks) = parts(page);
    let mut code: Vec<String> = words.iter().flat_map(|line| spans(line)).map(str::to_owned).collect();
    for block in blocks.iter().filter(|block| !["json", "ini", "toml", "nginx"].contains(&block.language)) {
        let joined = block.lines.join("\n").replace("\\\n", " ");
        code.extend(joined.lines().map(|line| line.trim().to_owned()));
    }
    code
}

/// The words behind `qcast`, if that is what is run.
fn asked_of_qcast(code: &str) -> Option<&str> {
    let code = code.strip_prefix("$ ").unwrap_or(code);
    let behind = code.strip_prefix("qcast ")?;
    Some(behind.split([';', '|', '>', '&', '#']).next().expect("a split has a first part"))
}

/// What is wrong with a command line, if anything is.
fn look_up(line: &str, commands: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let mut words = line.split_whitespace();
    let command = words.next()?;
    if command.starts_with('-') || command.chars().any(char::is_uppercase) {
        return None;
    }
    let Some(options) = commands.get(command) else { return Some(format!("there is no command {command}")) };
    let unknown = words.find(|word| word.starts_with("--") && word.len() > 2 && !options.contains(option(word)))?;
    Some(format!("{command} has no {unknown}"))
}

/// `--time` of `--time=2:00:00` and of `--time 2:00:00`.
fn option(word: &str) -> &str {
    let end = word[2..].find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    end.map_or(word, |end| &word[..end + 2])
}

/// Every command with its options and those of its subcommands.
fn commands(texts: &[Text]) -> BTreeMap<String, BTreeSet<String>> {
    let pages = texts.iter().filter_map(|text| {
        let name = text.path.strip_prefix("docs/reference/commands/")?.strip_suffix(".md")?;
        Some((name.to_owned(), &text.content)).filter(|(name, _)| name != "README")
    });
    let pages = pages.map(|(name, content)| {
        let items = content.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next());
        let words = items.flat_map(|item| item.split([' ', ',', '=', '[']));
        let mut options: BTreeSet<String> = words.filter(|word| word.starts_with("--")).map(str::to_owned).collect();
        options.extend(["--help".to_owned()]);
        (name, options)
    });
    let found: BTreeMap<_, _> = pages.collect();
    assert!(found.len() > 20, "only {} commands are described", found.len());
    found
}
