//! One configuration file, read: TOML whose keys are the long options of `qcast serve`, and a table of clusters for whoever asks.
//!
//! For: every value with the line it stands on, so that what is wrong can be found.
//!
//! Not for: which file counts more (`layers`); what a value means (`serve`).

use std::collections::BTreeMap;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::keys::{Key, Keys};
use super::origin::Origin;
use crate::ask::inert::inert;
use crate::failure::{Failure, OnSide};

/// The table that askers read.
const CLUSTERS: &str = "clusters";

/// What one file says.
#[derive(Debug, Default)]
pub struct ConfigFile {
    /// What it sets, in its order.
    pub entries: Vec<Entry>,
    /// Where the daemons of clusters are.
    pub clusters: BTreeMap<String, String>,
}

/// One key that a file sets.
#[derive(Debug)]
pub struct Entry {
    /// The long option it stands for.
    pub key: String,
    /// As they would be written on the command line. Of a switch one word: true or false.
    pub values: Vec<String>,
    /// Where it stands.
    pub origin: Origin,
}

impl ConfigFile {
    /// Reads a file.
    pub fn read(path: &Path, keys: &Keys) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| anyhow::anyhow!("{}: {error}", path.display())).reading()?;
        Self::parse(path, &text, keys)
    }

    fn parse(path: &Path, text: &str, keys: &Keys) -> Result<Self, Failure> {
        let at = |offset: usize| Origin::File { path: path.to_owned(), line: line_of(text, offset) };
        let table = DeTable::parse(text).map_err(|error| {
            let origin = at(error.span().map_or(0, |span| span.start));
            Failure::usage(format_args!("{origin}: {}", inert(error.message())))
        })?;
        let mut file = Self::default();
        for (name, value) in table.into_inner() {
            let origin = at(name.span().start);
            if name.get_ref() == CLUSTERS {
                file.clusters = clusters(value.get_ref(), &origin)?;
                continue;
            }
            let key = keys.find(name.get_ref()).ok_or_else(|| unknown(name.get_ref(), keys, &origin))?;
            let values = written(key, value.get_ref()).map_err(|why| {
                Failure::usage(format_args!("{origin}: {}: {why}", key.name))
                    .with_hint(format!("write {}", key.example()))
            })?;
            file.entries.push(Entry { key: key.name.clone(), values, origin });
        }
        Ok(file)
    }
}

/// Lines are counted from 1.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}

fn unknown(name: &str, keys: &Keys, origin: &Origin) -> Failure {
    let failure = Failure::usage(format_args!("{origin}: unknown key {}", inert(name)));
    match keys.nearest(name) {
        Some(nearest) => failure.with_hint(format!("did you mean {nearest}?")),
        None => failure.with_hint("the keys are the options in `qcast serve --help`, without the leading dashes"),
    }
}

/// As it would be on the command line.
fn written(key: &Key, value: &DeValue<'_>) -> Result<Vec<String>, &'static str> {
    match value {
        DeValue::Boolean(is_on) if key.is_switch => Ok(vec![is_on.to_string()]),
        _ if key.is_switch => Err("expected true or false"),
        DeValue::Array(values) if key.is_list => values
            .iter()
            .map(|value| word(value.get_ref()))
            .collect::<Option<_>>()
            .ok_or("expected a list of strings or numbers"),
        DeValue::Array(_) => Err("expected one value, not a list"),
        value => word(value).map(|word| vec![word]).ok_or("expected a string or a decimal number"),
    }
}

/// Numbers are decimal: `0o660` would be 432, which is not what socket-mode means by 660.
fn word(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
        _ => None,
    }
}

fn clusters(value: &DeValue<'_>, origin: &Origin) -> Result<BTreeMap<String, String>, Failure> {
    let wrong = || {
        Failure::usage(format_args!("{origin}: clusters must be a table of names and addresses")).with_hint(
            "for example, under [clusters]: alpha = \"/run/queuecast/alpha/api.sock\" or beta = \"https://beta-login:8642\"",
        )
    };
    let table = value.as_table().ok_or_else(wrong)?;
    let place = |value: &DeValue<'_>| value.as_str().filter(|place| !place.is_empty()).map(str::to_owned);
    table
        .iter()
        .map(|(name, value)| Some((name.get_ref().to_string(), place(value.get_ref())?)))
        .collect::<Option<_>>()
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ConfigFile, String> {
        let keys = Keys::of_serve();
        ConfigFile::parse(Path::new("/etc/q.toml"), text, &keys).map_err(|failure| format!("{failure:?}"))
    }

    #[test]
    fn a_file_sets_options_by_their_names_and_says_where() {
        let file =
            read("# ours\nqueue-interval = 45\n\nadmin-uid = [7, 1_000]\ntext-commands = true\n").expect("well said");
        let said: Vec<_> = file
            .entries
            .iter()
            .map(|entry| (entry.key.as_str(), entry.values.join(","), entry.origin.to_string()))
            .collect();
        assert!(said.contains(&("queue-interval", "45".to_owned(), "/etc/q.toml:2".to_owned())), "{said:?}");
        assert!(said.contains(&("admin-uid", "7,1000".to_owned(), "/etc/q.toml:4".to_owned())), "{said:?}");
        assert!(said.contains(&("text-commands", "true".to_owned(), "/etc/q.toml:5".to_owned())), "{said:?}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_the_nearest_name() {
        for (text, told) in [
            ("\nqueue-intervall = 30", ["/etc/q.toml:2", "did you mean queue-interval?"]),
            ("queue_interval = 30", ["/etc/q.toml:1", "did you mean queue-interval?"]),
            ("zzz = 1", ["/etc/q.toml:1: unknown key zzz", "qcast serve --help"]),
            ("store = \"a\"\nstore = \"b\"", ["/etc/q.toml:2", "duplicate key"]),
            ("queue-interval = [1, 2]", ["queue-interval: expected one value", "queue-interval = "]),
            ("text-commands = \"yes\"", ["text-commands: expected true or false", "text-commands = true"]),
            ("socket-mode = 0o660", ["socket-mode: expected a string or a decimal number", "socket-mode = "]),
            ("queue-interval = ", ["/etc/q.toml:1", ""]),
            ("[clusters]\nalpha = 3", ["clusters must be a table", "/run/queuecast/alpha/api.sock"]),
        ] {
            let refused = read(text).expect_err(text);
            assert!(told.iter().all(|told| refused.contains(told)), "{text:?}: {refused}");
        }
    }

    #[test]
    fn clusters_are_names_and_places() {
        let file = read("[clusters]\nalpha = \"/run/a.sock\"\nbeta = \"https://b:1\"\n").expect("well said");
        assert_eq!(file.clusters.get("beta").map(String::as_str), Some("https://b:1"));
        assert!(file.entries.is_empty());
    }
}
