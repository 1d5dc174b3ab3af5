//! Median errors: of first forecasts beside Slurm's plans, and of forecasts before and after submission.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::grouped::{ByPartition, by_partition, minutes};
use super::{Judged, JudgedFirst, JudgedProbe, JudgedReading};
use crate::measures::{mean, median, ratio};

/// Errors where Slurm had a plan, in minutes, and ours at all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstFigures {
    /// Forecasts.
    pub forecasts: usize,
    /// Our median error in all of them.
    pub our_minutes: Option<f64>,
    /// Those where Slurm had a plan.
    pub planned: usize,
    /// Our median error there.
    pub our_minutes_where_planned: Option<f64>,
    /// Slurm's.
    pub slurm_minutes: Option<f64>,
    /// Ours by Slurm's.
    pub ratio: Option<f64>,
}

/// Forecasts before and after submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProbeFigures {
    /// Jobs with both.
    pub pairs: usize,
    /// Users whose they are.
    pub users: usize,
    /// Median error before, in minutes.
    pub before_minutes: Option<f64>,
    /// And after.
    pub after_minutes: Option<f64>,
    /// Mean error before, in minutes.
    pub mean_before_minutes: Option<f64>,
    /// And after.
    pub mean_after_minutes: Option<f64>,
    /// Pairs, median errors before and after, in minutes, by partition.
    pub by_partition: ByPartition<(usize, Option<f64>, Option<f64>)>,
    /// Probes without such a pair, by why.
    pub without_pair: BTreeMap<String, usize>,
}

impl FirstFigures {
    /// Of these.
    pub fn of(firsts: &[&JudgedFirst]) -> Self {
        Self::of_errors(firsts.iter().map(|first| (first.error_seconds, first.slurm_error_seconds)))
    }

    /// Of every reading.
    pub fn of_readings(readings: &[JudgedReading]) -> Self {
        Self::of_errors(readings.iter().map(|reading| (reading.error_seconds(), reading.slurm_error_seconds)))
    }

    fn of_errors(errors: impl Iterator<Item = (f64, Option<f64>)>) -> Self {
        let errors: Vec<(f64, Option<f64>)> = errors.collect();
        let planned: Vec<(f64, f64)> = errors.iter().filter_map(|(ours, slurms)| Some((*ours, (*slurms)?))).collect();
        let ours = median(planned.iter().map(|(ours, _)| *ours).collect()).map(minutes);
        let slurms = median(planned.iter().map(|(_, slurms)| *slurms).collect()).map(minutes);
        Self {
            forecasts: errors.len(),
            our_minutes: median(errors.iter().map(|(ours, _)| *ours).collect()).map(minutes),
            planned: planned.len(),
            our_minutes_where_planned: ours,
            slurm_minutes: slurms,
            ratio: ratio(ours, slurms),
        }
    }
}

impl ProbeFigures {
    /// Of these.
    pub fn of(judged: &Judged) -> Self {
        let all: Vec<&JudgedProbe> = judged.probes.iter().collect();
        let before =
            |probes: &[&JudgedProbe]| probes.iter().map(|probe| minutes(probe.before_seconds)).collect::<Vec<_>>();
        let after =
            |probes: &[&JudgedProbe]| probes.iter().map(|probe| minutes(probe.after_seconds)).collect::<Vec<_>>();
        Self {
            pairs: all.len(),
            users: all.iter().map(|probe| &probe.user).collect::<BTreeSet<_>>().len(),
            before_minutes: median(before(&all)),
            after_minutes: median(after(&all)),
            mean_before_minutes: mean(&before(&all)),
            mean_after_minutes: mean(&after(&all)),
            by_partition: by_partition(
                &judged.probes,
                |probe| &probe.partition,
                |probes| (probes.len(), median(before(probes)), median(after(probes))),
            ),
            without_pair: judged.probes_without_pair.iter().map(|(why, count)| (why.to_string(), *count)).collect(),
        }
    }
}
