//! Places in a sentence and a table.

use queuecast_advise::choice::CLEAR;

use super::ranking::{RankedPlace, Ranking};
use crate::ask::inert::inert;
use crate::ask::not_played;
use crate::ask::wall::{Wall, percent_of_one};
use crate::ask::zone::Zone;
use crate::output::{Sheet, lay_out, or_dash};

/// What a person reads.
pub fn told(ranking: &Ranking, subject: &str, zone: &Zone) -> String {
    let Some(first) = ranking.places.first() else {
        return format!("{subject}: nobody named a partition that takes jobs.");
    };
    let several = ranking.places.iter().any(|place| place.cluster != first.cluster);
    let name = |place: &RankedPlace| {
        let partition = inert(&place.partition);
        if several { format!("{} on {}", partition, inert(&place.cluster)) } else { partition }
    };
    let mut lines = Vec::new();
    if first.outlook.completion.is_none() {
        lines.push(format!("{subject}: nothing can be said of any place."));
    } else {
        let rivals: Vec<String> = ranking
            .places
            .iter()
            .filter(|place| place.first_is_before.is_some_and(|before| before < CLEAR))
            .map(name)
            .collect();
        lines.push(if rivals.is_empty() {
            format!("{subject} would end soonest in {}.", name(first))
        } else {
            format!(
                "{subject} would end soonest in {}, but the ranges overlap too much to choose: {} may be as good.",
                name(first),
                rivals.join(", ")
            )
        });
    }
    if !ranking.not_considered.is_empty() {
        let left_out: Vec<String> = ranking.not_considered.iter().map(|field| inert(field)).collect();
        lines.push(format!("Not taken into account, because it is not known to be yours: {}.", left_out.join(", ")));
    }
    lines.extend(not_played(&ranking.not_played));
    lines.push(String::new());
    lines.push(table(ranking, zone));
    lines.join("\n")
}

fn table(ranking: &Ranking, zone: &Zone) -> String {
    let mut sheet =
        Sheet::new(["place", "starts about", "80 % between", "ends about", "80 % between", "first is sooner", ""]);
    for place in &ranking.places {
        let wall = Wall::new(zone, &place.now);
        let (start, end) = (place.outlook.start.as_ref(), place.outlook.completion.as_ref());
        let why = place.outlook.no_estimate.as_ref().map(|none| inert(&none.why));
        sheet.add([
            format!("{}/{}", inert(&place.cluster), inert(&place.partition)),
            or_dash(start.map(|start| wall.time(&start.median))),
            or_dash(start.map(|start| wall.ends(&start.range80))),
            or_dash(end.map(|end| wall.time(&end.median))),
            or_dash(end.map(|end| wall.ends(&end.range80))),
            place.first_is_before.map(percent_of_one).unwrap_or_default(),
            why.unwrap_or_default(),
        ]);
    }
    lay_out(&sheet)
}
