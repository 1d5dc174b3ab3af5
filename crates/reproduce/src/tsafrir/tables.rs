//! What can be measured on the logs alone: Tables 1, 2, 4 and 5, and Figures 14 and 15.

use queuecast_evaluate::{Replicates, kolmogorov_smirnov};
use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{
    EstimateError, TimeTally, number_of_estimates, number_of_estimates_by_power_law,
};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::disparity::{bend_of_times, bins_to_cover, covered_by, joint_ratio};
use super::logs::{COVERED_PER_CENT, LOGS};
use super::model::modelled;
use super::simulated::seed_of;
use super::workload::Workload;
use crate::{Claim, Measured, OnTrace, Table, Verdict};

/// The estimates of the logs.
pub fn logs(workloads: &[Workload]) -> Table {
    let mut claims = Vec::new();
    for (workload, specification) in workloads.iter().zip(&LOGS) {
        let published = specification.particulars.published;
        let estimates = workload.distribution(specification.particulars.without_sole_owner);
        let name = &workload.name;
        let (jobs, different) = (estimates.total() as f64, estimates.iter().count() as f64);
        claims.push(Claim::of_count("Table 1", format!("{name}: jobs"), "jobs", published.jobs, jobs));
        claims.push(Claim::of_count(
            "Table 1",
            format!("{name}: different estimates"),
            "",
            published.estimates,
            different,
        ));
        for (per_cent, bins) in COVERED_PER_CENT.into_iter().zip(published.bins) {
            let claim = format!("{name}: estimates that cover {per_cent} % of the jobs");
            claims.push(Claim::of_count("Table 2", claim, "", bins, bins_to_cover(&estimates, per_cent) as f64));
        }
        let bend = bend_of_times(&estimates);
        let claim = format!("{name}: bend of the curve of times, in hundredths");
        claims.push(Claim::of_count("Table 4", claim, "", 100.0 * published.bend, 100.0 * bend));
        let claim = format!("{name}: share of the twenty most popular");
        claims.push(Claim::of_count("Table 5", claim, "%", published.top_twenty, covered_by(&estimates, 20)));
        claims.push(most_popular(name, &estimates, published.most_popular));
    }
    if let Some(ctc) = workloads.get(1) {
        let claim = format!("{}: joint ratio, per cent of the estimates", ctc.name);
        claims.push(Claim::of_count("Figure 5", claim, "%", 9.0, joint_ratio(&ctc.distribution(false))));
    }
    Table { title: "Tables 1, 2, 4 and 5: how estimates are used".to_owned(), claims }
}

fn most_popular(name: &str, estimates: &TimeTally, (minutes, per_cent): (i64, f64)) -> Claim {
    let most = estimates.iter().max_by_key(|&(_, count)| count);
    let (time, count) = most.unwrap_or((Seconds::ZERO, 0));
    let measured = 100.0 * count as f64 / (estimates.total() as f64).max(1.0);
    let reason = format!("here: {} min; the estimate must be the same, and its share within one point", time.0 / 60);
    let claim = format!("{name}: share of the most popular estimate, {minutes} min");
    let measured = Measured::exactly(measured);
    let verdict = Verdict::of_all([Verdict::of(time == Seconds(60 * minutes)), measured.near(per_cent, 1.0)]);
    Claim::of_statement("Table 5", claim, "%", Some(per_cent), measured, (verdict, reason), Vec::new())
}

/// How many different estimates the model makes of the number of jobs, by its default and by its power law, beside what the
/// logs have: the paper says no more than that the one is tolerable and the other fits, so what is asked is ours.
pub fn numbers_of_estimates(workloads: &[Workload]) -> Table {
    type Number = fn(usize) -> usize;
    let ways: [(&str, Number); 2] =
        [("straight lines", number_of_estimates), ("1.1 times the root", number_of_estimates_by_power_law)];
    let every = ways.iter().flat_map(|way| workloads.iter().zip(&LOGS).map(move |log| (way, log)));
    let claims = every.map(|((way, number), (workload, specification))| {
        let real = workload.distribution(specification.particulars.without_sole_owner).iter().count() as f64;
        let made = number(workload.jobs.len()) as f64;
        let holds = made / real < 1.5 && real / made < 1.5;
        let reason = format!("{made} by the model, {real} in the log; tolerable here: within a factor of 1.5");
        let claim = format!("{}: a tolerable number of different estimates by {way}", workload.name);
        let measured = Measured::exactly(made);
        Claim::of_statement("Section 6", claim, "", None, measured, (Verdict::of(holds), reason), Vec::new()).ours()
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
        let claim = format!("{}: points by which the improved setting is closer than the vanilla one", workload.name);
        claims.push(Claim::of_statement(
            "Figures 14 and 15",
            claim,
            "%",
            None,
            measured,
            (measured.above(0.0), reason),
            traces.to_vec(),
        ));
    }
    Ok(Table { title: "Figures 14 and 15: distributions of estimates, modelled and real".to_owned(), claims })
}

/// Times with how often they occur as weights.
pub fn weighted(estimates: &TimeTally) -> Vec<(Seconds, f64)> {
    estimates.iter().map(|(time, count)| (time, count as f64)).collect()
}
