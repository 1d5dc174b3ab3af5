//! What counts, and where it comes from: defaults, the file, its drop-ins in the order of their names, variables of the environment, the command line.
//!
//! For: `qcast serve`, which takes its options from here, and `qcast config`, which shows them.
//!
//! Not for: what options mean together (`serve`).

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches};

use super::file::{ConfigFile, Entry};
use super::keys::{Key, Keys};
use super::origin::Origin;
use crate::ask::inert::inert;
use crate::failure::{Failure, OnSide};
use crate::serve::ServeOptions;

/// The file that is read if none is named.
pub const USUAL_FILE: &str = "/etc/queuecast/queuecast.toml";
/// The variable that names another.
pub const VARIABLE: &str = "QCAST_CONFIG";

/// One option, what counts for it, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The long option.
    pub key: String,
    /// As on the command line; none if nobody says anything.
    pub values: Vec<String>,
    /// Who says it.
    pub origin: Origin,
}

/// Everything that counts.
#[derive(Debug)]
pub struct Configuration {
    /// Every option of `qcast serve`, in its order.
    pub settings: Vec<Setting>,
    /// The files that were read, in order.
    pub files: Vec<PathBuf>,
    /// Where the daemons of clusters are.
    pub clusters: BTreeMap<String, String>,
}

impl Configuration {
    /// Reads all that counts, under what the command line gives by key. A variable is looked up by `variable`.
    pub fn read(
        named: Option<&Path>,
        given: &[(String, Vec<String>)],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        let keys = Keys::of_serve();
        let files = files(named, &variable)?;
        let mut clusters = BTreeMap::new();
        let mut said: BTreeMap<String, Entry> = BTreeMap::new();
        for path in &files {
            let file = ConfigFile::read(path, &keys)?;
            clusters.extend(file.clusters);
            said.extend(file.entries.into_iter().map(|entry| (entry.key.clone(), entry)));
        }
        let settings = keys.iter().map(|key| {
            let given = given.iter().find(|(name, _)| *name == key.name);
            let (values, origin) = if let Some((_, values)) = given {
                (values.clone(), Origin::CommandLine)
            } else if let Some(text) = variable(&key.variable()).filter(|text| !text.is_empty()) {
                (of_variable(key, &text), Origin::Variable(key.variable()))
            } else if let Some(entry) = said.remove(&key.name) {
                (entry.values, entry.origin)
            } else {
                (key.defaults.clone(), Origin::Default)
            };
            let setting = Setting { key: key.name.clone(), values, origin };
            checked(key, &setting)?;
            Ok(setting)
        });
        Ok(Self { settings: settings.collect::<Result<_, Failure>>()?, files, clusters })
    }

    /// The options of `qcast serve`, as if all had been given on the command line.
    pub fn options(&self) -> Result<ServeOptions, Failure> {
        let keys = Keys::of_serve();
        let words = self.settings.iter().filter(|setting| setting.origin != Origin::Default);
        let words = words.filter_map(|setting| Some(words_of(keys.find(&setting.key)?, setting))).flatten();
        parsed(words).map_err(Failure::usage)
    }
}

/// Where the daemons of clusters are, as the machine's own file says; for whoever asks.
pub fn known_clusters(variable: impl Fn(&str) -> Option<String>) -> Result<BTreeMap<String, String>, Failure> {
    let keys = Keys::of_serve();
    let mut clusters = BTreeMap::new();
    for path in files(None, &variable)? {
        // The daemon's own files need not be everybody's to read.
        let is_hidden = std::fs::File::open(&path).is_err_and(|error| error.kind() == ErrorKind::PermissionDenied);
        if !is_hidden {
            clusters.extend(ConfigFile::read(&path, &keys)?.clusters);
        }
    }
    Ok(clusters)
}

/// The file and its drop-ins. A file that is named must be there.
fn files(named: Option<&Path>, variable: &impl Fn(&str) -> Option<String>) -> Result<Vec<PathBuf>, Failure> {
    let named = named.map(Path::to_owned);
    let named = named.or_else(|| variable(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from));
    let is_named = named.is_some();
    let file = named.unwrap_or_else(|| PathBuf::from(USUAL_FILE));
    let mut folder = file.clone().into_os_string();
    folder.push(".d");
    let folder = PathBuf::from(folder);
    let mut drop_ins = Vec::new();
    match std::fs::read_dir(&folder) {
        Ok(entries) => {
            for entry in entries {
                let path = entry.map_err(|error| anyhow::anyhow!("{}: {error}", folder.display())).reading()?.path();
                if path.extension().is_some_and(|extension| extension == "toml") {
                    drop_ins.push(path);
                }
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(anyhow::anyhow!("{}: {error}", folder.display())).reading(),
    }
    drop_ins.sort();
    let mut files = Vec::new();
    if is_named || file.exists() {
        files.push(file);
    }
    files.extend(drop_ins);
    Ok(files)
}

/// Several values stand between commas.
fn of_variable(key: &Key, text: &str) -> Vec<String> {
    if key.is_list { text.split(',').map(|value| value.trim().to_owned()).collect() } else { vec![text.to_owned()] }
}

fn words_of(key: &Key, setting: &Setting) -> Vec<String> {
    if key.is_switch {
        let is_on = setting.values.first().is_some_and(|value| value == "true");
        return is_on.then(|| format!("--{}", key.name)).into_iter().collect();
    }
    setting.values.iter().map(|value| format!("--{}={value}", key.name)).collect()
}

/// Each by itself, so that what is wrong is told with its place.
fn checked(key: &Key, setting: &Setting) -> Result<(), Failure> {
    let told = |why: &str| Failure::usage(format_args!("{}: {why}", setting.origin));
    match setting.values.as_slice() {
        [value] if key.is_switch && !["true", "false"].contains(&value.as_str()) => {
            Err(told(&format!("invalid value for {}: {}; expected true or false", key.name, inert(value))))
        }
        _ => parsed(words_of(key, setting)).map(|_| ()).map_err(|why| told(&inert(&why))),
    }
}

/// As clap reads them.
fn parsed(words: impl IntoIterator<Item = String>) -> Result<ServeOptions, String> {
    let command = ServeOptions::augment_args(Command::new("serve").no_binary_name(true));
    let first_line = |error: &clap::Error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    };
    let matches = command.try_get_matches_from(words).map_err(|error| first_line(&error))?;
    ServeOptions::from_arg_matches(&matches).map_err(|error| first_line(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn setting(configuration: &Configuration, key: &str) -> (String, String) {
        let found = configuration.settings.iter().find(|setting| setting.key == key).expect("a key");
        (found.values.join(","), found.origin.to_string())
    }

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        folder
    }

    #[test]
    fn the_command_line_counts_more_than_variables_those_more_than_drop_ins_and_those_more_than_the_file() {
        let folder = folder_with(&[
            ("q.toml", "queue-interval = 31\nnodes-interval = 61\nkeep-days = 40\nadmin-uid = [1, 2]\n"),
            ("q.toml.d/20.toml", "nodes-interval = 63\n"),
            ("q.toml.d/10.toml", "nodes-interval = 62\nkeep-days = 50\nadmin-uid = 3\n"),
            ("q.toml.d/10.toml~", "nonsense"),
        ]);
        let file = folder.path().join("q.toml");
        let given = [("queue-interval".to_owned(), vec!["9".to_owned()])];
        let variable = |name: &str| (name == "QCAST_KEEP_DAYS").then(|| "60".to_owned());
        let configuration = Configuration::read(Some(&file), &given, variable).expect("well said");
        assert_eq!(setting(&configuration, "queue-interval"), ("9".to_owned(), "command line".to_owned()));
        assert_eq!(setting(&configuration, "keep-days"), ("60".to_owned(), "variable QCAST_KEEP_DAYS".to_owned()));
        assert_eq!(setting(&configuration, "nodes-interval").0, "63");
        assert!(setting(&configuration, "nodes-interval").1.ends_with("20.toml:1"));
        assert_eq!(setting(&configuration, "admin-uid").0, "3", "a list is replaced whole");
        assert_eq!(setting(&configuration, "accounting-interval"), ("60".to_owned(), "default".to_owned()));
        assert_eq!(configuration.files.len(), 3);
    }

    #[test]
    fn a_value_that_is_not_one_is_told_with_its_line() {
        let folder = folder_with(&[("q.toml", "store = \"/s\"\nqueue-interval = 0\n")]);
        let file = folder.path().join("q.toml");
        let refused = Configuration::read(Some(&file), &[], |_| None).expect_err("none is every 0 seconds");
        assert!(refused.told().contains("q.toml:2: invalid value '0' for '--queue-interval"), "{refused}");
        let variable = |name: &str| (name == "QCAST_TEXT_COMMANDS").then(|| "maybe".to_owned());
        let refused =
            Configuration::read(Some(&folder.path().join("other.toml")), &[], variable).expect_err("not there");
        assert!(refused.told().contains("other.toml"), "{refused}");
        fs::write(&file, "").expect("it can be written");
        let refused = Configuration::read(Some(&file), &[], variable).expect_err("not a switch");
        assert!(
            refused.told().contains("variable QCAST_TEXT_COMMANDS: invalid value for text-commands: maybe"),
            "{refused}"
        );
    }

    #[test]
    fn every_option_of_serve_can_be_written_in_a_file() {
        let keys = Keys::of_serve();
        for key in keys.iter().filter(|key| !key.defaults.is_empty()) {
            let folder = folder_with(&[("q.toml", &key.example())]);
            let read = Configuration::read(Some(&folder.path().join("q.toml")), &[], |_| None);
            let read = read.unwrap_or_else(|failure| panic!("{}: {failure}", key.example()));
            assert!(setting(&read, &key.name).1.ends_with("q.toml:1"), "{}", key.name);
        }
        assert!(keys.iter().count() > 25, "the options are found");
    }

    #[test]
    fn without_a_file_there_are_defaults() {
        let options = Configuration::read(None, &[], |_| None).and_then(|configuration| configuration.options());
        assert!(options.is_ok());
    }
}
