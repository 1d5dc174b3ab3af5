//! Many seeds: `queuecast-box FROM TO`. Says what it came to, and which seeds fail; ends with 1 if any does.

use anyhow::{Context, bail};
use queuecast_box::run::{Report, run};
use rayon::prelude::*;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &arguments[..] else { bail!("queuecast-box FROM TO: which seeds") };
    let (from, to): (u64, u64) = (from.parse().context("FROM")?, to.parse().context("TO")?);
    let folder = tempfile::tempdir()?;
    let outcomes: Vec<_> = (from..to)
        .into_par_iter()
        .map(|seed| {
            let outcome = run(seed, folder.path());
            if let Err(violation) = &outcome {
                eprintln!("seed {seed}: {}", violation.0);
            }
            outcome
        })
        .collect();
    let failed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    let reports: Vec<&Report> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).collect();
    let sum = |of: fn(&Report) -> u64| reports.iter().map(|report| of(report)).sum::<u64>();
    println!(
        "{} seeds, {failed} failed; {} events, {} jobs, {} starts of the daemon, {} cuts in the middle of writing, {} ends on a full \
         disk, {} forecasts told and kept, {} scored",
        outcomes.len(),
        sum(|report| report.events),
        sum(|report| report.jobs),
        sum(|report| report.restarts),
        sum(|report| report.cuts),
        sum(|report| report.full),
        sum(|report| report.told),
        sum(|report| report.scored),
    );
    if failed > 0 {
        bail!("{failed} seeds failed");
    }
    Ok(())
}
