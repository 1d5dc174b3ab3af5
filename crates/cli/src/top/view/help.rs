//! What the keys do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::put;

const LINES: [&str; 17] = [
    "j, k, arrows           one job down, up",
    "PgDn, PgUp, Home, End  a screen, to the first, to the last",
    "enter                  the job under the cursor in detail",
    "q, esc                 back; from the list: quit",
    "r                      ask the daemon again now",
    "?                      this page",
    "",
    "Order; the same key again turns it round:",
    "  s start   e end   w wait so far   n nodes   l limit   i job number",
    "",
    "Your own jobs come first and are marked *; > is the cursor.",
    "START is the median: as likely before as after. START_80% holds it in",
    "8 of 10 cases. In brackets there: why there is no estimate.",
    "ST is R for jobs that run; their START is when they did.",
    "",
    "In a job: N now, M median, S what Slurm itself plans.",
    "Nothing here asks Slurm: the daemon answers from what it read last.",
];

/// Draws the page.
pub fn draw(area: Rect, buffer: &mut Buffer) {
    for (row, line) in area.rows().zip(LINES) {
        put(buffer, row, line, Style::new());
    }
}
