//! What is simulated: every model on every log under EASY, with many seeds; and the original over shaken replicates,
//! since one schedule is one draw of something chaotic too.

use std::collections::BTreeMap;

use queuecast_evaluate::{Configuration, Replicates, Shaking};
use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{EstimateError, Repetition};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::model::Model;
use super::workload::Workload;
use crate::Measured;

/// Resamples of an interval.
const RESAMPLES: usize = 1_000;

/// What a schedule is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Mean wait, in seconds.
    Wait,
    /// Mean bounded slowdown.
    Slowdown,
}

impl Figure {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Wait, Self::Slowdown];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Slowdown => "bounded slowdown",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Wait => "wait.mean",
            Self::Slowdown => "bounded_slowdown.mean",
        }
    }
}

/// What distances are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The original's one schedule, as in the paper.
    OneRun,
    /// The mean over the original's shaken replicates.
    Shaken,
    /// The mean over seeds of another model.
    Of(Model),
}

/// One model on one log, by seed.
#[derive(Clone, Debug, Default)]
struct Runs {
    waits: Vec<f64>,
    slowdowns: Vec<f64>,
    repetitions: Vec<Repetition>,
}

impl Runs {
    fn of(&self, figure: Figure) -> &[f64] {
        match figure {
            Figure::Wait => &self.waits,
            Figure::Slowdown => &self.slowdowns,
        }
    }
}

/// Everything simulated.
pub struct Schedules<'a> {
    pub workloads: &'a [Workload],
    pub seed: u64,
    runs: BTreeMap<(usize, Model), Runs>,
    shaken: Vec<[Vec<f64>; 2]>,
}

/// The seed of a replicate: any two differ, and those of another seed as well.
pub fn seed_of(seed: u64, replicate: u32) -> u64 {
    seed ^ u64::from(replicate).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// How many replays there are for that many logs.
pub fn replays(logs: usize, replicates: u32) -> u64 {
    let certain = Model::ALL.iter().filter(|model| model.is_certain()).count() as u64;
    let random = Model::ALL.len() as u64 - certain;
    (certain + (random + 1) * u64::from(replicates)) * logs as u64
}

impl<'a> Schedules<'a> {
    /// Simulates everything; `on_replayed` is called after every replay.
    pub fn new(
        workloads: &'a [Workload],
        shaking: Shaking,
        on_replayed: &(dyn Fn() + Sync),
    ) -> Result<Self, EstimateError> {
        let mut simulated = Self { workloads, seed: shaking.seed, runs: BTreeMap::new(), shaken: Vec::new() };
        for (log, workload) in workloads.iter().enumerate() {
            for model in Model::ALL {
                let replicates = if model.is_certain() { 1 } else { shaking.replicates };
                let runs = simulated.simulate(log, model, replicates, on_replayed)?;
                simulated.runs.insert((log, model), runs);
            }
            let shaken = shaking.run(&configuration(workload), &workload.jobs, on_replayed);
            simulated.shaken.push(Figure::ALL.map(|figure| shaken.of(figure.name()).values().to_vec()));
        }
        Ok(simulated)
    }

    fn simulate(
        &self,
        log: usize,
        model: Model,
        replicates: u32,
        on_replayed: &(dyn Fn() + Sync),
    ) -> Result<Runs, EstimateError> {
        let workload = &self.workloads[log];
        let configuration = configuration(workload);
        let elsewhere = self.repetition_elsewhere(log);
        let replayed = (0..replicates).into_par_iter().map(|replicate| {
            let estimates = model.estimates(workload, elsewhere, seed_of(self.seed, replicate))?;
            let jobs = workload.jobs.iter().zip(&estimates).map(|(job, &estimate)| {
                let mut job = *job;
                job.submission.limit = Some(estimate);
                job
            });
            let (summary, _) = configuration.replay(jobs, &mut ());
            on_replayed();
            let repetition = workload.repetition_with(&estimates);
            Ok((summary.wait.mean, summary.bounded_slowdown.mean, repetition))
        });
        let replayed: Vec<_> = replayed.collect::<Result<_, EstimateError>>()?;
        let mut runs = Runs::default();
        for (wait, slowdown, repetition) in replayed {
            runs.waits.push(wait);
            runs.slowdowns.push(slowdown);
            runs.repetitions.push(repetition);
        }
        Ok(runs)
    }

    /// How often users of the other logs repeat themselves, on average.
    pub fn repetition_elsewhere(&self, log: usize) -> Repetition {
        let others = || self.workloads.iter().enumerate().filter(|(other, _)| *other != log);
        let count = (others().count() as f64).max(1.0);
        let mean = |rate: fn(&Repetition) -> f64| {
            others().map(|(_, workload)| rate(&workload.repetition)).sum::<f64>() / count
        };
        Repetition {
            within_session: mean(|repetition| repetition.within_session),
            between_sessions: mean(|repetition| repetition.between_sessions),
            recalled: mean(|repetition| repetition.recalled),
        }
    }

    /// How often users repeat themselves under a model, in per cent: within sessions, between them, and how often they
    /// return to an estimate if they do not repeat the last.
    pub fn repetition(&self, log: usize, model: Model) -> [Replicates; 3] {
        let rates: [fn(&Repetition) -> f64; 3] = [
            |repetition| repetition.within_session,
            |repetition| repetition.between_sessions,
            |repetition| repetition.recalled,
        ];
        rates.map(|rate| self.runs[&(log, model)].repetitions.iter().map(|fitted| 100.0 * rate(fitted)).collect())
    }

    /// How much more a model's figure is than the original's, in per cent, by seed.
    pub fn distances(&self, log: usize, model: Model, figure: Figure) -> Replicates {
        let original = mean(self.runs[&(log, Model::Original)].of(figure));
        self.runs[&(log, model)].of(figure).iter().map(|value| per_cent(value - original, original)).collect()
    }

    /// The same for the original itself, shaken.
    pub fn distances_when_shaken(&self, log: usize, figure: Figure) -> Replicates {
        let original = mean(self.runs[&(log, Model::Original)].of(figure));
        self.shaken[log][figure as usize].iter().map(|value| per_cent(value - original, original)).collect()
    }

    /// By how many per cent of the reference the mean over seeds of `model` is closer to it than that of `than`, with
    /// the interval from resampling seeds.
    pub fn closer_by(&self, log: usize, model: Model, than: Model, figure: Figure, reference: Reference) -> Measured {
        let (closer, further) = (self.runs[&(log, model)].of(figure), self.runs[&(log, than)].of(figure));
        let original = match reference {
            Reference::OneRun => self.runs[&(log, Model::Original)].of(figure),
            Reference::Shaken => &self.shaken[log][figure as usize],
            Reference::Of(model) => self.runs[&(log, model)].of(figure),
        };
        let gain = |closer: f64, further: f64, original: f64| {
            per_cent((further - original).abs() - (closer - original).abs(), original)
        };
        let mut generator = Pcg64::seed_from_u64(self.seed);
        let mut gains: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let mut resampled = |values: &[f64]| resampled_mean(values, &mut generator);
                gain(resampled(closer), resampled(further), resampled(original))
            })
            .collect();
        gains.sort_by(f64::total_cmp);
        let finite = |value: f64| value.is_finite().then_some(value);
        Measured {
            measured: finite(gain(mean(closer), mean(further), mean(original))),
            low95: finite(gains[RESAMPLES / 40]),
            high95: finite(gains[RESAMPLES - 1 - RESAMPLES / 40]),
        }
    }
}

/// EASY with the users' estimates. No estimate is below its run time, so nothing is killed.
fn configuration(workload: &Workload) -> Configuration {
    let policy = "easy".parse().expect("a policy that exists");
    let predictor = "estimate".parse().expect("a predictor that exists");
    Configuration { slowdown_threshold: Seconds(10), ..Configuration::new(workload.machine, policy, predictor) }
}

/// A difference in per cent; none is none of nothing, too.
fn per_cent(difference: f64, whole: f64) -> f64 {
    if difference.abs() > 0.0 { 100.0 * difference / whole } else { 0.0 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}

fn resampled_mean(values: &[f64], generator: &mut Pcg64) -> f64 {
    let sum: f64 = values.iter().map(|_| values[generator.random_range(0..values.len())]).sum();
    sum / (values.len() as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulated(schedules: &[(Model, &[f64])], shaken: &[f64]) -> Schedules<'static> {
        let runs = schedules.iter().map(|&(model, waits)| {
            let runs = Runs { waits: waits.to_vec(), slowdowns: waits.to_vec(), repetitions: Vec::new() };
            ((0, model), runs)
        });
        Schedules { workloads: &[], seed: 1, runs: runs.collect(), shaken: vec![[shaken.to_vec(), shaken.to_vec()]] }
    }

    #[test]
    fn closer_is_nearer_from_either_side_and_to_whichever_original_is_asked_for() {
        let schedules: [(Model, &[f64]); 3] = [
            (Model::Original, &[100.0]),
            (Model::Shuffled, &[90.0, 92.0, 88.0]),
            (Model::SessionsShuffled, &[104.0, 105.0, 103.0]),
        ];
        let simulated = simulated(&schedules, &[96.0, 98.0, 97.0]);
        let gain =
            |reference| simulated.closer_by(0, Model::SessionsShuffled, Model::Shuffled, Figure::Wait, reference);
        let one_run = gain(Reference::OneRun);
        assert!((one_run.measured.unwrap() - 6.0).abs() < 1e-9, "{one_run:?}");
        assert!(one_run.low95 < one_run.measured && one_run.measured < one_run.high95, "{one_run:?}");
        // From 97 the one is 7 away and so is the other.
        let shaken = gain(Reference::Shaken);
        assert!(shaken.measured.unwrap().abs() < 1e-9 && shaken.low95 < Some(0.0) && shaken.high95 > Some(0.0));
        let from_shuffled = simulated.closer_by(
            0,
            Model::Original,
            Model::SessionsShuffled,
            Figure::Wait,
            Reference::Of(Model::Shuffled),
        );
        assert!((from_shuffled.measured.unwrap() - 100.0 * 4.0 / 90.0).abs() < 1e-9, "{from_shuffled:?}");
    }

    #[test]
    fn an_original_that_never_waits_is_no_distance_from_itself() {
        let simulated = simulated(&[(Model::Original, &[0.0]), (Model::Shuffled, &[0.0])], &[0.0]);
        assert!(simulated.distances(0, Model::Shuffled, Figure::Wait).spread().mean.abs() < f64::EPSILON);
    }

    #[test]
    fn replicates_of_different_seeds_do_not_share_theirs() {
        let seeds: std::collections::BTreeSet<u64> =
            (0..100).flat_map(|replicate| [seed_of(1, replicate), seed_of(2, replicate)]).collect();
        assert_eq!(seeds.len(), 200);
    }
}
