//! How `qcast top` looks. Pure: a model and an area become cells.
//!
//! For: every size of terminal, from one cell on: what does not fit is left out by how much it is worth. Colour only repeats
//! what signs and words say.
//!
//! Not for: what keys do (`model`).
//!
//! Source: <https://no-color.org>.

mod detail;
mod fan;
mod help;
mod list;
mod load;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::model::{Model, Pane};
use crate::ask::inert::inert;
use crate::ask::wall::span;
use crate::ask::zone::Zone;
use crate::queue::layout::{cut, fitted, width};

/// From this height on the load is shown, and below this the headings are not.
const TALL: u16 = 10;
const LOW: u16 = 4;

/// What the terminal and its owner want.
pub struct Settings<'a> {
    /// The asker's clock.
    pub zone: &'a Zone,
    /// Whether colours are wanted.
    pub has_colours: bool,
}

impl Settings<'_> {
    fn coloured(&self, colour: Color) -> Style {
        if self.has_colours { Style::new().fg(colour) } else { Style::new() }
    }
}

/// The rows of an area by what they are for.
struct Parts {
    title: Option<Rect>,
    load: Option<Rect>,
    body: Rect,
    footer: Option<Rect>,
}

fn parts(area: Rect) -> Parts {
    let row = |y: u16| Rect { y: area.y + y, height: 1, ..area };
    let height = area.height;
    let title = (height >= 2).then(|| row(0));
    let load = (height >= TALL).then(|| row(1));
    let footer = (height >= 3).then(|| row(height - 1));
    let taken = u16::from(title.is_some()) + u16::from(load.is_some());
    let body = Rect { y: area.y + taken, height: height.saturating_sub(taken + u16::from(footer.is_some())), ..area };
    Parts { title, load, body, footer }
}

/// How many jobs a screen of this size shows.
pub fn page(area: Rect) -> usize {
    let body = parts(area).body.height;
    usize::from(if area.height >= LOW { body.saturating_sub(1) } else { body })
}

/// Draws everything.
pub fn draw(model: &Model, settings: &Settings<'_>, area: Rect, buffer: &mut Buffer) {
    let parts = parts(area);
    if let Some(row) = parts.title {
        let style = settings.coloured(Color::Cyan).add_modifier(Modifier::BOLD);
        put(buffer, row, &title(model, settings, usize::from(row.width)), style);
    }
    if let Some(row) = parts.load {
        put(buffer, row, &load::line(&model.load, usize::from(row.width)), settings.coloured(Color::Blue));
    }
    match model.pane {
        Pane::List => list::draw(model, settings, parts.body, area.height >= LOW, buffer),
        Pane::Detail => detail::draw(model, settings, parts.body, buffer),
        Pane::Help => help::draw(parts.body, buffer),
    }
    if let Some(row) = parts.footer {
        let (text, style) = footer(model, settings);
        put(buffer, row, &text, style);
    }
}

/// One line, cut to the row.
fn put(buffer: &mut Buffer, row: Rect, text: &str, style: Style) {
    let row = row.intersection(buffer.area);
    if !row.is_empty() {
        buffer.set_string(row.x, row.y, fitted(text, usize::from(row.width), false), style);
    }
}

fn title(model: &Model, settings: &Settings<'_>, columns: usize) -> String {
    let Some(seen) = &model.snapshot else {
        return "qcast top".to_owned();
    };
    let wall = settings.zone.wall(model.now_unix().unwrap_or(seen.now.unix));
    let clock = format!("{:02}:{:02}{}", wall.hour, wall.minute, settings.zone.label());
    let read = seen.data_age_seconds.map(|age| {
        let age = age.saturating_add(i64::try_from(model.age.as_secs()).unwrap_or(i64::MAX));
        format!("queue data {} old", span(age))
    });
    let load = format!("{} waiting, {} running", seen.load.waiting, seen.load.running);
    let mut pieces = vec![inert(&seen.cluster), clock, load];
    pieces.extend(seen.complaint.as_ref().map(|(word, _)| word.to_uppercase()));
    pieces.extend(read);
    pieces.extend((!model.selected.is_empty()).then(|| model.selected.clone()));
    let left = pieces.join("  ");
    let name = "qcast top";
    if width(&left) + 2 + width(name) > columns {
        return left;
    }
    fitted(&left, columns - width(name), false) + name
}

fn footer(model: &Model, settings: &Settings<'_>) -> (String, Style) {
    let alarm = settings.coloured(Color::Red).add_modifier(Modifier::BOLD);
    if let Some(trouble) = &model.trouble {
        let shown = match &model.snapshot {
            Some(_) => format!("data is {} old", span(i64::try_from(model.age.as_secs()).unwrap_or(i64::MAX))),
            None => "no data yet".to_owned(),
        };
        return (format!("! NO ANSWER, {shown}; retrying: {trouble}"), alarm);
    }
    if let Some((word, why)) = model.snapshot.as_ref().and_then(|seen| seen.complaint.as_ref()) {
        return (format!("! {word}: {}", inert(why)), alarm);
    }
    let quiet = Style::new().add_modifier(Modifier::DIM);
    let text = match (model.pane, &model.snapshot) {
        (_, None) => "waiting for the daemon".to_owned(),
        (Pane::Help, _) => "any key: back".to_owned(),
        (Pane::Detail, _) => "esc back  j/k next job  ? help".to_owned(),
        (Pane::List, Some(seen)) => {
            let direction = if model.order.is_reversed { ", reversed" } else { "" };
            let jobs = model.jobs().len();
            let more = if seen.is_cut { "+" } else { "" };
            let place = if jobs == 0 { 0 } else { model.cursor + 1 };
            format!("{place}/{jobs}{more}  by {}{direction}  enter detail  ? help  q quit", model.order.by.name())
        }
    };
    (text, quiet)
}

/// What is in the cells, as lines without blanks at their ends.
pub fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let (mut line, mut x) = (String::new(), buffer.area.left());
        while x < buffer.area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            // The cell behind a wide character is its second half.
            x += u16::try_from(width(symbol)).unwrap_or(1).max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A text in lines of at most so many columns, broken at blanks.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always one");
        if line.is_empty() {
            line.push_str(&cut(word, columns));
        } else if width(line) + 1 + width(word) <= columns {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(cut(word, columns));
        }
    }
    lines
}

#[cfg(test)]
mod tests;
