//! Why a job is waiting, in sentences. The web interface has the same ones (`web/src/words.ts`).

use queuecast_api::forecast::WaitsForResponse;
use queuecast_api::why::{
    AheadGroupResponse, AheadResponse, CauseKindResponse, CauseResponse, JobChangeResponse, SuggestionResponse,
    WhyResponse,
};

use crate::ask::inert::inert;
use crate::ask::wall::{Wall, earlier, limit, percent_of_one, span};
use crate::ask::zone::Zone;
use crate::output::grouped;

/// What a person reads.
pub fn told(answer: &WhyResponse, job: &str, zone: &Zone) -> String {
    let wall = Wall::new(zone, &answer.forecast.now);
    if let Some(none) = &answer.no_forecast {
        let named = answer.forecast.waits_for.as_ref().filter(|held| is_named(&held.kind));
        let named = named.map(|held| format!("\nSlurm's reason: {}.", inert(&held.description))).unwrap_or_default();
        return format!("Job {job}: no forecast ({}). {}{named}", inert(&none.code), inert(&none.message));
    }
    let mut lines = Vec::new();
    let reason =
        answer.forecast.job.reason.as_deref().map(|reason| format!(" Slurm's reason code: {}.", inert(reason)));
    lines.push(match &answer.forecast.start {
        Some(start) => format!(
            "Job {job} starts {}; 80 % range: {}.{}",
            wall.about(start),
            wall.range(&start.range80),
            reason.unwrap_or_default()
        ),
        None => format!("No forecast for job {job}.{}", reason.unwrap_or_default()),
    });
    lines.push(String::new());
    lines.push("Why it is waiting".to_owned());
    let named = answer.forecast.waits_for.as_ref().filter(|held| is_named(&held.kind));
    if let Some(held) = named {
        lines.push(format!("  Slurm's reason: {}.", inert(&held.description)));
    }
    if answer.causes.is_empty() && named.is_none() {
        lines.push("  No lasting cause: it should start within the next scheduling cycles.".to_owned());
    }
    lines.extend(answer.causes.iter().map(|hold| format!("  {}", held(hold, named))));
    if let Some(ahead) = &answer.ahead {
        lines.extend(before(ahead).into_iter().map(|line| format!("  {line}")));
    }
    lines.push(String::new());
    lines.push("Changes that would help".to_owned());
    if answer.suggestions.is_empty() {
        lines.push(
            "  None of those tried: shorter time limits, fewer nodes, other partitions, sharing nodes.".to_owned(),
        );
    }
    lines.extend(answer.suggestions.iter().map(|change| format!("  {}", helps(change, &wall))));
    if let Some(futures) = answer.simulations {
        lines.push(String::new());
        lines.push(format!("Based on {futures} simulations of the queue, with and without each change."));
    }
    lines.join("\n")
}

/// Whether Slurm's word names something that stands beside the queue and the nodes.
fn is_named(kind: &str) -> bool {
    !matches!(kind, "queue" | "resources")
}

fn held(hold: &CauseResponse, named: Option<&WaitsForResponse>) -> String {
    let much = span(hold.gain.earlier_median_seconds);
    match hold.kind {
        CauseKindResponse::Queue => format!("Jobs ahead of it in the queue: {much}"),
        CauseKindResponse::Running => format!("Running jobs: {much}, even at the front of the queue"),
        CauseKindResponse::Reservations => format!("Reserved nodes: {much}"),
        CauseKindResponse::SharedLimits => format!("{}: {much}", limit_named(named)),
        CauseKindResponse::Dependency => format!("Dependency on another job: {much}"),
        CauseKindResponse::Begin => format!("Requested begin time (--begin): {much}"),
    }
}

/// Name of the shared limit that delays the job: from Slurm's reason, or all limits that it may be.
fn limit_named(named: Option<&WaitsForResponse>) -> &'static str {
    match named.map(|named| named.kind.as_str()) {
        Some("array_limit") => "Task limit of the array (%N)",
        Some("qos_limit") => "Limit of the QOS",
        Some("association_limit") => "Limit of the account or user",
        _ => "Limit shared with other jobs (QOS, account, user, array or licences)",
    }
}

/// A whole number of node-hours.
fn node_hours(hours: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a cast to an integer stops at its ends")]
    let whole = hours.round() as i64;
    grouped(whole)
}

fn before(ahead: &AheadResponse) -> Vec<String> {
    let own = match ahead.own_jobs {
        0 => String::new(),
        own => format!(" ({} yours)", grouped(own)),
    };
    let mut lines = Vec::new();
    match (ahead.jobs, ahead.node_hours) {
        (Some(0), _) => lines.push("No jobs are ahead of it.".to_owned()),
        (Some(1), Some(hours)) => {
            lines.push(format!("1 job is ahead of it{own}: {} node-hours at its time limit.", node_hours(hours)));
        }
        (Some(jobs), Some(hours)) => {
            lines.push(format!(
                "{} jobs are ahead of it{own}: {} node-hours at their time limits.",
                grouped(jobs),
                node_hours(hours)
            ));
        }
        _ => {
            lines.push(format!("Number of jobs ahead of it{own}: hidden (fewer than five users)."));
        }
    }
    lines.extend(ahead.groups.iter().map(class));
    lines
}

fn class(class: &AheadGroupResponse) -> String {
    let nodes = match (class.nodes_from, class.nodes_to) {
        (from, Some(to)) if from == to => format!("{from} node{}", if from == 1 { "" } else { "s" }),
        (from, Some(to)) => format!("{from} to {to} nodes"),
        (from, None) => format!("{from} nodes or more"),
    };
    let long = class.limit_to_seconds.map_or_else(|| "over 1 d".to_owned(), |limit| format!("up to {}", span(limit)));
    let jobs = if class.jobs == 1 { "1 job".to_owned() } else { format!("{} jobs", grouped(class.jobs)) };
    format!("  {jobs} with {nodes} and a time limit {long}: {} node-hours", node_hours(class.node_hours))
}

fn helps(change: &SuggestionResponse, wall: &Wall<'_>) -> String {
    let what = match &change.change {
        JobChangeResponse::Limit { from_seconds, to_seconds, risk } => format!(
            "Request --time={} instead of {} ({} risk of being killed)",
            limit(*to_seconds),
            limit(*from_seconds),
            percent_of_one(*risk)
        ),
        JobChangeResponse::Nodes { from, to } => {
            let nodes = if *to == 1 { "node" } else { "nodes" };
            format!("Request {to} {nodes} instead of {from} (the job would run longer)")
        }
        JobChangeResponse::Partition { to, .. } => format!("Use partition {}", inert(to)),
        JobChangeResponse::ShareNodes => "Omit --exclusive, if the job can share nodes".to_owned(),
    };
    let effect = &change.gain;
    let about = change.forecast.start.as_ref().map(|start| format!(", {}", wall.at_about(&start.median)));
    format!(
        "{what}: typically starts {}{}; earlier in {} of the simulations.",
        earlier(effect.earlier_median_seconds),
        about.unwrap_or_default(),
        percent_of_one(effect.share_earlier)
    )
}
