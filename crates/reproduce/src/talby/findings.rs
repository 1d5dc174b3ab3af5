//! What the text claims beside the tables (R-T7 to R-T9).

use queuecast_evaluate::Replicates;
use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::Seconds;

use super::shaken_runs::{
    self, ACCURACY, BACKFILLED, BALANCED, BEST_SESSION, EASY, Figure, INACCURACY, LARGER_CONSTANTS, NINE_SESSIONS,
    PAIRED, PROXIMITY_ALONE, RECENT_PROPAGATED, Run, SECOND, SLOWDOWN, ShakenRuns, THIRTY_SESSIONS, THREE_SESSIONS,
    UNBALANCED, WAIT,
};
use crate::{Claim, Measured, OnTrace, Table, Verdict};

pub fn sessions_far_back(shaken: &ShakenRuns<'_>) -> Table {
    const TABLE: &str = "5.3 sessions far back";
    let thirty = [WAIT, SLOWDOWN].map(|figure| {
        let (measured, traces) = shaken.mean_improvement(THIRTY_SESSIONS, BEST_SESSION, figure);
        let each: Vec<Verdict> = traces.iter().map(|trace| trace.measured.below(0.0)).collect();
        let worse = each.iter().filter(|verdict| **verdict == Verdict::Holds).count();
        let claim = format!("no more than 30 sessions back: {} 2 to 3 % worse, on every log", figure.words);
        let mut claim = Claim::of_figure(TABLE, claim, "%", -2.5, measured, traces);
        claim.verdict = Verdict::of_all(each.into_iter().chain([claim.verdict]));
        claim.reason = format!("{}; significantly worse on {worse} of {} traces", claim.reason, claim.traces.len());
        shaken.with_others(claim, &[(THIRTY_SESSIONS, BEST_SESSION)], figure)
    });
    let few = [(NINE_SESSIONS, 9), (THREE_SESSIONS, 3)].into_iter().flat_map(|(run, depth)| {
        [WAIT, INACCURACY].map(|figure| {
            let claim = format!("no more than {depth} sessions back: {} worse than with all", figure.words);
            worse_than(shaken, TABLE, &claim, run, BEST_SESSION, figure)
        })
    });
    Table { title: format!("{TABLE}: is the whole history useful?"), claims: thirty.into_iter().chain(few).collect() }
}

pub fn depth_first(shaken: &ShakenRuns<'_>) -> Table {
    const TABLE: &str = "5.3 depth first";
    let pairs: Vec<(Run, Run)> =
        PAIRED.iter().flat_map(|[dfs, dfs_alone, bfs, bfs_alone]| [(*dfs, *bfs), (*dfs_alone, *bfs_alone)]).collect();
    let claims = vec![
        share_of_cases(shaken, TABLE, "depth-first better than breadth-first, share of cases", 90.0, &pairs),
        gain_over_pairs(shaken, TABLE, "depth-first over breadth-first", 5.0, &pairs, WAIT),
        gain_over_pairs(shaken, TABLE, "depth-first over breadth-first", 17.0, &pairs, INACCURACY),
    ];
    Table { title: format!("{TABLE}: similarity before proximity in time?"), claims }
}

pub fn proximity_alone(shaken: &ShakenRuns<'_>) -> Table {
    const TABLE: &str = "5.3 proximity alone";
    let claims = PROXIMITY_ALONE.into_iter().zip(["[*]", "[PEX,*]"]).flat_map(|(run, criteria)| {
        [WAIT, SLOWDOWN, INACCURACY, ACCURACY].map(|figure| {
            let claim = format!("{criteria}: {} worse than RUH", figure.words);
            worse_than(shaken, TABLE, &claim, run, RECENT_PROPAGATED, figure)
        })
    });
    Table { title: format!("{TABLE}: is proximity in time enough?"), claims: claims.collect() }
}

pub fn propagation(shaken: &ShakenRuns<'_>) -> Table {
    const TABLE: &str = "5.3 propagation";
    let pairs: Vec<(Run, Run)> =
        PAIRED.iter().flat_map(|[dfs, dfs_alone, bfs, bfs_alone]| [(*dfs, *dfs_alone), (*bfs, *bfs_alone)]).collect();
    let claims = vec![
        share_of_cases(shaken, TABLE, "propagation better than none, share of cases", 75.0, &pairs),
        gain_over_pairs(shaken, TABLE, "propagation over none", 10.0, &pairs, WAIT),
        gain_over_pairs(shaken, TABLE, "propagation over none", 6.0, &pairs, INACCURACY),
    ];
    Table { title: format!("{TABLE}: does propagation of new information help?"), claims }
}

pub fn value_of_estimates(shaken: &ShakenRuns<'_>) -> Table {
    const TABLE: &str = "6 value of estimates";
    let (wait, wait_traces) = shaken.mean_improvement(BALANCED, BEST_SESSION, WAIT);
    let (error, error_traces) = shaken.mean_improvement(BALANCED, BEST_SESSION, INACCURACY);
    let words = "without estimates, compared with the best result with estimates";
    let with_others = |claim, figure| shaken.with_others(claim, &[(BALANCED, BEST_SESSION)], figure);
    let claims = vec![
        with_others(Claim::of_figure(TABLE, format!("{words}: wait"), "%", -10.0, wait, wait_traces), WAIT),
        with_others(
            Claim::of_figure(TABLE, format!("{words}: absolute inaccuracy"), "%", -22.0, error, error_traces),
            INACCURACY,
        ),
        unbalanced_growth(shaken, TABLE),
        default_is_rare(shaken, TABLE),
    ];
    Table { title: format!("{TABLE}: how useful are users' estimates?"), claims }
}

pub fn constants(shaken: &ShakenRuns<'_>) -> Table {
    const TABLE: &str = "7 no information";
    let (backfilled, traces) = shaken.mean_improvement(SECOND, EASY, BACKFILLED);
    let claim = "one second backfills more jobs than EASY".to_owned();
    let claim = Claim::of_figure(TABLE, claim, "%", 22.0, backfilled, traces);
    let mut claims = vec![shaken.with_others(claim, &[(SECOND, EASY)], BACKFILLED)];
    for figure in [WAIT, SLOWDOWN] {
        claims.push(larger_is_worse(shaken, TABLE, figure));
    }
    Table { title: format!("{TABLE}: how good is a constant prediction of one second?"), claims }
}

/// A run is claimed to be worse than another, in the mean over logs.
fn worse_than(shaken: &ShakenRuns<'_>, table: &str, claim: &str, run: Run, other: Run, figure: Figure) -> Claim {
    let (measured, traces) = shaken.mean_improvement(run, other, figure);
    let worse = traces.iter().filter(|trace| trace.measured.below(0.0) == Verdict::Holds).count();
    let reason =
        format!("significantly worse on {worse} of {} traces; on average {}", traces.len(), in_words(measured));
    let claim = Claim::of_statement(table, claim, "%", None, measured, (measured.below(0.0), reason), traces);
    shaken.with_others(claim, &[(run, other)], figure)
}

fn in_words(measured: Measured) -> &'static str {
    match measured.below(0.0) {
        Verdict::Holds => "significantly worse",
        Verdict::Differs => "significantly better",
        _ => "no significant difference",
    }
}

/// A case is one pair of configurations on one of the four logs by one measure, wait or absolute inaccuracy.
fn share_of_cases(shaken: &ShakenRuns<'_>, table: &str, claim: &str, published: f64, pairs: &[(Run, Run)]) -> Claim {
    let better_on = |log: usize| {
        let cases = pairs.iter().flat_map(|pair| [(pair, WAIT), (pair, INACCURACY)]);
        let better = cases.map(|((one, other), figure)| {
            f64::from(u8::from(shaken.improvement(log, *one, *other, figure).spread().mean > 0.0))
        });
        better.sum::<f64>() / (2 * pairs.len()) as f64 * 100.0
    };
    let traces: Vec<OnTrace> = (0..shaken.logs.len())
        .map(|log| OnTrace { trace: shaken.logs[log].name.clone(), measured: Measured::exactly(better_on(log)) })
        .collect();
    let logs: Vec<f64> = shaken.logs_in_mean().map(better_on).collect();
    let share = logs.iter().sum::<f64>() / logs.len() as f64;
    let cases = 2 * pairs.len() * logs.len();
    let mut claim = Claim::of_figure(table, claim, "%", published, Measured::exactly(share), traces);
    claim.reason = format!("{cases} cases; {}", claim.reason);
    claim
}

fn gain_over_pairs(
    shaken: &ShakenRuns<'_>,
    table: &str,
    what: &str,
    published: f64,
    pairs: &[(Run, Run)],
    figure: Figure,
) -> Claim {
    let (measured, traces) = shaken.over_logs(|log| {
        let each: Vec<Replicates> =
            pairs.iter().map(|(one, other)| shaken.improvement(log, *one, *other, figure)).collect();
        Replicates::mean_of(&each)
    });
    let claim = format!("{what}, mean gain: {}", figure.words);
    shaken.with_others(Claim::of_figure(table, claim, "%", published, measured, traces), pairs, figure)
}

fn unbalanced_growth(shaken: &ShakenRuns<'_>, table: &str) -> Claim {
    let (measured, traces) = shaken.mean_improvement(UNBALANCED, BALANCED, WAIT);
    let each: Vec<Verdict> = shaken.logs_in_mean().map(|log| traces[log].measured.above(0.0)).collect();
    let on = |wanted| each.iter().filter(|verdict| **verdict == wanted).count();
    let (better, worse) = (on(Verdict::Holds), on(Verdict::Differs));
    let reason = format!("significantly shorter waits on {better} of {} logs, longer ones on {worse}", each.len());
    let claim = "unbalanced growth performs better than balanced on three of four logs: wait";
    let claim =
        Claim::of_statement(table, claim, "%", None, measured, (Verdict::of_three_in_four(each), reason), traces);
    shaken.with_others(claim, &[(UNBALANCED, BALANCED)], WAIT)
}

/// Counts the jobs whose first prediction was the default of one second.
#[derive(Default)]
struct Defaults {
    jobs: u64,
    default: u64,
}

impl Observer for Defaults {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.jobs += 1;
        self.default += u64::from(job.accuracy.first == Seconds(1));
    }
}

fn default_is_rare(shaken: &ShakenRuns<'_>, table: &str) -> Claim {
    let shares: Vec<f64> = shaken
        .logs
        .iter()
        .map(|log| {
            let mut defaults = Defaults::default();
            shaken_runs::configuration(log, BALANCED).simulate(log.jobs.iter().copied(), &mut defaults);
            100.0 * defaults.default as f64 / (defaults.jobs as f64).max(1.0)
        })
        .collect();
    let traces = shaken.logs.iter().zip(&shares);
    let traces =
        traces.map(|(log, share)| OnTrace { trace: log.name.clone(), measured: Measured::exactly(*share) }).collect();
    let in_mean: Vec<f64> = shaken.logs_in_mean().map(|log| shares[log]).collect();
    let share = in_mean.iter().sum::<f64>() / in_mean.len() as f64;
    let reason =
        format!("{share:.2} % of jobs were first predicted at one second, real predictions of one second included");
    let claim = "without estimates the default of one second is used for slightly less than 1 % of jobs";
    let measured = Measured::exactly(share);
    Claim::of_statement(table, claim, "%", Some(1.0), measured, (measured.at_most(1.0), reason), traces)
}

/// One second against a minute, ten, an hour: each step must be worse than the one before, and the last than the first.
fn larger_is_worse(shaken: &ShakenRuns<'_>, table: &str, figure: Figure) -> Claim {
    let constants: Vec<Run> = std::iter::once(SECOND).chain(LARGER_CONSTANTS).collect();
    let steps: Vec<Measured> =
        constants.windows(2).map(|pair| shaken.mean_improvement(pair[1], pair[0], figure).0).collect();
    let told: Vec<String> =
        steps.iter().filter_map(|step| step.measured).map(|change| format!("{change:+.1} %")).collect();
    let reason = format!("1, 60, 600 and 3,600 seconds, each compared with the previous one: {}", told.join(", "));
    let (measured, traces) = shaken.mean_improvement(LARGER_CONSTANTS[2], SECOND, figure);
    let verdict = Verdict::of_all(steps.iter().chain([&measured]).map(|step| step.below(0.0)));
    let claim = format!(
        "constants above one second are worse, and larger ones more so: {}, one hour compared with one second",
        figure.words
    );
    let claim = Claim::of_statement(table, claim, "%", None, measured, (verdict, reason), traces);
    shaken.with_others(claim, &[(LARGER_CONSTANTS[2], SECOND)], figure)
}
