//! Limits in sentences and a table.

use queuecast_api::limit::{
    HeavyTailResponse, LimitBasisResponse, LimitChoiceResponse, LimitResponse, RequestedLimitResponse,
    UnchangedBecauseResponse,
};

use crate::ask::inert::inert;
use crate::ask::wall::{Wall, earlier, limit, percent_of_one, span};
use crate::ask::zone::Zone;
use crate::output::{Sheet, grouped, lay_out, or_dash};

/// What a person reads. `chosen` is the limit for the risk that was asked for.
pub fn told(answer: &LimitResponse, chosen: Option<&LimitChoiceResponse>, subject: &str, zone: &Zone) -> String {
    let wall = Wall::new(zone, &answer.said.now);
    if let Some(none) = &answer.no_forecast {
        return format!("{subject}: no advice ({}). {}", inert(&none.code), inert(&none.message));
    }
    let mut lines = Vec::new();
    if let (Some(asked), Some(chosen)) = (&answer.requested, chosen) {
        lines.extend(advice(subject, answer, asked, chosen));
    }
    if !answer.not_considered.is_empty() {
        let left_out: Vec<String> = answer.not_considered.iter().map(|field| inert(field)).collect();
        lines.push(format!(
            "The forecast ignores these options, which count only for your own jobs: {}.",
            left_out.join(", ")
        ));
    }
    lines.push(String::new());
    lines.push(table(answer, &wall, zone.label()));
    lines.join("\n")
}

fn advice(
    subject: &str,
    answer: &LimitResponse,
    asked: &RequestedLimitResponse,
    chosen: &LimitChoiceResponse,
) -> Vec<String> {
    let promise = percent_of_one(chosen.max_risk);
    let kept = format!("{subject}: keep the time limit of {}.", limit(asked.limit_seconds));
    let mut lines = Vec::new();
    match chosen.unchanged_because {
        Some(UnchangedBecauseResponse::NotProven) => lines.push(format!(
            "{kept} There is not enough evidence yet for a shorter limit at {promise} risk: too many of this user's jobs with a suggested shorter limit have not ended yet or ran longer."
        )),
        Some(UnchangedBecauseResponse::TooFewEnded) => lines.push(format!(
            "{kept} Too few finished jobs are known on this cluster for a shorter limit at {promise} risk."
        )),
        _ if is_shorter(asked, chosen) => {
            lines.push(format!(
                "{subject}: request --time={} instead of {}. {} of similar jobs run longer than that (maximum risk: {promise}).",
                limit(chosen.limit_seconds),
                limit(asked.limit_seconds),
                percent_of_one(chosen.risk)
            ));
            let buys = earlier_seconds(asked, chosen).map(earlier);
            lines.extend(buys.map(|buys| format!("The job would then typically start {buys}.")));
        }
        _ => {
            let least = answer.lowest_risk.filter(|least| *least > chosen.max_risk);
            lines.push(match least {
                Some(least) => format!(
                    "{kept} Any shorter limit would kill an estimated {} or more of similar jobs (maximum risk: {promise}).",
                    percent_of_one(least)
                ),
                None => format!("{kept} No shorter limit stays within the maximum risk of {promise}."),
            });
        }
    }
    lines.extend(answer.basis.as_ref().map(rests_on));
    lines.extend(answer.heavy_tail.as_ref().map(tail));
    if let Some((killed, jobs)) = chosen.killed.zip(chosen.advised_jobs) {
        lines.push(format!(
            "Track record at this maximum risk: suggested shorter limits would have killed {} of {} jobs on this cluster.",
            percent_of_one(killed),
            grouped(jobs)
        ));
    }
    lines
}

fn is_shorter(asked: &RequestedLimitResponse, choice: &LimitChoiceResponse) -> bool {
    choice.limit_seconds < asked.limit_seconds
}

fn rests_on(basis: &LimitBasisResponse) -> String {
    let runs = grouped(basis.runs);
    match basis.median_seconds.filter(|_| basis.own) {
        Some(usual) => {
            format!("Based on {runs} similar runs of the same user; their median run time is {}.", span(usual))
        }
        None if basis.own => format!("Based on {runs} similar runs of the same user."),
        None => format!(
            "Based on {runs} runs of all users with this time limit, because too few runs of the same user are known."
        ),
    }
}

fn tail(tail: &HeavyTailResponse) -> String {
    format!(
        "These run times have a heavy tail: {} of {} runs took more than ten times the median of {}. A short limit would kill such runs.",
        grouped(tail.longer),
        grouped(tail.runs),
        span(tail.median_seconds)
    )
}

/// By how much earlier it starts, between the medians that are told: the two columns beside each other never contradict.
fn earlier_seconds(asked: &RequestedLimitResponse, choice: &LimitChoiceResponse) -> Option<i64> {
    let [asked, choice] = [&asked.forecast, &choice.forecast].map(|outlook| outlook.start.as_ref());
    Some(asked?.seconds_from_now - choice?.seconds_from_now)
}

fn table(answer: &LimitResponse, wall: &Wall<'_>, zone: &str) -> String {
    let start = format!("median start{zone}");
    let mut sheet =
        Sheet::new(["time limit", "maximum risk", "estimated risk", start.as_str(), "80 % range", "change in start"]);
    if let Some(asked) = &answer.requested {
        let start = asked.forecast.start.as_ref();
        sheet.add([
            limit(asked.limit_seconds),
            "requested".to_owned(),
            percent_of_one(asked.risk),
            or_dash(start.map(|start| wall.brief(&start.median))),
            or_dash(start.map(|start| wall.brief_range(&start.range80))),
            String::new(),
        ]);
        for choice in &answer.choices {
            let start = choice.forecast.start.as_ref();
            let is_shorter = is_shorter(asked, choice);
            sheet.add([
                limit(choice.limit_seconds),
                percent_of_one(choice.max_risk),
                // What the limit asked for risks is in its own row, and is not our promise.
                if is_shorter { percent_of_one(choice.risk) } else { "keep".to_owned() },
                or_dash(start.map(|start| wall.brief(&start.median))),
                or_dash(start.map(|start| wall.brief_range(&start.range80))),
                if is_shorter { or_dash(earlier_seconds(asked, choice).map(earlier)) } else { String::new() },
            ]);
        }
    }
    lay_out(&sheet)
}
