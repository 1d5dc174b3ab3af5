//! By what was said: whether short forecasts are kept as well as long ones; a table a method.

use queuecast_evaluate::wait::CalibrationBin;
use queuecast_workload::Seconds;

use super::Member;
use crate::markup::{Element, element};
use crate::page::{framed, table};
use crate::quantity::{duration, fixed, whole_duration};

const HOW_TO_READ: &str = "Jobs grouped by their point forecast. The median forecast and the median wait should be close, and \
    ranges should hold equally often in every row: a user with a forecast of three hours depends on how good forecasts of \
    three hours are. Bold marks ranges and bounds that held for fewer jobs than their level, by more than three points.";
/// By how much a statement may hold less often before it is shown in bold.
const TOLERANCE: f64 = 0.03;
const COLUMNS: [&str; 7] = [
    "jobs",
    "median forecast",
    "median wait",
    "80\u{a0}% range",
    "90\u{a0}% range",
    "95\u{a0}% range",
    "95\u{a0}% bound",
];

/// All methods' tables.
pub fn calibration_tables(members: &[Member<'_>]) -> Element {
    let tables = members.iter().map(|member| {
        let header = element("tr")
            .child(element("th").class("name").with("scope", "col").text("forecast"))
            .children(COLUMNS.map(|name| element("th").class("number").with("scope", "col").text(name)));
        let mut below = None;
        let rows: Vec<Element> = member
            .method
            .summary
            .by_predicted
            .iter()
            .map(|bin| {
                let row = row(bin, below);
                below = bin.up_to_seconds;
                row
            })
            .collect();
        element("div").class("binned").child(member.heading("")).child(table("figures narrow", header, rows))
    });
    framed("Calibration by forecast wait", HOW_TO_READ).children(tables)
}

fn row(bin: &CalibrationBin, below: Option<f64>) -> Element {
    let name = element("th").class("name").with("scope", "row").text(range(below, bin.up_to_seconds));
    let plain = [fixed(bin.jobs, 0), duration(bin.predicted_median_seconds), duration(bin.actual_median_seconds)];
    let stated =
        [(0.8, bin.coverage_p80), (0.9, bin.coverage_p90), (0.95, bin.coverage_p95), (0.95, bin.bound_coverage)];
    let cell = || element("td").class("number");
    element("tr")
        .child(name)
        .children(plain.map(|text| cell().text(text)))
        .children(stated.map(|(level, held)| cell().child(kept(level, held))))
}

fn kept(level: f64, held: f64) -> Element {
    element(if held < level - TOLERANCE { "b" } else { "span" }).text(format_args!("{}\u{a0}%", fixed(100.0 * held, 1)))
}

/// What a bin is called, from the longest of the bin before it that has any jobs and its own.
fn range(below: Option<f64>, up_to: Option<f64>) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds up to a day")]
    let whole = |seconds: f64| whole_duration(Seconds(seconds as i64));
    match (below, up_to) {
        (None, Some(up_to)) => format!("up to {}", whole(up_to)),
        (Some(below), Some(up_to)) => format!("{} to {}", whole(below), whole(up_to)),
        (below, None) => format!("over {}", whole(below.unwrap_or(0.0))),
    }
}
