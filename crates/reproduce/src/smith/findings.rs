//! What the text claims beside the tables (R-S12), and what the paper does not say: how a set found on one part of a log
//! does on the rest (E-S2.9).

use queuecast_predict::templates::{Data, Estimator};
use queuecast_predict::{DowneyStatistic, GibbonsData, PredictorSpecification};
use queuecast_search::Found;

use super::results::{Results, of_set};
use super::tables::{ClaimedGain, beats};
use crate::{Claim, Measured, OnTrace, Table, Verdict};

pub fn greedy_trends(results: &[Results]) -> Table {
    const TABLE: &str = "3.1 greedy trends";
    let mut claims = Vec::new();
    for log in results {
        let name = log.which.name;
        let errors = |found: &Found| log.errors_of(&found.set, 0);
        let actual = log.greedy_of(Estimator::Mean, Data::Actual);
        if let (Some(relative), Some(actual)) = (log.greedy_of(Estimator::Mean, Data::Relative), actual) {
            let claim = format!("{name}: relative run times beat actual ones, by 23 to 48 %");
            claims.push(beats(
                TABLE,
                &claim,
                log,
                &errors(relative),
                &errors(actual),
                ClaimedGain::Between(23.0, 48.0),
            ));
        }
        if let (Some(mean), Some(line)) = (actual, log.greedy_of(Estimator::Linear, Data::Actual)) {
            let claim = format!("{name}: means beat linear regressions, by 2 to 48 %");
            claims.push(beats(TABLE, &claim, log, &errors(mean), &errors(line), ClaimedGain::Between(2.0, 48.0)));
            claims.push(first_template(TABLE, log, mean));
        }
    }
    Table { title: format!("{TABLE}: what matters in a template?"), claims }
}

/// How much the second template, the first with a characteristic, brings over the mean of everything.
fn first_template(table: &str, log: &Results, found: &Found) -> Claim {
    let claim = format!("{}: the first template with one characteristic gains the most", log.which.name);
    let best: Vec<f64> = found.history.iter().map(|step| step.best_error_seconds).collect();
    let gains: Vec<f64> = best.windows(2).map(|pair| 100.0 * (1.0 - pair[1] / pair[0])).collect();
    let published = match log.which.particulars {
        Some("CTC") => Some(15.0),
        Some("SDSC96") => Some(41.0),
        _ => None,
    };
    let Some((first, others)) = gains.split_first() else {
        return Claim::not_testable(table, claim, "%", published, "the log has no characteristic");
    };
    let verdict = Verdict::of(others.iter().all(|other| other <= first));
    let told: Vec<String> = gains.iter().map(|gain| format!("{gain:.1} %")).collect();
    let reason = format!(
        "gain of each template over the previous ones: {} (paper: 5 to 25 % on CTC, 34 to 48 % on SDSC)",
        told.join(", ")
    );
    let measured = Measured::exactly(*first);
    log.on_its_log(Claim::of_statement(table, claim, "%", published, measured, (verdict, reason), Vec::new()))
}

pub fn honest_split(results: &[Results]) -> Table {
    const TABLE: &str = "Held-out split";
    let mut claims = Vec::new();
    for log in results {
        let third = &log.first_third;
        let searches = [
            ("greedy", &log.greedy_processors, &third.greedy_processors),
            ("genetic", &log.genetic, &third.genetic),
            ("genetic with maximum history", &log.genetic_history, &third.genetic_history),
            ("ours: medians, shrunk intervals", &log.genetic_ours, &third.genetic_ours),
        ];
        for (search, in_sample, honest) in searches {
            claims.push(on_the_rest(TABLE, log, search, in_sample, honest));
        }
    }
    let title = "searched on the first third, scored on the rest; error / mean run time";
    Table { title: format!("{TABLE}: {title}"), claims }
}

/// The claim that survives or not: the set still beats Gibbons and Downey on jobs its search has not seen.
fn on_the_rest(table: &str, log: &Results, search: &str, in_sample: &Found, honest: &Found) -> Claim {
    let from = log.rest_from;
    let own = log.errors_of(&honest.set, from);
    let mut others = vec![
        ("Gibbons", log.errors(&PredictorSpecification::Gibbons(GibbonsData::Actual), from)),
        ("Downey's median", log.errors(&PredictorSpecification::Downey(DowneyStatistic::Median), from)),
    ];
    if log.greedy.len() > 2 {
        let relative = PredictorSpecification::Gibbons(GibbonsData::Relative);
        others.insert(1, ("Gibbons, relative", log.errors(&relative, from)));
    }
    let better: Vec<Verdict> = others.iter().map(|(_, other)| log.improvement(&own, other).above(0.0)).collect();
    let unbeaten = others.iter().zip(&better).filter(|(_, better)| **better != Verdict::Holds);
    let unbeaten: Vec<&str> = unbeaten.map(|((name, _), _)| *name).collect();
    let how = if unbeaten.is_empty() {
        "significantly better than Gibbons and Downey on the rest".to_owned()
    } else {
        format!("not significantly better than {} on the rest", unbeaten.join(" and "))
    };
    let reason = format!("{how}; {} sets tried, best {}", honest.evaluations, honest.set);
    let share = |errors| log.relative_error(&errors);
    let mut traces = vec![
        OnTrace {
            trace: "searched on the whole log, scored on all of it".to_owned(),
            measured: share(log.errors_of(&in_sample.set, 0)),
        },
        OnTrace {
            trace: "searched on the whole log, scored on the rest".to_owned(),
            measured: share(log.errors_of(&in_sample.set, from)),
        },
        OnTrace {
            trace: "predicted at submission".to_owned(),
            measured: share(log.errors_at_submission(&of_set(&honest.set), from)),
        },
    ];
    traces.extend(
        others.iter().map(|(name, errors)| OnTrace { trace: (*name).to_owned(), measured: log.relative_error(errors) }),
    );
    let claim = format!("{}: {search}, error on the rest", log.which.name);
    Claim::of_statement(table, claim, "%", None, share(own.clone()), (Verdict::of_all(better), reason), traces).ours()
}
