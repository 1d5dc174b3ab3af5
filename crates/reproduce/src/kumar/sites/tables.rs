//! What was published beside what was measured.

use queuecast_evaluate::Replicates;

use super::experiment::{Experiment, LEAST_COMPLETION, LEAST_LOADED, LEAST_PREDICTED, LEAST_WAIT, REDUNDANT, STATIC};
use super::scenarios::{SCENARIO_STRATEGIES, Scenarios};
use crate::{Claim, Measured, OnTrace, Table};

/// A share of jobs is as published if it is within so many points.
const SHARE_TOLERANCE: f64 = 5.0;
/// As good as all sites at once: the wait is no longer by so many per cent.
const NEAR_REDUNDANT_PERCENT: f64 = 10.0;

/// Figure 3 and its text: mean waits, and by how much shorter they are.
pub fn waits(title: &str, table: &str, experiment: &Experiment) -> Table {
    let of = |strategy: &str| experiment.wait_minutes(strategy);
    let mut claims = vec![order(table, &of, experiment.strategies)];
    for (strategy, published) in [(LEAST_PREDICTED, table != "ours"), (LEAST_WAIT, false)] {
        for (from, percent) in [(STATIC, -54.0), (LEAST_LOADED, -33.0)] {
            let change = experiment.wait_change(strategy, from);
            claims.push(shorter_by(table_of(table, published), strategy, from, percent, published, change));
        }
    }
    claims.push(no_worse(experiment.wait_change(LEAST_WAIT, LEAST_PREDICTED)));
    claims.push(near_redundant(LEAST_PREDICTED, experiment.wait_change(LEAST_PREDICTED, REDUNDANT)));
    claims.push(near_redundant(LEAST_WAIT, experiment.wait_change(LEAST_WAIT, REDUNDANT)));
    Table { title: title.to_owned(), claims }
}

fn table_of(table: &str, published: bool) -> &str {
    if published { table } else { "ours" }
}

/// Static, least loaded, least predicted, redundant, from the longest wait to the shortest; every strategy's wait beside it.
fn order(table: &str, wait_minutes: &dyn Fn(&str) -> Replicates, strategies: &[&str]) -> Claim {
    let mean = |strategy: &str| wait_minutes(strategy).spread().mean;
    let means = [STATIC, LEAST_LOADED, LEAST_PREDICTED, REDUNDANT].map(mean);
    let traces = strategies
        .iter()
        .map(|strategy| OnTrace { trace: (*strategy).to_owned(), measured: Measured::over(&wait_minutes(strategy)) });
    let claim = "mean wait in minutes: static > least-loaded > least-predicted > redundant; the figure is the third";
    let holds = means.is_sorted_by(|longer, shorter| longer > shorter);
    let reason = means.map(|minutes| format!("{minutes:.1}")).join(", ");
    let measured = Measured::over(&wait_minutes(LEAST_PREDICTED));
    Claim::of_statement(table, claim, "min", None, measured, (holds, reason), traces.collect())
}

/// At least as much shorter as was published, beyond the interval.
fn shorter_by(table: &str, strategy: &str, from: &str, percent: f64, published: bool, change: Measured) -> Claim {
    let holds = change.high95.is_some_and(|high| high <= percent);
    let claim = format!("{strategy}: mean wait at least {:.0} % below {from}", -percent);
    let reason = "the whole interval is to be below that";
    change_claim(table, &claim, published.then_some(percent), change, (holds, reason))
}

fn no_worse(change: Measured) -> Claim {
    let holds = change.high95.is_some_and(|high| high <= 0.0);
    let claim = format!("{LEAST_WAIT}: mean wait no longer than with {LEAST_PREDICTED}");
    change_claim("ours", &claim, None, change, (holds, "beyond the interval"))
}

fn near_redundant(strategy: &str, change: Measured) -> Claim {
    let holds = change.measured.is_some_and(|percent| percent <= NEAR_REDUNDANT_PERCENT);
    let claim =
        format!("{strategy}: with one request a job, mean wait within {NEAR_REDUNDANT_PERCENT:.0} % of redundant");
    change_claim("ours", &claim, None, change, (holds, "change over redundant"))
}

/// What is said of a change in per cent; nothing can be said of a change from nothing.
fn change_claim(table: &str, claim: &str, published: Option<f64>, change: Measured, verdict: (bool, &str)) -> Claim {
    if change.measured.is_none() {
        return Claim::not_testable(table, claim, "%", published, "nobody waited");
    }
    let (holds, reason) = verdict;
    Claim::of_statement(table, claim, "%", published, change, (holds, reason.to_owned()), Vec::new())
}

/// Table 7: per cent of the jobs at each site; static, least loaded, least predicted.
const PUBLISHED_SHARES: [[f64; 3]; 6] =
    [[22.9, 13.7, 10.4], [20.7, 53.4, 52.1], [21.7, 11.2, 18.3], [5.7, 7.6, 2.0], [21.0, 11.1, 18.4], [7.9, 2.7, 1.4]];

/// Table 7: where jobs ran.
pub fn places(six: &Experiment) -> Table {
    const TABLE: &str = "Table 7";
    let share = |strategy: &str, site: usize| six.over(strategy, |summary| 100.0 * summary.share_by_site[site]);
    let mut claims = Vec::new();
    for (site, published) in PUBLISHED_SHARES.iter().enumerate() {
        for (strategy, published) in [STATIC, LEAST_LOADED, LEAST_PREDICTED].into_iter().zip(published) {
            let claim = format!("{strategy}: jobs at {}", six.sites[site].name);
            let measured = Measured::over(&share(strategy, site));
            claims.push(Claim::of_band(TABLE, &claim, "%", *published, SHARE_TOLERANCE, measured));
        }
    }
    let (ctc, lanl) = (0, 2);
    for (strategy, published) in [(LEAST_LOADED, 11.2 - 13.7), (LEAST_PREDICTED, 18.3 - 10.4)] {
        let lead = Measured::over(&share(strategy, lanl).minus(&share(strategy, ctc)));
        let more = published > 0.0;
        let holds =
            if more { lead.low95.is_some_and(|low| low > 0.0) } else { lead.high95.is_some_and(|high| high < 0.0) };
        let claim =
            format!("{strategy}: {} jobs at LANL than at CTC, which is smaller", if more { "more" } else { "fewer" });
        let reason = (holds, "the difference in points, beyond the interval".to_owned());
        claims.push(Claim::of_statement(TABLE, &claim, "%", Some(published), lead, reason, Vec::new()));
    }
    let title = "Table 7: where jobs ran; Curie is in the place of ANL's Intrepid".to_owned();
    Table { title, claims }
}

/// Sites of different speed: mean turnaround.
pub fn speeds(experiment: &Experiment) -> Table {
    let traces = experiment.strategies.iter().map(|strategy| OnTrace {
        trace: (*strategy).to_owned(),
        measured: Measured::over(&experiment.turnaround_minutes(strategy)),
    });
    let means = [LEAST_COMPLETION, LEAST_WAIT].map(|strategy| experiment.turnaround_minutes(strategy).spread().mean);
    let speeds = experiment.sites.iter().map(|site| format!("{} {}", site.name, site.speed)).collect::<Vec<_>>();
    let mut claims = vec![Claim::of_statement(
        "ours",
        "mean turnaround in minutes: least-completion below least-wait; the figure is the first",
        "min",
        None,
        Measured::over(&experiment.turnaround_minutes(LEAST_COMPLETION)),
        (means[0] < means[1], format!("{:.1}, {:.1}", means[0], means[1])),
        traces.collect(),
    )];
    for from in experiment.strategies.iter().filter(|strategy| **strategy != LEAST_COMPLETION) {
        let change = experiment.turnaround_change(LEAST_COMPLETION, from);
        let holds = change.high95.is_some_and(|high| high < 0.0);
        let claim = format!("{LEAST_COMPLETION}: mean turnaround shorter than with {from}");
        claims.push(change_claim("ours", &claim, None, change, (holds, "beyond the interval")));
    }
    Table { title: format!("Beyond the paper: sites of different speed ({})", speeds.join(", ")), claims }
}

/// Table 8 and its text.
pub fn scenarios(scenarios: &Scenarios) -> Table {
    const TABLE: &str = "Table 8";
    let published =
        [(STATIC, [196.0, 68.0, 3.2]), (LEAST_LOADED, [105.0, 76.0, 1.4]), (LEAST_PREDICTED, [52.0, 89.0, 0.5])];
    let mut claims = Vec::new();
    for (strategy, [minutes, within_1_hour, over_1_day]) in published {
        let wait = Measured::over(&scenarios.wait_minutes(strategy));
        claims.push(Claim::of_band(
            TABLE,
            &format!("{strategy}: mean wait in minutes"),
            "min",
            minutes,
            minutes / 10.0,
            wait,
        ));
        let quick = Measured::over(&scenarios.mean(strategy, |summary| 100.0 * summary.within_1_hour));
        let claim = format!("{strategy}: jobs that wait for an hour at most");
        claims.push(Claim::of_band(TABLE, &claim, "%", within_1_hour, SHARE_TOLERANCE, quick));
        let slow = Measured::over(&scenarios.mean(strategy, |summary| 100.0 * summary.over_1_day));
        let claim = format!("{strategy}: jobs that wait for a day or longer");
        claims.push(Claim::of_band(TABLE, &claim, "%", over_1_day, 1.0, slow));
    }
    claims.extend(proportions(TABLE, scenarios));
    Table { title: "Table 8: means over the 32 synthetic scenarios".to_owned(), claims }
}

/// The same with more load.
pub fn busier_scenarios(scenarios: &Scenarios) -> Table {
    let title = "Beyond the paper: the 32 scenarios with three quarters of the time between jobs".to_owned();
    Table { title, claims: proportions("ours", scenarios).collect() }
}

/// What Table 8 and its text say of the strategies in proportion to each other.
fn proportions(table: &str, scenarios: &Scenarios) -> impl Iterator<Item = Claim> {
    let published = table != "ours";
    let wait = |strategy: &str| scenarios.wait_minutes(strategy);
    let change = |strategy: &str, from: &str| Measured::over(&wait(strategy).percent_over(&wait(from)));
    let mut claims = vec![order(table, &wait, &SCENARIO_STRATEGIES)];
    for (strategy, is_theirs) in [(LEAST_PREDICTED, published), (LEAST_WAIT, false)] {
        for (from, percent) in [(STATIC, -73.0), (LEAST_LOADED, -50.0)] {
            let table = table_of(table, is_theirs);
            claims.push(shorter_by(table, strategy, from, percent, is_theirs, change(strategy, from)));
        }
        for (from, [least, most]) in [(STATIC, [35.0, 94.0]), (LEAST_LOADED, [14.0, 78.0])] {
            let (best, worst) = scenarios.range_of_changes(strategy, from);
            let claim = format!("{strategy}: in every scenario mean wait at least {least:.0} % below {from}");
            let reason = format!("from {worst:+.0} to {best:+.0} %; published {:+.0} to {:+.0} %", -least, -most);
            let claim = Claim::of_statement(
                table_of(table, is_theirs),
                &claim,
                "%",
                is_theirs.then_some(-least),
                Measured::exactly(worst),
                (worst <= -least, reason),
                Vec::new(),
            );
            claims.push(claim);
        }
    }
    if published {
        let waits = [STATIC, LEAST_LOADED].map(&wait);
        let overall = Measured::over(&wait(LEAST_PREDICTED).percent_over(&Replicates::mean_of(&waits)));
        let claim = "least-predicted: mean wait about 47 % below the mean of static and least-loaded";
        claims.push(Claim::of_figure("Abstract", claim.to_owned(), "%", -47.0, overall, Vec::new()));
    }
    claims.push(no_worse(change(LEAST_WAIT, LEAST_PREDICTED)));
    claims.push(near_redundant(LEAST_WAIT, change(LEAST_WAIT, REDUNDANT)));
    claims.into_iter()
}
