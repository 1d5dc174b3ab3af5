//! sbatch's options on the command line, as many as sbatch has: whoever has a line that sbatch takes can ask about it.
//!
//! Not for: what they mean (`script`); `qcast`'s own options.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use super::inert::inert;
use super::script::Asked;
use super::script::known::{Bearing, KNOWN, Known, Takes};
use crate::failure::Failure;

/// sbatch's options that `qcast` has for itself, or that ask sbatch for help.
const OWN: [&str; 6] = ["clusters", "cluster", "help", "usage", "version", "autocomplete"];

const HEADING: &str = "Job options, as for sbatch";

/// What was given, in the order of the table.
#[derive(Clone, Debug, Default)]
pub struct OptionArgs {
    given: Vec<(&'static Known, Option<String>)>,
    /// Whose job it would be.
    pub user: Option<String>,
}

fn offered() -> impl Iterator<Item = &'static Known> {
    KNOWN.iter().filter(|known| !OWN.contains(&known.long))
}

impl Args for OptionArgs {
    fn augment_args(mut command: Command) -> Command {
        for known in offered() {
            let (value, help) = known.help;
            let mut option = Arg::new(known.long).long(known.long).help_heading(HEADING).hide(help.is_empty());
            if !help.is_empty() {
                option = option.help(help);
            }
            if let Some(letter) = known.short {
                option = option.short(letter);
            }
            let value = if value.is_empty() { "VALUE" } else { value };
            // What comes later counts, as for sbatch.
            command = command.arg(match known.takes {
                Takes::Nothing => option.action(ArgAction::Count),
                Takes::Value => option.action(ArgAction::Append).value_name(value).allow_hyphen_values(true),
                Takes::Maybe => option
                    .action(ArgAction::Append)
                    .value_name(value)
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value(""),
            });
        }
        let user = Arg::new("user").long("user").value_name("USER").help_heading(HEADING);
        command.arg(
            user.help(
                "User who would submit the job; run times are predicted from past jobs of this user [default: you]",
            ),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut arguments = Self::default();
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.user = matches.get_one::<String>("user").cloned().filter(|user| !user.is_empty());
        self.given.clear();
        for known in offered() {
            match known.takes {
                Takes::Nothing if matches.get_count(known.long) > 0 => self.given.push((known, None)),
                Takes::Nothing => {}
                Takes::Value | Takes::Maybe => {
                    if let Some(last) = matches.get_many::<String>(known.long).and_then(Iterator::last) {
                        // An option that may do without its value has none where nothing is attached.
                        let value = Some(last.clone()).filter(|value| known.takes == Takes::Value || !value.is_empty());
                        self.given.push((known, value));
                    }
                }
            }
        }
        Ok(())
    }
}

impl OptionArgs {
    /// Whether nothing is said of the job.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.user.is_none()
    }

    /// Puts them over what a script asks for, and says what has no part in the forecast.
    pub fn apply(&self, asked: &mut Asked, left_out: &mut Vec<String>) -> Result<(), Failure> {
        for (known, value) in &self.given {
            match known.bearing {
                Bearing::None => {}
                Bearing::LeftOut => {
                    let value = value.as_ref().map(|value| format!("={value}")).unwrap_or_default();
                    left_out.push(format!("--{}{value}", known.long));
                }
                Bearing::Asked => asked.set(known.long, value.as_deref()).map_err(|forms| {
                    let value = value.as_deref().map(inert).unwrap_or_default();
                    Failure::usage(format_args!("invalid value for --{}: {value}", known.long))
                        .with_hint(format!("use {forms}, as for sbatch"))
                })?,
            }
        }
        Ok(())
    }
}
