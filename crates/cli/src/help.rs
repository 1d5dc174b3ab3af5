//! The list of commands in `qcast --help`, grouped by reader.
//!
//! For: `qcast --help`. clap has one heading for all subcommands, so this module writes the list from the definitions that clap has.
//!
//! Not for: the help of a single command, which clap writes.

use std::fmt::Write;

use clap::Command;

/// The groups in the order of the help: a heading, and the names of its commands.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Commands for users", &["when", "limit", "where", "size", "why", "queue", "top", "notify", "score"]),
    ("Commands for administrators", &["serve", "config", "doctor", "store", "backtest"]),
    (
        "Commands for researchers",
        &["trace", "simulate", "compare", "predict", "wait", "meta", "search", "allocate", "generate", "reproduce"],
    ),
    ("Other commands", &["completions", "man", HELP]),
];

/// The command that clap adds while it parses, so that a definition has no description of it.
const HELP: &str = "help";
/// The description of `qcast help`.
const HELP_ABOUT: &str = "Print this help, or the help of a command";
/// The length of the longest name of a command.
const NAME_WIDTH: usize = 11;

/// Replaces the flat list of commands in the help text by the grouped list.
pub fn grouped(command: Command) -> Command {
    let styles = command.get_styles().clone();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut list = String::new();
    for (heading, names) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(list, "{header}{heading}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(|| HELP_ABOUT.to_owned(), ToString::to_string);
            let gap = " ".repeat(NAME_WIDTH.saturating_sub(name.len()) + 2);
            let _ = writeln!(list, "  {literal}{name}{literal:#}{gap}{about}");
        }
        list.push('\n');
    }
    let options = format!("{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{options}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_in_exactly_one_group() {
        let command = crate::Cli::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut defined: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        defined.push(HELP);
        listed.sort_unstable();
        defined.sort_unstable();
        assert_eq!(listed, defined);
        assert_eq!(listed.iter().map(|name| name.len()).max(), Some(NAME_WIDTH));
    }

    #[test]
    fn the_help_fits_into_eighty_columns() {
        for command in crate::Cli::command().get_subcommands() {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(about.len() + NAME_WIDTH + 4 <= 80 && !about.is_empty(), "{}: {about}", command.get_name());
        }
    }
}
