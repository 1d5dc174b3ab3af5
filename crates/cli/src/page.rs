//! Pages that are written beside the result, and the words of the command that makes them again.

use std::io::Write;
use std::path::Path;

use queuecast_workload::files::Output;

use crate::failure::{Failure, OnSide, say};

/// A page that is not written yet. It appears under its name when it is.
pub struct PageWriter {
    output: Output,
    name: String,
}

impl PageWriter {
    /// Makes sure that the page can be written, before anything is replayed.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Err(Failure::usage("--html needs a file name: standard output is used for the result"));
        }
        Ok(Self { output: Output::create(path).writing()?, name: path.display().to_string() })
    }

    /// Writes it.
    pub fn write(mut self, html: &str) -> Result<(), Failure> {
        self.output.write_all(html.as_bytes()).writing()?;
        self.output.finish().writing()?;
        say(format_args!("{}: written", self.name));
        Ok(())
    }
}

/// As a shell takes it for one word.
pub fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=,+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_a_shell_would_take_apart_is_quoted() {
        assert_eq!(quoted("easy:queue=f1,depth=4"), "easy:queue=f1,depth=4");
        assert_eq!(quoted("my log.swf"), "'my log.swf'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
