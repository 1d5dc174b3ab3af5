//! `--html`: the back-test as a page, and the command that makes it again.

use queuecast_report::{BacktestReport, DurationRows, ReliabilityCurve, TextTable};
use queuecast_site::backtest::{GroupKind, in_words};

use super::BacktestArgs;
use super::result::{BacktestResult, GroupFigures};
use crate::output::{Sheet, grouped, percent};
use crate::page::quoted;
use crate::provenance::Provenance;

const FIRST: &str = "The first forecast of each sampled job, made when it came. In 50\u{a0}%: the share of jobs that started within the range \
    of that name, which should be the name. Median and mean are of how far off the middle was, ours, the plan\u{2019}s, and that of the median wait of \
    the last hundred jobs of the partition. 10 min: the share that was at \
    most ten minutes off. Too late: the share of plans that were after the start.";
const ERRORS: &str = "Half of the forecasts were nearer to the start than this, ours, the plan\u{2019}s and the last waits\u{2019}; further left is \
    better. Distances are equal factors; what is nearer than a minute stands at the left end.";
const WAITS: &str = "Every job of these days that started, by its limit and its processors: the mean and the median of how long it waited from when \
    it could first have been started.";
const LIMITS: &str = "Limits that would have been advised when each job came, at the risk that was promised, beside what users asked for, the \
    longest of the user\u{2019}s last ten runs and a fifth more, and the run time itself.";

const PROMISES: &str = "Jobs that were told a shorter limit than they asked for, and the share of them that ran longer: in all, in the worst tenth by the \
    risk told, and of the worst user with 200 jobs and more, of all that user\u{2019}s jobs and of those told a shorter limit.";
const BY_RISK: &str = "Jobs that were told a shorter limit, in tenths by the risk that was told with it. A promise is kept for each job if every tenth is \
    within it.";

const EXPERTS: &str = "Our forecast weighs several answers; here is how good each would have been by itself at the same moments. CRPS is the distance of the whole \
    distribution from what came, from the nine times told. Below one, ours was better; the interval comes from drawing weeks.";
const WORST: &str = "The first forecasts whose middle was furthest from the start, and which of the answers that are weighed was nearest.";

/// The page.
pub fn html(arguments: &BacktestArgs, result: &BacktestResult, provenance: &Provenance) -> String {
    let plot = |title: &str, kind: GroupKind| errors(title, &result.first, kind);
    let [first_experts, later_experts] = result.expert_tables();
    let report = BacktestReport {
        command: command(arguments, &result.trace),
        trace: result.trace.clone(),
        facts: facts(result),
        finding: [finding(result).unwrap_or_default()]
            .into_iter()
            .chain(result.better_in_words())
            .collect::<Vec<_>>()
            .join(" "),
        made: [
            ("made by", provenance.program()),
            ("seed", result.seed.to_string()),
            ("futures of a short queue", grouped(result.futures)),
            ("forecasts of jobs that never started", grouped(result.never_started)),
            ("no estimate", grouped(result.no_estimate)),
            ("left out", left_out(result)),
            ("machine", machine(result)),
        ]
        .into_iter()
        .chain(provenance.logs_in_words().into_iter().map(|log| ("read", log)))
        .collect(),
        reliability: [("first forecasts", result.reliability.first), ("all forecasts", result.reliability.all)]
            .into_iter()
            .filter_map(|(name, shares)| {
                let points = result.reliability.said.into_iter().zip(shares?).collect();
                Some(ReliabilityCurve { name: name.to_owned(), points })
            })
            .collect(),
        plots: vec![
            plot("How far off, by partition", GroupKind::Partition),
            plot("How far off, by how long the wait was", GroupKind::WaitLeft),
            plot("How far off, by limit and size", GroupKind::Class),
            waits(result),
        ],
        tables: vec![
            table("When jobs come", FIRST, &contest("", &result.first)),
            table("All forecasts, repeated ones too", "", &contest("", &result.all)),
            table("Each expert by itself, when jobs come", EXPERTS, &first_experts),
            table("Each expert by itself, of jobs that had waited", "", &later_experts),
            table("What was furthest off", WORST, &result.worst_table()),
            table("Waits by class", WAITS, &result.wait_table()),
            table("Limits", LIMITS, &result.limit_table()),
            table("Does each promise hold?", PROMISES, &result.promise_table()),
            table("Killed, by the risk told", BY_RISK, &result.risk_table()),
            table("Killed, by class", "", &result.limit_class_table()),
        ],
    };
    report.html()
}

fn contest(title: &str, groups: &[GroupFigures]) -> Sheet {
    BacktestResult::contest(title, groups, &[GroupKind::Overall, GroupKind::Partition, GroupKind::WaitLeft])
}

fn table(title: &str, reading: &str, sheet: &Sheet) -> TextTable {
    TextTable {
        title: title.to_owned(),
        reading: reading.to_owned(),
        columns: sheet.columns.clone(),
        rows: sheet.rows.clone(),
    }
}

fn errors(title: &str, groups: &[GroupFigures], kind: GroupKind) -> DurationRows {
    let rows = groups.iter().filter(|group| group.kind == kind).map(|group| {
        let values = [&group.ours.median_absolute_error_seconds, &group.plan.errors.median_absolute_error_seconds];
        let values = values.into_iter().chain([&group.last_waits.median_absolute_error_seconds]).copied().collect();
        (group.title(), format!("{} forecasts", grouped(group.forecasts)), values)
    });
    DurationRows {
        title: title.to_owned(),
        reading: ERRORS.to_owned(),
        kinds: vec!["ours", "plan by limits", "last waits"],
        rows: rows.collect(),
    }
}

fn waits(result: &BacktestResult) -> DurationRows {
    let rows = result.waits.iter().map(|class| {
        let name = in_words(class.limit, class.processors);
        let values = vec![Some(class.mean_seconds), Some(class.median_seconds)];
        (name, format!("{} jobs", grouped(class.jobs)), values)
    });
    DurationRows {
        title: "Who waited how long".to_owned(),
        reading: WAITS.to_owned(),
        kinds: vec!["mean wait", "median wait"],
        rows: rows.collect(),
    }
}

fn facts(result: &BacktestResult) -> String {
    format!(
        "{} jobs of the last {:.0} days, {} before them to learn from; the queue forecast {} times",
        grouped(result.jobs),
        result.days(),
        grouped(result.history_jobs - result.jobs),
        grouped(result.moments)
    )
}

/// Ours beside the plan for jobs that have just come, in a sentence.
fn finding(result: &BacktestResult) -> Option<String> {
    let first = BacktestResult::overall(&result.first)?;
    let minutes = |seconds: f64| format!("{:.0}\u{a0}min", seconds / 60.0);
    Some(format!(
        "When a job came, half of our forecasts were within {} of its start, half of the plans by limits within {}, and half of the last \
         jobs\u{2019} median waits within {}. The 80\u{a0}% range held for {}.",
        minutes(first.ours.median_absolute_error_seconds?),
        minutes(first.plan.errors.median_absolute_error_seconds?),
        minutes(first.last_waits.median_absolute_error_seconds?),
        percent(first.coverage?.p80).replace(' ', "\u{a0}")
    ))
}

fn left_out(result: &BacktestResult) -> String {
    let reasons = [
        (result.bad_lines, "on bad lines"),
        (result.left_out.revoked, "that ran on another cluster"),
        (result.left_out.no_processors, "without processors"),
        (result.left_out.no_times, "without times"),
    ];
    let words: Vec<String> = reasons
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, reason)| format!("{} {reason}", grouped(*count)))
        .collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

fn machine(result: &BacktestResult) -> String {
    let pools = result.machine.iter().map(|pool| {
        let names = if pool.partitions.is_empty() { "all".to_owned() } else { pool.partitions.join(", ") };
        format!("{names}: {} processors", grouped(pool.processors))
    });
    pools.collect::<Vec<_>>().join("; ")
}

/// The command line with everything in it that decides a figure, defaults too, and nothing else.
fn command(arguments: &BacktestArgs, trace: &str) -> Vec<String> {
    let mut parts = vec!["qcast backtest".to_owned()];
    if arguments.store.is_some() {
        parts.push(format!("--store {}", quoted(trace)));
    } else {
        parts.push(quoted(trace));
    }
    let mut option = |name: &str, value: String| parts.push(format!("--{name} {}", quoted(&value)));
    option("days", arguments.days.to_string());
    for (name, sizes) in [("nodes", &arguments.nodes), ("processors", &arguments.processors)] {
        for size in sizes {
            let partition = size.partition.as_ref().map_or_else(String::new, |name| format!("{name}="));
            option(name, format!("{partition}{}", size.count));
        }
    }
    option("moments", arguments.moments.to_string());
    option("work", arguments.work.to_string());
    option("futures", arguments.futures.to_string());
    option("seed", arguments.seed.to_string());
    for risk in &arguments.risks_percent {
        option("risk", risk.to_string());
    }
    parts
}
