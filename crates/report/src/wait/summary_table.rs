//! Every method's figures side by side, beside the majority answer.

use super::{Member, MethodSection};
use crate::markup::{Element, element};
use crate::page::framed;
use crate::quantity::{NOTHING, fixed};

const HOW_TO_READ: &str = "Classes are waits of up to 1, 3, 6, 12 and 24\u{a0}h and more; named is one of them, or two or \
    three that are neighbours. Most jobs start within an hour almost everywhere, so that a method has learnt something \
    only if it beats always saying so. The best of a row is bold, the bound aside; below a figure is its interval.";

/// What of a figure is best.
#[derive(Clone, Copy)]
enum Best {
    Most,
    Least,
    Nearest(f64),
    /// It is not for comparing.
    None,
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
    Figure {
        words: "right class named",
        name: "classes.single",
        unit: Unit::Percent,
        best: Best::Most,
        value: |method| method.summary.classes.single,
    },
    Figure {
        words: "\u{2026} among two named",
        name: "classes.two",
        unit: Unit::Percent,
        best: Best::Most,
        value: |method| method.summary.classes.two,
    },
    Figure {
        words: "\u{2026} among three named",
        name: "classes.three",
        unit: Unit::Percent,
        best: Best::Most,
        value: |method| method.summary.classes.three,
    },
    Figure {
        words: "always \u{201c}up to 1\u{a0}h\u{201d}",
        name: "classes.majority",
        unit: Unit::Percent,
        best: Best::None,
        value: |method| method.summary.classes.majority,
    },
    Figure {
        words: "waited over 1\u{a0}h: right class",
        name: "classes.single_over_1h",
        unit: Unit::Percent,
        best: Best::Most,
        value: |method| method.summary.classes.single_over_1h,
    },
    Figure {
        words: "\u{2026} among two named",
        name: "classes.two_over_1h",
        unit: Unit::Percent,
        best: Best::Most,
        value: |method| method.summary.classes.two_over_1h,
    },
    Figure {
        words: "mean absolute error",
        name: "error.mae_over_mean_wait",
        unit: Unit::MeanWaits,
        best: Best::Least,
        value: |method| method.summary.error.mae_over_mean_wait,
    },
    Figure {
        words: "within 1\u{a0}min of the wait",
        name: "",
        unit: Unit::Percent,
        best: Best::Most,
        value: |method| method.summary.error.within_1_minute,
    },
    Figure {
        words: "within 10\u{a0}min of the wait",
        name: "",
        unit: Unit::Percent,
        best: Best::Most,
        value: |method| method.summary.error.within_10_minutes,
    },
    Figure {
        words: "CRPS, distance of the whole distribution",
        name: "crps_over_mean_wait",
        unit: Unit::MeanWaits,
        best: Best::Least,
        value: |method| method.summary.crps_over_mean_wait,
    },
    Figure {
        words: "within the 95\u{a0}% bound",
        name: "bound95.coverage",
        unit: Unit::Percent,
        best: Best::Nearest(0.95),
        value: |method| method.summary.bound95.coverage,
    },
    Figure {
        words: "the 95\u{a0}% bound, mean",
        name: "bound95.over_mean_wait",
        unit: Unit::MeanWaits,
        best: Best::None,
        value: |method| method.summary.bound95.over_mean_wait,
    },
    Figure {
        words: "a forecast takes, mean",
        name: "",
        unit: Unit::Milliseconds,
        best: Best::None,
        value: |method| method.forecast_milliseconds.map_or(f64::NAN, |took| took.mean),
    },
    Figure {
        words: "a forecast takes, 99th percentile",
        name: "",
        unit: Unit::Milliseconds,
        best: Best::None,
        value: |method| method.forecast_milliseconds.map_or(f64::NAN, |took| took.p99),
    },
];

/// One row a figure, one column a method.
pub fn summary_table(members: &[Member<'_>]) -> Element {
    let corner = element("th").class("name").with("scope", "col").text("figure");
    let columns = members.iter().map(|member| {
        element("th").class("number").with("scope", "col").child(member.look.swatch()).child(member.label())
    });
    let header = element("thead").child(element("tr").child(corner).children(columns));
    let known = FIGURES.iter().filter(|figure| members.iter().any(|member| (figure.value)(member.method).is_finite()));
    let rows = known.map(|figure| {
        let best = best(figure, members);
        let title = element("th").class("name").with("scope", "row").text(figure.words);
        let cells = members.iter().enumerate().map(|(place, member)| cell(figure, member.method, best == Some(place)));
        element("tr").child(title).children(cells)
    });
    let table = element("table").class("figures narrow").child(header).child(element("tbody").children(rows));
    framed("How good each method was", HOW_TO_READ).child(element("div").class("scroll").child(table))
}

/// Whose figure is best; nobody's where there is nothing to compare.
fn best(figure: &Figure, members: &[Member<'_>]) -> Option<usize> {
    let off = |value: f64| match figure.best {
        Best::Most => Some(-value),
        Best::Least => Some(value),
        Best::Nearest(aim) => Some((value - aim).abs()),
        Best::None => None,
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
        Unit::Percent => fixed(100.0 * value, 1),
        Unit::MeanWaits => fixed(value, 2),
        Unit::Milliseconds => fixed(value, if value < 1.0 { 3 } else { 1 }),
    }
}

fn with_unit(value: f64, unit: Unit) -> String {
    if !value.is_finite() {
        return NOTHING.to_owned();
    }
    let words = match unit {
        Unit::Percent => "%",
        Unit::MeanWaits => "×\u{a0}mean wait",
        Unit::Milliseconds => "ms",
    };
    format!("{}\u{a0}{words}", digits(value, unit))
}
