//! Widths in sentences, a table and a curve.

use queuecast_advise::choice::{CLEAR, probability_before};
use queuecast_api::size::{SizeResponse, SizeUnitResponse, SizesResponse};

use crate::ask::inert::inert;
use crate::ask::not_modelled;
use crate::ask::wall::{Wall, limit, span};
use crate::ask::zone::Zone;
use crate::output::{Sheet, lay_out, or_dash};

/// How long the longest bar of the curve is.
const BAR: i64 = 24;

/// What a person reads.
pub fn told(answer: &SizesResponse, subject: &str, zone: &Zone) -> String {
    if let Some(none) = &answer.no_forecast {
        return format!("{subject}: no forecast ({}). {}", inert(&none.code), inert(&none.message));
    }
    let unit = match answer.unit {
        Some(SizeUnitResponse::Cpus) => "CPUs",
        Some(SizeUnitResponse::Nodes) | None => "nodes",
    };
    let mut lines = Vec::new();
    match best(&answer.sizes) {
        None => lines.push(format!("{subject}: no forecast for any size.")),
        Some((best, rivals)) if rivals.is_empty() => {
            lines.push(format!("{subject} would end earliest on {}.", counted(best.size, unit)));
        }
        Some((best, rivals)) => {
            let rivals: Vec<String> = rivals.iter().map(|width| width.size.to_string()).collect();
            lines.push(format!(
                "{subject} would end earliest on {}, but the ranges overlap too much to decide: {} may be as good.",
                counted(best.size, unit),
                rivals.join(", ")
            ));
        }
    }
    if let Some(learnt) = &answer.scaling {
        lines.push(format!(
            "Scaling was fitted to {} of your completed runs on {} different numbers of CPUs: {:.0} % of the work is serial (Amdahl's law).",
            learnt.runs,
            learnt.sizes,
            100.0 * learnt.serial_fraction
        ));
    }
    lines.extend(not_modelled(&answer.said.not_modelled));
    lines.push(String::new());
    lines.push(table(answer, unit, zone));
    lines.push(String::new());
    lines.push("Bars: . is the median wait, # the run until the median end. The requested size has a *.".to_owned());
    for width in &answer.sizes {
        if let Some(none) = &width.forecast.no_forecast {
            lines.push(format!("{}: no forecast. {}", counted(width.size, unit), inert(&none.message)));
        }
    }
    lines.join("\n")
}

/// One node, two nodes.
fn counted(width: u32, unit: &str) -> String {
    format!("{width} {}", if width == 1 { unit.trim_end_matches('s') } else { unit })
}

/// The width with the earliest end, and those that are not clearly later.
fn best(widths: &[SizeResponse]) -> Option<(&SizeResponse, Vec<&SizeResponse>)> {
    let end = |width: &&SizeResponse| width.forecast.completion.as_ref().map_or(i64::MAX, |end| end.median.unix);
    let best = widths.iter().min_by_key(end)?;
    let ends = best.forecast.completion_shares()?;
    let is_rival = |other: &&SizeResponse| {
        let shares = other.forecast.completion_shares();
        other.size != best.size && shares.is_some_and(|shares| probability_before(&ends, &shares) < CLEAR)
    };
    Some((best, widths.iter().filter(is_rival).collect()))
}

fn table(answer: &SizesResponse, unit: &str, zone: &Zone) -> String {
    let wall = Wall::new(zone, &answer.said.now);
    let [start, end] = ["median start", "median end"].map(|heading| format!("{heading}{}", zone.label()));
    let mut sheet = Sheet::new([unit, "run time", "limit", start.as_str(), end.as_str(), "80 % range", ""]);
    let from_now = |width: &SizeResponse| width.forecast.completion.as_ref().map(|end| end.seconds_from_now);
    let longest = answer.sizes.iter().filter_map(from_now).max().unwrap_or(1).max(1);
    for width in &answer.sizes {
        let (start, end) = (width.forecast.start.as_ref(), width.forecast.completion.as_ref());
        let is_asked = if Some(width.size) == answer.requested { " *" } else { "" };
        let bar = start.zip(end).map(|(start, end)| {
            let cells = |seconds: i64| usize::try_from((seconds.max(0) * BAR + longest / 2) / longest).unwrap_or(0);
            let (wait, all) = (cells(start.seconds_from_now), cells(end.seconds_from_now));
            format!("{}{}", ".".repeat(wait), "#".repeat(all.saturating_sub(wait).max(1)))
        });
        sheet.add([
            format!("{}{is_asked}", width.size),
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
