//! How often central ranges held what came, and how wide they were.

use queuecast_evaluate::wait::COVERAGE_LEVELS;

use super::Member;
use crate::markup::{Element, element};
use crate::page::{framed, table};
use crate::quantity::fixed;

const HOW_TO_READ: &str = "Share of waits within the central range of each level, ends included. Below it is the mean width of \
    the range, as a multiple of the mean wait. A range should hold as often as its name says and be as narrow as possible. \
    If many jobs start at once, ranges hold more often than their name says, because a range that includes a wait of zero \
    includes all such jobs. The 95\u{a0}% bound is one-sided: the wait should be at most the bound.";

/// One row a method, one column a level.
pub fn coverage_table(members: &[Member<'_>]) -> Element {
    let names = COVERAGE_LEVELS.map(|level| format!("{}\u{a0}% range", fixed(100.0 * level, 0)));
    let columns = names.into_iter().chain(["95\u{a0}% bound".to_owned()]);
    let header = element("tr")
        .child(element("th").class("name").with("scope", "col").text("method"))
        .children(columns.map(|name| element("th").class("number").with("scope", "col").text(name)));
    let rows = members.iter().map(|member| {
        let (coverage, bound) = (&member.method.summary.coverage, &member.method.summary.bound95);
        let held = [coverage.p50, coverage.p80, coverage.p90, coverage.p95, bound.coverage];
        let widths = coverage.width_over_mean_wait.into_iter().chain([bound.over_mean_wait]);
        let name = element("th").class("name").with("scope", "row").child(member.look.swatch()).text(" ");
        let cells = held.into_iter().zip(widths).map(|(held, width)| {
            let width =
                element("small").child(element("i").text(format_args!("{}\u{a0}×\u{a0}mean wait", fixed(width, 2))));
            element("td").class("number").text(format_args!("{}\u{a0}%", fixed(100.0 * held, 1))).child(width)
        });
        element("tr").child(name.child(member.label())).children(cells)
    });
    framed("Coverage and width of the ranges", HOW_TO_READ).child(table("figures narrow", header, rows))
}
