//! Every method's figures side by side, beside the majority answer.

use self::Best::{Least, Most, Nearest, NotCompared};
use self::Unit::{MeanWaits, Milliseconds, Percent};
use super::{Member, MethodSection};
use crate::markup::{Element, element};
use crate::page::{framed, table};
use crate::quantity::{NOTHING, fixed};

const HOW_TO_READ: &str = "Classes are waits of up to 1, 3, 6, 12 and 24\u{a0}h, and longer. A method names one class, or two or \
    three neighbouring classes. Almost everywhere, most jobs start within an hour, so a method is useful only if it beats \
    always answering \u{201c}up to 1\u{a0}h\u{201d}. The best figure of a row is bold, except for bounds; below each figure \
    is its interval.";

/// What of a figure is best.
#[derive(Clone, Copy)]
enum Best {
    Most,
    Least,
    Nearest(f64),
    NotCompared,
}

#[derive(Clone, Copy)]
enum Unit {
    Percent,
    /// Multiples of the mean wait.
    MeanWaits,
    Milliseconds,
}

struct Figure {
    words: &'static str,
    /// Its name among the intervals; empty if it has none.
    name: &'static str,
    unit: Unit,
    best: Best,
    value: fn(&MethodSection) -> f64,
}

const FIGURES: [Figure; 14] = [
    figure("right class, one named", "classes.single", Percent, Most, |of| of.summary.classes.single),
    figure("\u{2026} two named", "classes.two", Percent, Most, |of| of.summary.classes.two),
    figure("\u{2026} three named", "classes.three", Percent, Most, |of| of.summary.classes.three),
    figure("always \u{201c}up to 1\u{a0}h\u{201d}", "classes.majority", Percent, NotCompared, |of| {
        of.summary.classes.majority
    }),
    figure("right class, one named, waited over 1\u{a0}h", "classes.single_over_1h", Percent, Most, |of| {
        of.summary.classes.single_over_1h
    }),
    figure("\u{2026} two named", "classes.two_over_1h", Percent, Most, |of| of.summary.classes.two_over_1h),
    figure("mean absolute error", "error.mae_over_mean_wait", MeanWaits, Least, |of| {
        of.summary.error.mae_over_mean_wait
    }),
    figure("within 1\u{a0}min of the wait", "", Percent, Most, |of| of.summary.error.within_1_minute),
    figure("within 10\u{a0}min of the wait", "", Percent, Most, |of| of.summary.error.within_10_minutes),
    figure("CRPS, distance of the whole distribution", "crps_over_mean_wait", MeanWaits, Least, |of| {
        of.summary.crps_over_mean_wait
    }),
    figure("within the 95\u{a0}% bound", "bound95.coverage", Percent, Nearest(0.95), |of| of.summary.bound95.coverage),
    figure("the 95\u{a0}% bound, mean", "bound95.over_mean_wait", MeanWaits, NotCompared, |of| {
        of.summary.bound95.over_mean_wait
    }),
    figure("time per forecast, mean", "", Milliseconds, NotCompared, |of| {
        of.forecast_milliseconds.map_or(f64::NAN, |took| took.mean)
    }),
    figure("time per forecast, 99th percentile", "", Milliseconds, NotCompared, |of| {
        of.forecast_milliseconds.map_or(f64::NAN, |took| took.p99)
    }),
];

const fn figure(
    words: &'static str,
    name: &'static str,
    unit: Unit,
    best: Best,
    value: fn(&MethodSection) -> f64,
) -> Figure {
    Figure { words, name, unit, best, value }
}

/// One row a figure, one column a method.
pub fn summary_table(members: &[Member<'_>]) -> Element {
    let corner = element("th").class("name").with("scope", "col").text("figure");
    let columns = members.iter().map(|member| {
        element("th").class("number").with("scope", "col").child(member.look.swatch()).child(member.label())
    });
    let header = element("tr").child(corner).children(columns);
    let known = FIGURES.iter().filter(|figure| members.iter().any(|member| (figure.value)(member.method).is_finite()));
    let rows = known.map(|figure| {
        let best = best(figure, members);
        let title = element("th").class("name").with("scope", "row").text(figure.words);
        let cells = members.iter().enumerate().map(|(place, member)| cell(figure, member.method, best == Some(place)));
        element("tr").child(title).children(cells)
    });
    framed("Accuracy of each method", HOW_TO_READ).child(table("figures narrow", header, rows))
}

/// Whose figure is best; nobody's where there is nothing to compare.
fn best(figure: &Figure, members: &[Member<'_>]) -> Option<usize> {
    let off = |value: f64| match figure.best {
        Most => Some(-value),
        Least => Some(value),
        Nearest(aim) => Some((value - aim).abs()),
        NotCompared => None,
    };
    let values = members.iter().enumerate().filter(|(_, member)| !member.method.is_bound);
    let values = values.filter_map(|(place, member)| Some((place, off((figure.value)(member.method))?)));
    let sound: Vec<(usize, f64)> = values.filter(|(_, off)| off.is_finite()).collect();
    let best = sound.iter().min_by(|one, other| one.1.total_cmp(&other.1)).filter(|_| sound.len() > 1);
    best.map(|(place, _)| *place)
}

fn cell(figure: &Figure, method: &MethodSection, is_best: bool) -> Element {
    let value = (figure.value)(method);
    let shown = element(if is_best { "b" } else { "span" }).text(with_unit(value, figure.unit));
    let cell = element("td").class("number").child(shown);
    match method.summary.intervals.get(figure.name).filter(|interval| interval.low95.is_finite()) {
        Some(interval) => {
            let [low, high] = [interval.low95, interval.high95].map(|end| digits(end, figure.unit));
            cell.child(element("small").child(element("i").text(format_args!("{low} to {high}"))))
        }
        None => cell,
    }
}

fn digits(value: f64, unit: Unit) -> String {
    match unit {
        Percent => fixed(100.0 * value, 1),
        MeanWaits => fixed(value, 2),
        Milliseconds => fixed(value, if value < 1.0 { 3 } else { 1 }),
    }
}

fn with_unit(value: f64, unit: Unit) -> String {
    if !value.is_finite() {
        return NOTHING.to_owned();
    }
    let words = match unit {
        Percent => "%",
        MeanWaits => "×\u{a0}mean wait",
        Milliseconds => "ms",
    };
    format!("{}\u{a0}{words}", digits(value, unit))
}
