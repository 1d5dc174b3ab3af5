//! `qcast config`: what `qcast serve` would run with, and where each value comes from.
//!
//! For: an administrator before a restart. `check` reads everything that `serve` reads at its start, keys and certificates too.
//!
//! Not for: what options mean (`serve`).

mod file;
pub mod keys;
pub mod layers;
mod origin;

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use serde::Serialize;

use self::keys::Keys;
use self::layers::{Configuration, Setting};
pub use self::origin::Origin;
use crate::ask::inert::inert;
use crate::ask::print;
use crate::failure::Failure;
use crate::output::{FormatArgs, Report, Sheet, print_answer};
use crate::serve::ServeArgs;

/// The arguments of `qcast config`.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Check whether `qcast serve` can start with this configuration.
    Check(Box<CheckArgs>),
    /// Show every value and its source.
    Show(Box<ShowArgs>),
}

/// The arguments of `qcast config check`.
#[derive(Debug, Args)]
#[command(
    after_help = "Run the check as the daemon's user, because the check reads keys and certificates with your permissions.\n\
                  Exit status: 0 if the configuration is valid, 2 or 3 if not."
)]
struct CheckArgs {
    #[command(flatten)]
    serve: ServeArgs,
}

/// The arguments of `qcast config show`.
#[derive(Debug, Args)]
struct ShowArgs {
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    serve: ServeArgs,
}

/// Everything that counts.
#[derive(Debug, Serialize)]
struct Shown {
    files: Vec<String>,
    settings: Vec<Row>,
    clusters: BTreeMap<String, String>,
}

/// A value and where it comes from.
#[derive(Debug, Serialize)]
struct Row {
    key: String,
    values: Vec<String>,
    from: String,
}

impl Report for Shown {
    fn tables(&self) -> Vec<Sheet> {
        // Columns without a name are text, and set to the left.
        vec![Sheet { columns: ["key", "", ""].map(str::to_owned).to_vec(), ..self.csv() }]
    }

    fn csv(&self) -> Sheet {
        let mut sheet = Sheet::new(["key", "value", "from"]);
        for Row { key, values, from } in &self.settings {
            sheet.add([key.clone(), values.join(","), from.clone()]);
        }
        for (name, place) in &self.clusters {
            sheet.add([format!("clusters.{name}"), place.clone(), "for clients with -M".to_owned()]);
        }
        sheet
    }
}

/// Runs `qcast config`.
pub fn run(arguments: &ConfigArgs) -> Result<(), Failure> {
    match &arguments.command {
        ConfigCommand::Check(arguments) => {
            let configuration = arguments.serve.configuration()?;
            configuration.options()?.settings()?;
            print(&told(&configuration))
        }
        ConfigCommand::Show(arguments) => {
            let configuration = arguments.serve.configuration()?;
            let keys = Keys::of_serve();
            let is_named = |setting: &&Setting| {
                setting.origin != Origin::Default || keys.find(&setting.key).is_none_or(|key| !key.is_hidden)
            };
            let settings = configuration.settings.iter().filter(is_named).map(|setting| Row {
                key: setting.key.clone(),
                values: setting.values.iter().map(|value| inert(value)).collect(),
                from: setting.origin.to_string(),
            });
            let files = configuration.files.iter().map(|path| path.display().to_string());
            let clusters = configuration.clusters.iter().map(|(name, place)| (inert(name), inert(place)));
            let shown = Shown { files: files.collect(), settings: settings.collect(), clusters: clusters.collect() };
            print_answer(&shown, arguments.format.format)
        }
    }
}

fn told(configuration: &Configuration) -> String {
    let said = configuration.settings.iter().filter(|setting| setting.origin != Origin::Default).count();
    let files: Vec<_> = configuration.files.iter().map(|path| path.display().to_string()).collect();
    let files = if files.is_empty() { "no file".to_owned() } else { files.join(", ") };
    format!("The configuration is valid ({files}; {said} values differ from the defaults).")
}
