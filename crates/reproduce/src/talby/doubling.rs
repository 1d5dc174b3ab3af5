//! Figure 3: EASY with users' estimates, with run times, and with both doubled.
//!
//! The bars themselves are lost with the picture; what the text says of them is tried: doubling either shortens waits and
//! slowdowns, and run times doubled do better than estimates doubled (R-T10).

use super::shaken_runs::{
    EASY, EASY_DOUBLED, EASY_PERFECT, EASY_PERFECT_DOUBLED, Figure, Run, SLOWDOWN, ShakenRuns, WAIT,
};
use crate::{Claim, Table, Verdict};

pub fn table(shaken: &ShakenRuns<'_>) -> Table {
    const TABLE: &str = "Figure 3";
    let pairs = [
        ("EASY, estimates doubled", EASY_DOUBLED, "estimates", EASY),
        ("EASY, run times doubled", EASY_PERFECT_DOUBLED, "run times", EASY_PERFECT),
        ("EASY, run times doubled", EASY_PERFECT_DOUBLED, "estimates doubled", EASY_DOUBLED),
    ];
    let mut claims = Vec::new();
    for (who, run, than, other) in pairs {
        claims.extend([WAIT, SLOWDOWN].map(|figure| better(shaken, TABLE, (who, run), (than, other), figure)));
    }
    // What it is worth to know run times without doubling is in the picture too, but nothing is said of it.
    claims
        .extend([WAIT, SLOWDOWN].map(|figure| {
            better(shaken, TABLE, ("EASY, run times", EASY_PERFECT), ("estimates", EASY), figure).ours()
        }));
    Table { title: format!("{TABLE}: estimates and run times doubled, mean over logs"), claims }
}

/// A run is claimed to be better than another, in the mean over logs.
fn better(
    shaken: &ShakenRuns<'_>,
    table: &str,
    (who, run): (&str, Run),
    (than, other): (&str, Run),
    figure: Figure,
) -> Claim {
    let (measured, traces) = shaken.mean_improvement(run, other, figure);
    let on = |wanted| shaken.logs_in_mean().filter(|log| traces[*log].measured.above(0.0) == wanted).count();
    let (so, not_so) = (on(Verdict::Holds), on(Verdict::Differs));
    let count = shaken.logs_in_mean().count();
    let reason = format!("significantly shorter on {so} of {count} logs, significantly longer on {not_so}");
    let claim = format!("{who}: {} shorter than with {than}", figure.words);
    let claim = Claim::of_statement(table, claim, "%", None, measured, (measured.above(0.0), reason), traces);
    shaken.with_others(claim, &[(run, other)], figure)
}
