//! Where waits lay in the distributions that were stated for them: one small histogram a method.

use super::Member;
use crate::markup::{Element, element, hundredths};
use crate::page::framed;
use crate::plot::area::{Area, canvas};
use crate::plot::axis::Axis;
use crate::plot::lettering::{Anchor, TICK};
use crate::quantity::share;

const TOP: f64 = 20.0;
const BOTTOM: f64 = 130.0;
const HEIGHT: f64 = 168.0;
/// Room for the values upright, in hundredths of the width.
const GUTTER: f64 = 13.0;

const HOW_TO_READ: &str = "Each wait has a position in its forecast distribution: 0 is below all values of the \
    distribution, 100\u{a0}% above all of them. If the distributions are right, all bars are as high as the dotted line. \
    A valley means that the distributions are too narrow, a hill that they are too wide. A slope means that waits were \
    forecast too long (high on the left) or too short (high on the right). A high bar at the right end counts waits that \
    the forecast excluded. Distributions of few values, for example from 16 simulations, leave gaps.";

/// The histograms, all to one scale.
pub fn place_plot(members: &[Member<'_>]) -> Element {
    let highest = members.iter().flat_map(|member| &member.method.summary.places).copied().fold(0.1, f64::max);
    let axis = Axis::linear(0.0, highest, 0.01, "% of jobs", 3);
    let panels = members.iter().map(|member| element("div").child(member.heading("")).child(panel(member, &axis)));
    let panels = element("div").class("panels").children(panels);
    framed("Positions of the waits in their forecast distributions", HOW_TO_READ).child(panels)
}

fn panel(member: &Member<'_>, axis: &Axis) -> Element {
    let area = Area::on_page(TOP, BOTTOM);
    let places = &member.method.summary.places;
    let width = (100.0 - GUTTER) / places.len() as f64;
    let bars = places.iter().enumerate().map(|(bin, value)| {
        let [from, to] = [bin, bin + 1].map(|end| 100 * end / places.len());
        element("rect")
            .class("bar")
            .standing(GUTTER + bin as f64 * width, width, BOTTOM, area.height(axis.position(*value)))
            .tooltip(format!("{from} to {to}\u{a0}%: {} of the jobs", share(*value)))
    });
    let even = format!("{:.1}", area.y(axis.position(1.0 / places.len() as f64)));
    let reference = element("line").class("reference");
    let text =
        |at: f64, below: f64, anchor: Anchor, text: &str| TICK.line(hundredths(at), BOTTOM + below, anchor, text);
    let marks = [(0.0, "0"), (0.25, "25"), (0.5, "50"), (0.75, "75")].map(|(at, words)| {
        let anchor = if at > 0.0 { Anchor::Middle } else { Anchor::Start };
        text(GUTTER + (100.0 - GUTTER) * at, 16.0, anchor, words)
    });
    canvas(HEIGHT)
        .child(area.floor())
        .children(area.grid_up(axis))
        .child(element("g").class(&member.look.colour).children(bars))
        .child(reference.between((hundredths(GUTTER).as_str(), &even), ("100%", &even)))
        .children(area.values_up(axis))
        .children(marks)
        .child(text(100.0, 16.0, Anchor::End, "100\u{a0}%"))
        .child(text(GUTTER + (100.0 - GUTTER) / 2.0, 33.0, Anchor::Middle, "position in the forecast distribution"))
}
