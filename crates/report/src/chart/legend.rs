//! The legend of a chart: every name once, with the line or dot that stands for it in all panels.

use super::{Chart, Drawn, Panel, Series};
use crate::markup::{Element, element};
use crate::plot::lettering::{Anchor, NAME, pixels};
use crate::plot::look::colour_class;

const SWATCH_WIDTH: f64 = 24.0;
const SWATCH_GAP: f64 = 7.0;
const ENTRY_GAP: f64 = 22.0;
const LINE_GAP: f64 = 3.0;

/// The entries in as many lines as they need, from `top`; and their height. Rows have their names beside them.
pub fn draw(chart: &Chart, left: f64, top: f64, width: f64) -> (Vec<Element>, f64) {
    let mut drawn = Vec::new();
    let (mut x, mut y, mut line_height) = (left, top, 0.0_f64);
    for series in named_once(chart) {
        let name = NAME.block(&series.name, width - SWATCH_WIDTH - SWATCH_GAP);
        let entry_width = SWATCH_WIDTH + SWATCH_GAP + name.width();
        if x > left && x + entry_width > left + width {
            y += line_height + LINE_GAP;
            (x, line_height) = (left, 0.0);
        }
        drawn.push(swatch(series, x, y + NAME.line_height() / 2.0));
        drawn.extend(name.at(x + SWATCH_WIDTH + SWATCH_GAP, y, Anchor::Unsaid));
        x += entry_width + ENTRY_GAP;
        line_height = line_height.max(name.height());
    }
    (drawn, y + line_height - top)
}

/// What has a name, the first time it comes.
fn named_once(chart: &Chart) -> Vec<&Series> {
    let mut once: Vec<&Series> = Vec::new();
    let curves = chart.panels.iter().filter_map(|panel| match panel {
        Panel::Curves(curves) => Some(&curves.series),
        Panel::Rows(_) => None,
    });
    for series in curves.flatten() {
        let is_known = |known: &&Series| known.name == series.name && known.colour == series.colour;
        if !series.name.is_empty() && !once.iter().any(is_known) {
            once.push(series);
        }
    }
    once
}

fn swatch(series: &Series, x: f64, y: f64) -> Element {
    let colour = colour_class(series.colour);
    let [left, right, y] = [x, x + SWATCH_WIDTH, y].map(pixels);
    let line = element("line").between((left, y), (right, y));
    match series.drawn {
        Drawn::Line(_) | Drawn::Steps(_) => line.class(format_args!("curve {colour}")),
        Drawn::Dashed(_) => line.class(format_args!("curve dashed {colour}")),
        Drawn::Dots(_) => {
            let dot = element("circle").class(format_args!("marker {colour}"));
            dot.with("cx", pixels(x + SWATCH_WIDTH / 2.0)).with("cy", y).with("r", 4)
        }
    }
}
