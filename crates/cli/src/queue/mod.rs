//! `qcast queue`: the queue with its forecasts, as `squeue --start` lists it with Slurm's plans.
//!
//! For: people and scripts that know squeue: its selectors, its `-h`, its parsable output.
//!
//! Not for: one job or a job that was not submitted yet (`qcast when`); watching (`qcast top`).
//!
//! Source: squeue(1), whose options these are.

pub mod column;
pub mod gather;
pub mod layout;
pub mod order;
#[cfg(test)]
pub mod sample;
pub mod selection;

use std::io::{self, Write};

use anyhow::Context;
use clap::{ArgAction, Args};
use queuecast_api::queue::ListedState;

use self::column::Column;
use self::gather::{Gathered, gather};
use self::order::Order;
use self::selection::SelectionArgs;
use crate::ask::clusters::AskedArgs;
use crate::ask::inert::{inert, inert_json};
use crate::ask::wall::{Wall, span};
use crate::ask::zone::Zone;
use crate::failure::{Failure, OnSide, say};
use crate::output::{Format, not_a_formula};

/// What is listed unless columns are chosen.
const USUAL: [Column; 12] = [
    Column::Id,
    Column::Partition,
    Column::Name,
    Column::User,
    Column::State,
    Column::Nodes,
    Column::Limit,
    Column::Start,
    Column::Range80,
    Column::Completion,
    Column::Slurm,
    Column::Reason,
];

/// The arguments of `qcast queue`.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Exit status: 0 even if the list is empty, 3 if the daemon does not answer or all jobs given with -j are unknown."
)]
pub struct QueueArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// Omit the header line.
    #[arg(short = 'h', long)]
    noheader: bool,
    /// Columns to show, separated by commas; long column names of squeue also work.
    ///
    /// The columns are id, name, user, account, partition, qos, state, reason, nodes, cpus, limit, submitted, waited, start,
    /// range50, range80, range95, run, completion, `completion80`, slurm and `no_forecast`.
    #[arg(
        short = 'o',
        long = "columns",
        short_alias = 'O',
        alias = "Format",
        value_name = "NAMES",
        value_delimiter = ','
    )]
    columns: Vec<Column>,
    /// Sort by start, completion, waited, nodes, limit or id; a leading - reverses the order, such as -start.
    #[arg(short = 'S', long, value_name = "NAME", default_value = "start", allow_hyphen_values = true)]
    sort: Order,
    /// Job states to list: PD (pending), R (running) or all.
    #[arg(short = 't', long, value_name = "STATES", default_value = "PD", value_parser = states)]
    states: ListedState,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Same as --format json.
    #[arg(long, conflicts_with_all = ["format", "parsable2"])]
    json: bool,
    /// Separate the columns with | and print values as in CSV, like `squeue`'s parsable output.
    #[arg(short = 'P', long, conflicts_with = "format")]
    parsable2: bool,
    /// Print help.
    #[arg(long, action = ArgAction::Help)]
    help: Option<bool>,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    selection: SelectionArgs,
}

/// squeue's names of states, of which two have forecasts.
fn states(text: &str) -> Result<ListedState, String> {
    let (mut waits, mut runs) = (false, false);
    for name in text.split(',') {
        match name.to_ascii_uppercase().as_str() {
            "PD" | "PENDING" => waits = true,
            "R" | "RUNNING" => runs = true,
            "ALL" => (waits, runs) = (true, true),
            _ => return Err("expected PD, R or all: only pending and running jobs have forecasts".to_owned()),
        }
    }
    Ok(match (waits, runs) {
        (true, true) => ListedState::All,
        (false, true) => ListedState::Running,
        _ => ListedState::Waiting,
    })
}

/// Runs `qcast queue`.
pub fn run(arguments: &QueueArgs) -> Result<(), Failure> {
    let selection = arguments.selection.read()?;
    let mut gathered = gather(&arguments.service.connect()?, &selection, arguments.states, usize::MAX)?;
    gathered.jobs.sort_by(|first, second| arguments.sort.compare(first, second));
    if !gathered.missing.is_empty() {
        say(format_args!(
            "warning: not pending or running, or not visible to you: {}",
            inert(&gathered.missing.join(", "))
        ));
    }
    let text = printed(arguments, &gathered, &Zone::local())?;
    write!(io::stdout().lock(), "{text}").context("standard output").writing()
}

fn printed(arguments: &QueueArgs, gathered: &Gathered, zone: &Zone) -> Result<String, Failure> {
    let columns = if arguments.columns.is_empty() { USUAL.to_vec() } else { arguments.columns.clone() };
    let headed = |heading: Vec<String>, rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
        let heading = (!arguments.noheader).then_some(heading);
        heading.into_iter().chain(rows).collect()
    };
    let values = || gathered.jobs.iter().map(|job| columns.iter().map(|column| column.value(job)).collect()).collect();
    let names = || columns.iter().map(|column| column.name().to_owned()).collect();
    if arguments.json || arguments.format == Format::Json {
        let text = serde_json::to_string_pretty(gathered).context("the list as JSON").writing()?;
        return Ok(inert_json(&text) + "\n");
    }
    if arguments.parsable2 {
        return Ok(layout::parsable(&headed(names(), values())));
    }
    if arguments.format == Format::Csv {
        return delimited(&headed(names(), values())).context("the list as CSV").writing();
    }
    let wall = Wall::new(zone, &gathered.now);
    let heading = |column: &Column| {
        let zone = if column.is_time() { zone.label().trim() } else { "" };
        if zone.is_empty() { column.heading().to_owned() } else { format!("{}_{zone}", column.heading()) }
    };
    let rows = gathered.jobs.iter().map(|job| columns.iter().map(|column| column.text(job, &wall)).collect()).collect();
    let is_right: Vec<bool> = columns.iter().map(|column| column.is_right()).collect();
    if let Some(age) = gathered.data_age_seconds.filter(|_| !arguments.noheader) {
        say(format_args!("{}: queue data is {} old", inert(&gathered.cluster), span(age)));
    }
    Ok(layout::table(&headed(columns.iter().map(heading).collect(), rows), &is_right))
}

fn delimited(rows: &[Vec<String>]) -> anyhow::Result<String> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.write_record(row.iter().map(|cell| not_a_formula(cell))))?;
    Ok(String::from_utf8(writer.into_inner().map_err(csv::IntoInnerError::into_error)?)?)
}
