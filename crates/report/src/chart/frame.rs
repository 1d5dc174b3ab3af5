//! Where a plot is drawn, and the axis below it.

use super::lettering::{Anchor, LABEL, pixels};
use crate::markup::{Element, element};
use crate::plot::axis::{Axis, Tick};

/// From a plot to the values below it.
const LABEL_DISTANCE: f64 = 5.0;
/// Between values at an axis: less, and they read as one.
const LABEL_GAP: f64 = 9.0;

/// A plot's place, in pixels from the top left of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Where the axis across begins.
    pub left: f64,
    /// Where it ends.
    pub right: f64,
    /// Where the axis upright ends.
    pub top: f64,
    /// Where it begins.
    pub bottom: f64,
}

impl Area {
    /// How wide it is.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// A place across, given in hundredths.
    pub fn x(&self, hundredths: f64) -> f64 {
        pixels(self.left + self.width() * hundredths / 100.0)
    }

    /// A place upright, given in hundredths.
    pub fn y(&self, hundredths: f64) -> f64 {
        pixels(self.bottom - (self.bottom - self.top) * hundredths / 100.0)
    }
}

/// A straight line.
pub fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Element {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(pixels);
    element("line").with("x1", x1).with("x2", x2).with("y1", y1).with("y2", y2)
}

/// Grid, values and label of the axis across; and where they end. Nothing is written left of `left`.
pub fn across(axis: &Axis, label: &str, area: Area, left: f64) -> (Vec<Element>, f64) {
    let mut drawn: Vec<Element> = Vec::new();
    for tick in axis.ticks() {
        let x = area.x(tick.position);
        drawn.push(line((x, area.top), (x, area.bottom)).class("grid"));
    }
    let place = |tick: &Tick, text: &str| {
        let width = LABEL.width(text);
        // A value at the end of the axis reaches a little beyond it, but not into the next panel.
        let middle = area.x(tick.position).min(area.right + 12.0 - width / 2.0).max(left + width / 2.0);
        (middle, width + LABEL_GAP)
    };
    let top = area.bottom + LABEL_DISTANCE;
    for (text, middle) in labels(axis, place) {
        drawn.extend(LABEL.block(&text, f64::INFINITY).at(middle, top, Anchor::Middle));
    }
    let label = LABEL.block(label, area.right - left);
    let label_top = top + LABEL.line_height() + 2.0;
    let half = label.width() / 2.0;
    let middle = f64::midpoint(area.left, area.right).max(left + half).min(area.right - half);
    drawn.extend(label.at(middle, label_top, Anchor::Middle));
    (drawn, label_top + label.height())
}

/// The values written at an axis and where their middles are: all of them, or every second, third and so on, whichever
/// is the first not to let two collide. `place` gives the middle of a label and how much of the axis it takes. The
/// last one names the unit.
pub fn labels(axis: &Axis, place: impl Fn(&Tick, &str) -> (f64, f64)) -> Vec<(String, f64)> {
    let every = |step: usize| {
        let ticks: Vec<&Tick> = axis.ticks().iter().step_by(step).collect();
        let last = ticks.len().saturating_sub(1);
        let labels = ticks.into_iter().enumerate().map(|(index, tick)| {
            let text = if index == last { with_unit(&tick.label, axis.unit) } else { tick.label.clone() };
            let (middle, length) = place(tick, &text);
            (text, middle, length)
        });
        labels.collect::<Vec<_>>()
    };
    let is_readable = |labels: &Vec<(String, f64, f64)>| {
        labels.windows(2).all(|pair| (pair[1].1 - pair[0].1).abs() >= f64::midpoint(pair[0].2, pair[1].2))
    };
    let readable = (1..=axis.ticks().len()).map(every).find(is_readable).unwrap_or_default();
    readable.into_iter().map(|(text, middle, _)| (text, middle)).collect()
}

/// A value with what it counts.
pub fn with_unit(label: &str, unit: &str) -> String {
    let unit = unit.trim();
    if unit.is_empty() { label.to_owned() } else { format!("{label}\u{a0}{unit}") }
}
