//! Limits in sentences and a table.

use queuecast_api::limit::{LimitAnswer, LimitChoiceAnswer};

use crate::ask::inert::inert;
use crate::ask::wall::{Wall, earlier, limit, percent_of_one};
use crate::ask::zone::Zone;
use crate::output::{Sheet, grouped, lay_out, or_dash};

/// What a person reads. `chosen` is the limit for the risk that was asked for.
pub fn told(answer: &LimitAnswer, chosen: Option<&LimitChoiceAnswer>, subject: &str, zone: &Zone) -> String {
    let wall = Wall::new(zone, &answer.said.now);
    if let Some(none) = &answer.no_estimate {
        return format!("{subject}: no advice ({}). {}", inert(&none.code), inert(&none.why));
    }
    let mut lines = Vec::new();
    if let (Some(asked), Some(chosen)) = (&answer.asked, chosen) {
        lines.extend(advice(subject, asked.limit_seconds, chosen));
    }
    if !answer.not_considered.is_empty() {
        let left_out: Vec<String> = answer.not_considered.iter().map(|field| inert(field)).collect();
        lines.push(format!("Not taken into account, because it is not known to be yours: {}.", left_out.join(", ")));
    }
    lines.push(String::new());
    lines.push(table(answer, &wall));
    lines.join("\n")
}

fn advice(subject: &str, asked: i64, chosen: &LimitChoiceAnswer) -> Vec<String> {
    let risk = percent_of_one(chosen.accepted_risk);
    let mut lines = Vec::new();
    if chosen.limit_seconds >= asked {
        lines.push(format!(
            "{subject}: keep the limit of {}. Its run times cannot be told apart well enough for less, at a risk of {risk}.",
            limit(asked)
        ));
    } else {
        lines.push(format!(
            "{subject}: ask for --time={} instead of {}. Of all jobs that take such advice, at most {risk} are killed.",
            limit(chosen.limit_seconds),
            limit(asked)
        ));
        let buys = chosen.effect.as_ref().map(|effect| earlier(effect.earlier_median_seconds));
        lines.extend(buys.map(|buys| format!("It then starts {buys} in the median.")));
    }
    if let Some((killed, jobs)) = chosen.killed.zip(chosen.advised_jobs) {
        lines.push(format!(
            "So far {} of {} jobs that were advised so, asked or not, would have been killed.",
            percent_of_one(killed),
            grouped(jobs)
        ));
    }
    lines
}

fn table(answer: &LimitAnswer, wall: &Wall<'_>) -> String {
    let mut sheet = Sheet::new([
        "limit",
        "at most killed",
        "of jobs like it",
        "starts about",
        "80 % between",
        "earlier in the median",
    ]);
    if let Some(asked) = &answer.asked {
        let start = asked.outlook.start.as_ref();
        sheet.add([
            limit(asked.limit_seconds),
            "as asked".to_owned(),
            percent_of_one(asked.risk),
            or_dash(start.map(|start| wall.time(&start.median))),
            or_dash(start.map(|start| wall.ends(&start.range80))),
            String::new(),
        ]);
    }
    for choice in &answer.choices {
        let start = choice.outlook.start.as_ref();
        sheet.add([
            limit(choice.limit_seconds),
            percent_of_one(choice.accepted_risk),
            percent_of_one(choice.risk),
            or_dash(start.map(|start| wall.time(&start.median))),
            or_dash(start.map(|start| wall.ends(&start.range80))),
            or_dash(choice.effect.as_ref().map(|effect| earlier(effect.earlier_median_seconds))),
        ]);
    }
    lay_out(&sheet)
}
