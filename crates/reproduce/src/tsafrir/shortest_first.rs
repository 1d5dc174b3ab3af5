//! What the f-model gives away: which jobs are short. How well estimates order jobs by run time (section 1.2), and what a
//! scheduler that prefers short jobs makes of that (section 11.3, whose figure the paper left out for want of space; R-E12).
//!
//! For: rank correlations of estimates and run times, and EASY that backfills the shortest first, with the original
//! estimates, the f-model's and the paper's.
//!
//! Not for: plain EASY, which is Figure 16 (`simulated.rs`, `findings.rs`).
//!
//! Every replicate shakes submissions and draws estimates of its own, the same for all models; so all of them, the
//! original and the exact one too, have the noise of a schedule in their interval, and are compared pair by pair.

use std::collections::BTreeMap;

use queuecast_evaluate::{Configuration, Replicates, Shaking};
use queuecast_simulate::shaken;
use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{EstimateError, Repetition};
use rayon::prelude::*;

use super::model::Model;
use super::simulated::{Figure, seed_of};
use super::workload::Workload;
use crate::{Claim, Measured, OnTrace, Table, Verdict};

/// The first is what the others are held against.
const SCHEDULED: [Model; 6] =
    [Model::Original, Model::Factor(0), Model::Factor(10), Model::Shuffled, Model::Vanilla, Model::Improved];

/// Whose order is looked at.
const ORDERED: [Model; 10] = [
    Model::Factor(0),
    Model::Factor(1),
    Model::Factor(3),
    Model::Factor(10),
    Model::Factor(100),
    Model::Factor(300),
    Model::Feitelson,
    Model::Shuffled,
    Model::Vanilla,
    Model::Improved,
];

/// More replicates than this tell nothing more: what is compared here differs by tens of per cent.
const REPLICATES_MOST: u32 = 20;
/// Rank correlations over tens of thousands of jobs hardly depend on the seed.
const SEEDS_OF_RANKS: u32 = 3;

/// How many replays there are for that many logs.
pub fn replays(logs: usize, replicates: u32) -> u64 {
    SCHEDULED.len() as u64 * u64::from(replicates.min(REPLICATES_MOST)) * logs as u64
}

/// Figures by log and model, over replicates.
pub struct ShortestFirst<'a> {
    workloads: &'a [Workload],
    figures: BTreeMap<(usize, Model), [Replicates; 2]>,
    ranks: BTreeMap<(usize, Model), Replicates>,
}

impl<'a> ShortestFirst<'a> {
    /// Simulates everything; `on_replayed` is called after every replay.
    pub fn new(
        workloads: &'a [Workload],
        shaking: Shaking,
        on_replayed: &(dyn Fn() + Sync),
    ) -> Result<Self, EstimateError> {
        let (mut figures, mut ranks) = (BTreeMap::new(), BTreeMap::new());
        for (log, workload) in workloads.iter().enumerate() {
            for model in SCHEDULED {
                let replicates = (0..shaking.replicates.min(REPLICATES_MOST)).into_par_iter().map(|replicate| {
                    let figures = replayed(workload, model, shaking, replicate);
                    on_replayed();
                    figures
                });
                let replicates: Vec<[f64; 2]> = replicates.collect::<Result<_, EstimateError>>()?;
                let of = |figure: usize| replicates.iter().map(|figures| figures[figure]).collect();
                figures.insert((log, model), [of(0), of(1)]);
            }
            for model in ORDERED.into_iter().chain([Model::Original]) {
                let seeds = if model.is_certain() { 1 } else { SEEDS_OF_RANKS.min(shaking.replicates) };
                let runs: Vec<Seconds> = workload.users_jobs.iter().map(|job| job.run_time).collect();
                let correlations = (0..seeds).map(|number| {
                    let estimates = model.estimates(workload, NO_SESSIONS, seed_of(shaking.seed, number))?;
                    Ok(rank_correlation(&runs, &estimates))
                });
                ranks.insert((log, model), correlations.collect::<Result<Replicates, EstimateError>>()?);
            }
        }
        Ok(Self { workloads, figures, ranks })
    }

    /// How much more a model's figure is than the original's, in per cent, replicate by replicate.
    fn change(&self, log: usize, model: Model, figure: Figure) -> Replicates {
        let of = |model: Model| &self.figures[&(log, model)][figure as usize];
        of(model).percent_over(of(Model::Original))
    }

    fn on_logs(&self, measure: impl Fn(usize) -> Measured) -> Vec<OnTrace> {
        let logs = self.workloads.iter().enumerate();
        logs.map(|(log, workload)| OnTrace { trace: workload.name.clone(), measured: measure(log) }).collect()
    }

    /// What must be so on every log. Measured is the mean over logs.
    fn on_every_log(
        &self,
        (table, claim, unit): (&str, String, &'static str),
        what: &str,
        measure: impl Fn(usize) -> Measured,
        judge: impl Fn(&Measured) -> Verdict,
    ) -> Claim {
        let traces = self.on_logs(measure);
        let verdicts: Vec<Verdict> = traces.iter().map(|trace| judge(&trace.measured)).collect();
        let on = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        let (so, not_so) = (on(Verdict::Holds), on(Verdict::Differs));
        let reason = format!("{what}; true on {so} of {} logs, false on {not_so}", traces.len());
        let known: Vec<f64> = traces.iter().filter_map(|trace| trace.measured.measured).collect();
        let mean = known.iter().sum::<f64>() / (known.len() as f64).max(1.0);
        Claim::of_statement(
            table,
            claim,
            unit,
            None,
            Measured::exactly(mean),
            (Verdict::of_all(verdicts), reason),
            traces,
        )
    }
}

/// None of the models here deals estimates by sessions.
const NO_SESSIONS: Repetition = Repetition { within_session: 0.0, between_sessions: 0.0, recalled: 0.0 };

/// Mean wait and slowdown of one replicate.
fn replayed(workload: &Workload, model: Model, shaking: Shaking, replicate: u32) -> Result<[f64; 2], EstimateError> {
    let estimates = model.estimates(workload, NO_SESSIONS, seed_of(shaking.seed, replicate))?;
    let jobs: Vec<_> = workload
        .jobs
        .iter()
        .zip(&estimates)
        .map(|(job, &estimate)| {
            let mut job = *job;
            job.submission.limit = Some(estimate);
            job
        })
        .collect();
    let policy = "easy-sjbf".parse().expect("a policy that exists");
    let predictor = "estimate".parse().expect("a predictor that exists");
    let configuration = Configuration::new(workload.machine, policy, predictor);
    let jobs = shaken(&jobs, shaking.jitter, shaking.seed, u64::from(replicate));
    let (summary, _) = configuration.replay(jobs.into_iter(), &mut ());
    Ok([summary.wait.mean, summary.bounded_slowdown.mean])
}

/// A figure of one replicate, or one that does not depend on a seed, has no interval.
fn over(replicates: &Replicates) -> Measured {
    match replicates.values() {
        [value] => Measured::exactly(*value),
        _ => Measured::over(replicates),
    }
}

/// Section 1.2: do estimates of the f-model order jobs by run time better than users' do?
pub fn order(runs: &ShortestFirst<'_>) -> Table {
    const TABLE: &str = "Section 1.2";
    let claims = ORDERED.into_iter().map(|model| {
        let gain = |log: usize| {
            let own = over(&runs.ranks[&(log, model)]);
            let users = runs.ranks[&(log, Model::Original)].spread().mean;
            let less = |value: Option<f64>| value.map(|value| value - users);
            Measured { measured: less(own.measured), low95: less(own.low95), high95: less(own.high95) }
        };
        let users: Vec<String> = (0..runs.workloads.len())
            .map(|log| format!("{:.2}", runs.ranks[&(log, Model::Original)].spread().mean))
            .collect();
        let what =
            format!("rank correlation of estimate and run time, minus that of the original ({})", users.join(", "));
        let claim = format!("{}: orders jobs by run time better than users' estimates", model.name());
        let claim = runs.on_every_log((TABLE, claim, ""), &what, gain, |gain| gain.above(0.0));
        // The paper says it of the f-model; of the others we only look.
        if matches!(model, Model::Factor(_)) { claim } else { claim.ours() }
    });
    Table { title: format!("{TABLE}: do estimates show which jobs are short?"), claims: claims.collect() }
}

/// Section 11.3: what becomes of a scheduler that prefers short jobs?
pub fn schedules(runs: &ShortestFirst<'_>) -> Table {
    const TABLE: &str = "Section 11.3";
    let mut claims = Vec::new();
    for figure in Figure::ALL {
        let words = figure.words();
        for model in SCHEDULED.into_iter().skip(1) {
            let claim = format!("{}: {words} shorter than with the original", model.name());
            let what = if model == Model::Factor(0) {
                "change from the original; the paper says considerably, the sign is tested"
            } else {
                "change from the original"
            };
            let change = |log| over(&runs.change(log, model, figure));
            let claim = runs.on_every_log((TABLE, claim, "%"), what, change, |change| change.below(0.0));
            claims.push(if model == Model::Factor(0) { claim } else { claim.ours() });
        }
        for model in [Model::Vanilla, Model::Improved] {
            let claim = format!("{}: {words} closer to the original than with f0, points", model.name());
            let nearer = |log| {
                let exact = either_way(&runs.change(log, Model::Factor(0), figure));
                over(&exact.minus(&either_way(&runs.change(log, model, figure))))
            };
            let what = "the paper says that it stays relatively the same";
            claims.push(runs.on_every_log((TABLE, claim, "%"), what, nearer, |points| points.above(0.0)));
        }
    }
    Table { title: format!("{TABLE}: the same estimates with shortest-first backfilling"), claims }
}

/// The same changes, turned so that their mean is not negative: the mean is then a distance, and noise does not add to it.
fn either_way(changes: &Replicates) -> Replicates {
    let sign = if changes.spread().mean < 0.0 { -1.0 } else { 1.0 };
    changes.values().iter().map(|change| sign * change).collect()
}

/// Spearman's: the correlation of ranks, with the mean rank for equals. Not a number if all are equal.
fn rank_correlation(one: &[Seconds], other: &[Seconds]) -> f64 {
    let (one, other) = (ranks(one), ranks(other));
    // Mean ranks keep the mean, whatever is equal.
    let mean = f64::midpoint(one.len() as f64, 1.0);
    let sum = |of: &dyn Fn(usize) -> f64| (0..one.len()).map(of).sum::<f64>();
    let together = sum(&|place| (one[place] - mean) * (other[place] - mean));
    let squares = |ranks: &[f64]| ranks.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>();
    together / (squares(&one) * squares(&other)).sqrt()
}

/// Ranks from one, in the order of the values.
fn ranks(values: &[Seconds]) -> Vec<f64> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by_key(|&place| values[place]);
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equals in places.chunk_by(|&one, &other| values[one] == values[other]) {
        let mean = before as f64 + f64::midpoint(equals.len() as f64, 1.0);
        for &place in equals {
            ranks[place] = mean;
        }
        before += equals.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds<const COUNT: usize>(values: [i64; COUNT]) -> [Seconds; COUNT] {
        values.map(Seconds)
    }

    #[test]
    fn equals_share_their_mean_rank() {
        assert_eq!(ranks(&seconds([30, 10, 30, 20])), [3.5, 1.0, 3.5, 2.0]);
    }

    #[test]
    fn the_same_order_is_one_the_opposite_minus_one_whatever_the_distances() {
        let runs = seconds([1, 2, 3, 400]);
        assert!((rank_correlation(&runs, &seconds([10, 11, 9_000, 9_001])) - 1.0).abs() < 1e-12);
        assert!((rank_correlation(&runs, &seconds([9, 8, 7, 6])) + 1.0).abs() < 1e-12);
        // By hand, with ranks 1, 2, 3, 4 and 1.5, 1.5, 3, 4.
        let expected = 4.5 / (5.0_f64 * 4.5).sqrt();
        assert!((rank_correlation(&runs, &seconds([5, 5, 6, 7])) - expected).abs() < 1e-12);
    }

    #[test]
    fn changes_either_way_are_distances_in_the_mean_only() {
        let changes: Replicates = [-10.0, 2.0, -4.0].into_iter().collect();
        assert_eq!(either_way(&changes).values(), [10.0, -2.0, 4.0]);
    }
}
