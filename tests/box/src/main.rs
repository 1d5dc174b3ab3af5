//! Many seeds: `queuecast-box FROM TO`, with `kills` or `power` behind it for a daemon that is cut off in every life, at every write in turn:
//! killed, or with the power gone. Says what it came to, and which seeds fail; ends with 1 if any does.

use anyhow::{Context, bail};
use queuecast_box::disk::Cut;
use queuecast_box::run::{Kills, Report, run_with};
use rayon::prelude::*;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (from, to, kills) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [from, to] => (from, to, Kills::Seldom),
        [from, to, "kills"] => (from, to, Kills::AtEveryWrite(Cut::Process)),
        [from, to, "power"] => (from, to, Kills::AtEveryWrite(Cut::Power)),
        _ => {
            bail!("queuecast-box FROM TO [kills|power]: which seeds, and whether the daemon is cut off at every write")
        }
    };
    let (from, to): (u64, u64) = (from.parse().context("FROM")?, to.parse().context("TO")?);
    let folder = tempfile::tempdir()?;
    let outcomes: Vec<_> = (from..to)
        .into_par_iter()
        .map(|seed| {
            let outcome = run_with(seed, folder.path(), kills);
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
