//! A panel with a row for each name: a dot with its interval.

use crate::markup::{Element, element};
use crate::plot::area::Area;
use crate::plot::axis::Axis;
use crate::plot::lettering::{Anchor, Block, NAME, pixels};
use crate::plot::look::colour_class;

const ROW_HEIGHT: f64 = 21.0;
const GUTTER_GAP: f64 = 10.0;
/// More of a panel than this is never given to names; longer ones take several lines.
const GUTTER_SHARE_MOST: f64 = 0.5;
const DOT_RADIUS: f64 = 4.2;
/// Half the height of an interval's ends: more than a dot's, so that an interval within its dot is seen to be one.
const END_HEIGHT: f64 = 5.5;

/// A value for each of several names.
#[derive(Clone, Debug)]
pub struct RowPanel {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub across: Axis,
    /// What is told across; stands below the plot.
    pub across_label: String,
    /// Where all rows are crossed by a dashed line: the value they are compared with.
    pub reference: Option<f64>,
    /// From the top.
    pub rows: Vec<Row>,
}

/// A name with its value. What is not finite is not drawn.
#[derive(Clone, Debug)]
pub struct Row {
    /// Stands left of the plot.
    pub name: String,
    /// Its place in the palette, as that of a [series](super::Series).
    pub colour: usize,
    /// Where the dot is.
    pub value: f64,
    /// Where its interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl RowPanel {
    /// The room for the names in a panel of this width.
    pub(super) fn gutter(&self, width: f64) -> f64 {
        let most = width * GUTTER_SHARE_MOST - GUTTER_GAP;
        self.rows.iter().map(|row| NAME.block(&row.name, most).width()).fold(0.0, f64::max) + GUTTER_GAP
    }

    /// All rows together.
    pub(super) fn height(&self, gutter: f64) -> f64 {
        self.rows.iter().map(|row| row_height(&row.name_block(gutter))).sum::<f64>().max(ROW_HEIGHT)
    }

    /// The rows; the axis is drawn for all kinds of panels alike.
    pub(super) fn draw(&self, area: Area, left: f64, gutter: f64) -> Vec<Element> {
        let mut drawn = vec![area.floor()];
        if let Some(reference) = self.reference.filter(|reference| reference.is_finite()) {
            drawn.push(area.upright(self.across.position(reference)).class("reference"));
        }
        let mut top = area.top;
        for row in &self.rows {
            let name = row.name_block(gutter);
            let height = row_height(&name);
            let middle = top + height / 2.0;
            drawn.push(area.level(middle, "grid"));
            drawn.extend(name.at(left, middle - name.height() / 2.0, Anchor::Unsaid));
            drawn.extend(self.dot(row, area, middle));
            top += height;
        }
        drawn
    }

    fn dot(&self, row: &Row, area: Area, y: f64) -> Option<Element> {
        let at = |value: f64| self.across.position(value);
        let mut group = element("g").class(colour_class(row.colour));
        if !row.value.is_finite() {
            return None;
        }
        if row.low.is_finite() && row.high.is_finite() {
            let interval = area.interval(at(row.low), at(row.high), y, END_HEIGHT);
            group = group.children(interval.map(|line| line.class("interval")));
        }
        let dot = element("circle").class("marker").with("cx", area.x(at(row.value))).with("cy", pixels(y));
        Some(group.child(dot.with("r", DOT_RADIUS)))
    }
}

impl Row {
    fn name_block(&self, gutter: f64) -> Block {
        // The gutter was made for the longest name, give or take a rounding.
        NAME.block(&self.name, gutter - GUTTER_GAP + 0.5)
    }
}

/// As high as its name needs; names of several lines are further apart, so that they are seen to be several.
fn row_height(name: &Block) -> f64 {
    let spare = ROW_HEIGHT - NAME.line_height();
    if name.height() > NAME.line_height() { name.height() + 2.0 * spare } else { ROW_HEIGHT }
}
