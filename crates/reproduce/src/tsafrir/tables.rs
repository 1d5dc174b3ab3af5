//! What can be measured on the logs alone: Tables 1, 2, 4 and 5, and Figures 14 and 15.

use queuecast_evaluate::{Replicates, kolmogorov_smirnov};
use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{EstimateError, TimeTally, number_of_estimates};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::disparity::{bend_of_times, bins_to_cover, covered_by, joint_ratio};
use super::logs::{COVERED_PER_CENT, LOGS};
use super::model::modelled;
use super::simulated::seed_of;
use super::workload::Workload;
use crate::{Claim, Measured, OnTrace, Table};

/// The estimates of the logs.
pub fn logs(workloads: &[Workload]) -> Table {
    let mut claims = Vec::new();
    for (workload, specification) in workloads.iter().zip(&LOGS) {
        let published = specification.particulars.published;
        let estimates = workload.distribution(specification.particulars.without_sole_owner);
        let name = &workload.name;
        let (jobs, different) = (estimates.total() as f64, estimates.iter().count() as f64);
        claims.push(counted("Table 1", &format!("{name}: jobs"), "jobs", published.jobs, jobs));
        claims.push(counted("Table 1", &format!("{name}: different estimates"), "", published.estimates, different));
        for (per_cent, bins) in COVERED_PER_CENT.into_iter().zip(published.bins) {
            let claim = format!("{name}: estimates that cover {per_cent} % of the jobs");
            claims.push(counted("Table 2", &claim, "", bins, bins_to_cover(&estimates, per_cent) as f64));
        }
        let bend = bend_of_times(&estimates);
        let claim = format!("{name}: bend of the curve of times, in hundredths");
        claims.push(counted("Table 4", &claim, "", 100.0 * published.bend, 100.0 * bend));
        let claim = format!("{name}: share of the twenty most popular");
        claims.push(counted("Table 5", &claim, "%", published.top_twenty, covered_by(&estimates, 20)));
        claims.push(most_popular(name, &estimates, published.most_popular));
    }
    if let Some(ctc) = workloads.get(1) {
        let claim = format!("{}: joint ratio, per cent of the estimates", ctc.name);
        claims.push(counted("Figure 5", &claim, "%", 9.0, joint_ratio(&ctc.distribution(false))));
    }
    Table { title: "Tables 1, 2, 4 and 5: how estimates are used".to_owned(), claims }
}

fn most_popular(name: &str, estimates: &TimeTally, (minutes, per_cent): (i64, f64)) -> Claim {
    let most = estimates.iter().max_by_key(|&(_, count)| count);
    let (time, count) = most.unwrap_or((Seconds::ZERO, 0));
    let measured = 100.0 * count as f64 / (estimates.total() as f64).max(1.0);
    let holds = time == Seconds(60 * minutes) && (measured - per_cent).abs() <= 0.5;
    let reason = format!("here it is {} min; the same estimate within half a point holds", time.0 / 60);
    let claim = format!("{name}: share of the most popular estimate, {minutes} min");
    let measured = Measured::exactly(measured);
    Claim::of_statement("Table 5", &claim, "%", Some(per_cent), measured, (holds, reason), Vec::new())
}

/// A number that follows from the log alone: it holds within two per cent or one, whichever is more.
fn counted(table: &str, claim: &str, unit: &'static str, published: f64, measured: f64) -> Claim {
    let holds = (measured - published).abs() <= (published / 50.0).max(1.0);
    let reason = (holds, "within two per cent or one, whichever is more, holds".to_owned());
    Claim::of_statement(table, claim, unit, Some(published), Measured::exactly(measured), reason, Vec::new())
}

/// How many different estimates the model makes of the number of jobs, beside what the logs have: of the default the
/// paper says no more than that it is tolerable, so it is shown, not judged.
pub fn numbers_of_estimates(workloads: &[Workload]) -> Table {
    let claims = workloads.iter().zip(&LOGS).map(|(workload, specification)| {
        let real = workload.distribution(specification.particulars.without_sole_owner).iter().count() as f64;
        let made = number_of_estimates(workload.jobs.len()) as f64;
        let holds = made / real < 1.5 && real / made < 1.5;
        let reason = format!("{made} made, {real} real; within a factor of one and a half is called tolerable here");
        let claim = format!("{}: a tolerable number of different estimates", workload.name);
        Claim::of_statement("Section 6", &claim, "", Some(real), Measured::exactly(made), (holds, reason), Vec::new())
    });
    Table {
        title: "Section 6: the number of different estimates from the number of jobs".to_owned(),
        claims: claims.collect(),
    }
}

/// The modelled distributions of estimates beside the real ones.
pub fn distributions(workloads: &[Workload], replicates: u32, seed: u64) -> Result<Table, EstimateError> {
    let mut claims = Vec::new();
    for (workload, specification) in workloads.iter().zip(&LOGS) {
        let real = weighted(&workload.distribution(specification.particulars.without_sole_owner));
        let distances = |improved: bool| -> Result<Replicates, EstimateError> {
            let told = if improved { &workload.improved } else { &workload.vanilla };
            let distance = |replicate| {
                let mut generator = Pcg64::seed_from_u64(seed_of(seed, replicate));
                let shares = modelled(workload, told, &mut generator)?;
                let shares: Vec<(Seconds, f64)> =
                    shares.shares().iter().map(|share| (share.time, share.per_cent)).collect();
                Ok(100.0 * kolmogorov_smirnov(&real, &shares))
            };
            (0..replicates).map(distance).collect()
        };
        let (vanilla, improved) = (distances(false)?, distances(true)?);
        let traces = [("vanilla", &vanilla), ("improved", &improved)].map(|(which, distances)| OnTrace {
            trace: format!("{which}, points from the real distribution"),
            measured: Measured::over(distances),
        });
        let gain = vanilla.minus(&improved);
        let measured = Measured::over(&gain);
        let spread = |distances: &Replicates| distances.mean_absolute_deviation();
        let reason = format!(
            "Kolmogorov-Smirnov distance; mean absolute deviation over seeds {:.1} and {:.1} points",
            spread(&vanilla),
            spread(&improved)
        );
        let holds = measured.low95.is_some_and(|low| low > 0.0);
        let claim = format!("{}: points by which the improved setting is closer than the vanilla one", workload.name);
        claims.push(Claim::of_statement(
            "Figures 14 and 15",
            &claim,
            "%",
            None,
            measured,
            (holds, reason),
            traces.to_vec(),
        ));
    }
    Ok(Table { title: "Figures 14 and 15: distributions of estimates, made up and real".to_owned(), claims })
}

/// Times with how often they occur as weights.
pub fn weighted(estimates: &TimeTally) -> Vec<(Seconds, f64)> {
    estimates.iter().map(|(time, count)| (time, count as f64)).collect()
}
