//! Limits in sentences and a table.

use queuecast_api::limit::{
    AskedLimitAnswer, HeavyTailAnswer, KeptBecauseAnswer, LimitAnswer, LimitBasisAnswer, LimitChoiceAnswer,
};

use crate::ask::inert::inert;
use crate::ask::wall::{Wall, earlier, limit, percent_of_one, span};
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
        lines.extend(advice(subject, answer, asked, chosen));
    }
    if !answer.not_considered.is_empty() {
        let left_out: Vec<String> = answer.not_considered.iter().map(|field| inert(field)).collect();
        lines.push(format!("Not taken into account, because it is not known to be yours: {}.", left_out.join(", ")));
    }
    lines.push(String::new());
    lines.push(table(answer, &wall));
    lines.join("\n")
}

fn advice(subject: &str, answer: &LimitAnswer, asked: &AskedLimitAnswer, chosen: &LimitChoiceAnswer) -> Vec<String> {
    let promise = percent_of_one(chosen.accepted_risk);
    let kept = format!("{subject}: keep the limit of {}.", limit(asked.limit_seconds));
    let mut lines = Vec::new();
    match chosen.kept_because {
        Some(KeptBecauseAnswer::NotProven) => lines.push(format!(
            "{kept} A shorter one may do, but too many of these jobs that were told one have not ended yet or ran longer to promise {promise}."
        )),
        Some(KeptBecauseAnswer::TooFewEnded) => lines.push(format!(
            "{kept} Too few jobs have ended here, as far as is known, to promise {promise} for any shorter one."
        )),
        _ if is_shorter(asked, chosen) => {
            lines.push(format!(
                "{subject}: ask for --time={} instead of {}. Of jobs like it {} run longer; promised is at most {promise}.",
                limit(chosen.limit_seconds),
                limit(asked.limit_seconds),
                percent_of_one(chosen.risk)
            ));
            let buys = earlier_seconds(asked, chosen).map(earlier);
            lines.extend(buys.map(|buys| format!("It then starts {buys} in the median.")));
        }
        _ => {
            let least = answer.least_risk.filter(|least| *least > chosen.accepted_risk);
            lines.push(match least {
                Some(least) => format!(
                    "{kept} Of jobs like it {} or more may run longer than any shorter one, as far as is known: no promise of {promise}.",
                    percent_of_one(least)
                ),
                None => format!("{kept} For less, a risk of at most {promise} cannot be promised."),
            });
        }
    }
    lines.extend(answer.basis.as_ref().map(rests_on));
    lines.extend(answer.heavy_tail.as_ref().map(tail));
    if let Some((killed, jobs)) = chosen.killed.zip(chosen.advised_jobs) {
        lines.push(format!(
            "So far {} of {} jobs that were told a shorter limit at this promise, asked or not, would have been killed.",
            percent_of_one(killed),
            grouped(jobs)
        ));
    }
    lines
}

fn is_shorter(asked: &AskedLimitAnswer, choice: &LimitChoiceAnswer) -> bool {
    choice.limit_seconds < asked.limit_seconds
}

fn rests_on(basis: &LimitBasisAnswer) -> String {
    let runs = grouped(basis.runs);
    match basis.usual_seconds.filter(|_| basis.own) {
        Some(usual) => {
            format!("The nearest runs known are {runs} of the same user; half of them took {} or less.", span(usual))
        }
        None if basis.own => format!("The nearest runs known are {runs} of the same user."),
        None => format!(
            "The nearest runs known are {runs} of anybody with this limit: there are hardly any of the same user."
        ),
    }
}

fn tail(tail: &HeavyTailAnswer) -> String {
    format!(
        "These run times have a heavy tail: {} of {} took more than ten times the usual {}. A short limit kills those.",
        grouped(tail.longer),
        grouped(tail.runs),
        span(tail.usual_seconds)
    )
}

/// By how much earlier it starts, between the medians that are told: the two columns beside each other never contradict.
fn earlier_seconds(asked: &AskedLimitAnswer, choice: &LimitChoiceAnswer) -> Option<i64> {
    let [asked, choice] = [&asked.outlook, &choice.outlook].map(|outlook| outlook.start.as_ref());
    Some(asked?.seconds_from_now - choice?.seconds_from_now)
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
        for choice in &answer.choices {
            let start = choice.outlook.start.as_ref();
            let is_shorter = is_shorter(asked, choice);
            sheet.add([
                limit(choice.limit_seconds),
                percent_of_one(choice.accepted_risk),
                // What the limit asked for risks is in its own row, and is not our promise.
                if is_shorter { percent_of_one(choice.risk) } else { "keep".to_owned() },
                or_dash(start.map(|start| wall.time(&start.median))),
                or_dash(start.map(|start| wall.ends(&start.range80))),
                if is_shorter { or_dash(earlier_seconds(asked, choice).map(earlier)) } else { String::new() },
            ]);
        }
    }
    lay_out(&sheet)
}
