//! `qcast top`: the queue with its forecasts, live in a terminal.
//!
//! For: people on a login node who would otherwise run `watch squeue`: one look at the daemon every few seconds, none at Slurm.
//!
//! Not for: scripts; they have `qcast queue`.
//!
//! A pure [`model`], a pure [`view`] of it, and a thin loop in [`live`].

mod live;
mod model;
#[cfg(test)]
mod sample;
mod snapshot;
mod view;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::model::Model;
use self::snapshot::take;
use crate::ask::clusters::AskedArgs;
use crate::ask::zone::Zone;
use crate::failure::{Failure, OnSide};
use crate::queue::order::Order;
use crate::queue::selection::SelectionArgs;

/// What a screen has if nobody says otherwise.
const USUAL_SIZE: (u16, u16) = (80, 24);
/// No terminal is larger; more would only take memory.
const LARGEST_SIZE: u16 = 1_000;

/// The arguments of `qcast top`.
#[derive(Debug, Args)]
#[command(
    after_help = "Press ? for the list of keys. If standard input or output is not a terminal, top prints one screen and exits."
)]
pub struct TopArgs {
    #[command(flatten)]
    service: AskedArgs,
    /// Refresh interval in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..))]
    interval: u64,
    /// Print one screen as plain text and exit.
    #[arg(long)]
    once: bool,
    /// Sort by start, completion, waited, nodes, limit or id; a leading - reverses the order, such as -start.
    #[arg(short = 'S', long, value_name = "NAME", default_value = "start", allow_hyphen_values = true)]
    sort: Order,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    selection: SelectionArgs,
}

/// Runs `qcast top`.
pub fn run(arguments: &TopArgs) -> Result<(), Failure> {
    let selection = arguments.selection.read()?;
    let service = arguments.service.connect()?;
    let mut model = Model::new(selection.told());
    model.order = arguments.sort;
    let zone = Zone::local();
    if arguments.once || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        model.saw(take(&service, &selection)?);
        let screen = printed(&mut model, &zone, size());
        return write!(io::stdout().lock(), "{screen}").context("standard output").writing();
    }
    let interval = Duration::from_secs(arguments.interval);
    let settings =
        view::Settings { zone: &zone, has_colours: std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty()) };
    live::run(model, &settings, interval, move || take(&service, &selection))
}

/// One screen as text.
fn printed(model: &mut Model, zone: &Zone, (columns, rows): (u16, u16)) -> String {
    let area = Rect::new(0, 0, columns, rows);
    model.fit(view::page(area));
    let mut buffer = Buffer::empty(area);
    view::draw(model, &view::Settings { zone, has_colours: false }, area, &mut buffer);
    view::text(&buffer)
}

/// The terminal's size, else what the shell says of it.
fn size() -> (u16, u16) {
    if io::stdout().is_terminal()
        && let Ok(size) = ratatui::crossterm::terminal::size()
    {
        return size;
    }
    let said = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let usable = |size: &u16| (1..=LARGEST_SIZE).contains(size);
    let (columns, rows) = USUAL_SIZE;
    (said("COLUMNS").filter(usable).unwrap_or(columns), said("LINES").filter(usable).unwrap_or(rows))
}
