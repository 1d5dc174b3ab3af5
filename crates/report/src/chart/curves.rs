//! A panel over two axes: lines, distributions and scatters.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::markup::{Element, element};
use crate::plot::area::{Area, GUTTER_GAP};
use crate::plot::axis::Axis;
use crate::plot::lettering::LABEL;
use crate::plot::look::colour_class;

const HEIGHT_OVER_WIDTH: f64 = 0.62;
const HEIGHT_LEAST: f64 = 150.0;
const HEIGHT_MOST: f64 = 440.0;
/// Steps closer than this are one: the line that draws them is wider, and a log has thousands.
const STEP_LEAST: f64 = 0.5;

/// A plot over two axes.
#[derive(Clone, Debug)]
pub struct CurvePanel {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub across: Axis,
    /// From the bottom to the top.
    pub up: Axis,
    /// What is told across; stands below the plot.
    pub across_label: String,
    /// What is told upright; stands above the plot, where it can be read without turning one's head.
    pub up_label: String,
    /// What is drawn, the last on top.
    pub series: Vec<Series>,
}

/// What has a name and a colour.
#[derive(Clone, Debug)]
pub struct Series {
    /// As the legend has it; one without a name is not in the legend.
    pub name: String,
    /// Its place in the palette: seven colours and then [grey](super::REFERENCE_COLOUR), then from the beginning. The
    /// same thing has the same colour in all panels.
    pub colour: usize,
    /// What is drawn.
    pub drawn: Drawn,
}

/// Points, each across and upright, and how they are drawn. A point that has no finite place is left out; one beyond
/// the end of an axis is put at it.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// Joined.
    Line(Vec<(f64, f64)>),
    /// Joined by a dashed line: references such as the identity.
    Dashed(Vec<(f64, f64)>),
    /// Each stays as high as it is until the next: an empirical distribution function.
    Steps(Vec<(f64, f64)>),
    /// Not joined, and translucent, so that where many lie it is darker. Those in the same place are drawn once.
    Dots(Vec<(f64, f64)>),
}

/// How high a plot of this width is.
pub fn height(plot_width: f64) -> f64 {
    (plot_width * HEIGHT_OVER_WIDTH).clamp(HEIGHT_LEAST, HEIGHT_MOST).round()
}

impl CurvePanel {
    /// The room for the values left of the plot.
    pub(super) fn gutter(&self) -> f64 {
        // Which of the values are written depends on the height, and the last of them has the unit.
        let widths = self.up.ticks().iter().map(|tick| LABEL.width(&self.up.with_unit(&tick.label)));
        widths.fold(0.0, f64::max) + GUTTER_GAP
    }

    /// The axis upright and what is drawn; the axis across is drawn for all kinds of panels alike.
    pub(super) fn draw(&self, area: Area) -> Vec<Element> {
        let mut drawn: Vec<Element> = area.grid_up(&self.up).chain([area.floor()]).collect();
        drawn.extend(area.values_up(&self.up));
        drawn.extend(self.series.iter().map(|series| self.draw_series(series, area)));
        drawn
    }

    fn draw_series(&self, series: &Series, area: Area) -> Element {
        let places = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let finite = points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
            finite.map(|(x, y)| (area.x(self.across.position(*x)), area.y(self.up.position(*y)))).collect()
        };
        let colour = colour_class(series.colour);
        let curve =
            |kind: &str, outline: String| element("path").class(format_args!("{kind} {colour}")).with("d", outline);
        match &series.drawn {
            Drawn::Line(points) => curve("curve", joined(&places(points))),
            Drawn::Dashed(points) => curve("curve dashed", joined(&places(points))),
            Drawn::Steps(points) => curve("curve", steps(&places(points))),
            Drawn::Dots(points) => {
                // A stroke without length and with round ends is the shortest way to write a dot.
                let dots: BTreeSet<String> = places(points).into_iter().map(|(x, y)| format!("M{x} {y}h0")).collect();
                let dots = dots.into_iter().map(|dot| element("path").with("d", dot));
                element("g").class(format_args!("dots {colour}")).children(dots)
            }
        }
    }
}

/// The outline of a line through these places.
fn joined(places: &[(f64, f64)]) -> String {
    let mut pieces: Vec<String> = places.iter().map(|(x, y)| format!("{x} {y}")).collect();
    pieces.dedup();
    if pieces.is_empty() { String::new() } else { format!("M{}", pieces.join("L")) }
}

/// The outline of a line that stays as high as each place until the next.
fn steps(places: &[(f64, f64)]) -> String {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for place in places {
        match kept.last_mut() {
            Some(last) if (place.0 - last.0).abs() < STEP_LEAST => last.1 = place.1,
            _ => kept.push(*place),
        }
    }
    let Some(((x, y), rest)) = kept.split_first() else { return String::new() };
    let mut outline = format!("M{x} {y}");
    let mut height = *y;
    for (index, (x, y)) in rest.iter().enumerate() {
        let rises = (y - height).abs() > 0.0;
        if rises || index + 1 == rest.len() {
            let _ = write!(outline, "H{x}");
        }
        if rises {
            let _ = write!(outline, "V{y}");
        }
        height = *y;
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_flat_until_the_next_point() {
        let outline = steps(&[(0.0, 100.0), (40.0, 60.0), (90.0, 60.0), (95.0, 0.0), (120.0, 0.0)]);
        assert_eq!(outline, "M0 100H40V60H95V0H120");
    }

    #[test]
    fn steps_nobody_can_see_are_one() {
        let places: Vec<_> = (0..10_000).map(|index| f64::from(index) / 100.0).map(|x| (x, 100.0 - x)).collect();
        let outline = steps(&places);
        assert!(outline.matches('H').count() <= 200, "{}", outline.len());
    }

    #[test]
    fn a_line_goes_through_every_place_once() {
        assert_eq!(joined(&[(0.0, 1.5), (0.0, 1.5), (2.0, 3.0)]), "M0 1.5L2 3");
        assert_eq!(joined(&[]), "");
    }
}
