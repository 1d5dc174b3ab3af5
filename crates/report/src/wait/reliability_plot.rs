//! Whether quantiles are kept: of the waits, how many came at or below what was stated for so many.

use super::{Member, legend};
use crate::markup::{Element, element};
use crate::page::framed;
use crate::plot::square::{Kept, furthest_off, square};
use crate::quantity::share;

const BOTTOM: f64 = 360.0;
/// A marker at every 20 %.
const MARKED_EVERY: usize = 4;

const HOW_TO_READ: &str = "For each level from 5 to 95\u{a0}%, the share of jobs whose wait was at or below the forecast \
    quantile of that level. On the dotted diagonal, the quantiles are right. Above it, waits were shorter than forecast; \
    below it, longer. A curve flatter than the diagonal means too narrow distributions, a steeper curve too wide \
    distributions. If a distribution has a step, for example at a wait of zero, a job in the step counts in fractions.";

/// All methods in one plot.
pub fn reliability_plot(members: &[Member<'_>]) -> Element {
    let curves: Vec<Kept<'_>> = members.iter().map(curve).collect();
    let plot = square(BOTTOM, 0.0, "forecast share of waits at or below", "% observed", &curves);
    let plot = element("div").class("square").child(plot);
    framed("Are the quantiles well calibrated?", HOW_TO_READ).child(legend(members)).child(plot)
}

fn curve<'a>(member: &'a Member<'_>) -> Kept<'a> {
    let places = &member.method.summary.places;
    let mut below = 0.0;
    let points: Vec<(f64, f64)> = places
        .iter()
        .enumerate()
        .take(places.len().saturating_sub(1))
        .map(|(index, share)| {
            below += share;
            ((index + 1) as f64 / places.len() as f64, below)
        })
        .collect();
    let (stated, came) = furthest_off(&points);
    let tooltip =
        format!("{}: largest deviation at {}, where {} were observed", member.method.name, share(stated), share(came));
    Kept { look: &member.look, points, marked_every: MARKED_EVERY, tooltip }
}
