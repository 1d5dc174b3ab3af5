//! Widths in sentences, a table and a curve.

use queuecast_advise::choice::{CLEAR, probability_before};
use queuecast_api::size::{WidthAnswer, WidthUnitAnswer, WidthsAnswer};

use crate::ask::inert::inert;
use crate::ask::not_played;
use crate::ask::wall::{Wall, limit, span};
use crate::ask::zone::Zone;
use crate::output::{Sheet, lay_out, or_dash};

/// How long the longest bar of the curve is.
const BAR: i64 = 30;

/// What a person reads.
pub fn told(answer: &WidthsAnswer, subject: &str, zone: &Zone) -> String {
    if let Some(none) = &answer.no_estimate {
        return format!("{subject}: no forecast ({}). {}", inert(&none.code), inert(&none.why));
    }
    let unit = match answer.unit {
        Some(WidthUnitAnswer::Cpus) => "CPUs",
        Some(WidthUnitAnswer::Nodes) | None => "nodes",
    };
    let mut lines = Vec::new();
    match best(&answer.widths) {
        None => lines.push(format!("{subject}: no forecast for any size.")),
        Some((best, rivals)) if rivals.is_empty() => {
            lines.push(format!("{subject} would end earliest on {}.", counted(best.width, unit)));
        }
        Some((best, rivals)) => {
            let rivals: Vec<String> = rivals.iter().map(|width| width.width.to_string()).collect();
            lines.push(format!(
                "{subject} would end earliest on {}, but the ranges overlap too much to decide: {} may be as good.",
                counted(best.width, unit),
                rivals.join(", ")
            ));
        }
    }
    if let Some(learnt) = &answer.learnt {
        lines.push(format!(
            "Scaling was fitted to {} of your completed runs on {} different numbers of CPUs: {:.0} % of the work is serial (Amdahl's law).",
            learnt.runs,
            learnt.widths,
            100.0 * learnt.serial_fraction
        ));
    }
    lines.extend(not_played(&answer.said.not_played));
    lines.push(String::new());
    lines.push(table(answer, unit, zone));
    lines.push(String::new());
    lines.push("Bars: . is the median wait, # the run until the median end. The requested size has a *.".to_owned());
    for width in &answer.widths {
        if let Some(none) = &width.outlook.no_estimate {
            lines.push(format!("{}: no forecast. {}", counted(width.width, unit), inert(&none.why)));
        }
    }
    lines.join("\n")
}

/// One node, two nodes.
fn counted(width: u32, unit: &str) -> String {
    format!("{width} {}", if width == 1 { unit.trim_end_matches('s') } else { unit })
}

/// The width with the earliest end, and those that are not clearly later.
fn best(widths: &[WidthAnswer]) -> Option<(&WidthAnswer, Vec<&WidthAnswer>)> {
    let end = |width: &&WidthAnswer| width.outlook.completion.as_ref().map_or(i64::MAX, |end| end.median.unix);
    let best = widths.iter().min_by_key(end)?;
    let ends = best.outlook.completion_shares()?;
    let is_rival = |other: &&WidthAnswer| {
        let shares = other.outlook.completion_shares();
        other.width != best.width && shares.is_some_and(|shares| probability_before(&ends, &shares) < CLEAR)
    };
    Some((best, widths.iter().filter(is_rival).collect()))
}

fn table(answer: &WidthsAnswer, unit: &str, zone: &Zone) -> String {
    let wall = Wall::new(zone, &answer.said.now);
    let [start, end] = ["median start", "median end"].map(|heading| format!("{heading}{}", zone.label()));
    let mut sheet = Sheet::new([unit, "run time", "limit", start.as_str(), end.as_str(), "80 % range", ""]);
    let from_now = |width: &WidthAnswer| width.outlook.completion.as_ref().map(|end| end.seconds_from_now);
    let longest = answer.widths.iter().filter_map(from_now).max().unwrap_or(1).max(1);
    for width in &answer.widths {
        let (start, end) = (width.outlook.start.as_ref(), width.outlook.completion.as_ref());
        let is_asked = if Some(width.width) == answer.asked { " *" } else { "" };
        let bar = start.zip(end).map(|(start, end)| {
            let cells = |seconds: i64| usize::try_from((seconds.max(0) * BAR + longest / 2) / longest).unwrap_or(0);
            let (wait, all) = (cells(start.seconds_from_now), cells(end.seconds_from_now));
            format!("{}{}", ".".repeat(wait), "#".repeat(all.saturating_sub(wait).max(1)))
        });
        sheet.add([
            format!("{}{is_asked}", width.width),
            span(width.run_seconds),
            limit(width.limit_seconds),
            or_dash(start.map(|start| wall.brief(&start.median))),
            or_dash(end.map(|end| wall.brief(&end.median))),
            or_dash(end.map(|end| wall.brief_range(&end.range80))),
            bar.unwrap_or_default(),
        ]);
    }
    lay_out(&sheet)
}
