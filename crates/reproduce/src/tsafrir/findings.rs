//! What the text says of the schedules (section 11.3), and whether users who repeat themselves bring them closer to the
//! original, as section 11.4 conjectures.

use queuecast_evaluate::Replicates;

use super::model::Model;
use super::simulated::{Figure, Reference, Schedules};
use crate::{Claim, Measured, OnTrace, Table};

/// Figure 16 in numbers. The paper gives them as a picture, so there is nothing to hold them against.
pub fn schedules(runs: &Schedules<'_>) -> Table {
    let mut claims = Vec::new();
    for figure in Figure::ALL {
        let rows = Model::ALL.into_iter().filter(|&model| model != Model::Original).map(|model| {
            let distances: Vec<Replicates> =
                (0..runs.workloads.len()).map(|log| runs.distances(log, model, figure)).collect();
            distance_row(runs, &format!("{}: {} more than the original", model.name(), figure.words()), &distances)
        });
        claims.extend(rows);
        let shaken: Vec<Replicates> =
            (0..runs.workloads.len()).map(|log| runs.distances_when_shaken(log, figure)).collect();
        claims.push(distance_row(runs, &format!("original shaken: {} more than in one run", figure.words()), &shaken));
    }
    Table { title: "Figure 16: EASY with other estimates, distance from the original schedule".to_owned(), claims }
}

fn distance_row(runs: &Schedules<'_>, claim: &str, distances: &[Replicates]) -> Claim {
    let spreads: Vec<String> =
        distances.iter().map(|distances| format!("{:.1}", distances.mean_absolute_deviation())).collect();
    let reason = format!(
        "the paper's numbers are in a picture; measured is the mean over logs of the distance either way; mean \
         absolute deviation over seeds on each log, in points: {}",
        spreads.join(", ")
    );
    let means = distances.iter().map(|distances| distances.spread().mean.abs());
    let measured = Measured::exactly(means.sum::<f64>() / (distances.len() as f64).max(1.0));
    let traces = on_logs(runs, |log| over(&distances[log]));
    Claim { measured, traces, ..Claim::not_testable("Figure 16", claim, "%", None, &reason) }
}

/// A figure that does not depend on a seed has no interval.
fn over(replicates: &Replicates) -> Measured {
    match replicates.values() {
        [value] => Measured::exactly(*value),
        _ => Measured::over(replicates),
    }
}

fn on_logs(runs: &Schedules<'_>, measure: impl Fn(usize) -> Measured) -> Vec<OnTrace> {
    let logs = runs.workloads.iter().enumerate();
    logs.map(|(log, workload)| OnTrace { trace: workload.name.clone(), measured: measure(log) }).collect()
}

/// The claims of section 11.3.
pub fn realism(runs: &Schedules<'_>) -> Table {
    const TABLE: &str = "Section 11.3";
    let mut claims = Vec::new();
    for figure in Figure::ALL {
        let words = figure.words();
        for model in [Model::Vanilla, Model::Improved] {
            let claim = format!("{}: {words} usually closer to the original than with f or feit", model.name());
            claims.push(closer_than_most(runs, TABLE, &claim, model, &Model::RIVALS, figure));
        }
        let larger = [1, 3, 10, 100, 300].map(Model::Factor);
        let claim = format!("f0: {words} closer to the original than with larger f and feit");
        let larger: Vec<Model> = larger.into_iter().chain([Model::Feitelson]).collect();
        claims.push(closer_than_most(runs, TABLE, &claim, Model::Factor(0), &larger, figure));
        let claim = format!("vanl: {words} usually closer to the original than with impr");
        claims.push(closer_than_most(runs, TABLE, &claim, Model::Vanilla, &[Model::Improved], figure));
        let claim = format!("impr: {words} closer to shfl than vanl is, on every log");
        claims.push(on_every_log(runs, TABLE, &claim, |log| {
            runs.apart(log, Model::Vanilla, Model::Shuffled, figure)
                - runs.apart(log, Model::Improved, Model::Shuffled, figure)
        }));
        let claim = format!("impr: {words} shorter than with vanl, on every log");
        claims.push(on_every_log(runs, TABLE, &claim, |log| {
            let mean = |model| runs.distances(log, model, figure).spread().mean;
            mean(Model::Vanilla) - mean(Model::Improved)
        }));
        let claim = format!("shfl: {words} shorter than the original's, on every log");
        claims
            .push(on_every_log(runs, TABLE, &claim, |log| -runs.distances(log, Model::Shuffled, figure).spread().mean));
    }
    Table { title: format!("{TABLE}: which estimates are realistic?"), claims }
}

/// Measured is the share of rivals that are further from the original than the model, over all logs.
fn closer_than_most(
    runs: &Schedules<'_>,
    table: &str,
    claim: &str,
    model: Model,
    rivals: &[Model],
    figure: Figure,
) -> Claim {
    let share = |log: usize| {
        let apart = |other: Model| runs.apart(log, other, Model::Original, figure);
        let further = rivals.iter().filter(|&&rival| apart(rival) > apart(model)).count();
        100.0 * further as f64 / rivals.len() as f64
    };
    let shares: Vec<f64> = (0..runs.workloads.len()).map(share).collect();
    let most = shares.iter().filter(|&&share| share > 50.0).count();
    let holds = most * 4 >= shares.len() * 3;
    let reason = format!("closer than most of them on {most} of {} logs; three of four are asked for", shares.len());
    let measured = Measured::exactly(shares.iter().sum::<f64>() / (shares.len() as f64).max(1.0));
    let traces = on_logs(runs, |log| Measured::exactly(shares[log]));
    Claim::of_statement(table, claim, "%", None, measured, (holds, reason), traces)
}

/// Measured is what must be positive on every log, in per cent of the original, averaged.
fn on_every_log(runs: &Schedules<'_>, table: &str, claim: &str, measure: impl Fn(usize) -> f64) -> Claim {
    let values: Vec<f64> = (0..runs.workloads.len()).map(measure).collect();
    let positive = values.iter().filter(|&&value| value > 0.0).count();
    let reason = format!("so on {positive} of {} logs; in per cent of the original", values.len());
    let measured = Measured::exactly(values.iter().sum::<f64>() / (values.len() as f64).max(1.0));
    let traces = on_logs(runs, |log| Measured::exactly(values[log]));
    Claim::of_statement(table, claim, "%", None, measured, (positive == values.len(), reason), traces)
}

/// Whether users who repeat themselves bring the schedule closer to the original.
pub fn sessions(runs: &Schedules<'_>) -> Table {
    const TABLE: &str = "Beyond the paper";
    const PAIRS: [(Model, Model); 5] = [
        (Model::SessionsShuffled, Model::Shuffled),
        (Model::SessionsForgetful, Model::Shuffled),
        (Model::SessionsTransferred, Model::Shuffled),
        (Model::SessionsImproved, Model::Improved),
        (Model::SessionsVanilla, Model::Vanilla),
    ];
    let mut claims = Vec::new();
    for (model, than) in PAIRS {
        for reference in [Reference::Shaken, Reference::OneRun] {
            for figure in Figure::ALL {
                claims.push(closer(runs, TABLE, (model, than), figure, reference));
            }
        }
    }
    Table { title: format!("{TABLE}: users who repeat themselves"), claims }
}

fn closer(
    runs: &Schedules<'_>,
    table: &str,
    (model, than): (Model, Model),
    figure: Figure,
    reference: Reference,
) -> Claim {
    let gains: Vec<Measured> =
        (0..runs.workloads.len()).map(|log| runs.closer_by(log, model, than, figure, reference)).collect();
    let closer = gains.iter().filter(|gain| gain.measured.is_some_and(|gain| gain > 0.0)).count();
    let surely = gains.iter().filter(|gain| gain.low95.is_some_and(|low| low > 0.0)).count();
    let surely_not = gains.iter().filter(|gain| gain.high95.is_some_and(|high| high < 0.0)).count();
    let reason = format!(
        "closer on {closer} of {} logs, beyond the interval on {surely} and the other way on {surely_not}; three of \
         four are asked for",
        gains.len()
    );
    let original = match reference {
        Reference::OneRun => "the original's one run",
        Reference::Shaken => "the original shaken",
    };
    let claim = format!("{}: {} closer to {original} than {}, points", model.name(), figure.words(), than.name());
    let mean = gains.iter().filter_map(|gain| gain.measured).sum::<f64>() / (gains.len() as f64).max(1.0);
    let traces = on_logs(runs, |log| gains[log]);
    let verdict = (closer * 4 >= gains.len() * 3, reason);
    Claim::of_statement(table, &claim, "%", None, Measured::exactly(mean), verdict, traces)
}

/// How often users repeat themselves under each model.
pub fn repetition(runs: &Schedules<'_>) -> Table {
    const TABLE: &str = "Section 11.4";
    let kinds = ["within a session", "from one session to the next"];
    let mut claims = Vec::new();
    for (kind, words) in kinds.into_iter().enumerate() {
        let rate = |log: usize, model: Model| over(&runs.repetition(log, model)[kind]);
        let value = |log: usize, model: Model| rate(log, model).measured.unwrap_or(f64::NAN);
        let models = [
            (Model::Original, "is what users do"),
            (Model::Shuffled, "is lost"),
            (Model::SessionsShuffled, "comes back, to four points"),
            (Model::SessionsImproved, "comes back, to four points"),
        ];
        for (model, what) in models {
            let logs = 0..runs.workloads.len();
            let holds = |log: usize| match model {
                Model::Original => value(log, model) > 40.0,
                Model::Shuffled => value(log, model) < value(log, Model::Original) / 2.0,
                _ => (value(log, model) - value(log, Model::Original)).abs() <= 4.0,
            };
            let so = logs.clone().filter(|&log| holds(log)).count();
            let reason = format!("so on {so} of {} logs; share of jobs with their predecessor's estimate", logs.len());
            let mean = logs.clone().map(|log| value(log, model)).sum::<f64>() / (logs.len() as f64).max(1.0);
            let claim = format!("{}: repetition {words} {what}", model.name());
            let traces = on_logs(runs, |log| rate(log, model));
            let verdict = (so == logs.len(), reason);
            claims.push(Claim::of_statement(TABLE, &claim, "%", None, Measured::exactly(mean), verdict, traces));
        }
    }
    Table { title: format!("{TABLE}: how often users repeat their last estimate"), claims }
}
