//! What holds a job, in sentences.

use queuecast_api::forecast::WaitsForAnswer;
use queuecast_api::why::{
    AheadAnswer, AheadClassAnswer, ChangeAnswer, HoldAnswer, HolderAnswer, JobChangeAnswer, WhyAnswer,
};

use crate::ask::inert::inert;
use crate::ask::wall::{Wall, earlier, limit, percent_of_one, span};
use crate::ask::zone::Zone;
use crate::output::grouped;

/// What a person reads.
pub fn told(answer: &WhyAnswer, job: &str, zone: &Zone) -> String {
    let wall = Wall::new(zone, &answer.forecast.now);
    if let Some(none) = &answer.no_estimate {
        let named = answer.forecast.waits_for.as_ref().filter(|held| is_named(&held.kind));
        let named = named.map(|held| format!("\nBy Slurm's word: {}.", inert(&held.words))).unwrap_or_default();
        return format!("Job {job}: {} ({}){named}", inert(&none.why), inert(&none.code));
    }
    let mut lines = Vec::new();
    let reason =
        answer.forecast.job.reason.as_deref().map(|reason| format!(" Slurm's word for it is {}.", inert(reason)));
    lines.push(match &answer.forecast.start {
        Some(start) => format!(
            "Job {job} starts about {}; 80 % sure {}.{}",
            wall.about(start),
            wall.between(&start.range80),
            reason.unwrap_or_default()
        ),
        None => format!("Job {job} has no estimate.{}", reason.unwrap_or_default()),
    });
    lines.push(String::new());
    lines.push("What holds it".to_owned());
    let named = answer.forecast.waits_for.as_ref().filter(|held| is_named(&held.kind));
    if let Some(held) = named {
        lines.push(format!("  By Slurm's word: {}.", inert(&held.words)));
    }
    if answer.holds.is_empty() && named.is_none() {
        lines.push("  Nothing that lasts: it starts with one of the next looks of the scheduler.".to_owned());
    }
    lines.extend(answer.holds.iter().map(|hold| format!("  {}", held(hold, named))));
    if let Some(ahead) = &answer.ahead {
        lines.extend(before(ahead).into_iter().map(|line| format!("  {line}")));
    }
    lines.push(String::new());
    lines.push("What would help".to_owned());
    if answer.changes.is_empty() {
        lines
            .push("  Nothing that was tried: shorter limits, fewer nodes, other partitions, sharing nodes.".to_owned());
    }
    lines.extend(answer.changes.iter().map(|change| format!("  {}", helps(change, &wall))));
    if let Some(futures) = answer.futures {
        lines.push(String::new());
        lines.push(format!("From {futures} futures of the queue, played with and without each."));
    }
    lines.join("\n")
}

/// Whether Slurm's word names something that stands beside the queue and the nodes.
fn is_named(kind: &str) -> bool {
    !matches!(kind, "queue" | "resources")
}

fn held(hold: &HoldAnswer, named: Option<&WaitsForAnswer>) -> String {
    let much = span(hold.effect.earlier_median_seconds);
    match hold.what {
        HolderAnswer::Queue => format!("Those who stand before it: first in the queue it would start {much} earlier."),
        HolderAnswer::Running => format!("Those who run: even first in the queue it would wait {much} for them."),
        HolderAnswer::Reservations => format!("Nodes reserved for others: without it would start {much} earlier."),
        HolderAnswer::SharedLimits => match named.filter(|named| named.kind.ends_with("_limit")) {
            Some(_) => format!("That limit: without it would start {much} earlier."),
            None => {
                format!(
                    "A limit it shares with others, of its QOS or its array: without it would start {much} earlier."
                )
            }
        },
        HolderAnswer::Dependency => format!("Another job it depends on: without it would start {much} earlier."),
        HolderAnswer::Begin => format!("The time it was told to begin: without it would start {much} earlier."),
    }
}

fn before(ahead: &AheadAnswer) -> Vec<String> {
    let own = match ahead.own_jobs {
        0 => String::new(),
        1 => ", one of them yours".to_owned(),
        own => format!(", {} of them yours", grouped(own)),
    };
    let mut lines = Vec::new();
    match (ahead.jobs, ahead.node_hours) {
        (Some(0), _) => lines.push("Nobody stands before it.".to_owned()),
        (Some(1), Some(hours)) => {
            lines.push(format!("One job stands before it{own}: {hours:.0} node-hours by its limit."));
        }
        (Some(jobs), Some(hours)) => {
            lines.push(format!("{} jobs stand before it{own}: {hours:.0} node-hours by their limits.", grouped(jobs)));
        }
        _ => {
            lines
                .push(format!("How many stand before it is not told, because they are of fewer than five users{own}."));
        }
    }
    lines.extend(ahead.classes.iter().map(class));
    lines
}

fn class(class: &AheadClassAnswer) -> String {
    let nodes = match (class.nodes_from, class.nodes_to) {
        (from, Some(to)) if from == to => format!("of {from} node{}", if from == 1 { "" } else { "s" }),
        (from, Some(to)) => format!("of {from} to {to} nodes"),
        (from, None) => format!("of {from} nodes or more"),
    };
    let long = class
        .limit_to_seconds
        .map_or_else(|| "for more than a day".to_owned(), |limit| format!("for up to {}", span(limit)));
    format!("  {} {nodes} {long}: {:.0} node-hours", grouped(class.jobs), class.node_hours)
}

fn helps(change: &ChangeAnswer, wall: &Wall<'_>) -> String {
    let what = match &change.change {
        JobChangeAnswer::Limit { from_seconds, to_seconds, risk } => format!(
            "Ask for --time={} instead of {}, at a risk of {} of being killed",
            limit(*to_seconds),
            limit(*from_seconds),
            percent_of_one(*risk)
        ),
        JobChangeAnswer::Nodes { from, to } => {
            let nodes = if *to == 1 { "node" } else { "nodes" };
            format!("Ask for {to} {nodes} instead of {from}; it would run longer")
        }
        JobChangeAnswer::Partition { to, .. } => format!("Run it in partition {}", inert(to)),
        JobChangeAnswer::ShareNodes => "Do without --exclusive, if it can share nodes".to_owned(),
    };
    let effect = &change.effect;
    let about = change.outlook.start.as_ref().map(|start| format!(", about {}", wall.time(&start.median)));
    format!(
        "{what}: starts {} in the median{}; earlier in {} of the futures.",
        earlier(effect.earlier_median_seconds),
        about.unwrap_or_default(),
        percent_of_one(effect.share_earlier)
    )
}
