//! Whether quantiles are kept: of the waits, how many came at or below what was stated for so many.

use super::{Member, legend};
use crate::markup::{Element, element};
use crate::page::framed;
use crate::plot::square::{Kept, furthest_off, square};
use crate::quantity::share;

const BOTTOM: f64 = 360.0;
/// A marker at every 20 %.
const MARKED_EVERY: usize = 4;

const HOW_TO_READ: &str = "For every level from 5 to 95\u{a0}%: of how many jobs was the wait at or below the quantile \
    that was stated for that level? On the dotted diagonal for as many as stated. Above it waits were shorter than \
    stated, below it longer; flatter than the diagonal means that the distributions are too narrow, steeper that they \
    are too wide. Where a distribution has a step, as at no wait at all, a job in the step counts in parts.";

/// All methods in one plot.
pub fn reliability_plot(members: &[Member<'_>]) -> Element {
    let curves: Vec<Kept<'_>> = members.iter().map(curve).collect();
    let plot = square(BOTTOM, 0.0, "stated: share of waits at or below", "% came", &curves);
    let plot = element("div").class("square").child(plot);
    framed("Are the quantiles kept?", HOW_TO_READ).child(legend(members)).child(plot)
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
    let tooltip = format!("{}: furthest off at {}, where {} came", member.method.name, share(stated), share(came));
    Kept { look: &member.look, points, marked_every: MARKED_EVERY, tooltip }
}
