//! A program as it is named: `exec:./mine.py`, with words behind it if it takes any.
//!
//! Not for: running it (`conversation`).

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// For how long a program is waited for: until it has started, and for each answer.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// What the names of programs begin with.
const PREFIX: &str = "exec:";

/// A program to be started, once for each replay.
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    words: Vec<String>,
    patience: Duration,
}

impl Program {
    /// Reads a name; `None` if it does not begin with `exec:` or names nobody. What is behind it is a file or, if there is none of that
    /// name, a program and its arguments with blanks between them. No shell is asked.
    pub fn named(text: &str) -> Option<Self> {
        let command = text.strip_prefix(PREFIX)?;
        let words: Vec<String> = if Path::new(command).is_file() {
            vec![command.to_owned()]
        } else {
            command.split_whitespace().map(str::to_owned).collect()
        };
        (!words.is_empty()).then(|| Self { name: text.to_owned(), words, patience: PATIENCE })
    }

    /// The same, waited for so long.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// As it was named, with `exec:`.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    /// Without `exec:`: as its author would say it.
    pub(crate) fn said(&self) -> &str {
        self.name.strip_prefix(PREFIX).unwrap_or(&self.name)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stand_behind_the_program_unless_a_file_is_called_so() {
        let words = |text: &str| Program::named(text).map(|program| program.words);
        assert_eq!(words("exec:./mine.py --window 3"), Some(vec!["./mine.py".into(), "--window".into(), "3".into()]));
        assert_eq!((words("exec:"), words("exec: "), words("easy")), (None, None, None));
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("two words");
        std::fs::write(&file, "").expect("a file");
        let named = format!("exec:{}", file.display());
        assert_eq!(words(&named), Some(vec![file.display().to_string()]));
    }
}
