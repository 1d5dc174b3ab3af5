//! The paper's tables and sentences beside what was measured.

use queuecast_evaluate::mouldable::{AllocationSummary, IncentiveSummary};
use queuecast_evaluate::{Replicates, Spread};
use queuecast_schedule::mouldable::bias::Bias;

use super::workloads::{
    AVG, BIAS, BIAS_AVERSE, BIAS_LOCKED, BIAS_RIGHT, BIAS_RIGHT_AVERSE, BIAS_RIGHT_SHARED, BySeed, HEUR, Model, OPT,
    OPT_SHARED, PRED, PRED_RIGHT, SystemRun,
};
use crate::{Claim, Measured, Table};

const MINUTE: f64 = 60.0;
/// How far a share of jobs may be off, in per cent of all jobs.
const SHARE_TOLERANCE: f64 = 3.0;
/// How far a share of rebels may be off, in per cent of them.
const REBEL_TOLERANCE: f64 = 5.0;
/// How far a change in utilisation may be off, in per cent of it: the largest published is five.
const UTILISATION_TOLERANCE: f64 = 1.5;
/// How far everything else may be off, as a share of it.
const TOLERANCE: f64 = 0.1;

pub fn workload(seeds: &BySeed) -> Table {
    let band = |claim: &str, unit, published: f64, tolerance, measured: &Replicates| {
        Claim::of_band("text", claim, unit, published, tolerance, Measured::over(measured))
    };
    let opt = |figure: fn(&IncentiveSummary) -> f64| seeds.rebels(Model::Published, "opt", figure);
    let turnaround = seeds.system(AVG, |summary| summary.turnaround_seconds);
    let claims = vec![
        band(
            "jobs in 120 days at a load of 0.75",
            "jobs",
            30_421.0,
            0.03 * 30_421.0,
            &seeds.over(|workload| workload.jobs),
        ),
        band(
            "AVG: jobs given all they can use",
            "%",
            63.0,
            SHARE_TOLERANCE,
            &seeds.over(|workload| 100.0 * workload.spoiled_share),
        ),
        band("AVG: median run time", "min", 3.0, 0.5, &seeds.over(|workload| workload.run_median_seconds / MINUTE)),
        band(
            "AVG: mean run time",
            "min",
            78.0,
            TOLERANCE * 78.0,
            &seeds.over(|workload| workload.run_mean_seconds / MINUTE),
        ),
        band("AVG: mean turnaround", "s", 4_795.0, TOLERANCE * 4_795.0, &turnaround),
        band(
            "OPT: median saving of a rebel",
            "min",
            15.0,
            TOLERANCE * 15.0,
            &opt(|summary| summary.rebel_saving_median_seconds / MINUTE),
        ),
        band(
            "OPT: mean saving of a rebel",
            "min",
            96.0,
            TOLERANCE * 96.0,
            &opt(|summary| summary.rebel_saving_mean_seconds / MINUTE),
        ),
    ];
    Table { title: "The workload and AVG".to_owned(), claims }
}

pub fn application_centric(seeds: &BySeed) -> Table {
    let rows: [(&str, &str, f64, f64, f64); 4] = [
        ("OPT", "opt", 14.0, 13.8, 0.0),
        ("PRED", "pred", 8.0, 12.8, 8.0),
        ("BIAS", "bias", 10.0, 13.5, 8.0),
        ("HEUR", "heur", 37.0, 12.8, 68.0),
    ];
    let mut claims = Vec::new();
    for (name, strategy, rebels, saving, losers) in rows {
        let of =
            |figure: fn(&IncentiveSummary) -> f64| Measured::over(&seeds.rebels(Model::Published, strategy, figure));
        let band = |what: &str, unit, published, tolerance, measured| {
            Claim::of_band("Table 1", &format!("{name}: {what}"), unit, published, tolerance, measured)
        };
        claims.push(band("rebels", "%", rebels, SHARE_TOLERANCE, of(|summary| 100.0 * summary.rebel_share)));
        claims.push(band(
            "saved a job",
            "min",
            saving,
            TOLERANCE * saving,
            of(|summary| summary.saving_seconds_per_job / MINUTE),
        ));
        claims.push(band("rebels that lose", "%", losers, REBEL_TOLERANCE, of(|summary| 100.0 * summary.loser_share)));
    }
    let lost = Measured::over(&seeds.rebels(Model::Published, "pred", |summary| summary.loss_seconds / MINUTE));
    claims.push(Claim::of_band("text", "PRED: what a loser loses", "min", 3.7, 0.5, lost));
    Table { title: "Table 1: one job alone defies AVG, equations and bias as published".to_owned(), claims }
}

pub fn system_centric(seeds: &BySeed) -> Table {
    let rows: [(&str, SystemRun, Option<f64>, f64); 6] = [
        ("OPT", OPT, Some(0.1), 9.2),
        ("PRED", PRED, Some(2.4), -3.0),
        ("BIAS", BIAS, Some(1.0), 5.3),
        ("HEUR", HEUR, Some(-5.0), 36.7),
        ("BIAS with lock-in", BIAS_LOCKED, None, 4.5),
        ("BIAS with lock-in and risk aversion", BIAS_AVERSE, None, -0.3),
    ];
    let mut claims = Vec::new();
    for (name, run, utilisation, turnaround) in rows {
        if let Some(published) = utilisation {
            let measured = change_over_avg(seeds, run, |summary| summary.utilisation);
            let claim = format!("{name}: utilisation, over AVG");
            claims.push(Claim::of_band("Table 2", &claim, "%", published, UTILISATION_TOLERANCE, measured));
        }
        let measured = change_over_avg(seeds, run, |summary| summary.turnaround_seconds);
        let claim = format!("{name}: turnaround, over AVG");
        claims.push(Claim::of_figure("Table 2", claim, "%", turnaround, measured, Vec::new()));
    }
    Table { title: "Table 2: everybody follows a strategy, equations and bias as published".to_owned(), claims }
}

pub fn order(seeds: &BySeed) -> Table {
    let claims = vec![
        in_order(seeds, "PRED < AVG < BIAS < OPT < HEUR in mean turnaround", &[PRED, AVG, BIAS, OPT, HEUR]),
        in_order(seeds, "risk aversion below lock-in below neither", &[BIAS_AVERSE, BIAS_LOCKED, BIAS]),
        savings_near_opt(seeds, Model::Published, "pred", 7.0),
        savings_near_opt(seeds, Model::Published, "bias", 2.0),
    ];
    Table { title: "The order of the strategies".to_owned(), claims }
}

pub fn bias(seeds: &BySeed) -> Table {
    let line = |model, strategy, told: bool, figure: fn(Bias) -> f64| {
        let of = |summary: &IncentiveSummary| if told { summary.told_bias } else { summary.raw_bias };
        Measured::over(&seeds.rebels(model, strategy, |summary| of(summary).map_or(f64::NAN, figure)))
    };
    let band = |claim: &str, published, tolerance, measured| {
        Claim::of_band("section 5.4", claim, "", published, tolerance, measured)
    };
    let raw = |figure| line(Model::Printed, "pred", false, figure);
    let corrected = |figure| line(Model::Printed, "bias", true, figure);
    let right = |figure| line(Model::Right, "bias", true, figure);
    let mut claims = vec![
        band("PRED: slope", 0.6, 0.1, raw(|bias| bias.slope)),
        band("PRED: intercept", 1.7, 0.5, raw(|bias| bias.intercept)),
        band("PRED: correlation", 0.48, 0.05, raw(|bias| bias.correlation)),
        band("BIAS, line fitted as it goes: slope", 1.01, 0.05, corrected(|bias| bias.slope)),
        band("BIAS, line fitted as it goes: intercept", -0.01, 0.2, corrected(|bias| bias.intercept)),
        band("BIAS, line fitted as it goes: correlation", 0.59, 0.05, corrected(|bias| bias.correlation)),
    ];
    let gain =
        seeds.rebels(Model::Printed, "bias", |summary| summary.told_bias.map_or(f64::NAN, |bias| bias.correlation));
    let without =
        seeds.rebels(Model::Printed, "pred", |summary| summary.raw_bias.map_or(f64::NAN, |bias| bias.correlation));
    let gain = gain.minus(&without);
    claims.push(Claim::of_statement(
        "section 5.4",
        "correcting bias makes predictions more accurate: gain in correlation",
        "",
        Some(0.11),
        Measured::over(&gain),
        (gain.spread().low95 > 0.0, "more than nothing, beyond the interval".to_owned()),
        Vec::new(),
    ));
    let slope = right(|bias| bias.slope);
    let near = slope.measured.is_some_and(|slope| (slope - 1.0).abs() <= 0.05);
    claims.push(Claim::of_statement(
        "ours",
        "put right and learnt, corrected predictions have a slope within 0.05 of one",
        "",
        None,
        slope,
        (near, "the mean over workloads".to_owned()),
        Vec::new(),
    ));
    Table { title: "Section 5.4: predicted and actual queue times, in the logarithm of seconds".to_owned(), claims }
}

pub fn put_right(seeds: &BySeed) -> Table {
    let name = "ours";
    let mut claims = vec![
        savings_near_opt(seeds, Model::Right, "pred", 3.0),
        savings_near_opt(seeds, Model::Right, "bias", 3.0),
        in_order(seeds, "PRED < AVG < BIAS < OPT < HEUR in mean turnaround", &[PRED_RIGHT, AVG, BIAS_RIGHT, OPT, HEUR]),
    ];
    let rows: [(&str, SystemRun); 5] = [
        ("PRED shortens turnaround", PRED_RIGHT),
        ("BIAS shortens turnaround", BIAS_RIGHT),
        ("BIAS with lock-in and risk aversion shortens turnaround", BIAS_RIGHT_AVERSE),
        ("BIAS shortens turnaround if a job pays for the wait of all", BIAS_RIGHT_SHARED),
        ("OPT shortens turnaround if a job pays for the wait of all", OPT_SHARED),
    ];
    for (claim, run) in rows {
        let measured = change_over_avg(seeds, run, |summary| summary.turnaround_seconds);
        let shortens = measured.high95.is_some_and(|high| high < 0.0);
        let utilisation = change_over_avg(seeds, run, |summary| summary.utilisation).measured.unwrap_or(f64::NAN);
        let reason = format!("change over AVG beyond the interval; utilisation {utilisation:+.1} %");
        claims.push(Claim::of_statement(name, claim, "%", None, measured, (shortens, reason), Vec::new()));
    }
    Table { title: "The equations put right, everything learnt as jobs end".to_owned(), claims }
}

/// The change from AVG in per cent, workload by workload.
pub fn change_over_avg(seeds: &BySeed, run: SystemRun, figure: fn(&AllocationSummary) -> f64) -> Measured {
    Measured::over(&seeds.system(run, figure).percent_over(&seeds.system(AVG, figure)))
}

/// Whether mean turnarounds come in this order, each step beyond its interval.
fn in_order(seeds: &BySeed, claim: &str, runs: &[SystemRun]) -> Claim {
    let turnaround = |run: &SystemRun| seeds.system(*run, |summary| summary.turnaround_seconds);
    let steps: Vec<Spread> =
        runs.windows(2).map(|pair| turnaround(&pair[1]).minus(&turnaround(&pair[0])).spread()).collect();
    let holds = steps.iter().all(|step| step.low95 > 0.0);
    let means: Vec<String> = runs.iter().map(|run| format!("{:.0}", turnaround(run).spread().mean)).collect();
    let least = steps.iter().copied().reduce(|one, other| if other.low95 < one.low95 { other } else { one });
    let least = least.map_or(Measured::NOTHING, |step| Measured {
        measured: Some(step.mean),
        low95: Some(step.low95),
        high95: Some(step.high95),
    });
    let reason = format!("{} s; the figure is the smallest step", means.join(", "));
    Claim::of_statement("Table 2", claim, "s", None, least, (holds, reason), Vec::new())
}

/// Whether a strategy saves nearly as much as the oracle.
fn savings_near_opt(seeds: &BySeed, model: Model, strategy: &str, within: f64) -> Claim {
    let saving = |strategy: &str| seeds.rebels(model, strategy, |summary| summary.saving_seconds_per_job);
    let measured = Measured::over(&saving(strategy).percent_over(&saving("opt")));
    let holds = measured.measured.is_some_and(|missing| missing >= -within);
    let claim = format!("{} saves within {within:.0} % of what OPT does", strategy.to_uppercase());
    let reason = "the difference from OPT in saving a job".to_owned();
    Claim::of_statement("section 5", &claim, "%", Some(-within), measured, (holds, reason), Vec::new())
}
