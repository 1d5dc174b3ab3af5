//! The second regime: EASY decides the waits and is known, so that it can be played forward (R-P7).

use super::methods::{FORWARD, ORACLE, POOLED, UNDER_EASY};
use super::regimes::{Figure, Regimes, Site};
use crate::{Claim, Measured, OnTrace, Table, Verdict};

/// With every run time known, at least so many classes are right; what is missing is who comes later.
const ORACLE_SINGLE: f64 = 95.0;
/// The bound should hold for so many, give or take a point, and be at most so many times the mean wait.
const BOUND_HELD: f64 = 95.0;
const BOUND_TOLERANCE: f64 = 1.0;
const BOUND_MOST: f64 = 2.2;

const SINGLE: Figure = Figure::percent("classes.single");
const TWO: Figure = Figure::percent("classes.two");
const ERROR: Figure = Figure::of_mean_wait("error.mae_over_mean_wait");
const HELD: Figure = Figure::percent("bound95.coverage");
const BOUND: Figure = Figure::of_mean_wait("bound95.over_mean_wait");

/// A row a log and figure, a column a method; the figure judged is that of `forward`, or of our forecaster.
pub fn table(regimes: &Regimes) -> Table {
    let mut claims = Vec::new();
    for site in &regimes.under_easy {
        let Some(asked) = site.which.particulars.asked else { continue };
        let forward = |figure| judged(site, FORWARD, figure);
        claims.extend([
            forward(SINGLE).at_least("one class", "%", asked.single),
            forward(TWO).at_least("two classes", "%", asked.two),
            forward(ERROR).at_most("mean absolute error over the mean wait", "", asked.error),
            forward(HELD).near("within the 95 % bound", "%", BOUND_HELD),
            forward(BOUND).at_most("the 95 % bound over the mean wait", "", BOUND_MOST),
            judged(site, POOLED, SINGLE).at_least("one class, pooled", "%", asked.ours.single),
            judged(site, POOLED, ERROR).at_most("mean absolute error over the mean wait, pooled", "", asked.ours.error),
            judged(site, ORACLE, SINGLE).at_least("one class, all run times known", "%", ORACLE_SINGLE),
        ]);
    }
    let title = "Beyond the paper, waits under EASY: forward and pooled, compared with the others";
    Table { title: title.to_owned(), claims }
}

/// A figure that something is asked of.
struct Judged<'a> {
    site: &'a Site,
    measured: Measured,
    beside: Vec<OnTrace>,
}

fn judged<'a>(site: &'a Site, method: &str, figure: Figure) -> Judged<'a> {
    let of = |name: &str| OnTrace { trace: name.to_owned(), measured: site.measured(name, figure) };
    let beside = UNDER_EASY.iter().map(|method| of(method.name)).collect();
    Judged { site, measured: site.measured(method, figure), beside }
}

impl Judged<'_> {
    fn at_least(self, words: &str, unit: &'static str, asked: f64) -> Claim {
        let verdict = self.measured.at_least(asked);
        self.claim(words, unit, asked, (verdict, "required: at least the target".to_owned()))
    }

    fn at_most(self, words: &str, unit: &'static str, asked: f64) -> Claim {
        let verdict = self.measured.at_most(asked);
        self.claim(words, unit, asked, (verdict, "required: at most the target".to_owned()))
    }

    fn near(self, words: &str, unit: &'static str, asked: f64) -> Claim {
        let verdict = self.measured.near(asked, BOUND_TOLERANCE);
        self.claim(words, unit, asked, (verdict, format!("required: within {BOUND_TOLERANCE:.0} point of the target")))
    }

    fn claim(self, words: &str, unit: &'static str, asked: f64, verdict: (Verdict, String)) -> Claim {
        let claim = format!("{}: {words}", self.site.which.name);
        if self.measured.measured.is_none() {
            return Claim::not_testable("ours", claim, unit, None, "nothing was measured").ours_asking(asked);
        }
        Claim::of_statement("ours", claim, unit, None, self.measured, verdict, self.beside).ours_asking(asked)
    }
}
