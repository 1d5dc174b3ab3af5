//! How run times lie below and above their predictions: one small histogram a predictor.

use queuecast_evaluate::{ACCURACY_BINS, AccuracyHistogram, Portrait};

use super::cast::Cast;
use crate::markup::{Element, element, hundredths};
use crate::page::framed;
use crate::plot::area::{Area, canvas};
use crate::plot::axis::Axis;
use crate::plot::lettering::{Anchor, TICK};
use crate::quantity::{number, share};

const TOP: f64 = 18.0;
const BOTTOM: f64 = 130.0;
const HEIGHT: f64 = 150.0;
/// In widths of a bin: room for labels, all the bins, a gap, and the bar of those that ran longer.
const GUTTER: f64 = 2.8;
const GAP: f64 = 2.2;
const OVER: f64 = 2.4;
const WIDTH: f64 = GUTTER + ACCURACY_BINS as f64 + GAP + OVER;

const HOW_TO_READ: &str = "Each bar is the share of jobs with that ratio of run time to first prediction. Jobs at the far left \
    ended almost at once; jobs at 1 ran exactly as long as predicted. The separate bar counts jobs that ran longer than \
    predicted. Good predictions gather on both sides of 1. The oracle is always right and is not shown.";

/// One histogram for each predictor but the oracle; `None` if there is no other.
pub fn accuracy_plot(cast: &Cast<'_>, portraits: &[Portrait]) -> Option<Element> {
    let mut shown: Vec<(String, usize)> = Vec::new();
    // The baseline first, so that its policy stands for its predictor's.
    let baseline = cast.comparison.baseline();
    let policy = &cast.comparison.compared()[baseline].configuration.policy;
    let (with_its_policy, with_others): (Vec<_>, Vec<_>) =
        cast.members().partition(|(_, compared, _)| compared.configuration.policy == *policy);
    for (index, compared, _) in with_its_policy.into_iter().chain(with_others) {
        let predictor = compared.configuration.predictor.to_string();
        if !compared.is_bound() && shown.iter().all(|(known, _)| *known != predictor) {
            shown.push((predictor, index));
        }
    }
    let tallest = |histogram: &AccuracyHistogram| histogram.within().into_iter().fold(histogram.over(), f64::max);
    let highest = shown.iter().map(|(_, index)| tallest(&portraits[*index].accuracy)).reduce(f64::max)?;
    let axis = Axis::linear(0.0, highest, 0.01, "%", 3);
    let panels = shown.iter().map(|(predictor, index)| panel(cast, *index, predictor, &portraits[*index], &axis));
    let panels = element("div").class("panels").children(panels);
    Some(framed("Run time over prediction", HOW_TO_READ).child(panels))
}

fn panel(cast: &Cast<'_>, index: usize, predictor: &str, portrait: &Portrait, axis: &Axis) -> Element {
    let compared = &cast.comparison.compared()[index];
    let histogram = &portrait.accuracy;
    let note = format!(
        "under {}; relative accuracy {}",
        compared.configuration.policy,
        number(compared.summary.accuracy.relative)
    );
    let heading = element("h4").text(predictor).child(element("small").text(note));
    let width = |bins: f64| 100.0 * bins / WIDTH;
    let place = |bin: f64| width(GUTTER + bin);
    let area = Area::on_page(TOP, BOTTOM);
    let bar = |from: f64, bins: f64, value: f64| {
        element("rect").standing(from, width(bins), BOTTOM, area.height(axis.position(value)))
    };
    let bars = histogram.within().into_iter().enumerate().map(|(bin, value)| {
        let (from, to) = (5 * bin, 5 * bin + 5);
        let tooltip = format!("ran for {from} to {to}\u{a0}% of the prediction: {} of the jobs", share(value));
        bar(place(bin as f64), 1.0, value).class("bar").tooltip(tooltip)
    });
    let beyond = place(ACCURACY_BINS as f64 + GAP);
    let over = histogram.over();
    let tooltip = format!("ran longer than predicted: {} of the jobs", share(over));
    let over_bar = bar(beyond, OVER, over).class("bar over").tooltip(tooltip);
    let over_top = BOTTOM - area.height(axis.position(over)) - 4.0;
    let label = |position: f64, baseline: f64, anchor: Anchor, text: &str| {
        TICK.line(hundredths(position), format_args!("{baseline:.1}"), anchor, text)
    };
    let marks = [(0.0, "0"), (0.25, "¼"), (0.5, "½"), (0.75, "¾"), (1.0, "1")].map(|(ratio, text)| {
        let anchor = if ratio > 0.0 { Anchor::Middle } else { Anchor::Start };
        label(place(ratio * ACCURACY_BINS as f64), HEIGHT - 5.0, anchor, text)
    });
    let drawing = canvas(HEIGHT)
        .child(area.floor())
        .children(area.grid_up(axis))
        .child(element("g").class(&cast.looks[index].colour).children(bars).child(over_bar))
        .children(area.values_up(axis))
        .children(marks)
        .child(label(100.0, HEIGHT - 5.0, Anchor::End, "longer"))
        .child(label(100.0, over_top, Anchor::End, &share(over)));
    element("div").child(heading).child(drawing)
}
