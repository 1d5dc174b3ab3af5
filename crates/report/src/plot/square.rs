//! A plot of shares against shares: what was stated across, what came upright, and the diagonal where both agree.

use super::area::{Area, SIDE, canvas, stretched_line};
use super::axis::Axis;
use super::lettering::{Anchor, TICK};
use super::look::Look;
use crate::markup::{Element, element, hundredths};

const TOP: f64 = 20.0;
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
    up_unit: &'static str,
    curves: &[Kept<'_>],
) -> Element {
    let across = Axis::linear(0.0, 1.0, 0.01, "%", TICKS_MAX);
    let up = Axis::linear(0.0, 1.0, 0.01, up_unit, TICKS_MAX);
    let area = Area::on_page(TOP, bottom);
    let diagonal = line(&[(0.0, 0.0), (1.0, 1.0)]).class("reference");
    let lines = curves.iter().map(|curve| {
        let class = format!("curve {}", curve.look.colour);
        line(&curve.points).class(class).with("stroke-dasharray", curve.look.dash).tooltip(&curve.tooltip)
    });
    let markers = curves.iter().flat_map(|curve| {
        let marked = curve.points.iter().skip(curve.marked_every - 1).step_by(curve.marked_every);
        marked.map(|(stated, came)| curve.look.marker(across.position(*stated), area.y(up.position(*came))))
    });
    canvas(bottom + LABEL_BELOW + 6.0 + extra_height)
        .children(area.grid_across(&across))
        .child(area.floor())
        .children(area.grid_up(&up))
        .child(area.stretched([diagonal].into_iter().chain(lines)))
        .children(markers)
        .children(area.values_up(&up))
        .children(area.values_below(&across, VALUES_BELOW))
        .child(TICK.line(hundredths(50.0), bottom + LABEL_BELOW, Anchor::Middle, across_label))
}

/// The point where what was stated and what came are furthest apart.
pub fn furthest_off(points: &[(f64, f64)]) -> (f64, f64) {
    let off = |(stated, came): &(f64, f64)| (came - stated).abs();
    points.iter().copied().max_by(|one, other| off(one).total_cmp(&off(other))).unwrap_or_default()
}

fn line(points: &[(f64, f64)]) -> Element {
    let finite = points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
    element("polyline")
        .with("points", stretched_line(finite.map(|(x, y)| (x * SIDE, (1.0 - y) * SIDE))))
        .with("fill", "none")
        .with("vector-effect", "non-scaling-stroke")
}
