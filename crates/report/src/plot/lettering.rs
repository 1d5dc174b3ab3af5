//! Text on a plot: how wide it is, and where it breaks.
//!
//! SVG breaks no lines and tells no width, and the font is whatever the reader has: widths are reckoned as of a wide
//! font (`DejaVu Sans`), so that with any other there is room left.

use std::fmt::Display;

use crate::markup::{Element, element};

/// A kind of text.
#[derive(Clone, Copy, Debug)]
pub struct Lettering {
    class: &'static str,
    size: f64,
    /// Whether the style of a page says the size; a picture says it with every text.
    is_styled: bool,
}

/// The title of a chart.
pub const TITLE: Lettering = in_file("bold", 18.0);
/// The title of a panel.
pub const PANEL_TITLE: Lettering = in_file("bold", 14.0);
/// What an axis tells, and the values at it.
pub const LABEL: Lettering = in_file("muted", 12.0);
/// Names in the legend and of rows.
pub const NAME: Lettering = in_file("name", 12.5);
/// What an axis of a page tells, and the values at it.
pub const TICK: Lettering = on_page("tick", 12.0);
/// The same on top of what is drawn.
pub const ON_PLOT: Lettering = on_page("tick onplot", 12.0);
/// The same where there is little room.
pub const SMALL_TICK: Lettering = on_page("tick small", 10.0);

const fn in_file(class: &'static str, size: f64) -> Lettering {
    Lettering { class, size, is_styled: false }
}

const fn on_page(class: &'static str, size: f64) -> Lettering {
    Lettering { class, size, is_styled: true }
}

/// Which end of a text is where it is put.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// Its beginning, which need not be said.
    Unsaid,
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Text in as many lines as it needs.
#[derive(Clone, Debug)]
pub struct Block {
    lettering: Lettering,
    lines: Vec<String>,
}

impl Lettering {
    /// How wide a line is, in pixels, or less.
    pub fn width(self, line: &str) -> f64 {
        let weight = if self.class == "bold" { 1.12 } else { 1.0 };
        line.chars().map(advance).sum::<f64>() * self.size * weight
    }

    /// From one baseline to the next.
    pub fn line_height(self) -> f64 {
        (self.size * 1.3).round()
    }

    /// Text in lines of at most this width; no line at all for no text.
    pub fn block(self, text: &str, width: f64) -> Block {
        let mut lines: Vec<String> = Vec::new();
        for piece in pieces(text).flat_map(|piece| self.fitting(piece, width)) {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line}{}", piece.trim_end())) <= width => line.push_str(piece),
                _ => lines.push(piece.to_owned()),
            }
        }
        let lines = lines.into_iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty());
        Block { lettering: self, lines: lines.collect() }
    }

    /// A line with its baseline at `y`.
    pub fn line(self, x: impl Display, y: impl Display, anchor: Anchor, line: &str) -> Element {
        let text = element("text").class(self.class);
        let text = if self.is_styled { text } else { text.with("font-size", self.size) };
        let text = text.with("x", x).with("y", y);
        let text = match anchor {
            Anchor::Unsaid => text,
            Anchor::Start => text.with("text-anchor", "start"),
            Anchor::Middle => text.with("text-anchor", "middle"),
            Anchor::End => text.with("text-anchor", "end"),
        };
        text.text(line)
    }

    /// How far below the top of a line its baseline is.
    pub fn baseline(self) -> f64 {
        self.line_height() / 2.0 + self.below_middle()
    }

    /// How far below the middle of a line's letters its baseline is.
    pub fn below_middle(self) -> f64 {
        self.size * 0.36
    }

    /// A piece without a place to break, in parts that fit.
    fn fitting(self, piece: &str, width: f64) -> Vec<&str> {
        let mut parts = Vec::new();
        let mut rest = piece;
        while self.width(rest.trim_end()) > width {
            let fits = |end: &usize| self.width(&rest[..*end]) <= width;
            let ends = rest.char_indices().map(|(start, character)| start + character.len_utf8());
            let first = rest.chars().next().map_or(0, char::len_utf8);
            // One letter fits everywhere, or nothing would ever be written.
            let end = ends.take_while(fits).last().unwrap_or(first);
            if end == rest.len() {
                break;
            }
            let (part, after) = rest.split_at(end);
            parts.push(part);
            rest = after;
        }
        parts.push(rest);
        parts
    }
}

impl Block {
    /// All lines together.
    pub fn height(&self) -> f64 {
        self.lines.len() as f64 * self.lettering.line_height()
    }

    /// The widest line.
    pub fn width(&self) -> f64 {
        self.lines.iter().map(|line| self.lettering.width(line)).fold(0.0, f64::max)
    }

    /// Its lines, from `top` down.
    pub fn at(&self, x: f64, top: f64, anchor: Anchor) -> Vec<Element> {
        let step = self.lettering.line_height();
        let baseline = |index: usize| pixels(top + index as f64 * step + self.lettering.baseline());
        let lines = self.lines.iter().enumerate();
        lines.map(|(index, line)| self.lettering.line(pixels(x), baseline(index), anchor, line)).collect()
    }
}

/// A length or a place as it is written: to a tenth of a pixel, which nobody sees.
pub fn pixels(value: f64) -> f64 {
    // Nothing has no sign.
    (value * 10.0).round() / 10.0 + 0.0
}

/// Text cut where a line may end: after spaces, and within names after what sets their parts apart.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' ', '\n', ',', '/', ':', '='])
}

/// How far a letter moves the next, in sizes of the font.
fn advance(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '\'' | ' ' | '\u{a0}' | '.' | ',' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | ':' | ';' | '-' | '/' => 0.41,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '\u{2212}' | '±' => 0.96,
        'A'..='Z' => 0.74,
        // Letters of other scripts may be squares.
        '\u{2e80}'.. => 1.0,
        _ => 0.63,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: f64) -> Vec<String> {
        LABEL.block(text, width).lines
    }

    #[test]
    fn nothing_of_a_text_is_lost_however_narrow_its_place() {
        let text = "session:depth=2,breadth=first / easy-sjbf on the whole log, überlänge ±3";
        for width in [0.0, 5.0, 40.0, 90.0, 200.0, 2_000.0] {
            let without_spaces = |text: &str| text.replace(' ', "");
            assert_eq!(without_spaces(&lines(text, width).concat()), without_spaces(text), "{width}");
        }
        assert_eq!(lines(text, 2_000.0), [text]);
    }

    #[test]
    fn lines_are_no_wider_than_their_place() {
        let text = "share of jobs whose prediction was within a tenth, donaudampfschifffahrtsgesellschaft";
        for width in [60.0, 90.0, 200.0] {
            assert!(lines(text, width).iter().all(|line| LABEL.width(line) <= width), "{:?}", lines(text, width));
        }
    }

    #[test]
    fn no_text_takes_no_room() {
        assert!(LABEL.block("", 100.0).height() < f64::EPSILON);
    }
}
