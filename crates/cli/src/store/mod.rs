//! `qcast store`: back up, check, compact and take out what a daemon keeps.
//!
//! For: an administrator and a cron job. All but `compact` are safe while the daemon writes; `compact` is refused then.
//!
//! Not for: what is in it (`queuecast_daemon::store`).

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use queuecast_daemon::store::{Store, StoreError, Table};

use crate::ask::print;
use crate::config::layers::Configuration;
use crate::failure::{Cause, Failure, OnSide};

/// The arguments of `qcast store`.
#[derive(Debug, Args)]
pub struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
    /// Path of the store [default: the store in the configuration].
    #[arg(long, value_name = "FILE", global = true)]
    store: Option<PathBuf>,
    /// Configuration file [default: `QCAST_CONFIG`, or /etc/queuecast/queuecast.toml if that file exists].
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Write a checked copy of the store with mode 600, even while the daemon runs.
    Backup {
        /// File to write, which must not exist yet.
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Read the whole store and verify its checksums.
    Check,
    /// Shrink the file by the space of deleted jobs; the daemon must be stopped.
    Compact,
    /// Write a table of the store as CSV.
    Export {
        /// Table to export.
        #[arg(value_enum)]
        table: TableChoice,
        /// File to write with mode 600, which must not exist yet [default: standard output].
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// As it is written on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TableChoice {
    /// Jobs, one row per attempt; a requeued job has several.
    Jobs,
    /// Forecasts and when they were made.
    Forecasts,
    /// Forecasts that were scored by the start of their job.
    Settlements,
}

/// Runs `qcast store`.
pub fn run(arguments: &StoreArgs) -> Result<(), Failure> {
    let path = arguments.path()?;
    match &arguments.command {
        StoreCommand::Backup { to } => {
            Store::back_up(&path, to).map_err(failed)?;
            print(&format!("{} is a verified copy of {}.", to.display(), path.display()))
        }
        StoreCommand::Check => {
            let store = Store::open_to_read(&path).map_err(failed)?;
            store.check().map_err(failed)?;
            print(&format!("{} is intact: {} jobs.", path.display(), store.job_count()))
        }
        StoreCommand::Compact => {
            let before = bytes(&path);
            // One that is not there would be made.
            Store::open_to_read(&path).map_err(failed)?;
            Store::open(&path).and_then(|mut store| store.compact()).map_err(failed)?;
            print(&format!("{}: {} bytes (before: {} bytes).", path.display(), bytes(&path), before))
        }
        StoreCommand::Export { table, output } => {
            let store = Store::open_to_read(&path).map_err(failed)?;
            let table = match table {
                TableChoice::Jobs => Table::Jobs,
                TableChoice::Forecasts => Table::Forecasts,
                TableChoice::Settlements => Table::Settlements,
            };
            match output {
                None => written(&store, table, io::stdout().lock(), "standard output"),
                Some(output) => {
                    let name = output.display().to_string();
                    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(output);
                    written(&store, table, file.with_context(|| name.clone()).writing()?, &name)
                }
            }
        }
    }
}

impl StoreArgs {
    fn path(&self) -> Result<PathBuf, Failure> {
        let given = self.store.iter().map(|path| ("store".to_owned(), vec![path.to_string_lossy().into_owned()]));
        let given: Vec<_> = given.collect();
        let configuration = Configuration::read(self.config.as_deref(), &given, |name| std::env::var(name).ok())?;
        Ok(configuration.options()?.store)
    }
}

/// That a store is not what was written is what a check is for; everything else is a matter of reading it.
fn failed(error: StoreError) -> Failure {
    let cause = if matches!(error, StoreError::Damaged { .. }) { Cause::Check } else { Cause::Input };
    Failure::new(cause, error)
}

fn bytes(path: &PathBuf) -> u64 {
    std::fs::metadata(path).map_or(0, |found| found.len())
}

/// Why rows were not written out.
enum Stopped {
    Reading(StoreError),
    Writing(csv::Error),
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        Self::Reading(error)
    }
}

fn written(store: &Store, table: Table, to: impl Write, name: &str) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(to);
    let rows = store.rows(table, |row| writer.write_record(row).map_err(Stopped::Writing));
    match rows {
        Ok(()) => writer.flush().with_context(|| name.to_owned()).writing(),
        Err(Stopped::Reading(error)) => Err(failed(error)),
        Err(Stopped::Writing(error)) => Err(error).with_context(|| name.to_owned()).writing(),
    }
}
