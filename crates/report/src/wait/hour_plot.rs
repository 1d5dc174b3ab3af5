//! Whether the probability of starting within an hour is kept, in ten bins, one panel a method.

use queuecast_evaluate::wait::{PROBABILITY_BINS, ProbabilityBin};

use super::Member;
use crate::markup::{Element, element, hundredths};
use crate::page::framed;
use crate::plot::lettering::{Anchor, SMALL_TICK};
use crate::plot::square::{Kept, square};
use crate::quantity::{fixed, share};

const BOTTOM: f64 = 210.0;
/// The strip of counts below: from where the plot's own labels end.
const STRIP_TOP: f64 = BOTTOM + 44.0;
const STRIP_HEIGHT: f64 = 34.0;
const STRIP_BOTTOM: f64 = STRIP_TOP + STRIP_HEIGHT;

const HOW_TO_READ: &str = "Jobs in ten groups by the forecast probability that they start within an hour. The horizontal \
    axis is the mean probability of a group, the vertical axis the share of its jobs that started within an hour. On the \
    dotted diagonal, the probabilities are right. The bars below show the number of jobs in each group (k: thousands). \
    Small groups are noisy, and a method that is sure of most jobs has its longest bars at both ends. Precision and recall \
    count a probability of one half or more as a forecast of a start within an hour.";

/// A panel for each method.
pub fn hour_plot(members: &[Member<'_>]) -> Element {
    let panels = members.iter().map(|member| {
        let within = &member.method.summary.within_1h;
        let of = |value: Option<f64>| value.map_or("\u{2013}".to_owned(), share);
        let note = format!("precision {}, recall {}", of(within.precision), of(within.recall));
        element("div").child(member.heading(&note)).child(panel(member))
    });
    let panels = element("div").class("panels").children(panels);
    framed("Probability of a start within an hour", HOW_TO_READ).child(panels)
}

fn panel(member: &Member<'_>) -> Element {
    let bins = &member.method.summary.within_1h.bins;
    let points = bins.iter().map(|bin| (bin.stated, bin.came)).collect();
    let curve = Kept { look: &member.look, points, marked_every: 1, tooltip: member.method.name.clone() };
    let extra = STRIP_BOTTOM - BOTTOM - 33.0;
    let plot = square(BOTTOM, extra, "forecast probability", "% started", &[curve]);
    let most = bins.iter().map(|bin| bin.jobs).fold(1.0, f64::max);
    plot.child(element("g").class(&member.look.colour).children(bins.iter().map(|bin| bar(bin, most))))
        .child(element("line").class("floor").between(("0", STRIP_BOTTOM), ("100%", STRIP_BOTTOM)))
        .children(bins.iter().map(|bin| label(bin, most)))
}

/// A bin's width, in hundredths.
const BIN_WIDTH: f64 = 100.0 / PROBABILITY_BINS as f64;

fn height(bin: &ProbabilityBin, most: f64) -> f64 {
    (STRIP_HEIGHT - 12.0) * bin.jobs / most
}

fn bar(bin: &ProbabilityBin, most: f64) -> Element {
    let [stated, came] = [bin.stated, bin.came].map(share);
    element("rect")
        .class("bar")
        .standing(100.0 * bin.from + 0.07 * BIN_WIDTH, BIN_WIDTH, STRIP_BOTTOM, height(bin, most))
        .tooltip(format!("{} jobs: forecast {stated}, started {came}", fixed(bin.jobs, 0)))
}

fn label(bin: &ProbabilityBin, most: f64) -> Element {
    let y = STRIP_BOTTOM - height(bin, most) - 3.0;
    let x = hundredths(100.0 * bin.from + BIN_WIDTH / 2.0);
    SMALL_TICK.line(x, format_args!("{y:.1}"), Anchor::Middle, &short_count(bin.jobs))
}

/// In the room of four letters.
fn short_count(jobs: f64) -> String {
    match jobs {
        few if few < 1_000.0 => fixed(few, 0),
        some if some < 9_950.0 => format!("{}k", fixed(some / 1_000.0, 1)),
        many => format!("{}k", fixed(many / 1_000.0, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short_enough_to_stand_side_by_side() {
        assert_eq!(
            [0.0, 7.0, 999.0, 1_234.0, 9_960.0, 123_456.0].map(short_count),
            ["0", "7", "999", "1.2k", "10k", "123k"]
        );
    }
}
