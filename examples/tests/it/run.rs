//! The examples run, and what they print is what they are about.

use std::process::Command;

/// What it printed; it must succeed and have nothing to complain about.
fn printed(program: &str) -> String {
    let output = Command::new(program).output().expect("the example was built");
    assert!(output.status.success(), "{program}: {output:?}");
    assert!(output.stderr.is_empty(), "{program}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The numbers of the line that begins so, in order.
fn numbers(text: &str, line: &str) -> Vec<f64> {
    let found = text.lines().find_map(|other| other.strip_prefix(line));
    let found = found.unwrap_or_else(|| panic!("no line {line} in\n{text}"));
    found.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn a_predictor_that_knows_the_users_habits_errs_less_and_shortens_waits() {
    let text = printed(env!("CARGO_BIN_EXE_own_predictor"));
    let [limits, own] = ["limits", "same again"].map(|name| numbers(&text, name));
    let [[wait_by_limits, _, error_of_limits], [wait, _, error]] =
        [&limits[..], &own[..]].map(|row| [row[0], row[1], row[2]]);
    assert!(wait < wait_by_limits && error < error_of_limits / 2.0, "{text}");
}

#[test]
fn with_the_narrowest_first_narrow_jobs_gain_and_wide_ones_pay() {
    let text = printed(env!("CARGO_BIN_EXE_own_policy"));
    let [easy, own] = ["easy", "narrowest first"].map(|name| numbers(&text, name));
    assert!(own[0] < easy[0] && own[1] < easy[1] && own[2] > easy[2], "{text}");
}

/// By hand, EASY: job 1 starts at 0. Job 2 is promised 600, the limit's end of job 1. Job 3 may pass it, as 520 is before
/// that; job 4 finds nothing free, nor does job 5. At 100 job 1 ends: job 2 waits for job 3's limit, 520, and jobs 4 and 5
/// are over by then: both start. Job 3 ends at 420: job 2 starts, and job 6 after it, at 520.
/// Waits: 0, 410, 0, 70, 60, 470.
#[test]
fn easy_starts_the_six_jobs_as_reckoned_by_hand() {
    let text = printed(env!("CARGO_BIN_EXE_replay_a_log"));
    let easy = numbers(&text, "easy           estimate");
    assert!((easy[0] - f64::round(1_010.0 / 6.0)).abs() < 0.5, "{text}");
}

#[test]
fn who_waits_for_a_short_job_starts_soon_and_who_asks_for_little_passes_who_waits_for_a_long_one() {
    let text = printed(env!("CARGO_BIN_EXE_forecast_a_queue"));
    let [first, second, short] = ["202", "203", "204"].map(|job| numbers(&text, job)[3]);
    assert!(first < 1.5 && second > 6.0 && first < short && short < second, "{text}");
}
