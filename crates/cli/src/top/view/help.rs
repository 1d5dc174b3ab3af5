//! What the keys do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::put;

const LINES: [&str; 17] = [
    "j, k, arrows           next job, previous job",
    "PgDn, PgUp, Home, End  next page, previous page, first job, last job",
    "enter                  details of the selected job",
    "q, esc                 back; in the list: quit",
    "r                      refresh now",
    "?                      this help",
    "",
    "Sort by (the same key again reverses the order):",
    "  s start   e end   w wait so far   n nodes   l limit   i job ID",
    "",
    "Your own jobs come first and are marked *; > is the cursor.",
    "START is the median forecast. 8 of 10 jobs should start within START_80%.",
    "A word in brackets, such as (held), is the reason for a missing forecast.",
    "For running jobs (ST is R), START is the actual start.",
    "",
    "In a job: N is now, M the median, S Slurm's estimate.",
    "A refresh does not query Slurm; it shows the daemon's latest data.",
];

/// Draws the page.
pub fn draw(area: Rect, buffer: &mut Buffer) {
    for (row, line) in area.rows().zip(LINES) {
        put(buffer, row, line, Style::new());
    }
}
