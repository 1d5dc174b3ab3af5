//! Tables 4 to 10, and the journal version's.

use queuecast_evaluate::WeeklyErrors;
use queuecast_predict::{DowneyStatistic, GibbonsData, PredictorSpecification, TemplateSet};
use queuecast_search::Found;

use super::results::Results;
use crate::{Claim, OnTrace, Table, Verdict};

const NO_LOG: &str = "the log is not in the archive";

/// What the paper prints for a log, in per cent of the mean run time, and for the logs that cannot be had.
type Published = [(&'static str, f64)];

pub fn greedy(results: &[Results]) -> Table {
    let published = [("CTC", 65.25), ("SDSC96", 49.50), ("ANL", 41.77), ("SDSC95", 70.12)];
    searched("Table 4", "greedy search without processors", results, &published, Results::best_greedy)
}

pub fn greedy_with_processors(results: &[Results]) -> Table {
    let published = [("SDSC96", 45.77), ("ANL", 40.93), ("SDSC95", 62.76)];
    searched("Table 5", "greedy search with processors", results, &published, |log| &log.greedy_processors)
}

pub fn genetic(results: &[Results]) -> Table {
    let published = [("CTC", 58.58), ("SDSC96", 44.79), ("ANL", 39.51), ("SDSC95", 55.35)];
    let mut table = searched("Table 6", "genetic search", results, &published, |log| &log.genetic);
    for log in results {
        let claim = format!("{}: genetic beats greedy, by 2 to 12 %", log.which.name);
        let genetic = log.errors_of(&log.genetic.set, 0);
        let greedy = log.errors_of(&log.greedy_processors.set, 0);
        table.claims.push(beats("Table 6", &claim, log, &genetic, &greedy, ClaimedGain::Between(2.0, 12.0)));
    }
    table
}

/// The sets as printed, with what the logs do not carry left out: for CTC the class, the adaptor and the arguments, and
/// the executable for the script (E-S2.7).
pub fn published_sets(results: &[Results]) -> Table {
    const TABLE: &str = "Table 7";
    let sets = [
        (
            "SDSC96",
            "(u,n=1,mean,act)/(q,n=4,lr,act)/(q,u,n=4,lr,act)/(q,u,n=128,mean,act)/(q,u,n=16,mean,act)\
             /(q,u,n=2,mean,act)/(q,u,n=4,mean,act)",
            44.79,
        ),
        ("CTC", "(u,n=512,mean,rel)/(e,n=4,mean,rel)", 58.58),
    ];
    let mut claims = Vec::new();
    for (name, set, published) in sets {
        let Some(log) = results.iter().find(|log| log.which.particulars == Some(name)) else { continue };
        let set: TemplateSet = set.parse().expect("a set of this module");
        let errors = log.errors_of(&set, 0);
        let claim = format!("{}: the published set", log.which.name);
        claims.push(figure(TABLE, claim, published, log, &errors, &[]));
    }
    claims.extend(
        ["ANL", "SDSC95"]
            .map(|name| Claim::not_testable(TABLE, format!("{name}: the published set"), "%", None, NO_LOG)),
    );
    Table { title: format!("{TABLE}: template sets as printed, error / mean run time"), claims }
}

pub fn gibbons(results: &[Results]) -> Table {
    let published = [("CTC", 68.10), ("SDSC96", 73.61), ("ANL", 77.27), ("SDSC95", 68.72)];
    let by = [("CTC", 13.97), ("SDSC96", 39.16)];
    compared("Table 8", "Gibbons", &PredictorSpecification::Gibbons(GibbonsData::Actual), results, &published, &by)
}

pub fn gibbons_relative(results: &[Results]) -> Table {
    let published = [("CTC", 58.96), ("ANL", 50.79)];
    let by = [("CTC", 0.63)];
    let gibbons = PredictorSpecification::Gibbons(GibbonsData::Relative);
    let mut table = compared("Table 9", "Gibbons on run time over limit", &gibbons, results, &published, &by);
    let without: Vec<String> =
        results.iter().filter(|log| log.greedy.len() == 2).map(|log| log.which.name.to_owned()).collect();
    table.claims.retain(|claim| !without.iter().any(|name| claim.claim.starts_with(name.as_str())));
    table
}

pub fn downey(results: &[Results]) -> Table {
    let median = PredictorSpecification::Downey(DowneyStatistic::Median);
    let average = PredictorSpecification::Downey(DowneyStatistic::Average);
    let published = [("CTC", 98.51), ("SDSC96", 61.29), ("ANL", 99.60), ("SDSC95", 76.50)];
    let by = [("CTC", 40.53), ("SDSC96", 26.93)];
    let mut table = compared("Table 10", "Downey's conditional median", &median, results, &published, &by);
    let published = [("CTC", 110.52), ("SDSC96", 101.06), ("ANL", 109.65), ("SDSC95", 158.69)];
    table
        .claims
        .extend(compared("Table 10", "Downey's conditional average", &average, results, &published, &[]).claims);
    table
}

/// The journal version (JPDC 64, 2004): maximum history in the search.
pub fn journal(results: &[Results]) -> Table {
    const NAME: &str = "JPDC 2004";
    let published = [("SDSC96", 30.12), ("ANL", 35.20), ("SDSC95", 45.16)];
    let mut table =
        searched(NAME, "greedy search with maximum history", results, &published, |log| &log.greedy_history);
    let published = [("CTC", 53.95), ("SDSC96", 28.51), ("ANL", 35.44), ("SDSC95", 40.09)];
    let title = "genetic search with maximum history";
    table.claims.extend(searched(NAME, title, results, &published, |log| &log.genetic_history).claims);
    for log in results {
        let claim = format!("{}: maximum history in the search helps, by 14 to 34 %", log.which.name);
        let with = log.errors_of(&log.genetic_history.set, 0);
        let without = log.errors_of(&log.genetic.set, 0);
        table.claims.push(beats(NAME, &claim, log, &with, &without, ClaimedGain::Between(14.0, 34.0)));
    }
    table.title = format!("{NAME}: maximum history in the search, error / mean run time");
    table
}

fn searched(
    name: &str,
    title: &str,
    results: &[Results],
    published: &Published,
    found: impl Fn(&Results) -> &Found,
) -> Table {
    let claims = results.iter().map(|log| {
        let found = found(log);
        let errors = log.errors_of(&found.set, 0);
        let told = format!("{}: {title}", log.which.name);
        let searched = format!("{} sets tried, best {}", found.evaluations, found.set);
        match published_for(published, log) {
            Some(published) => figure(name, told, published, log, &errors, &[searched]),
            None => unpublished(name, &told, log, &errors, &[searched]),
        }
    });
    let claims = claims.chain(missing(name, title, published)).collect();
    Table { title: format!("{name}: {title}, error / mean run time in sample"), claims }
}

fn compared(
    name: &str,
    title: &str,
    predictor: &PredictorSpecification,
    results: &[Results],
    published: &Published,
    published_gain: &Published,
) -> Table {
    let mut claims = Vec::new();
    for log in results {
        let errors = log.errors(predictor, 0);
        let told = format!("{}: {title}", log.which.name);
        claims.push(match published_for(published, log) {
            Some(published) => figure(name, told, published, log, &errors, &[]),
            None => unpublished(name, &told, log, &errors, &[]),
        });
        let claim = format!("{}: the genetic search's set beats {title}", log.which.name);
        let gain = published_for(published_gain, log).map_or(ClaimedGain::Any, ClaimedGain::Printed);
        claims.push(beats(name, &claim, log, &log.errors_of(&log.genetic.set, 0), &errors, gain));
    }
    claims.extend(missing(name, title, published));
    Table { title: format!("{name}: {title}, error / mean run time"), claims }
}

fn published_for(published: &Published, log: &Results) -> Option<f64> {
    let name = log.which.particulars?;
    published.iter().find(|(other, _)| *other == name).map(|(_, figure)| *figure)
}

fn missing<'a>(name: &'a str, title: &'a str, published: &'a Published) -> impl Iterator<Item = Claim> + 'a {
    let absent = published.iter().filter(|(log, _)| ["ANL", "SDSC95"].contains(log));
    absent.map(move |(log, figure)| Claim::not_testable(name, format!("{log}: {title}"), "%", Some(*figure), NO_LOG))
}

fn figure(name: &str, told: String, published: f64, log: &Results, errors: &WeeklyErrors, notes: &[String]) -> Claim {
    let mut claim = Claim::of_figure(name, told, "%", published, log.relative_error(errors), Vec::new());
    claim.reason =
        [claim.reason, minutes(errors)].into_iter().chain(notes.iter().cloned()).collect::<Vec<_>>().join("; ");
    claim
}

fn unpublished(name: &str, told: &str, log: &Results, errors: &WeeklyErrors, notes: &[String]) -> Claim {
    let parts = ["the paper prints no such figure".to_owned(), minutes(errors)];
    let reason: Vec<String> = parts.into_iter().chain(notes.iter().cloned()).collect();
    let measured = log.relative_error(errors);
    log.on_its_log(Claim { measured, ..Claim::not_testable(name, told, "%", None, &reason.join("; ")) })
}

fn minutes(errors: &WeeklyErrors) -> String {
    let (error, run) = (errors.mean_error_seconds() / 60.0, errors.mean_run_seconds() / 60.0);
    format!("error {error:.2} min, mean run time {run:.2} min, {:.0} jobs", errors.jobs())
}

/// How much smaller an error is claimed to be, in per cent.
#[derive(Clone, Copy, Debug)]
pub enum ClaimedGain {
    /// Nothing but that it is smaller.
    Any,
    /// By the figure printed for this log.
    Printed(f64),
    /// By between the least and the most that the text gives for all logs.
    Between(f64, f64),
}

/// One is claimed to have the smaller error.
pub fn beats(
    name: &str,
    claim: &str,
    log: &Results,
    errors: &WeeklyErrors,
    other: &WeeklyErrors,
    claimed: ClaimedGain,
) -> Claim {
    let gain = log.improvement(errors, other);
    let share = |errors: &WeeklyErrors| log.relative_error(errors);
    let traces = vec![
        OnTrace { trace: "error of the first".to_owned(), measured: share(errors) },
        OnTrace { trace: "error of the second".to_owned(), measured: share(other) },
    ];
    let (verdict, reason) = match claimed {
        ClaimedGain::Printed(printed) => {
            return log.on_its_log(Claim::of_figure(name, claim, "%", printed, gain, traces));
        }
        ClaimedGain::Any => (gain.above(0.0), "required: a significantly smaller error".to_owned()),
        // The paper rounds to whole per cent.
        ClaimedGain::Between(least, most) => (
            Verdict::of_all([gain.at_least(least - 0.5), gain.at_most(most + 0.5)]),
            format!("required: the interval between {least:.0} and {most:.0} %"),
        ),
    };
    log.on_its_log(Claim::of_statement(name, claim, "%", None, gain, (verdict, reason), traces))
}
