//! `--html`: the back-test as a page, and the command that makes it again.

use queuecast_report::{BacktestReport, DurationRows, ReliabilityCurve, TextTable};
use queuecast_site::backtest::{GroupKind, in_words};

use super::BacktestArgs;
use super::result::{BacktestResult, GroupFigures};
use crate::output::{Sheet, duration, grouped, percent};
use crate::page::quoted;
use crate::provenance::Provenance;

const FIRST: &str = "Queuecast\u{2019}s first forecast of each sampled job, made when it arrived. In 50\u{a0}%: share of jobs that started within the \
    50\u{a0}% range; it should be 50\u{a0}%. Errors are distances between the median of the forecast and the start. Within 10 min: share of errors up to \
    ten minutes.";
const SIMPLER: &str = "Two simpler methods on the same jobs. The limit-based estimate is the start if every job ran to its time limit, as backfill plans it. \
    The second method forecasts the median wait of the last hundred jobs of the partition. The first column of each method is its median error. \
    10 min: share of errors up to ten minutes. No estimate: share of limit-based starts more than 30 days ahead. Too late: share of them after the actual start.";
const ERRORS: &str = "Median distance between forecast and start, for Queuecast and two simpler methods; further left is better. The axis is logarithmic, \
    and errors below one minute are at its left end.";
const WAITS: &str = "Mean and median wait of all jobs of these days that started, by time limit and processors. Waits count from the time at which the job \
    could first have started.";
const LIMITS: &str = "Time limits that Queuecast would have suggested when each job arrived, at a given maximum risk. They are compared with the limits that \
    users requested, the longest of the user\u{2019}s last ten runs plus 20\u{a0}%, and the run time itself.";

const PROMISES: &str = "Shortened jobs are those with a suggested limit below the requested one. The table shows the share of them that ran longer than the \
    suggested limit: in total, in the worst tenth of jobs by estimated risk, and for the worst user with 200 or more jobs (of all jobs of the user, and of \
    the shortened ones).";
const BY_RISK: &str = "Shortened jobs in tenths by the estimated risk of their suggested limit. The maximum risk holds for each job if it holds in every tenth.";

const EXPERTS: &str = "Queuecast combines several components. The table shows how accurate each component alone would have been at the same moments. CRPS is the \
    distance between the whole distribution and the start, from nine quantiles. A ratio below one means that Queuecast was better; its interval comes from \
    resampled weeks.";
const WORST: &str = "The first forecasts with the largest errors, and the component with the smallest error.";

/// The groups of the tables.
const KINDS: [GroupKind; 3] = [GroupKind::Overall, GroupKind::Partition, GroupKind::WaitLeft];

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
            ("program", provenance.program()),
            ("seed", result.seed.to_string()),
            ("simulations per forecast of a short queue", grouped(result.simulations)),
            ("forecasts of jobs that never started", grouped(result.never_started)),
            ("jobs without a forecast", grouped(result.no_forecast)),
            ("left out", left_out(result)),
            ("machine", machine(result)),
        ]
        .into_iter()
        .chain(provenance.logs_in_words().into_iter().map(|log| ("input", log)))
        .collect(),
        reliability: [("first forecasts", result.reliability.first), ("all forecasts", result.reliability.all)]
            .into_iter()
            .filter_map(|(name, shares)| {
                let points = result.reliability.shares.into_iter().zip(shares?).collect();
                Some(ReliabilityCurve { name: name.to_owned(), points })
            })
            .collect(),
        plots: vec![
            plot("Median error by partition", GroupKind::Partition),
            plot("Median error by remaining wait", GroupKind::WaitLeft),
            plot("Median error by time limit and size", GroupKind::Class),
            waits(result),
        ],
        tables: vec![
            table("First forecasts, made at arrival", FIRST, &BacktestResult::accuracy("", &result.first, &KINDS)),
            table(
                "Simpler methods, first forecasts",
                SIMPLER,
                &BacktestResult::simpler_methods("", &result.first, &KINDS),
            ),
            table("All forecasts, including repeated ones", "", &BacktestResult::accuracy("", &result.all, &KINDS)),
            table("Simpler methods, all forecasts", "", &BacktestResult::simpler_methods("", &result.all, &KINDS)),
            table("Each component alone, first forecasts", EXPERTS, &first_experts),
            table("Each component alone, later forecasts", "", &later_experts),
            table("Largest errors", WORST, &result.worst_table()),
            table("Waits by class", WAITS, &result.wait_table()),
            table("Suggested time limits", LIMITS, &result.limit_table()),
            table("Does the maximum risk hold?", PROMISES, &result.promise_table()),
            table("Killed jobs by estimated risk", BY_RISK, &result.risk_table()),
            table("Killed jobs by class", "", &result.limit_class_table()),
        ],
    };
    report.html()
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
        kinds: vec!["Queuecast", "limit-based estimate", "recent waits"],
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
        title: "Waits by time limit and size".to_owned(),
        reading: WAITS.to_owned(),
        kinds: vec!["mean wait", "median wait"],
        rows: rows.collect(),
    }
}

fn facts(result: &BacktestResult) -> String {
    format!(
        "{} jobs of the last {:.0} days, {} earlier jobs for training; {} forecasts of the whole queue",
        grouped(result.jobs),
        result.days(),
        grouped(result.history_jobs - result.jobs),
        grouped(result.moments)
    )
}

/// The errors of Queuecast and of the simpler methods for jobs that have just arrived, in a sentence.
fn finding(result: &BacktestResult) -> Option<String> {
    let first = BacktestResult::overall(&result.first)?;
    let unbroken = |text: String| text.replace(' ', "\u{a0}");
    Some(format!(
        "Median error of forecasts at the arrival of a job: {} for Queuecast, {} for the limit-based estimate, {} for the median of recent waits. \
         The 80\u{a0}% range contained {} of the starts.",
        unbroken(duration(first.ours.median_absolute_error_seconds?)),
        unbroken(duration(first.plan.errors.median_absolute_error_seconds?)),
        unbroken(duration(first.last_waits.median_absolute_error_seconds?)),
        unbroken(percent(first.coverage?.p80))
    ))
}

fn left_out(result: &BacktestResult) -> String {
    let reasons = [
        (result.bad_lines, "bad lines"),
        (result.left_out.revoked, "jobs that ran on another cluster"),
        (result.left_out.no_processors, "jobs without processors"),
        (result.left_out.no_times, "jobs without times"),
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
    option("simulations", arguments.simulations.to_string());
    option("seed", arguments.seed.to_string());
    for risk in &arguments.risks_percent {
        option("risk", risk.to_string());
    }
    parts
}
