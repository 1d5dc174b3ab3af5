//! What the text says of the schedules (section 11.3), and whether users who repeat themselves bring them closer to the
//! original, as section 11.4 conjectures.

use queuecast_evaluate::Replicates;

use super::model::Model;
use super::simulated::{Figure, Reference, Schedules};
use crate::{Claim, Measured, OnTrace, Table, Verdict};

/// Figure 16 in numbers. The paper gives them as a picture, so there is nothing to hold them against.
pub fn schedules(runs: &Schedules<'_>) -> Table {
    let mut claims = Vec::new();
    for figure in Figure::ALL {
        let rows = Model::ALL.into_iter().filter(|&model| model != Model::Original).map(|model| {
            let distances: Vec<Replicates> =
                (0..runs.workloads.len()).map(|log| runs.distances(log, model, figure)).collect();
            distance_row(runs, &format!("{}: change in {} from the original", model.name(), figure.words()), &distances)
        });
        claims.extend(rows);
        let shaken: Vec<Replicates> =
            (0..runs.workloads.len()).map(|log| runs.distances_when_shaken(log, figure)).collect();
        claims.push(distance_row(
            runs,
            &format!("original shaken: change in {} from one run", figure.words()),
            &shaken,
        ));
    }
    Table { title: "Figure 16: EASY with other estimates, distance from the original schedule".to_owned(), claims }
}

fn distance_row(runs: &Schedules<'_>, claim: &str, distances: &[Replicates]) -> Claim {
    let spreads: Vec<String> =
        distances.iter().map(|distances| format!("{:.1}", distances.mean_absolute_deviation())).collect();
    let reason = format!(
        "the paper gives the numbers in a chart only; measured: mean over logs of the absolute distance; mean \
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
            runs.closer_by(log, Model::Improved, Model::Vanilla, figure, Reference::Of(Model::Shuffled))
        }));
        let claim = format!("impr: {words} shorter than with vanl, on every log");
        claims.push(on_every_log(runs, TABLE, &claim, |log| {
            over(&runs.distances(log, Model::Vanilla, figure).minus(&runs.distances(log, Model::Improved, figure)))
        }));
        let claim = format!("shfl: {words} shorter than the original's, on every log");
        claims.push(on_every_log(runs, TABLE, &claim, |log| {
            let longer = runs.distances(log, Model::Shuffled, figure);
            over(&longer.values().iter().map(|longer| -longer).collect())
        }));
    }
    Table { title: format!("{TABLE}: which estimates are realistic?"), claims }
}

/// Measured is the share of rivals that are further from the original than the model, over all logs. It is closer than most of them on a log if
/// more than half are, beyond the interval from resampling seeds; on three logs in four is usually.
fn closer_than_most(
    runs: &Schedules<'_>,
    table: &str,
    claim: &str,
    model: Model,
    rivals: &[Model],
    figure: Figure,
) -> Claim {
    let closer = |log: usize| -> Vec<Measured> {
        rivals.iter().map(|&rival| runs.closer_by(log, model, rival, figure, Reference::OneRun)).collect()
    };
    let on_log: Vec<Vec<Measured>> = (0..runs.workloads.len()).map(closer).collect();
    let than_most = |rivals: &Vec<Measured>| {
        let count = |wanted| rivals.iter().filter(|gain| gain.above(0.0) == wanted).count();
        match () {
            () if count(Verdict::Holds) * 2 > rivals.len() => Verdict::Holds,
            () if count(Verdict::Differs) * 2 >= rivals.len() => Verdict::Differs,
            () => Verdict::Inconclusive,
        }
    };
    let verdicts: Vec<Verdict> = on_log.iter().map(than_most).collect();
    let on = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let reason = format!(
        "significantly closer than most of them on {} of {} logs, not closer on {}; required: three in four",
        on(Verdict::Holds),
        verdicts.len(),
        on(Verdict::Differs)
    );
    let share = |rivals: &Vec<Measured>| {
        let further = rivals.iter().filter(|gain| gain.measured.is_some_and(|gain| gain > 0.0)).count();
        100.0 * further as f64 / rivals.len() as f64
    };
    let shares: Vec<f64> = on_log.iter().map(share).collect();
    let measured = Measured::exactly(shares.iter().sum::<f64>() / (shares.len() as f64).max(1.0));
    let traces = on_logs(runs, |log| Measured::exactly(shares[log]));
    Claim::of_statement(table, claim, "%", None, measured, (Verdict::of_three_in_four(verdicts), reason), traces)
}

/// Measured is what must be positive on every log, in per cent, averaged.
fn on_every_log(runs: &Schedules<'_>, table: &str, claim: &str, measure: impl Fn(usize) -> Measured) -> Claim {
    let values: Vec<Measured> = (0..runs.workloads.len()).map(measure).collect();
    let on = |wanted| values.iter().filter(|value| value.above(0.0) == wanted).count();
    let (so, not_so) = (on(Verdict::Holds), on(Verdict::Differs));
    let reason = format!("true on {so} of {} logs, false on {not_so} (intervals over seeds)", values.len());
    let verdict = Verdict::of_all(values.iter().map(|value| value.above(0.0)));
    let known = values.iter().filter_map(|value| value.measured);
    let measured = Measured::exactly(known.sum::<f64>() / (values.len() as f64).max(1.0));
    let traces = on_logs(runs, |log| values[log]);
    Claim::of_statement(table, claim, "%", None, measured, (verdict, reason), traces)
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
    Table { title: format!("{TABLE}: users who repeat their estimates"), claims }
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
    let on = |wanted| gains.iter().filter(|gain| gain.above(0.0) == wanted).count();
    let (surely, surely_not) = (on(Verdict::Holds), on(Verdict::Differs));
    let reason = format!(
        "closer on {closer} of {} logs, significantly on {surely}; significantly further away on {surely_not}; \
         required: three in four",
        gains.len()
    );
    let original = match reference {
        Reference::OneRun => "the single original run".to_owned(),
        Reference::Shaken => "the shaken original".to_owned(),
        Reference::Of(model) => model.name(),
    };
    let claim = format!("{}: {} closer to {original} than {}, points", model.name(), figure.words(), than.name());
    let mean = gains.iter().filter_map(|gain| gain.measured).sum::<f64>() / (gains.len() as f64).max(1.0);
    let traces = on_logs(runs, |log| gains[log]);
    let verdict = (Verdict::of_three_in_four(gains.iter().map(|gain| gain.above(0.0))), reason);
    Claim::of_statement(table, claim, "%", None, Measured::exactly(mean), verdict, traces).ours()
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
            (Model::Original, "is above 40 %"),
            (Model::Shuffled, "is less than half of the original's"),
            (Model::SessionsShuffled, "is within four points of the original's"),
            (Model::SessionsImproved, "is within four points of the original's"),
        ];
        for (model, what) in models {
            let logs = 0..runs.workloads.len();
            let holds = |log: usize| match model {
                Model::Original => value(log, model) > 40.0,
                Model::Shuffled => value(log, model) < value(log, Model::Original) / 2.0,
                _ => (value(log, model) - value(log, Model::Original)).abs() <= 4.0,
            };
            let so = logs.clone().filter(|&log| holds(log)).count();
            let reason = format!(
                "true on {so} of {} logs; measured: share of jobs with their predecessor's estimate",
                logs.len()
            );
            let mean = logs.clone().map(|log| value(log, model)).sum::<f64>() / (logs.len() as f64).max(1.0);
            let claim = format!("{}: repetition {words} {what}", model.name());
            let traces = on_logs(runs, |log| rate(log, model));
            let verdict = (Verdict::of(so == logs.len()), reason);
            claims.push(Claim::of_statement(TABLE, claim, "%", None, Measured::exactly(mean), verdict, traces).ours());
        }
    }
    Table { title: format!("{TABLE}: how often users repeat their last estimate"), claims }
}
