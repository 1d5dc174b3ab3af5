//! Places in a sentence and a table.

use queuecast_advise::choice::CLEAR;

use super::ranking::{RankedPlace, Ranking};
use crate::ask::inert::inert;
use crate::ask::not_modelled;
use crate::ask::wall::{Wall, percent_of_one};
use crate::ask::zone::Zone;
use crate::output::{Sheet, lay_out, or_dash};

/// What a person reads.
pub fn told(ranking: &Ranking, subject: &str, zone: &Zone) -> String {
    let Some(first) = ranking.partitions.first() else {
        return format!("{subject}: no matching partition accepts jobs.");
    };
    let several = ranking.partitions.iter().any(|place| place.cluster != first.cluster);
    let name = |place: &RankedPlace| {
        let partition = inert(&place.partition);
        if several { format!("{} on {}", partition, inert(&place.cluster)) } else { partition }
    };
    let mut lines = Vec::new();
    if first.forecast.completion.is_none() {
        lines.push(format!("{subject}: no forecast for any partition."));
    } else {
        let rivals: Vec<String> = ranking
            .partitions
            .iter()
            .filter(|place| place.first_is_before.is_some_and(|before| before < CLEAR))
            .map(name)
            .collect();
        lines.push(if rivals.is_empty() {
            format!("{subject} would end earliest in {}.", name(first))
        } else {
            format!(
                "{subject} would end earliest in {}, but the ranges overlap too much to decide: {} may be as good.",
                name(first),
                rivals.join(", ")
            )
        });
    }
    if !ranking.not_considered.is_empty() {
        let left_out: Vec<String> = ranking.not_considered.iter().map(|field| inert(field)).collect();
        lines.push(format!(
            "The forecast ignores these options, which count only for your own jobs: {}.",
            left_out.join(", ")
        ));
    }
    lines.extend(not_modelled(&ranking.not_modelled));
    lines.push(String::new());
    lines.push(table(ranking, zone));
    let without =
        ranking.partitions.iter().filter_map(|place| place.forecast.no_forecast.as_ref().map(|none| (place, none)));
    let without: Vec<String> =
        without.map(|(place, none)| format!("{}: no forecast. {}", full_name(place), inert(&none.message))).collect();
    if !without.is_empty() {
        lines.push(String::new());
        lines.extend(without);
    }
    lines.join("\n")
}

fn full_name(place: &RankedPlace) -> String {
    format!("{}/{}", inert(&place.cluster), inert(&place.partition))
}

fn table(ranking: &Ranking, zone: &Zone) -> String {
    let [start, end] = ["median start", "median end"].map(|heading| format!("{heading}{}", zone.label()));
    let mut sheet = Sheet::new([
        "cluster/partition",
        start.as_str(),
        "80 % range",
        end.as_str(),
        "80 % range",
        "first ends sooner",
    ]);
    for place in &ranking.partitions {
        let wall = Wall::new(zone, &place.now);
        let (start, end) = (place.forecast.start.as_ref(), place.forecast.completion.as_ref());
        sheet.add([
            full_name(place),
            or_dash(start.map(|start| wall.brief(&start.median))),
            or_dash(start.map(|start| wall.brief_range(&start.range80))),
            or_dash(end.map(|end| wall.brief(&end.median))),
            or_dash(end.map(|end| wall.brief_range(&end.range80))),
            place.first_is_before.map(percent_of_one).unwrap_or_default(),
        ]);
    }
    lay_out(&sheet)
}
