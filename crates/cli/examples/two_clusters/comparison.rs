//! The rules beside each other, and the same job's wait under two of them.
//!
//! Waits of neighbours are alike, for they wait in the same queue: the interval of a mean difference is Student's over blocks of
//! consecutive jobs, not over jobs.

use std::path::Path;

use anyhow::{Result, ensure};
use queuecast_evaluate::Replicates;
use queuecast_evaluate::bounded_slowdown;
use queuecast_slurm_lab::Rule;
use queuecast_workload::Seconds;

use crate::outcome::{JobOutcome, read};

/// Jobs of a block.
const BLOCK: usize = 25;
/// Shorter runs count as this long in a slowdown.
const THRESHOLD: Seconds = Seconds(10);

/// Prints both tables.
pub fn print(folder: &Path) -> Result<()> {
    let rules = [Rule::Static, Rule::Slurm, Rule::Where];
    let outcomes = rules.map(|rule| read(folder, rule));
    let [by_user, slurm, by_forecast] = outcomes;
    let (by_user, slurm, by_forecast) = (by_user?, slurm?, by_forecast?);
    println!(
        "| rule | jobs on alpha | on beta | mean wait, min | median wait, min | mean bounded slowdown | said nothing | submitted late, median s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (rule, outcomes) in rules.iter().zip([&by_user, &slurm, &by_forecast]) {
        println!("{}", row(*rule, outcomes));
    }
    println!(
        "\n| difference of waits, job by job | mean, min (95 %) | % of the other's mean wait | waits less / the same / more |"
    );
    println!("|---|---|---|---|");
    println!("{}", difference("where - static", &by_forecast, &by_user)?);
    println!("{}", difference("where - slurm", &by_forecast, &slurm)?);
    println!("{}", difference("slurm - static", &slurm, &by_user)?);
    Ok(())
}

fn row(rule: Rule, outcomes: &[JobOutcome]) -> String {
    let on = |cluster: &str| outcomes.iter().filter(|job| job.cluster == cluster).count();
    let waits: Vec<f64> = outcomes.iter().map(minutes).collect();
    let slowdowns: Vec<f64> = outcomes
        .iter()
        .map(|job| bounded_slowdown(Seconds(job.wait_seconds), Seconds(i64::from(job.run_seconds)), THRESHOLD))
        .collect();
    format!(
        "| {rule} | {} | {} | {:.1} | {:.1} | {:.2} | {} | {:.0} |",
        on("alpha"),
        on("beta"),
        mean(&waits),
        median(waits),
        mean(&slowdowns),
        outcomes.iter().filter(|job| job.by_default).count(),
        median(outcomes.iter().map(|job| job.late_seconds).collect()),
    )
}

fn difference(name: &str, one: &[JobOutcome], other: &[JobOutcome]) -> Result<String> {
    ensure!(one.len() == other.len(), "{name}: not the same stream");
    let differences: Vec<f64> = one.iter().zip(other).map(|(one, other)| minutes(one) - minutes(other)).collect();
    let spread = block_means(&differences).spread();
    let baseline = mean(&other.iter().map(minutes).collect::<Vec<_>>());
    let count = |is: fn(f64) -> bool| differences.iter().filter(|difference| is(**difference)).count();
    // Within a minute is the same: Slurm looks twice a minute.
    let (less, more) = (count(|minutes| minutes < -1.0), count(|minutes| minutes > 1.0));
    Ok(format!(
        "| {name} | {:+.1} ({:+.1} to {:+.1}) | {:+.0} % | {less} / {} / {more} |",
        spread.mean,
        spread.low95,
        spread.high95,
        100.0 * spread.mean / baseline,
        differences.len() - less - more,
    ))
}

fn minutes(job: &JobOutcome) -> f64 {
    job.wait_seconds as f64 / 60.0
}

/// Means of consecutive blocks; jobs that fill no block are left out.
fn block_means(differences: &[f64]) -> Replicates {
    differences.chunks_exact(BLOCK).map(mean).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
