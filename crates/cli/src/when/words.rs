//! A forecast in sentences.
//!
//! For: people: start, run time and end with their ranges, Slurm's estimate, recent accuracy, and the age of the data.
//!
//! Not for: programs; they have `--format json`.

use queuecast_api::forecast::{FinishedResponse, ForecastResponse, StateResponse};
use queuecast_api::ranges::TimesResponse;

use crate::ask::inert::inert;
use crate::ask::not_modelled;
use crate::ask::wall::{Wall, span};
use crate::ask::zone::Zone;
use crate::output::{grouped, percent};

/// The sentences, a line each. `subject` begins the first.
pub fn sentences(answer: &ForecastResponse, subject: &str, zone: &Zone) -> Vec<String> {
    let wall = Wall::new(zone, &answer.now);
    if let Some(finished) = &answer.finished {
        return vec![ended(answer, finished, subject, &wall)];
    }
    let mut lines = forecast(answer, subject, &wall);
    if let Some(held) = answer.waits_for.as_ref().filter(|held| !matches!(held.kind.as_str(), "queue" | "resources")) {
        let word = answer.job.reason.as_deref().map(|reason| format!(" ({})", inert(reason))).unwrap_or_default();
        lines.push(format!("Slurm's reason: {}{word}.", inert(&held.description)));
    }
    if answer.state == StateResponse::Waiting {
        lines.push(match &answer.slurm_estimated_start {
            Some(planned) => format!("Slurm's estimate: {}.", wall.time(planned)),
            None => "Slurm's estimate: none yet.".to_owned(),
        });
    }
    if let Some(lately) = &answer.recent_accuracy {
        lines.push(format!(
            "Recent forecasts in {}: {} of actual starts were inside the 80 % range ({} forecasts). Median error: {}.",
            inert(&lately.partition),
            percent(lately.coverage80),
            grouped(lately.forecasts),
            span(seconds(lately.median_absolute_error_seconds)),
        ));
    } else if answer.no_forecast.is_none() {
        lines.push("Not enough finished forecasts yet to show accuracy.".to_owned());
    }
    if !answer.not_considered.is_empty() {
        let left_out: Vec<String> = answer.not_considered.iter().map(|field| inert(field)).collect();
        lines.push(format!(
            "The forecast ignores these options, which count only for your own jobs: {}.",
            left_out.join(", ")
        ));
    }
    lines.extend(not_modelled(&answer.not_modelled));
    if let Some(age) = answer.data_age_seconds {
        lines.push(format!("Queue data is {} old.", span(age)));
    }
    lines
}

fn forecast(answer: &ForecastResponse, subject: &str, wall: &Wall<'_>) -> Vec<String> {
    if let Some(reason) = &answer.no_forecast {
        let since = answer.started.as_ref().map(|started| format!(", running since {}", wall.time(started)));
        let (code, why) = (inert(&reason.code), inert(&reason.message));
        return vec![format!("{subject}{}: no forecast ({code}). {why}", since.unwrap_or_default())];
    }
    let (Some(start), Some(run), Some(completion)) = (&answer.start, &answer.run, &answer.completion) else {
        return vec![format!(
            "{subject}: the daemon returned an empty forecast without a reason. Please report this bug."
        )];
    };
    if answer.state == StateResponse::Running {
        let since = answer.started.as_ref().map_or_else(
            || "is already running".to_owned(),
            |started| format!("has been running since {}", wall.time(started)),
        );
        let ends = wall.about(completion);
        return vec![format!("{subject} {since} and ends {ends}; 80 % range: {}.", wall.range(&completion.range80))];
    }
    let verb = if answer.state == StateResponse::Hypothetical { "would start" } else { "starts" };
    if let Some(tasks) = answer.job.array_tasks_waiting.filter(|tasks| *tasks > 1) {
        return array(answer, subject, verb, tasks, wall);
    }
    vec![
        format!("{subject} {verb} {}; 80 % range: {}.", wall.about(start), wall.range(&start.range80)),
        format!(
            "It runs for about {}; 80 % range: {} to {}.",
            span(run.median_seconds),
            span(run.range80.from_seconds),
            span(run.range80.to_seconds)
        ),
        format!("It ends {}; 80 % range: {}.", wall.about(completion), wall.range(&completion.range80)),
    ]
}

/// An array: its first task, how long a task runs, and its last where that was played.
fn array(answer: &ForecastResponse, subject: &str, verb: &str, tasks: u64, wall: &Wall<'_>) -> Vec<String> {
    let (Some(start), Some(run), Some(completion)) = (&answer.start, &answer.run, &answer.completion) else {
        return Vec::new();
    };
    let told = |times: &TimesResponse| format!("{}; 80 % range: {}", wall.about(times), wall.range(&times.range80));
    let mut lines = vec![
        format!("{subject}: the first of {} pending tasks {verb} {}.", grouped(tasks), told(start)),
        format!(
            "Each task runs for about {}; 80 % range: {} to {}.",
            span(run.median_seconds),
            span(run.range80.from_seconds),
            span(run.range80.to_seconds)
        ),
    ];
    if let Some(last) = &answer.last_task {
        lines.push(format!("The last task {verb} {}.", told(&last.start)));
        lines.push(format!("The whole array ends {}.", told(&last.completion)));
    } else {
        lines.push(format!("The first task ends {}.", told(completion)));
        lines.push("The last task has no forecast, because the simulation covers only the first tasks.".to_owned());
    }
    lines
}

/// What became of it.
fn ended(answer: &ForecastResponse, finished: &FinishedResponse, subject: &str, wall: &Wall<'_>) -> String {
    let when = finished.ended.as_ref().map(|ended| {
        let ago = span(answer.now.unix.saturating_sub(ended.unix));
        format!(" {} ({ago} ago)", wall.at(ended))
    });
    let exit = match (finished.exit_code, finished.signal) {
        (_, Some(signal)) => format!(", signal {signal}"),
        (Some(code), None) => format!(", exit code {code}"),
        (None, None) => String::new(),
    };
    let ran = finished
        .run_seconds
        .map_or_else(|| " It never started.".to_owned(), |run| format!(" It ran for {}.", span(run)));
    format!("{subject} ended{}: {}{exit}.{ran}", when.unwrap_or_default(), inert(&finished.state))
}

fn seconds(real: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a cast to an integer stops at its ends")]
    let whole = real.round() as i64;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// 2025-11-15T12:20:00Z
    const NOW: i64 = 1_763_209_200;

    fn moment(minutes: i64) -> Value {
        json!({ "unix": NOW + 60 * minutes, "utc": "" })
    }

    fn times(minutes: i64) -> Value {
        let range = json!({ "from": moment(minutes - 15), "to": moment(minutes + 50) });
        let from_now = 60 * minutes;
        json!({ "median": moment(minutes), "seconds_from_now": from_now, "range50": range, "range80": range, "range95": range })
    }

    fn answer(changes: &Value) -> ForecastResponse {
        let range = json!({ "from_seconds": 1_800, "to_seconds": 7_200 });
        let mut answer = json!({
            "cluster": "alpha", "job": { "partitions": ["batch"] }, "state": "waiting", "now": moment(0),
            "data_age_seconds": 12, "start": times(35), "completion": times(35 + 1_440), "stored": true,
            "run": { "median_seconds": 5_400, "range50": range, "range80": range, "range95": range },
            "slurm_estimated_start": moment(150),
            "recent_accuracy": { "partition": "batch", "forecasts": 1_412, "coverage80": 0.813, "median_absolute_error_seconds": 370.0 },
        });
        for (name, value) in changes.as_object().expect("an object") {
            answer[name] = value.clone();
        }
        serde_json::from_value(answer).expect("an answer; what is not known may be left out")
    }

    fn told(changes: &Value) -> String {
        sentences(&answer(changes), "Job 1234", &Zone::UTC).join("\n").replace(" UTC", "")
    }

    #[test]
    fn a_waiting_job_is_told_in_full() {
        assert_eq!(
            told(&json!({})),
            "Job 1234 starts at about 12:55 (in 35 min); 80 % range: 12:40 to 13:45.\n\
             It runs for about 1 h 30 min; 80 % range: 30 min to 2 h.\n\
             It ends tomorrow at about 12:55 (in 1 d); 80 % range: tomorrow 12:40 to 13:45.\n\
             Slurm's estimate: 14:50.\n\
             Recent forecasts in batch: 81.3 % of actual starts were inside the 80 % range (1,412 forecasts). Median error: 6 min.\n\
             Queue data is 12 s old."
        );
    }

    #[test]
    fn no_estimate_says_why() {
        let reason = json!({ "code": "held", "message": "It is held. Release it with `scontrol release 1234`." });
        let none =
            json!({ "no_forecast": reason, "start": null, "run": null, "completion": null, "recent_accuracy": null });
        assert!(told(&none).starts_with("Job 1234: no forecast (held). It is held. Release it"), "{}", told(&none));
        let running = json!({ "no_forecast": reason, "state": "running", "started": moment(-30) });
        assert!(told(&running).starts_with("Job 1234, running since 11:50: no forecast (held)."), "{}", told(&running));
    }

    #[test]
    fn a_running_job_is_told_when_it_ends_and_a_hypothetical_one_when_it_would_start() {
        let running = told(&json!({ "state": "running", "started": moment(-30) }));
        assert!(
            running.starts_with("Job 1234 has been running since 11:50 and ends tomorrow at about 12:55"),
            "{running}"
        );
        assert!(!running.contains("Slurm's estimate"));
        let hypothetical = told(
            &json!({ "state": "hypothetical", "not_considered": ["user"], "not_modelled": ["constraint", "exclude"] }),
        );
        assert!(hypothetical.contains("which are not simulated: constraint, exclude."), "{hypothetical}");
        assert!(
            hypothetical.contains("would start at about 12:55") && hypothetical.contains("for your own jobs: user."),
            "{hypothetical}"
        );
    }

    #[test]
    fn an_array_is_told_by_its_first_task_and_by_its_last_where_that_is_known() {
        let job = json!({ "partitions": ["batch"], "array_tasks_waiting": 40, "reason": "JobArrayTaskLimit" });
        let held = json!({ "kind": "array_limit", "description": "its array's own throttle" });
        let first = told(&json!({ "job": job, "waits_for": held }));
        assert!(
            first.starts_with("Job 1234: the first of 40 pending tasks starts at about 12:55 (in 35 min)"),
            "{first}"
        );
        assert!(
            first.contains("The first task ends tomorrow at about") && first.contains("The last task has no forecast"),
            "{first}"
        );
        assert!(first.contains("Slurm's reason: its array's own throttle (JobArrayTaskLimit)."), "{first}");
        let last = told(&json!({ "job": job, "last_task": { "start": times(300), "completion": times(360) } }));
        assert!(last.contains("The last task starts at about 17:20 (in 5 h)"), "{last}");
        assert!(last.contains("The whole array ends at about 18:20 (in 6 h)"), "{last}");
    }

    #[test]
    fn a_job_that_has_ended_is_told_when_and_how() {
        let finished =
            json!({ "ended": moment(-17), "state": "TIMEOUT", "exit_code": 0, "signal": 15, "run_seconds": 300 });
        let none = json!({ "code": "finished", "message": "It has ended." });
        let ended = told(&json!({ "state": "finished", "finished": finished, "no_forecast": none }));
        assert_eq!(ended, "Job 1234 ended at 12:03 (17 min ago): TIMEOUT, signal 15. It ran for 5 min.");
        let never = json!({ "ended": moment(-1_500), "state": "CANCELLED" });
        let never = told(&json!({ "state": "finished", "finished": never, "no_forecast": none }));
        assert_eq!(never, "Job 1234 ended on 2025-11-14 at 11:20 (1 d 1 h ago): CANCELLED. It never started.");
    }

    #[test]
    fn foreign_text_is_not_obeyed_by_the_terminal() {
        let hostile = "\u{1b}]0;owned\u{7}\u{9b}2J";
        let lately =
            json!({ "partition": hostile, "forecasts": 40, "coverage80": 1.0, "median_absolute_error_seconds": 1e300 });
        let reason = json!({ "code": hostile, "message": hostile });
        for changes in
            [json!({ "recent_accuracy": lately }), json!({ "no_forecast": reason, "not_considered": [hostile] })]
        {
            let told = told(&changes);
            assert!(!told.chars().any(|character| character.is_control() && character != '\n'), "{told:?}");
        }
    }
}
