//! A plot of shares against shares: what was stated across, what came upright, and the diagonal where both agree.

use super::axis::Axis;
use super::look::Look;
use super::{Upright, canvas, labels_below, vertical_grid};
use crate::markup::{Element, element, hundredths};

pub const TOP: f64 = 20.0;
/// The lines are drawn in a square of this side, which is stretched to the plot.
const SIDE: f64 = 1_000.0;
const TICKS_MAX: usize = 5;
/// From a plot's floor to the values below it, and to what is told across.
const VALUES_BELOW: f64 = 16.0;
const LABEL_BELOW: f64 = 33.0;

/// A curve of what was stated, as a share, and what came.
pub struct Kept<'a> {
    /// Whose.
    pub look: &'a Look,
    /// Stated and came, in order.
    pub points: Vec<(f64, f64)>,
    /// Only every so many-th point has a marker.
    pub marked_every: usize,
    /// What a pointer that rests on it is told.
    pub tooltip: String,
}

/// The plot, and the height where its labels end.
pub fn square(
    bottom: f64,
    extra_height: f64,
    across_label: &str,
    up_label: &'static str,
    curves: &[Kept<'_>],
) -> Element {
    let axis = Axis::linear(0.0, 1.0, 0.01, "%", TICKS_MAX);
    let upright_axis = Axis::linear(0.0, 1.0, 0.01, up_label, TICKS_MAX);
    let upright = Upright { axis: &upright_axis, top: TOP, bottom };
    let diagonal = line(&[(0.0, 0.0), (1.0, 1.0)]).class("reference");
    let lines = curves.iter().map(|curve| {
        let class = format!("curve {}", curve.look.colour);
        line(&curve.points).class(class).with("stroke-dasharray", curve.look.dash).tooltip(&curve.tooltip)
    });
    let stretched = element("svg")
        .with("y", TOP)
        .with("width", "100%")
        .with("height", bottom - TOP)
        .with("viewBox", format_args!("0 0 {SIDE} {SIDE}"))
        .with("preserveAspectRatio", "none")
        .child(diagonal)
        .children(lines);
    let markers = curves.iter().flat_map(|curve| {
        let marked = curve.points.iter().skip(curve.marked_every - 1).step_by(curve.marked_every);
        marked.map(|(stated, came)| curve.look.marker(axis.position(*stated), bottom - upright.height(*came)))
    });
    let label = element("text").class("tick").with("x", hundredths(50.0)).with("y", bottom + LABEL_BELOW);
    canvas(bottom + LABEL_BELOW + 6.0 + extra_height)
        .children(vertical_grid(&axis, TOP, bottom))
        .children(upright.grid())
        .child(stretched)
        .children(markers)
        .children(upright.labels())
        .children(labels_below(&axis, bottom + VALUES_BELOW))
        .child(label.with("text-anchor", "middle").text(across_label))
}

fn line(points: &[(f64, f64)]) -> Element {
    let place = |(x, y): &(f64, f64)| format!("{:.1},{:.1}", x * SIDE, (1.0 - y) * SIDE);
    let points: Vec<String> = points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()).map(place).collect();
    element("polyline")
        .with("points", points.join(" "))
        .with("fill", "none")
        .with("vector-effect", "non-scaling-stroke")
}
