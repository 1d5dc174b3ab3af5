//! What the paper prints of forecasts, beside what was measured on the logs' own waits.

use super::logs::{ANL, Published};
use super::methods::{
    BOUND_AS_CLASS, CLASSIFIER, CLUSTERS_AS_CLASS, INSTANCES, INSTANCES_OF_JOBS, KERNEL, LINEAR, MAJORITY, NEIGHBOURS,
    POLYNOMIAL, QUICK, RANGES, SIGMOID, why_not,
};
use super::regimes::{Figure, Regimes, Site};
use crate::{Claim, Measured, OnTrace, Table, Verdict};

const NO_ANL: &str = "the log of ANL's Intrepid is not available";

/// What the paper's Table 3 can still be read of: the weighted average on CTC (R-K8).
const CTC_RESPONSE_ERROR: f64 = 52.0;
const RESPONSE_ERROR: Figure = Figure::percent("error.over_response_time");
/// What "very little variation" between ways to make one number of neighbours is taken to be, in points.
const LITTLE: f64 = 5.0;

/// Table 3.
pub fn response_time(regimes: &Regimes) -> Table {
    let rows = [("weighted average", NEIGHBOURS), ("linear regression", LINEAR), ("radial kernel", KERNEL)];
    let ctc = regimes.on_logs.iter().find(|site| site.which.name == "CTC");
    let mut claims: Vec<Claim> = rows
        .iter()
        .map(|(words, method)| {
            let traces = each(regimes, |site| site.measured(method, RESPONSE_ERROR));
            let measured = ctc.map_or(Measured::NOTHING, |site| site.measured(method, RESPONSE_ERROR));
            let claim = format!("CTC, {words}");
            if *method == NEIGHBOURS {
                return Claim::of_figure("Table 3", claim, "%", CTC_RESPONSE_ERROR, measured, traces);
            }
            let reason = "the cell is illegible in our copy of the paper";
            Claim { measured, traces, ..Claim::not_testable("Table 3", claim, "%", None, reason) }
        })
        .collect();
    let spread = |site: &Site| {
        let values = rows.iter().filter_map(|(_, method)| site.measured(method, RESPONSE_ERROR).measured);
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        Some(high - low).filter(|spread| spread.is_finite()).map_or(Measured::NOTHING, Measured::exactly)
    };
    let traces = each(regimes, spread);
    let most = largest(&traces);
    let reason =
        format!("required: at most {LITTLE} points between the three on every log; measured: the largest difference");
    claims.push(statement(
        "section 5.1",
        "the techniques show very little variation",
        "%",
        None,
        most,
        (most.at_most(LITTLE), reason),
        traces,
    ));
    claims.push(Claim::not_testable("Table 3", "ANL, weighted average", "%", None, NO_ANL));
    Table { title: "Table 3: percentage prediction error in response time (wait and limit)".to_owned(), claims }
}

/// Of which jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jobs {
    /// Of all.
    All,
    /// Of those that waited for more than an hour.
    OverAnHour,
}

/// Table 4.
pub fn single_class(regimes: &Regimes, jobs: Jobs) -> Table {
    let (table, figure, title) = match jobs {
        Jobs::All => ("Table 4(b)", Figure::percent("classes.single"), "Table 4(b): one class, all jobs"),
        Jobs::OverAnHour => (
            "Table 4(a)",
            Figure::percent("classes.single_over_1h"),
            "Table 4(a): one class, jobs that waited for more than an hour",
        ),
    };
    let of = |published: &Published| match jobs {
        Jobs::All => published.all,
        Jobs::OverAnHour => published.over_an_hour,
    };
    let methods = [("QBETS", BOUND_AS_CLASS), ("IBL", INSTANCES), ("nearest neighbours", NEIGHBOURS)];
    let mut claims = Vec::new();
    for site in &regimes.on_logs {
        let Some(published) = site.which.particulars.published.as_ref().map(of) else { continue };
        for ((words, method), published) in methods.iter().zip(published) {
            let claim = format!("{}, {words}", site.which.name);
            let measured = site.measured(method, figure);
            let mut beside = beside(site, figure);
            beside.extend([("this method", *method), (MAJORITY, MAJORITY)].map(|(name, method)| {
                let name = format!("{name}, 50,000 jobs scored");
                OnTrace { trace: name, measured: site.measured_of_more_jobs(method, figure) }
            }));
            claims.push(Claim::of_figure(table, claim, "%", published, measured, beside));
        }
    }
    for ((words, _), published) in methods.iter().zip(of(&ANL)) {
        claims.push(Claim::not_testable(table, format!("ANL, {words}"), "%", Some(published), NO_ANL));
    }
    Table { title: title.to_owned(), claims }
}

/// What the paper says of naming several classes (R-K10).
pub struct SeveralClasses {
    title: &'static str,
    table: &'static str,
    words: &'static str,
    all: Figure,
    over_an_hour: Figure,
    /// Per cent of all jobs, on the worst and on the best log.
    range: (f64, f64),
}

pub const TWO: SeveralClasses = SeveralClasses {
    title: "Figure 2: two classes",
    table: "Figure 2",
    words: "two classes",
    all: Figure::percent("classes.two"),
    over_an_hour: Figure::percent("classes.two_over_1h"),
    range: (77.0, 87.0),
};

pub const THREE: SeveralClasses = SeveralClasses {
    title: "Three classes",
    table: "section 5.1",
    words: "three classes",
    all: Figure::percent("classes.three"),
    over_an_hour: Figure::percent("classes.three_over_1h"),
    range: (82.0, 91.0),
};

/// Figure 2 and the paragraph after it, by the paper's own range forecaster; the neighbours' own shares, the machine alone
/// and other kernels stand beside.
pub fn several_classes(regimes: &Regimes, what: &SeveralClasses) -> Table {
    let mut claims = Vec::new();
    let method = papers_method(what.all);
    for site in &regimes.on_logs {
        let measured = site.measured(method, what.all);
        let claim = format!("{}, {}, all jobs", site.which.name, what.words);
        let claim = Claim::of_range(what.table, claim, "%", what.range, measured, around(site, what.all));
        claims.push(on_its_log(site, or_why_not(method, claim)));
    }
    for site in &regimes.on_logs {
        let measured = site.measured(method, what.over_an_hour);
        let claim = format!("{}, {}, jobs that waited for more than an hour", site.which.name, what.words);
        let traces = around(site, what.over_an_hour);
        let reason = "the values of the figure's bars are not available";
        let claim = Claim { measured, traces, ..Claim::not_testable(what.table, claim, "%", None, reason) };
        claims.push(on_its_log(site, claim));
    }
    claims.push(Claim::not_testable(what.table, format!("ANL, {}", what.words), "%", None, NO_ANL));
    Table { title: what.title.to_owned(), claims }
}

/// Where nothing was measured because the method could not be run here, that is the reason.
fn or_why_not(method: &str, claim: Claim) -> Claim {
    match why_not(method).filter(|_| claim.measured.measured.is_none()) {
        Some(reason) => Claim { verdict: Verdict::NotTestable, reason, ..claim },
        None => claim,
    }
}

/// What is claimed of the paper's logs, tried on this one.
fn on_its_log(site: &Site, claim: Claim) -> Claim {
    let is_theirs = site.which.particulars.published.is_some();
    if is_theirs { claim } else { claim.standing_in("not one of the paper's logs") }
}

/// The quick starters: our own classifier on the paper's sketch (R-K11).
pub fn quick_starters(regimes: &Regimes) -> Table {
    let claims = regimes.on_logs.iter().map(|site| {
        let within = site.summary(QUICK).map(|summary| &summary.within_1h);
        let percent = |share: Option<f64>| share.map_or(Measured::NOTHING, |share| Measured::exactly(100.0 * share));
        let precision = percent(within.and_then(|within| within.precision));
        let recall = percent(within.and_then(|within| within.recall));
        let everybody = site.measured(MAJORITY, Figure::percent("classes.majority"));
        let gains = precision.measured.zip(everybody.measured).is_some_and(|(precision, all)| precision > all);
        let traces = vec![named("recall", recall), named("precision of always answering yes", everybody)];
        let reason =
            "required: more than the share of all jobs that start within an hour; the paper gives no figure".to_owned();
        let claim = format!("{}: precision of \u{201c}starts within an hour\u{201d}", site.which.name);
        statement("section 4", &claim, "%", None, precision, (Verdict::of(gains), reason), traces).ours()
    });
    Table { title: "Quick starters".to_owned(), claims: claims.collect() }
}

/// How much the paper's method gains: over IBL, as its text says, and over the majority answer, of which it says nothing.
pub fn gains(regimes: &Regimes) -> Table {
    let published = [
        ("section 5.1", "one class", "classes.single", 16.0),
        ("section 5.1", "one class", "classes.single_over_1h", 4.0),
        ("section 5.1", "two classes", "classes.two", 17.0),
        ("section 5.1", "two classes", "classes.two_over_1h", 12.0),
        ("section 5.1", "three classes", "classes.three", 11.0),
        ("section 5.1", "three classes", "classes.three_over_1h", 8.0),
    ];
    let over_instances = published
        .into_iter()
        .map(|(table, words, figure, points)| over_instances(regimes, table, words, Figure::percent(figure), points));
    let of_majority =
        [("one class", "classes.single"), ("two classes", "classes.two"), ("three classes", "classes.three")];
    let over_majority =
        of_majority.into_iter().map(|(words, figure)| over_majority(regimes, words, Figure::percent(figure)));
    let claims = over_instances.chain([published_over_majority(regimes)]).chain(over_majority).collect();
    Table { title: "Gains of the paper's method as printed, in percentage points".to_owned(), claims }
}

/// One class is that of the neighbours' point, and three are it and those beside it, whatever the machine says: it chooses
/// the two (R-K7). So only these need libsvm.
fn papers_method(figure: Figure) -> &'static str {
    if figure.name.starts_with("classes.two") { RANGES } else { NEIGHBOURS }
}

/// The paper's method over IBL, at most over all logs.
fn over_instances(regimes: &Regimes, table: &str, words: &str, figure: Figure, published: f64) -> Claim {
    let method = papers_method(figure);
    let traces = each(regimes, |site| site.difference(method, INSTANCES, figure, regimes.seed));
    let jobs = if figure.name.ends_with("over_1h") { "jobs that waited for more than an hour" } else { "all jobs" };
    let claim = format!("over IBL on the best log, {words}, {jobs}");
    or_why_not(method, Claim::of_figure(table, claim, "%", published, largest(&traces), traces))
}

/// Whether the figures the paper prints beat saying the same of every job.
fn published_over_majority(regimes: &Regimes) -> Claim {
    let traces: Vec<OnTrace> = each(regimes, |site| {
        let majority = site.measured(MAJORITY, Figure::percent("classes.majority")).measured;
        let published = site.which.particulars.published.map(|published| published.all[2]);
        published.zip(majority).map_or(Measured::NOTHING, |(own, other)| Measured::exactly(own - other))
    });
    let least = smallest(&traces);
    let beaten = traces.iter().filter(|trace| trace.measured.measured.is_some_and(|gain| gain > 0.0)).count();
    let reason = format!("positive on {beaten} of {} logs; measured: the smallest", traces.len());
    let claim = "the published figures over always answering \u{201c}up to an hour\u{201d}, one class";
    statement("ours", claim, "%", None, least, (least.above(0.0), reason), traces).ours()
}

/// Whether the paper's method, as we ran it, beats the majority answer everywhere.
fn over_majority(regimes: &Regimes, words: &str, figure: Figure) -> Claim {
    let method = papers_method(figure);
    let traces = each(regimes, |site| site.difference(method, MAJORITY, figure, regimes.seed));
    let least = smallest(&traces);
    let each: Vec<Verdict> = traces.iter().map(|trace| trace.measured.above(0.0)).collect();
    let beaten = each.iter().filter(|verdict| **verdict == Verdict::Holds).count();
    let reason = format!("significantly positive on {beaten} of {} logs; measured: the smallest", traces.len());
    let claim = format!("over the majority answer, {words}");
    or_why_not(method, statement("ours", &claim, "%", None, least, (Verdict::of_all(each), reason), traces)).ours()
}

/// What a figure stands beside: the majority answer, our other neighbours, IBL and the machine alone.
fn beside(site: &Site, figure: Figure) -> Vec<OnTrace> {
    let methods =
        [MAJORITY, INSTANCES, INSTANCES_OF_JOBS, CLUSTERS_AS_CLASS, NEIGHBOURS, "knn, in days", "knn:heom", CLASSIFIER];
    methods.map(|method| named(method, site.measured(method, figure))).into()
}

/// The same and the other kernels, which matter where several classes are named around a point.
fn around(site: &Site, figure: Figure) -> Vec<OnTrace> {
    let mut beside = beside(site, figure);
    beside.extend([RANGES, POLYNOMIAL, SIGMOID].map(|method| named(method, site.measured(method, figure))));
    beside
}

/// A statement of which something was measured.
fn statement(
    table: &str,
    claim: &str,
    unit: &'static str,
    published: Option<f64>,
    measured: Measured,
    verdict: (Verdict, String),
    traces: Vec<OnTrace>,
) -> Claim {
    if measured.measured.is_none() {
        return Claim::not_testable(table, claim, unit, published, "nothing was measured");
    }
    Claim::of_statement(table, claim, unit, published, measured, verdict, traces)
}

fn named(name: &str, measured: Measured) -> OnTrace {
    OnTrace { trace: name.to_owned(), measured }
}

fn each(regimes: &Regimes, measured: impl Fn(&Site) -> Measured) -> Vec<OnTrace> {
    regimes.on_logs.iter().map(|site| named(site.which.name, measured(site))).collect()
}

fn largest(traces: &[OnTrace]) -> Measured {
    let by = |one: &&Measured, other: &&Measured| one.measured.partial_cmp(&other.measured).expect("finite figures");
    traces.iter().map(|trace| &trace.measured).max_by(by).copied().unwrap_or(Measured::NOTHING)
}

fn smallest(traces: &[OnTrace]) -> Measured {
    let known = traces.iter().map(|trace| trace.measured).filter(|measured| measured.measured.is_some());
    let by = |one: &Measured, other: &Measured| one.measured.partial_cmp(&other.measured).expect("finite figures");
    known.min_by(by).unwrap_or(Measured::NOTHING)
}
