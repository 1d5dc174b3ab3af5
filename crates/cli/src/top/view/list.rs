//! The queue as a table. What does not fit is left out by how much it is worth.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::super::model::Model;
use super::{Settings, put};
use crate::ask::wall::Wall;
use crate::queue::column::Column;
use crate::queue::layout::{fitted, width};

/// Columns from left to right: how much each is worth (less is more), how narrow and how wide it may be.
const COLUMNS: [(Column, u8, usize, usize); 14] = [
    (Column::Id, 0, 5, 16),
    (Column::User, 4, 8, 12),
    (Column::Partition, 8, 9, 12),
    (Column::Account, 13, 8, 12),
    (Column::Name, 11, 8, 24),
    (Column::State, 3, 2, 2),
    (Column::Nodes, 7, 5, 7),
    (Column::Limit, 5, 7, 12),
    (Column::Waited, 9, 6, 12),
    (Column::Start, 1, 5, 18),
    (Column::Range80, 2, 12, 30),
    (Column::Completion, 6, 5, 18),
    (Column::Slurm, 10, 11, 18),
    (Column::Reason, 12, 8, 24),
];
/// The cursor and the mark of own jobs.
const MARKS: usize = 2;

/// Draws the jobs that are on the screen, under their headings if there is room.
pub fn draw(model: &Model, settings: &Settings<'_>, area: Rect, is_headed: bool, buffer: &mut Buffer) {
    let Some(seen) = &model.snapshot else { return };
    let wall = Wall::new(settings.zone, &seen.now);
    let visible: Vec<_> = model.jobs().iter().skip(model.first).take(usize::from(area.height)).collect();
    let cells: Vec<Vec<String>> =
        visible.iter().map(|job| COLUMNS.iter().map(|(column, ..)| column.text(job, &wall)).collect()).collect();
    let widths = widths(&cells, usize::from(area.width));
    let line = |marks: &str, cells: Vec<&str>| {
        let mut line = Vec::new();
        for ((cell, &wide), (column, ..)) in
            cells.into_iter().zip(&widths).zip(COLUMNS).filter(|((_, wide), _)| **wide > 0)
        {
            line.push(fitted(cell, wide, column.is_right()));
        }
        marks.to_owned() + &line.join(" ")
    };
    let mut rows = area.rows();
    if is_headed && let Some(row) = rows.next() {
        let headings = COLUMNS.iter().map(|(column, ..)| column.heading()).collect();
        put(buffer, row, &line("  ", headings), Style::new().add_modifier(Modifier::UNDERLINED));
    }
    for (place, (row, (job, cells))) in rows.zip(visible.iter().zip(&cells)).enumerate() {
        let is_chosen = model.first + place == model.cursor;
        let is_own = job.job.own;
        let marks = format!("{}{}", if is_chosen { '>' } else { ' ' }, if is_own { '*' } else { ' ' });
        let mut style =
            if is_own { settings.coloured(Color::Green).add_modifier(Modifier::BOLD) } else { Style::new() };
        if is_chosen {
            style = style.add_modifier(Modifier::REVERSED);
        }
        put(buffer, row, &line(&marks, cells.iter().map(String::as_str).collect()), style);
    }
    if model.jobs().is_empty()
        && let Some(row) = area.rows().nth(usize::from(is_headed))
    {
        put(buffer, row, "  no pending jobs that you may see", Style::new());
    }
}

/// How wide each column is; nothing for those that have no room.
fn widths(cells: &[Vec<String>], columns: usize) -> Vec<usize> {
    let wanted = |place: usize| {
        let (column, _, least, most) = COLUMNS[place];
        let widest = cells.iter().map(|row| width(&row[place])).max().unwrap_or(0);
        widest.max(least).max(width(column.heading()).min(most)).min(most)
    };
    let mut by_worth: Vec<usize> = (0..COLUMNS.len()).collect();
    by_worth.sort_by_key(|&place| COLUMNS[place].1);
    let mut widths = vec![0; COLUMNS.len()];
    let mut left = columns.saturating_sub(MARKS) + 1;
    for place in by_worth {
        let wide = wanted(place);
        if wide + 1 > left {
            // A column of less worth beside a gap would hide that something is missing.
            break;
        }
        widths[place] = wide;
        left -= wide + 1;
    }
    widths
}
