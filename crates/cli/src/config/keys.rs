//! The keys of the configuration: the long options of `qcast serve`, taken from their own definition, so that there is one list.
//!
//! Not for: values (`layers`).

use clap::{Arg, ArgAction, Args, Command};

use crate::serve::ServeOptions;

/// How alike two names must be, from 0 to 1, for one to be meant by the other.
const ALIKE: f64 = 0.8;

/// One key.
#[derive(Clone, Debug)]
pub struct Key {
    /// The long option, without dashes.
    pub name: String,
    /// Whether it is on or off, and has no other value.
    pub is_switch: bool,
    /// Whether it may have several values.
    pub is_list: bool,
    /// Whether help does not name it: for labs.
    pub is_hidden: bool,
    /// What counts if nobody says anything.
    pub defaults: Vec<String>,
    /// As which clap knows it.
    pub id: String,
}

impl Key {
    fn of(option: &Arg) -> Option<Self> {
        let name = option.get_long()?.to_owned();
        let defaults = option.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
        Some(Self {
            name,
            is_switch: matches!(option.get_action(), ArgAction::SetTrue),
            is_list: matches!(option.get_action(), ArgAction::Append),
            is_hidden: option.is_hide_set(),
            defaults: if matches!(option.get_action(), ArgAction::SetTrue) {
                vec![false.to_string()]
            } else {
                defaults.collect()
            },
            id: option.get_id().to_string(),
        })
    }

    /// The variable of the environment that sets it.
    pub fn variable(&self) -> String {
        format!("QCAST_{}", self.name.replace('-', "_").to_uppercase())
    }

    /// How it is written in a file.
    pub fn example(&self) -> String {
        let Self { name, defaults, .. } = self;
        match defaults.first() {
            _ if self.is_switch => format!("{name} = true"),
            _ if self.is_list => format!("{name} = [\"...\", \"...\"]"),
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("{name} = {number}"),
            Some(word) => format!("{name} = \"{word}\""),
            None => format!("{name} = \"...\""),
        }
    }
}

/// All of them, in the order of `qcast serve --help`.
#[derive(Clone, Debug)]
pub struct Keys(Vec<Key>);

impl Keys {
    /// The options of `qcast serve`.
    pub fn of_serve() -> Self {
        Self(ServeOptions::augment_args(Command::new("serve")).get_arguments().filter_map(Key::of).collect())
    }

    /// The key of this name.
    pub fn find(&self, name: &str) -> Option<&Key> {
        self.0.iter().find(|key| key.name == name)
    }

    /// All.
    pub fn iter(&self) -> impl Iterator<Item = &Key> {
        self.0.iter()
    }

    /// The name that was probably meant.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let likeness = |key: &Key| strsim::jaro_winkler(&key.name, name);
        let nearest = self.0.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
        (likeness(nearest) >= ALIKE).then_some(nearest.name.as_str())
    }
}
