//! Keeps the text of the repository plain: counts the hits of the rules in `docs/development/words.toml` on each
//! surface, and compares them with `docs/development/style-baseline.toml`.
//!
//! Not for: spelling (`typos.toml`) and grammar.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use queuecast_testkit::repository;
use regex::Regex;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};

use crate::texts::{Text, texts};

const RULES: &str = "docs/development/words.toml";
const BASELINE: &str = "docs/development/style-baseline.toml";
const API_DESCRIPTION: &str = "crates/daemon/openapi.json";

/// Surfaces with sentences: their rate is per 1,000 words.
const PROSE: [&str; 7] = ["front", "docs", "help", "strings", "web", "openapi", "comments"];
/// Surfaces with identifiers in snake case: their rate is per 1,000 names.
const NAMES: [&str; 2] = ["names", "tests"];
/// Maximum number of hits that are printed for a surface.
const SHOWN: usize = 40;
/// Minimum number of words of a string literal that is counted.
pub(crate) const MINIMUM_WORDS: usize = 3;

/// Rust keywords that come before the name of a new item.
const ITEMS: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "mod", "const", "static"];
/// Rust keywords that may follow one of `ITEMS` and are not its name.
const MODIFIERS: [&str; 6] = ["async", "dyn", "extern", "mut", "ref", "unsafe"];

#[test]
fn every_surface_has_the_hits_of_its_baseline() {
    let words: Words = configuration(RULES);
    let texts = texts();
    let baseline: BTreeMap<String, usize> = configuration(BASELINE);
    let surfaces = Surfaces::of(&texts, &words.surfaces).0;
    assert!(surfaces.keys().eq(baseline.keys()), "{BASELINE} must have the surfaces {:?}", surfaces.keys());

    let mut used = BTreeSet::new();
    let mut table = format!("{:<9} {:>6} {:>9} {:>7}  per 1,000\n", "surface", "hits", "baseline", "words");
    let mut complaints = String::new();
    for (surface, content) in &surfaces {
        let hits = content.hits(surface, &words.rule, &mut used);
        let (count, allowed) = (hits.len(), baseline[*surface]);
        let rate = 1000.0 * count as f64 / content.words.max(1) as f64;
        writeln!(table, "{surface:<9} {count:>6} {allowed:>9} {:>7}  {rate:.1}", content.words).unwrap();
        match count.cmp(&allowed) {
            Ordering::Greater => complain_of_new_hits(&mut complaints, surface, &hits, allowed),
            Ordering::Less => writeln!(complaints, "{surface}: lower the number in {BASELINE} to {count}").unwrap(),
            Ordering::Equal => (),
        }
    }
    for rule in &words.rule {
        for Exception { text, .. } in &rule.exceptions {
            if !used.contains(&(rule.id.as_str(), text.as_str())) {
                writeln!(complaints, "{RULES}: {}: the exception for {text:?} excuses no hit", rule.id).unwrap();
            }
        }
    }
    assert!(complaints.is_empty(), "\n{table}\n{complaints}");
}

#[test]
fn every_rule_finds_its_hits_and_passes_its_misses() {
    let words: Words = configuration(RULES);
    let mut wrong = Vec::new();
    for rule in &words.rule {
        assert!(!rule.hit.is_empty() && !rule.miss.is_empty(), "{}: needs examples of a hit and of a miss", rule.id);
        for text in rule.hit.iter().filter(|text| rule.find(text).is_empty()) {
            wrong.push(format!("{} does not find {text:?}", rule.id));
        }
        for text in rule.miss.iter().filter(|text| !rule.find(text).is_empty()) {
            wrong.push(format!("{} finds {text:?}", rule.id));
        }
        assert!(rule.exceptions.iter().all(|exception| !exception.reason.is_empty()), "{}: give a reason", rule.id);
        let mut surfaces = rule.surfaces.iter().flatten();
        let known = surfaces.all(|name| PROSE.iter().chain(&NAMES).any(|surface| surface == name));
        assert!(known, "{}: unknown surface in {:?}", rule.id, rule.surfaces);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Adds the hits on changed lines, or all hits if none of them is on a changed line.
fn complain_of_new_hits(complaints: &mut String, surface: &str, hits: &[Hit<'_>], allowed: usize) {
    let changed = changed_lines();
    let mut shown: Vec<&Hit> = hits.iter().filter(|hit| changed.contains(&(hit.path.to_owned(), hit.number))).collect();
    let which = if shown.is_empty() { "all hits" } else { "hits on lines changed since the baseline was committed" };
    if shown.is_empty() {
        shown = hits.iter().collect();
    }
    let (more, listed) = (hits.len() - allowed, shown.len().min(SHOWN));
    writeln!(complaints, "{surface}: {more} more hits than in {BASELINE}; {which}, {listed} of {}:", shown.len())
        .unwrap();
    for Hit { path, number, found, rule } in shown.into_iter().take(SHOWN) {
        writeln!(complaints, "  {path}:{number}: {found:?}: {} ({})", rule.hint, rule.id).unwrap();
    }
}

/// Reads a TOML file of the repository.
fn configuration<T: DeserializeOwned>(path: &str) -> T {
    let content = fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    toml::from_str(&content).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The file `words.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    surfaces: Paths,
    rule: Vec<Rule>,
}

/// Files, and folders with a slash at the end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paths {
    front: Vec<String>,
    help: Vec<String>,
    skip: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    id: String,
    pattern: Expression,
    unless: Option<Expression>,
    hint: String,
    surfaces: Option<Vec<String>>,
    hit: Vec<String>,
    miss: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    file: String,
    text: String,
    reason: String,
}

struct Expression(Regex);

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // ASCII word boundaries: with Unicode ones, the regex crate leaves its fast engine at the first character that
        // is not ASCII.
        let pattern = String::deserialize(deserializer)?.replace(r"\b", r"(?-u:\b)");
        let expression = Regex::new(&pattern).map_err(D::Error::custom)?;
        if expression.is_match("") { Err(D::Error::custom("matches empty text")) } else { Ok(Self(expression)) }
    }
}

impl Rule {
    fn applies_to(&self, surface: &str) -> bool {
        let named = self.surfaces.as_ref();
        named.map_or(PROSE.contains(&surface), |named| named.iter().any(|name| name == surface))
    }

    /// Returns the places of all hits in a text of one or more lines.
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let (mut found, mut from) = (Vec::new(), 0);
        while let Some(hit) = self.pattern.0.find_at(text, from) {
            let rest_of_line = text[hit.start()..].lines().next().unwrap_or_default();
            if self.unless.as_ref().is_some_and(|unless| unless.0.is_match(rest_of_line)) {
                from = hit.start() + hit.as_str().chars().next().map_or(1, char::len_utf8);
            } else {
                found.push(hit.range());
                from = hit.end();
            }
        }
        found
    }

    /// Returns the exception for a hit in a line of a file, if there is one.
    fn exception(&self, path: &str, line: &str, hit: &Range<usize>) -> Option<&Exception> {
        let overlaps = |text: &str| {
            line.match_indices(text).any(|(start, text)| start < hit.end && hit.start < start + text.len())
        };
        self.exceptions.iter().find(|exception| exception.file == path && overlaps(&exception.text))
    }
}

/// A match of a rule.
struct Hit<'text> {
    path: &'text str,
    number: usize,
    found: &'text str,
    rule: &'text Rule,
}

/// All text of one surface. A rule searches it in one pass, which is much faster than line by line.
#[derive(Default)]
struct Surface<'text> {
    /// All lines, each with its line feed.
    text: String,
    lines: Vec<Line<'text>>,
    /// Number of words, or of names.
    words: usize,
}

/// Position of a line in its surface and in its file.
struct Line<'text> {
    /// Offset in the text of the surface.
    start: usize,
    path: &'text str,
    /// Line number in the file, counted from 1.
    number: usize,
}

impl Surface<'_> {
    /// Returns the hits of all rules that apply, in the order of files and lines.
    /// Adds exceptions that excused a hit to `used`, each as the id of its rule and its text.
    fn hits<'a>(&'a self, name: &str, rules: &'a [Rule], used: &mut BTreeSet<(&'a str, &'a str)>) -> Vec<Hit<'a>> {
        let mut hits = Vec::new();
        for rule in rules.iter().filter(|rule| rule.applies_to(name)) {
            for found in rule.find(&self.text) {
                let line = &self.lines[self.lines.partition_point(|line| line.start <= found.start) - 1];
                let text = self.text[line.start..].lines().next().unwrap_or_default();
                let place = found.start - line.start..found.end - line.start;
                if let Some(exception) = rule.exception(line.path, text, &place) {
                    used.insert((rule.id.as_str(), exception.text.as_str()));
                } else {
                    hits.push(Hit { path: line.path, number: line.number, found: &self.text[found], rule });
                }
            }
        }
        hits.sort_by_key(|hit| (hit.path, hit.number));
        hits
    }
}

/// The lines of a comment or of a literal, each with the number of its line in the file.
pub(crate) type Lines = Vec<(usize, String)>;

/// All surfaces by their names.
struct Surfaces<'text>(BTreeMap<&'static str, Surface<'text>>, Regex);

impl<'text> Surfaces<'text> {
    fn of(texts: &'text [Text], paths: &Paths) -> Self {
        // Code in backquotes, addresses of links, and comments of Markdown.
        let code = Regex::new(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->").expect("a regular expression");
        let mut surfaces = Self(BTreeMap::new(), code);
        surfaces.0.extend(PROSE.into_iter().chain(NAMES).map(|name| (name, Surface::default())));
        for text in texts.iter().filter(|text| !is_under(&text.path, &paths.skip)) {
            let extension = Path::new(&text.path).extension().and_then(OsStr::to_str);
            match extension {
                Some("md") if is_under(&text.path, &paths.front) => surfaces.add_markdown("front", text),
                Some("md") if is_under(&text.path, &paths.help) => surfaces.add_markdown("help", text),
                Some("md") => surfaces.add_markdown("docs", text),
                Some("rs") => surfaces.add_rust(text),
                Some("ts" | "svelte") if text.path.starts_with("web/src/") => {
                    surfaces.add_web(&text.path, &mut Source::new(&text.content), false);
                }
                _ if text.path == API_DESCRIPTION => surfaces.add_api_description(text),
                _ => (),
            }
        }
        surfaces
    }

    fn add(&mut self, surface: &'static str, path: &'text str, number: usize, line: &str) {
        let plain = if NAMES.contains(&surface) { Cow::Borrowed(line) } else { self.1.replace_all(line, " ") };
        let surface = self.0.get_mut(surface).expect("a surface that is in the list");
        surface.words += plain.split_whitespace().count();
        surface.lines.push(Line { start: surface.text.len(), path, number });
        surface.text.push_str(&plain);
        surface.text.push('\n');
    }

    /// Adds a literal if it has enough words.
    fn add_literal(&mut self, surface: &'static str, path: &'text str, lines: &[(usize, String)]) {
        let words: usize = lines.iter().map(|(_, line)| line.split_whitespace().count()).sum();
        if words >= MINIMUM_WORDS {
            for (number, line) in lines {
                self.add(surface, path, *number, line);
            }
        }
    }

    fn add_markdown(&mut self, surface: &'static str, text: &'text Text) {
        let mut is_code = false;
        for (number, line) in (1..).zip(text.content.lines()) {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            } else if !is_code {
                self.add(surface, &text.path, number, line);
            }
        }
    }

    /// Adds the values of `description` and `summary`, which are in one line each.
    fn add_api_description(&mut self, text: &'text Text) {
        for (number, line) in (1..).zip(text.content.lines()) {
            let keys = ["\"description\": \"", "\"summary\": \""];
            if let Some(value) = keys.iter().find_map(|key| line.trim_start().strip_prefix(*key)) {
                for (_, line) in Source::new(value).literal(&['"']) {
                    self.add("openapi", &text.path, number, &line);
                }
            }
        }
    }

    /// Adds comments, names, names of tests and, from the sources of a crate, string literals.
    fn add_rust(&mut self, text: &'text Text) {
        let path = text.path.as_str();
        let strings_end = if has_strings(path) { test_module(&text.content) } else { 0 };
        let mut source = Source::new(&text.content);
        let (mut item, mut is_test) = ("", false);
        while let Some(token) = source.rust_token() {
            match token {
                Token::Comment(lines) => {
                    for (number, line) in &lines {
                        self.add("comments", path, *number, line);
                    }
                }
                Token::Literal(lines) if source.line < strings_end => self.add_literal("strings", path, &lines),
                Token::Test => is_test = true,
                Token::Word(word) if ITEMS.contains(&word) => {
                    item = word;
                    continue;
                }
                Token::Word(word) if MODIFIERS.contains(&word) => continue,
                Token::Word(word) if !item.is_empty() => {
                    let surface = if is_test && item == "fn" { "tests" } else { "names" };
                    self.add(surface, path, source.line, &snake_case(word));
                }
                Token::Literal(_) | Token::Word(_) | Token::Other => (),
            }
            is_test &= item != "fn";
            item = "";
        }
    }

    /// Adds the literals of TypeScript or Svelte, up to the end of the file or, in a template, of the expression.
    fn add_web(&mut self, path: &'text str, source: &mut Source<'_>, is_nested: bool) {
        let mut depth = 0_usize;
        while !source.rest.is_empty() {
            if source.rest.starts_with("//") {
                source.take_line();
            } else if source.rest.starts_with("/*") {
                source.take_through("*/");
            } else if source.rest.starts_with("<!--") {
                source.take_through("-->");
            } else {
                match source.step() {
                    Some('"') => self.add_literal("web", path, &source.literal(&['"', '\n'])),
                    Some('`') => self.add_template(path, source),
                    Some('{') => depth += 1,
                    Some('}') if depth == 0 && is_nested => return,
                    Some('}') => depth = depth.saturating_sub(1),
                    _ => (),
                }
            }
        }
    }

    /// Adds a template literal of TypeScript, with `…` for expressions, and the literals in these.
    fn add_template(&mut self, path: &'text str, source: &mut Source<'_>) {
        let mut lines = Lines::new();
        while let Some(letter) = source.step().filter(|letter| *letter != '`') {
            let letter = match letter {
                '\\' => source.escape(),
                '$' if source.rest.starts_with('{') => {
                    source.step();
                    self.add_web(path, source, true);
                    Some('…')
                }
                letter => Some(letter),
            };
            push(&mut lines, letter, source.line);
        }
        self.add_literal("web", path, &lines);
    }
}

fn is_under(path: &str, entries: &[String]) -> bool {
    entries.iter().any(|entry| if entry.ends_with('/') { path.starts_with(entry) } else { path == entry })
}

/// Whether the string literals of a Rust file count: it is a source file of a crate and not one of tests.
pub(crate) fn has_strings(path: &str) -> bool {
    let inside = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"));
    inside.is_some_and(|(_, inside)| !inside.split('/').any(|part| part.starts_with("test")))
}

/// Returns the number of the line with the attribute of the test module, or the largest number.
pub(crate) fn test_module(content: &str) -> usize {
    let lines: Vec<&str> = content.lines().collect();
    let is_module = |line: &str| {
        line.ends_with('{') && ["mod ", "pub mod ", "pub(crate) mod "].iter().any(|start| line.starts_with(*start))
    };
    let place = lines.windows(2).position(|pair| pair[0] == "#[cfg(test)]" && is_module(pair[1]));
    place.map_or(usize::MAX, |place| place + 1)
}

/// `SomeName` and `SOME_NAME` as `some_name`.
fn snake_case(name: &str) -> String {
    let is_constant = !name.contains(char::is_lowercase);
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !is_constant && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Appends a character to the last line. A line feed starts a new line.
fn push(lines: &mut Lines, letter: Option<char>, number: usize) {
    let Some(letter) = letter else { return };
    if letter == '\n' || lines.is_empty() {
        lines.push((number, String::new()));
    }
    let (first, line) = lines.last_mut().expect("a line was begun");
    if letter != '\n' {
        if line.is_empty() {
            *first = number;
        }
        line.push(letter);
    }
}

/// A token of Rust code, as detailed as the surfaces need it.
pub(crate) enum Token<'code> {
    Comment(Lines),
    Literal(Lines),
    Word(&'code str),
    /// The start of `#[test]` or of `#[tokio::test]`.
    Test,
    Other,
}

/// The unread rest of a file.
pub(crate) struct Source<'code> {
    rest: &'code str,
    /// Number of the current line.
    pub(crate) line: usize,
}

impl<'code> Source<'code> {
    pub(crate) fn new(rest: &'code str) -> Self {
        Self { rest, line: 1 }
    }

    /// Moves past one character and returns it.
    fn step(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.take(letter.len_utf8());
        Some(letter)
    }

    fn skip(&mut self, letters: usize) {
        for _ in 0..letters {
            self.step();
        }
    }

    /// Moves past a number of bytes and returns them.
    fn take(&mut self, length: usize) -> &'code str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'code str {
        self.take(self.rest.find(|letter: char| !is_part(letter)).unwrap_or(self.rest.len()))
    }

    /// Moves to the end of the line.
    fn take_line(&mut self) -> &'code str {
        self.take_while(|letter| letter != '\n')
    }

    fn take_word(&mut self) -> &'code str {
        self.take_while(|letter| letter.is_alphanumeric() || letter == '_')
    }

    /// Moves past the next `mark`, or to the end of the file.
    fn take_through(&mut self, mark: &str) -> &'code str {
        self.take(self.rest.find(mark).map_or(self.rest.len(), |start| start + mark.len()))
    }

    pub(crate) fn rust_token(&mut self) -> Option<Token<'code>> {
        self.take_while(char::is_whitespace);
        let letter = self.rest.chars().next()?;
        if letter.is_alphanumeric() || letter == '_' {
            return Some(self.word_or_raw_string());
        }
        if self.rest.starts_with("//") {
            let (number, comment) = (self.line, &self.take_line()[2..]);
            let comment = comment.strip_prefix(['/', '!']).unwrap_or(comment);
            let comment = comment.strip_prefix([' ', '\t']).unwrap_or(comment);
            return Some(Token::Comment(vec![(number, comment.to_owned())]));
        }
        if self.rest.starts_with("/*") {
            let (number, comment) = (self.line, self.take_through("*/"));
            let lines = comment.lines().map(|line| line.trim_matches(['/', '*', '!', ' ', '\t']).to_owned());
            return Some(Token::Comment((number..).zip(lines).collect()));
        }
        let is_test = ["#[test]", "#[tokio::test"].iter().any(|attribute| self.rest.starts_with(*attribute));
        self.step();
        Some(match letter {
            '"' => Token::Literal(self.literal(&['"'])),
            '\'' => {
                self.character_or_lifetime();
                Token::Other
            }
            _ if is_test => Token::Test,
            _ => Token::Other,
        })
    }

    fn word_or_raw_string(&mut self) -> Token<'code> {
        let word = self.take_word();
        let hashes = self.rest.len() - self.rest.trim_start_matches('#').len();
        if !["r", "br", "cr"].contains(&word) || !self.rest[hashes..].starts_with('"') {
            return Token::Word(word);
        }
        self.take(hashes + 1);
        let end = format!("\"{}", "#".repeat(hashes));
        let (number, content) = (self.line, self.take_through(&end));
        let lines = content.strip_suffix(&end).unwrap_or(content).lines();
        Token::Literal((number..).zip(lines.map(str::to_owned)).collect())
    }

    /// Moves past the rest of a character literal or of a lifetime, after its opening quote.
    fn character_or_lifetime(&mut self) {
        let mut letters = self.rest.chars();
        match (letters.next(), letters.next()) {
            (Some('\\'), Some(escaped)) => {
                self.take(1 + escaped.len_utf8());
                self.take_through("'");
            }
            (Some(letter), Some('\'')) => {
                self.take(letter.len_utf8() + 1);
            }
            _ => {
                self.take_word();
            }
        }
    }

    /// Reads a string literal after its opening quote, and the character that ends it.
    fn literal(&mut self, ends: &[char]) -> Lines {
        let mut lines = Lines::new();
        while let Some(letter) = self.step().filter(|letter| !ends.contains(letter)) {
            let letter = if letter == '\\' { self.escape() } else { Some(letter) };
            push(&mut lines, letter, self.line);
        }
        lines
    }

    /// Reads an escape sequence after its backslash. Character codes become spaces.
    fn escape(&mut self) -> Option<char> {
        match self.step()? {
            '\n' => {
                self.take_while(char::is_whitespace);
                return None;
            }
            'n' => return Some('\n'),
            'u' if self.rest.starts_with('{') => {
                self.take_through("}");
            }
            'u' => self.skip(4),
            'x' => self.skip(2),
            't' | 'r' | '0' => (),
            letter => return Some(letter),
        }
        Some(' ')
    }
}

/// Returns the lines that were added or changed since the baseline was last committed, by path and number.
/// Without git, returns none.
fn changed_lines() -> BTreeSet<(String, usize)> {
    let commit = git(&["log", "--max-count=1", "--format=%H", "--", BASELINE]);
    let base = if commit.trim().is_empty() { "HEAD" } else { commit.trim() };
    added_lines(&git(&["diff", "--unified=0", "--no-color", "--no-ext-diff", "--dst-prefix=b/", base]))
}

/// Runs git in the repository and returns what it printed, or nothing if it cannot run.
fn git(arguments: &[&str]) -> String {
    let output = Command::new("git").current_dir(repository()).args(arguments).output();
    output.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the lines that a diff without context adds.
fn added_lines(diff: &str) -> BTreeSet<(String, usize)> {
    let (mut path, mut added) = ("", BTreeSet::new());
    for line in diff.lines() {
        if let Some(file) = line.strip_prefix("+++ b/") {
            path = file;
        } else if let Some(places) = line.strip_prefix("@@ ").and_then(|places| places.split_once('+')) {
            // `12,3` for three lines from 12 on, `12` for one.
            let place = places.1.split(' ').next().unwrap_or_default();
            let (first, count) = place.split_once(',').unwrap_or((place, "1"));
            if let (Ok(first), Ok(count)) = (first.parse::<usize>(), count.parse::<usize>()) {
                added.extend((first..first + count).map(|number| (path.to_owned(), number)));
            }
        }
    }
    added
}

/// Returns the lines of a surface that are not empty, each after the number of its line in the file.
fn numbered(surface: &str, path: &str, content: &str) -> Vec<String> {
    let paths = Paths { front: Vec::new(), help: Vec::new(), skip: Vec::new() };
    let texts = [Text { path: path.to_owned(), content: content.to_owned() }];
    let surfaces = Surfaces::of(&texts, &paths);
    let Surface { text, lines, .. } = &surfaces.0[surface];
    let lines = lines.iter().zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(source, line)| format!("{} {}", source.number, line.trim())).collect()
}

#[test]
fn rust_file_is_divided_into_comments_strings_names_and_tests() {
    let path = "crates/cli/src/main.rs";
    let code = r##"//! Header with `code`.
const LIMIT: &'static str = "one two"; // at the end
/// Returns a text.
pub const fn some_text(quote: char) -> bool { quote == '"' || quote == '\'' || quote == 'ü' }
struct TwoWords(r#type);
static TEXT: &str = "The first \"line\"\nand a second \
    line // and no comment";
static RAW: &str = r#"In a raw "string",
two lines"#;
#[cfg(test)]
mod tests {
    #[test]
    #[ignore = "a reason that is long"]
    fn text_is_empty() {}
    fn helper<'a>() {}
}
"##;
    let all = |surface| numbered(surface, path, code);
    assert_eq!(all("comments"), ["1 Header with  .", "2 at the end", "3 Returns a text."]);
    assert_eq!(all("names"), ["2 limit", "4 some_text", "5 two_words", "6 text", "8 raw", "11 tests", "15 helper"]);
    assert_eq!(all("tests"), ["14 text_is_empty"]);
    let (escaped, raw) =
        (["6 The first \"line\"", "6 and a second line // and no comment"], ["8 In a raw \"string\",", "9 two lines"]);
    assert_eq!(all("strings"), [escaped, raw].concat());
    assert!(numbered("strings", "crates/cli/tests/it/main.rs", code).is_empty());
}

#[test]
fn web_file_gives_its_literals_and_templates() {
    let code = r#"// no "literal of a comment"
const a = { b: "short one", c: "a text of words" };
<!-- not "this one here" -->
const d = (n) => `${n === 1 ? "only one job waits" : `${n} jobs wait now`}, of ${{ n }.n} in all\u00a0`;
"#;
    let expected = ["2 a text of words", "4 only one job waits", "4 … jobs wait now", "4 …, of … in all"];
    assert_eq!(numbered("web", "web/src/page.ts", code), expected);
}

#[test]
fn markdown_code_and_addresses_are_left_out() {
    let page = "# Title\n\n```console\n$ code\n```\nText `code` of [a link](address) <!-- comment -->\n";
    assert_eq!(numbered("docs", "docs/README.md", page), ["1 # Title", "6 Text   of [a link"]);
}

#[test]
fn api_description_gives_descriptions_and_summaries() {
    let json = "{\n  \"summary\": \"A \\\"word\\\".\",\n  \"description\": \"One\\nline.\",\n  \"title\": \"No\"\n}\n";
    assert_eq!(numbered("openapi", API_DESCRIPTION, json), ["2 A \"word\".", "3 One", "3 line."]);
}

#[test]
fn diff_without_context_gives_added_lines() {
    let diff =
        "--- a/x\n+++ b/x\n@@ -1,0 +2,2 @@ fn f()\n+a\n+b\n@@ -9 +11 @@\n-c\n+d\n--- a/y\n+++ b/y\n@@ -3,2 +2,0 @@\n";
    let expected = [("x", 2), ("x", 3), ("x", 11)].map(|(path, number)| (path.to_owned(), number));
    assert_eq!(added_lines(diff), BTreeSet::from(expected));
}
