//! A picture for a written report: one SVG file with one or several plots, to be shown by Markdown.
//!
//! For: distributions, scatters and rows of dots that stand beside a text, in `experiments/` and elsewhere. A file
//! needs no network, no script and no font, is light whatever shows it, and is the same bytes for the same figures.
//!
//! Not for: the page of a comparison, which is as wide as its window ([`crate::ComparisonReport`]); writing files;
//! choosing what is drawn.

mod curves;
mod legend;
mod rows;

pub use curves::{CurvePanel, Drawn, Series};
pub use rows::{Row, RowPanel};

pub use crate::plot::look::REFERENCE_COLOUR;

use crate::markup::{Element, element};
use crate::plot::area::{Across, Area};
use crate::plot::axis::Axis;
use crate::plot::lettering::{Anchor, Block, LABEL, PANEL_TITLE, TITLE};

/// Nothing in it may need escaping; see [`crate::markup`].
const STYLE: &str = include_str!("style.css");

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 24.0;
const COLUMN_GAP: f64 = 40.0;
const ROW_GAP: f64 = 30.0;
const LEGEND_GAP: f64 = 10.0;
/// Between what stands above a plot and the plot: half a tick's label reaches into it.
const HEADING_GAP: f64 = 10.0;
/// From a plot to the values below it.
const LABEL_DISTANCE: f64 = 5.0;
/// Below it nothing can be read; only a chart of very many columns comes to it.
const PLOT_WIDTH_MIN: f64 = 60.0;

/// Panels in a grid, under one title and one legend.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// How many panels stand beside each other.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// One plot of a chart.
#[derive(Clone, Debug)]
pub enum Panel {
    /// Over two axes.
    Curves(CurvePanel),
    /// A value for each of several names.
    Rows(RowPanel),
}

impl Chart {
    /// The file.
    pub fn svg(&self) -> String {
        let title = TITLE.block(&self.title, WIDTH - 2.0 * MARGIN);
        let mut drawn = title.at(MARGIN, MARGIN, Anchor::Unsaid);
        let mut y = MARGIN + title.height();
        let (legend, legend_height) = legend::draw(self, MARGIN, y + LEGEND_GAP, WIDTH - 2.0 * MARGIN);
        if legend_height > 0.0 {
            y += LEGEND_GAP + legend_height;
        }
        drawn.extend(legend);
        for panels in self.panels.chunks(self.columns()) {
            y = self.row(panels, y + ROW_GAP, &mut drawn);
        }
        let height = (y + MARGIN).ceil();
        let picture = element("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("width", WIDTH)
            .with("height", height)
            .with("viewBox", format_args!("0 0 {WIDTH} {height}"))
            .with("role", "img")
            .child(element("title").text(&self.title))
            .child(element("style").text(STYLE))
            .child(element("rect").class("paper").with("width", WIDTH).with("height", height))
            .children(drawn);
        format!("{picture}\n")
    }

    /// Panels that stand beside each other, from `top`; where they end.
    fn row(&self, panels: &[Panel], top: f64, drawn: &mut Vec<Element>) -> f64 {
        let width = self.panel_width();
        let heading = panels.iter().map(|panel| panel.heading(width).1).fold(0.0, f64::max);
        let mut bottom = top;
        for (column, panel) in panels.iter().enumerate() {
            let left = MARGIN + column as f64 * (width + COLUMN_GAP);
            let gutter = self.gutter(panel);
            let plot_top = top + heading;
            let across = Across::Pixels { left: left + gutter, right: left + width, outermost: left };
            let area = Area { across, top: plot_top, bottom: plot_top + panel.height(gutter, width - gutter) };
            drawn.extend(
                panel.heading(width).0.into_iter().flat_map(|(block, y)| block.at(left, top + y, Anchor::Unsaid)),
            );
            drawn.extend(area.grid_across(panel.across()));
            drawn.extend(area.values_below(panel.across(), LABEL_DISTANCE + LABEL.baseline()));
            let label = LABEL.block(panel.across_label(), width);
            let label_top = area.bottom + LABEL_DISTANCE + LABEL.line_height() + 2.0;
            let half = label.width() / 2.0;
            let middle = (left + f64::midpoint(gutter, width)).max(left + half).min(left + width - half);
            drawn.extend(label.at(middle, label_top, Anchor::Middle));
            match panel {
                Panel::Curves(curves) => drawn.extend(curves.draw(area)),
                Panel::Rows(rows) => drawn.extend(rows.draw(area, left, gutter)),
            }
            bottom = bottom.max(label_top + label.height());
        }
        bottom
    }

    /// The room left of the plots of one kind: the same for all, so that they stand below each other and a distance
    /// is the same in each.
    fn gutter(&self, like: &Panel) -> f64 {
        let width = self.panel_width();
        let kind = std::mem::discriminant(like);
        let alike = self.panels.iter().filter(|panel| std::mem::discriminant(*panel) == kind);
        alike.map(|panel| panel.gutter(width)).fold(0.0, f64::max).min(width - PLOT_WIDTH_MIN).max(0.0)
    }

    fn columns(&self) -> usize {
        self.columns.max(1)
    }

    fn panel_width(&self) -> f64 {
        let columns = self.columns() as f64;
        ((WIDTH - 2.0 * MARGIN - (columns - 1.0) * COLUMN_GAP) / columns).max(PLOT_WIDTH_MIN)
    }
}

impl Panel {
    /// The title and what is told upright, each with its distance from the panel's top; and their height.
    fn heading(&self, width: f64) -> (Vec<(Block, f64)>, f64) {
        let (title, up_label) = match self {
            Self::Curves(panel) => (&panel.title, panel.up_label.as_str()),
            Self::Rows(panel) => (&panel.title, ""),
        };
        let mut height = 0.0;
        let mut blocks = Vec::new();
        for block in [PANEL_TITLE.block(title, width), LABEL.block(up_label, width)] {
            let own = block.height();
            blocks.push((block, height));
            height += own;
        }
        (blocks, height + HEADING_GAP)
    }

    fn across(&self) -> &Axis {
        match self {
            Self::Curves(panel) => &panel.across,
            Self::Rows(panel) => &panel.across,
        }
    }

    fn across_label(&self) -> &str {
        match self {
            Self::Curves(panel) => &panel.across_label,
            Self::Rows(panel) => &panel.across_label,
        }
    }

    /// The room its own labels need left of its plot, in a panel of this width.
    fn gutter(&self, width: f64) -> f64 {
        match self {
            Self::Curves(panel) => panel.gutter(),
            Self::Rows(panel) => panel.gutter(width),
        }
    }

    /// How high its plot is.
    fn height(&self, gutter: f64, plot_width: f64) -> f64 {
        match self {
            Self::Curves(_) => curves::height(plot_width),
            Self::Rows(panel) => panel.height(gutter),
        }
    }
}

#[cfg(test)]
mod tests;
