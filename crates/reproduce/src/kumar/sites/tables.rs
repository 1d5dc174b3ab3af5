//! What was published beside what was measured.

use queuecast_evaluate::Replicates;

use super::experiment::{Experiment, LEAST_COMPLETION, LEAST_LOADED, LEAST_PREDICTED, LEAST_WAIT, REDUNDANT, STATIC};
use super::scenarios::{SCENARIO_STRATEGIES, Scenarios};
use crate::{Claim, Kind, Measured, OnTrace, Table, Verdict};

/// As good as all sites at once: the wait is no longer by so many per cent.
const NEAR_REDUNDANT_PERCENT: f64 = 10.0;
/// What the experiment with real logs stands on.
const INSTEAD: &str = "Curie replaces Intrepid, and 30 days of each log replace those of the paper";

/// Figure 3 and its text: mean waits, and by how much shorter they are.
pub fn waits(title: &str, kind: Kind, experiment: &Experiment) -> Table {
    const TABLE: &str = "Figure 3";
    let of = |strategy: &str| experiment.wait_minutes(strategy);
    let mut claims = vec![as_kind(kind, order(TABLE, &of, experiment.strategies))];
    for (strategy, kind) in [(LEAST_PREDICTED, kind), (LEAST_WAIT, Kind::Ours)] {
        for (from, percent) in [(STATIC, -54.0), (LEAST_LOADED, -33.0)] {
            let change = experiment.wait_change(strategy, from);
            claims.push(shorter_by(TABLE, strategy, from, percent, kind, change));
        }
    }
    claims.push(no_worse(experiment.wait_change(LEAST_WAIT, LEAST_PREDICTED)));
    claims.push(near_redundant(LEAST_PREDICTED, experiment.wait_change(LEAST_PREDICTED, REDUNDANT)));
    claims.push(near_redundant(LEAST_WAIT, experiment.wait_change(LEAST_WAIT, REDUNDANT)));
    Table { title: title.to_owned(), claims }
}

fn as_kind(kind: Kind, claim: Claim) -> Claim {
    match kind {
        Kind::Paper => claim,
        Kind::StandIn => claim.standing_in(INSTEAD),
        Kind::Ours => claim.ours(),
    }
}

/// Static, least loaded, least predicted, redundant, from the longest wait to the shortest; every strategy's wait beside it.
fn order(table: &str, wait_minutes: &dyn Fn(&str) -> Replicates, strategies: &[&str]) -> Claim {
    let ordered = [STATIC, LEAST_LOADED, LEAST_PREDICTED, REDUNDANT];
    let step = |pair: &[&str]| Measured::over(&wait_minutes(pair[0]).minus(&wait_minutes(pair[1]))).above(0.0);
    let verdict = Verdict::of_all(ordered.windows(2).map(step));
    let traces = strategies
        .iter()
        .map(|strategy| OnTrace { trace: (*strategy).to_owned(), measured: Measured::over(&wait_minutes(strategy)) });
    let claim = "mean wait in minutes: static > least-loaded > least-predicted > redundant; measured: the third";
    let reason = ordered.map(|strategy| format!("{:.1}", wait_minutes(strategy).spread().mean)).join(", ");
    let measured = Measured::over(&wait_minutes(LEAST_PREDICTED));
    Claim::of_statement(table, claim, "min", None, measured, (verdict, reason), traces.collect())
}

/// Of the paper, as much shorter as was published; of ours, at least as much.
fn shorter_by(table: &str, strategy: &str, from: &str, percent: f64, kind: Kind, change: Measured) -> Claim {
    if kind == Kind::Ours {
        let claim = format!("{strategy}: mean wait at least {:.0} % below {from}", -percent);
        let verdict = (change.at_most(percent), "required: the whole interval below that");
        return change_claim(&claim, change, verdict).ours_asking(percent);
    }
    let claim = format!("{strategy}: mean wait below {from}");
    as_kind(kind, Claim::of_figure(table, claim, "%", percent, change, Vec::new()))
}

fn no_worse(change: Measured) -> Claim {
    let claim = format!("{LEAST_WAIT}: mean wait no longer than with {LEAST_PREDICTED}");
    change_claim(&claim, change, (change.at_most(0.0), "required: the whole interval at or below zero"))
}

fn near_redundant(strategy: &str, change: Measured) -> Claim {
    let claim =
        format!("{strategy}: with one request per job, mean wait within {NEAR_REDUNDANT_PERCENT:.0} % of redundant");
    let verdict = (change.at_most(NEAR_REDUNDANT_PERCENT), "change from redundant");
    change_claim(&claim, change, verdict).ours_asking(NEAR_REDUNDANT_PERCENT)
}

/// What we say of a change in per cent; nothing can be said of a change from nothing.
fn change_claim(claim: &str, change: Measured, (verdict, reason): (Verdict, &str)) -> Claim {
    let reason = if verdict == Verdict::NotTestable { "no job waited" } else { reason };
    Claim::of_statement("ours", claim, "%", None, change, (verdict, reason.to_owned()), Vec::new()).ours()
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
            claims.push(Claim::of_figure(TABLE, claim, "%", *published, measured, Vec::new()).standing_in(INSTEAD));
        }
    }
    let (ctc, lanl) = (0, 2);
    for (strategy, published) in [(LEAST_LOADED, 11.2 - 13.7), (LEAST_PREDICTED, 18.3 - 10.4)] {
        let lead = Measured::over(&share(strategy, lanl).minus(&share(strategy, ctc)));
        let more = published > 0.0;
        let verdict = if more { lead.above(0.0) } else { lead.below(0.0) };
        let claim =
            format!("{strategy}: {} jobs at LANL than at CTC, which is smaller", if more { "more" } else { "fewer" });
        let verdict = (verdict, "required: a significant difference in points".to_owned());
        let claim = Claim::of_statement(TABLE, claim, "%", Some(published), lead, verdict, Vec::new());
        claims.push(claim.standing_in(INSTEAD));
    }
    let title = "Table 7: sites where jobs ran; Curie replaces ANL's Intrepid".to_owned();
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
    let first = Claim::of_statement(
        "ours",
        "mean turnaround in minutes: least-completion below least-wait; measured: the first",
        "min",
        None,
        Measured::over(&experiment.turnaround_minutes(LEAST_COMPLETION)),
        (
            experiment.turnaround_change(LEAST_COMPLETION, LEAST_WAIT).below(0.0),
            format!("{:.1}, {:.1}", means[0], means[1]),
        ),
        traces.collect(),
    );
    let mut claims = vec![first.ours()];
    for from in experiment.strategies.iter().filter(|strategy| **strategy != LEAST_COMPLETION) {
        let change = experiment.turnaround_change(LEAST_COMPLETION, from);
        let claim = format!("{LEAST_COMPLETION}: mean turnaround shorter than with {from}");
        claims.push(change_claim(&claim, change, (change.below(0.0), "required: the whole interval below zero")));
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
        let mut add = |claim: String, unit, published, measured| {
            claims.push(Claim::of_figure(TABLE, claim, unit, published, measured, Vec::new()));
        };
        add(format!("{strategy}: mean wait in minutes"), "min", minutes, wait);
        let quick = Measured::over(&scenarios.mean(strategy, |summary| 100.0 * summary.within_1_hour));
        add(format!("{strategy}: jobs that wait for an hour at most"), "%", within_1_hour, quick);
        let slow = Measured::over(&scenarios.mean(strategy, |summary| 100.0 * summary.over_1_day));
        add(format!("{strategy}: jobs that wait for a day or longer"), "%", over_1_day, slow);
    }
    claims.extend(proportions(Kind::Paper, scenarios));
    Table { title: "Table 8: means over the 32 synthetic scenarios".to_owned(), claims }
}

/// The same with more load.
pub fn busier_scenarios(scenarios: &Scenarios) -> Table {
    let title = "Beyond the paper: the 32 scenarios with three quarters of the time between jobs".to_owned();
    Table { title, claims: proportions(Kind::Ours, scenarios).collect() }
}

/// What Table 8 and its text say of the strategies in proportion to each other.
fn proportions(kind: Kind, scenarios: &Scenarios) -> impl Iterator<Item = Claim> {
    const TABLE: &str = "Table 8";
    let wait = |strategy: &str| scenarios.wait_minutes(strategy);
    let change = |strategy: &str, from: &str| Measured::over(&wait(strategy).percent_over(&wait(from)));
    let mut claims = vec![as_kind(kind, order(TABLE, &wait, &SCENARIO_STRATEGIES))];
    for (strategy, kind) in [(LEAST_PREDICTED, kind), (LEAST_WAIT, Kind::Ours)] {
        for (from, percent) in [(STATIC, -73.0), (LEAST_LOADED, -50.0)] {
            claims.push(shorter_by(TABLE, strategy, from, percent, kind, change(strategy, from)));
        }
        for (from, [least, most]) in [(STATIC, [35.0, 94.0]), (LEAST_LOADED, [14.0, 78.0])] {
            let (best, worst) = scenarios.range_of_changes(strategy, from);
            let claim = format!("{strategy}: in every scenario mean wait at least {least:.0} % below {from}");
            let reason = format!("from {worst:+.0} to {best:+.0} %; published {:+.0} to {:+.0} %", -least, -most);
            let worst = Measured::exactly(worst);
            // The paper rounds to whole per cent.
            let verdict = (worst.at_most(0.5 - least), reason);
            let claim = Claim::of_statement(TABLE, claim, "%", Some(-least), worst, verdict, Vec::new());
            claims.push(if kind == Kind::Ours { claim.ours_asking(-least) } else { claim });
        }
    }
    if kind == Kind::Paper {
        let waits = [STATIC, LEAST_LOADED].map(&wait);
        let overall = Measured::over(&wait(LEAST_PREDICTED).percent_over(&Replicates::mean_of(&waits)));
        let claim = "least-predicted: mean wait about 47 % below the mean of static and least-loaded";
        claims.push(Claim::of_figure("Abstract", claim, "%", -47.0, overall, Vec::new()));
    }
    claims.push(no_worse(change(LEAST_WAIT, LEAST_PREDICTED)));
    claims.push(near_redundant(LEAST_WAIT, change(LEAST_WAIT, REDUNDANT)));
    claims.into_iter()
}
