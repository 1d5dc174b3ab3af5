//! Where a plot is drawn: its lines, its grid, and the values at its axes.
//!
//! Places are given in hundredths of an axis. In a file they become pixels; values are measured, and left out where they
//! would collide. A page is as wide as its window: places across stay hundredths, and values upright stand on the plot,
//! since there is no room beside it that could be reckoned with.

use super::axis::{Axis, Tick};
use super::lettering::{Anchor, LABEL, ON_PLOT, TICK, pixels};
use crate::markup::{Element, element, hundredths};

/// From a plot to the values left of it.
pub const GUTTER_GAP: f64 = 7.0;
/// Between values at an axis: less, and they read as one.
const LABEL_GAP: f64 = 9.0;
/// The lines of a page's plot are drawn in a square of this side, which is stretched to the plot.
pub const SIDE: f64 = 1_000.0;

/// A plot's place.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// From left to right.
    pub across: Across,
    /// Where the axis upright ends, in pixels from the top.
    pub top: f64,
    /// Where it begins.
    pub bottom: f64,
}

/// How wide a plot is.
#[derive(Clone, Copy, Debug)]
pub enum Across {
    /// As wide as a page gives it room.
    Window,
    /// So many pixels of a file.
    Pixels {
        /// Where the axis begins.
        left: f64,
        /// Where it ends.
        right: f64,
        /// Nothing is written left of this.
        outermost: f64,
    },
}

impl Area {
    /// On a page.
    pub fn on_page(top: f64, bottom: f64) -> Self {
        Self { across: Across::Window, top, bottom }
    }

    /// A place across: in pixels where the width is known, and in hundredths still where it is not.
    pub fn x(&self, position: f64) -> f64 {
        match self.across {
            Across::Window => position,
            Across::Pixels { left, right, .. } => pixels(left + (right - left) * position / 100.0),
        }
    }

    /// A place upright, in pixels.
    pub fn y(&self, position: f64) -> f64 {
        self.written_y(self.bottom - self.height(position))
    }

    /// How many pixels a place upright is above the floor.
    pub fn height(&self, position: f64) -> f64 {
        (self.bottom - self.top) * position / 100.0
    }

    /// A line between places, each in hundredths across and in pixels upright.
    pub fn line(&self, (from, from_y): (f64, f64), (to, to_y): (f64, f64)) -> Element {
        let from = (self.written_x(from), self.written_y(from_y));
        element("line").between(from, (self.written_x(to), self.written_y(to_y)))
    }

    /// A line from the top to the floor.
    pub fn upright(&self, position: f64) -> Element {
        self.line((position, self.top), (position, self.bottom))
    }

    /// A line from the left end to the right one.
    pub fn level(&self, y: f64, class: &str) -> Element {
        match self.across {
            Across::Window => {
                let y = format!("{y:.1}");
                element("line").class(class).between(("0", &y), ("100%", &y))
            }
            Across::Pixels { .. } => self.line((0.0, y), (100.0, y)).class(class),
        }
    }

    /// What the axis upright begins with.
    pub fn floor(&self) -> Element {
        self.level(self.bottom, "floor")
    }

    /// A line at every value across.
    pub fn grid_across(&self, axis: &Axis) -> impl Iterator<Item = Element> {
        axis.ticks().iter().map(|tick| self.upright(tick.position).class("grid"))
    }

    /// A line at every value upright, but for the floor.
    pub fn grid_up(&self, axis: &Axis) -> impl Iterator<Item = Element> {
        axis.ticks().iter().filter(|tick| tick.position > 0.0).map(|tick| self.level(self.y(tick.position), "grid"))
    }

    /// An interval between places, and its two ends.
    pub fn interval(&self, low: f64, high: f64, y: f64, end_height: f64) -> [Element; 3] {
        let end = |position: f64| self.line((position, y - end_height), (position, y + end_height));
        [self.line((low, y), (high, y)), end(low), end(high)]
    }

    /// The values across, on a line so far below the floor.
    pub fn values_below(&self, axis: &Axis, distance: f64) -> Vec<Element> {
        let y = self.written_y(self.bottom + distance);
        let Across::Pixels { right, outermost, .. } = self.across else {
            let values = values(axis, |tick, _| (tick.position, 0.0)).into_iter();
            return values
                .map(|value| TICK.line(hundredths(value.middle), y, value.anchor_on_page(), &value.text))
                .collect();
        };
        let values = values(axis, |tick, text| {
            let width = LABEL.width(text);
            // A value at the end of the axis reaches a little beyond it, but not into the next panel.
            let middle = self.x(tick.position).min(right + 12.0 - width / 2.0).max(outermost + width / 2.0);
            (middle, width + LABEL_GAP)
        });
        values.into_iter().map(|value| LABEL.line(pixels(value.middle), y, Anchor::Middle, &value.text)).collect()
    }

    /// The values upright: in a file left of the plot, on a page above their lines, where the floor has none.
    pub fn values_up(&self, axis: &Axis) -> Vec<Element> {
        let Across::Pixels { left, .. } = self.across else {
            let values = values(axis, |tick, _| (self.y(tick.position), 0.0)).into_iter();
            let above = values.filter(|value| value.tick.position > 0.0);
            let baseline = |value: &Value<'_>| format!("{:.1}", value.middle - 4.0);
            return above.map(|value| ON_PLOT.line(0, baseline(&value), Anchor::Unsaid, &value.text)).collect();
        };
        let values = values(axis, |tick, _| (self.y(tick.position), LABEL.line_height())).into_iter();
        let (x, baseline) =
            (pixels(left - GUTTER_GAP), |value: &Value<'_>| pixels(value.middle + LABEL.below_middle()));
        values.map(|value| LABEL.line(x, baseline(&value), Anchor::End, &value.text)).collect()
    }

    /// Lines of a page's plot, whose places are from the top left of a square of [`SIDE`].
    pub fn stretched(&self, lines: impl IntoIterator<Item = Element>) -> Element {
        element("svg")
            .with("y", self.top)
            .with("width", "100%")
            .with("height", self.bottom - self.top)
            .with("viewBox", format_args!("0 0 {SIDE} {SIDE}"))
            .with("preserveAspectRatio", "none")
            .children(lines)
    }

    fn written_x(&self, position: f64) -> String {
        match self.across {
            Across::Window => hundredths(position),
            Across::Pixels { .. } => self.x(position).to_string(),
        }
    }

    /// To a tenth of a pixel in a file, which is to be small.
    fn written_y(&self, y: f64) -> f64 {
        match self.across {
            Across::Window => y,
            Across::Pixels { .. } => pixels(y),
        }
    }
}

/// A line of a [stretched](Area::stretched) plot through these places.
pub fn stretched_line(places: impl Iterator<Item = (f64, f64)>) -> String {
    places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// An SVG of a page, as wide as its place and so many pixels high.
pub fn canvas(height: f64) -> Element {
    element("svg").class("plot").with("width", "100%").with("height", height)
}

/// What is written at an axis.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// Where.
    pub tick: &'a Tick,
    /// What; the last one names the unit.
    pub text: String,
    /// Where its middle is.
    pub middle: f64,
}

impl Value<'_> {
    /// At the ends of a plot a long value in the middle of its place would reach beyond it.
    fn anchor_on_page(&self) -> Anchor {
        match self.tick.position {
            near if near < 3.0 && self.tick.label.chars().count() > 6 => Anchor::Start,
            far if far > 96.0 => Anchor::End,
            _ => Anchor::Middle,
        }
    }
}

/// The values written at an axis: all of them, or every second, third and so on, whichever is the first not to let two
/// collide. `place` gives the middle of a text and how much of the axis it takes.
pub fn values(axis: &Axis, place: impl Fn(&Tick, &str) -> (f64, f64)) -> Vec<Value<'_>> {
    let every = |step: usize| {
        let ticks: Vec<&Tick> = axis.ticks().iter().step_by(step).collect();
        let last = ticks.len().saturating_sub(1);
        let values = ticks.into_iter().enumerate().map(|(index, tick)| {
            let text = if index == last { axis.with_unit(&tick.label) } else { tick.label.clone() };
            let (middle, length) = place(tick, &text);
            (Value { tick, text, middle }, length)
        });
        values.collect::<Vec<_>>()
    };
    let is_readable = |values: &Vec<(Value<'_>, f64)>| {
        values.windows(2).all(|pair| (pair[1].0.middle - pair[0].0.middle).abs() >= f64::midpoint(pair[0].1, pair[1].1))
    };
    let readable = (1..=axis.ticks().len()).map(every).find(is_readable).unwrap_or_default();
    readable.into_iter().map(|(value, _)| value).collect()
}
