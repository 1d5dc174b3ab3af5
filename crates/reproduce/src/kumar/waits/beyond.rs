//! Beyond the paper: every forecaster on the paper's jobs, each beside the majority answer. A table a figure, since what is
//! asked of each differs; the intervals on each log are in the JSON and CSV.

use super::methods::{MAJORITY, ON_LOGS, POOLED, UNCORRECTED, why_not};
use super::regimes::{Figure, Regimes, Site};
use crate::{Claim, Measured, OnTrace, Table, Verdict};

/// What is asked of a method on every log.
#[derive(Clone, Copy)]
enum Asked {
    /// More than the majority answer, beyond the interval of the difference.
    OverMajority,
    /// Less than the majority answer, in the same way.
    UnderMajority,
    /// At least this.
    AtLeast(f64),
    /// Within so much of this.
    Near(f64, f64),
    /// Less than the bound of `qbets`, in the same way.
    UnderBounds,
}

struct Compared {
    title: &'static str,
    figure: Figure,
    unit: &'static str,
    asked: Asked,
}

impl Compared {
    /// Where bounds are compared, those that nobody has corrected stand beside.
    fn methods(&self) -> impl Iterator<Item = &'static str> {
        let uncorrected = if self.figure.name.starts_with("bound95") { UNCORRECTED } else { &[] };
        ON_LOGS.iter().chain(uncorrected).map(|method| method.name)
    }
}

const COMPARED: [Compared; 7] = [
    Compared { title: "one class", figure: Figure::percent("classes.single"), unit: "%", asked: Asked::OverMajority },
    Compared { title: "two classes", figure: Figure::percent("classes.two"), unit: "%", asked: Asked::OverMajority },
    Compared {
        title: "three classes",
        figure: Figure::percent("classes.three"),
        unit: "%",
        asked: Asked::OverMajority,
    },
    Compared {
        title: "one class, jobs that waited for more than an hour",
        figure: Figure::percent("classes.single_over_1h"),
        unit: "%",
        asked: Asked::AtLeast(45.0),
    },
    Compared {
        title: "mean absolute error over the mean wait",
        figure: Figure::of_mean_wait("error.mae_over_mean_wait"),
        unit: "",
        asked: Asked::UnderMajority,
    },
    Compared {
        title: "waits within the 95 % bound",
        figure: Figure::percent("bound95.coverage"),
        unit: "%",
        asked: Asked::Near(95.0, 1.0),
    },
    Compared {
        title: "the 95 % bound over the mean wait",
        figure: Figure::of_mean_wait("bound95.over_mean_wait"),
        unit: "",
        asked: Asked::UnderBounds,
    },
];

/// What is asked of our forecaster, log by log; every method beside it.
pub fn ours(regimes: &Regimes) -> Table {
    let mut claims = Vec::new();
    for site in &regimes.on_logs {
        let Some(asked) = site.which.particulars.asked_on_log else { continue };
        let rows = [("one class", "classes.single", asked.single), ("two classes", "classes.two", asked.two)];
        for (words, name, least) in rows {
            let figure = Figure::percent(name);
            let of = |method: &str| OnTrace { trace: method.to_owned(), measured: site.measured(method, figure) };
            let measured = site.measured(POOLED, figure);
            let claim = format!("{}: {words}", site.which.name);
            let beside = ON_LOGS.iter().map(|method| of(method.name)).collect();
            let verdict = (measured.at_least(least), "required: at least the target".to_owned());
            let claim = Claim::of_statement("ours", claim, "%", None, measured, verdict, beside);
            claims.push(claim.ours_asking(least));
        }
    }
    let title = "Beyond the paper, the logs' own waits: pooled, compared with the others";
    Table { title: title.to_owned(), claims }
}

/// All of them.
pub fn tables(regimes: &Regimes) -> Vec<Table> {
    let table = |compared: &Compared| Table {
        title: format!("Beyond the paper, the logs' own waits: {}", compared.title),
        claims: compared.methods().map(|method| claim(regimes, compared, method)).collect(),
    };
    COMPARED.iter().map(table).collect()
}

fn claim(regimes: &Regimes, compared: &Compared, method: &str) -> Claim {
    let Compared { figure, unit, asked, .. } = *compared;
    let of = |site: &Site| OnTrace { trace: site.which.name.to_owned(), measured: site.measured(method, figure) };
    let traces: Vec<OnTrace> = regimes.on_logs.iter().map(of).collect();
    let values: Vec<f64> = traces.iter().filter_map(|trace| trace.measured.measured).collect();
    if values.is_empty() {
        let reason = why_not(method).unwrap_or_else(|| "nothing was measured".to_owned());
        return Claim::not_testable("ours", method, unit, None, &reason).ours();
    }
    let mean = Measured { measured: Some(values.iter().sum::<f64>() / values.len() as f64), ..Measured::NOTHING };
    let each: Vec<Verdict> = regimes.on_logs.iter().map(|site| asked.of(site, method, figure, regimes.seed)).collect();
    let met = each.iter().filter(|verdict| **verdict == Verdict::Holds).count();
    let reason = format!("{} on {met} of {} logs; measured: the mean over logs", asked.words(), traces.len());
    let is_standard = matches!(
        (asked, method),
        (Asked::OverMajority | Asked::UnderMajority, MAJORITY) | (Asked::UnderBounds, "qbets")
    );
    if is_standard {
        let reason = "reference for the other methods; measured: the mean over logs";
        return Claim { measured: mean, traces, ..Claim::not_testable("ours", method, unit, None, reason) }.ours();
    }
    Claim::of_statement("ours", method, unit, None, mean, (Verdict::of_all(each), reason), traces).ours()
}

impl Asked {
    fn of(self, site: &Site, method: &str, figure: Figure, seed: u64) -> Verdict {
        let measured = site.measured(method, figure);
        let over = |other: &str| site.difference(method, other, figure, seed);
        match self {
            Self::OverMajority => over(MAJORITY).above(0.0),
            Self::UnderMajority => over(MAJORITY).below(0.0),
            Self::AtLeast(least) => measured.at_least(least),
            Self::Near(aim, tolerance) => measured.near(aim, tolerance),
            Self::UnderBounds => over("qbets").below(0.0),
        }
    }

    fn words(self) -> String {
        match self {
            Self::OverMajority => "significantly above the majority answer".to_owned(),
            Self::UnderMajority => "significantly below the majority answer".to_owned(),
            Self::AtLeast(least) => format!("at least {least:.0} %"),
            Self::Near(aim, tolerance) => format!("between {:.0} and {:.0} %", aim - tolerance, aim + tolerance),
            Self::UnderBounds => "significantly below qbets".to_owned(),
        }
    }
}
