//! The figures of a stretch, as `figures.json` has them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::errors::{FirstFigures, ProbeFigures};
use super::grouped::{ByPartition, by_partition, minutes};
use super::ranges::RangeFigures;
use super::{Judged, JudgedLimits, ReplayCheck};
use crate::differences::Differences;
use crate::measures::{Share, mean, ratio};

/// The figures of a stretch. What cannot be told is `null`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StretchFigures {
    /// What it is called.
    pub name: String,
    /// The model's mean absolute difference to Slurm by Slurm's to itself, the mean of both recordings.
    pub twin_over_slurm_itself: Option<f64>,
    /// The median error of first forecasts by that of Slurm's plans at the same moments.
    pub first_error_over_squeue: Option<f64>,
    /// The median error of forecasts just before submission by that of those right after.
    pub before_over_after_submit: Option<f64>,
    /// The share of 80 % ranges that held.
    pub range80: Option<f64>,
    /// The share of 80 % ranges narrower than 15 minutes that held.
    pub narrow_range_held: Option<f64>,
    /// The share of waiting jobs without an estimate.
    pub no_forecast_share: Option<f64>,
    /// More on the first.
    pub twin: TwinFigures,
    /// The daemon's own check of its model.
    pub replay_check: ReplayFigures,
    /// The model put back to the truth at every reading.
    pub replayed: ReplayFigures,
    /// More on the second.
    pub first: FirstFigures,
    /// The same, by partition.
    pub first_by_partition: ByPartition<FirstFigures>,
    /// At every reading at which Slurm had a plan.
    pub readings_where_planned: FirstFigures,
    /// More on the third.
    pub probes: ProbeFigures,
    /// More on the fourth and the fifth.
    pub ranges: RangeFigures,
    /// Who got no estimate, by why, counted at every reading.
    pub no_forecast: BTreeMap<String, usize>,
    /// Waiting jobs, counted at every reading, held ones aside.
    pub waiting: usize,
    /// Held ones.
    pub held: usize,
    /// Readings, and those without an answer.
    pub readings: usize,
    /// Those without an answer.
    pub readings_without_answer: usize,
    /// Told as waiting although started since the queue was last read; no range is judged by them.
    pub started_meanwhile: usize,
    /// With an estimate, but not started by the end.
    pub never_started: usize,
    /// What came of the limits told.
    #[serde(default)]
    pub limits: Vec<JudgedLimits>,
    /// Calls to Slurm in a minute of the lab's clock, by what was asked.
    pub calls_per_lab_minute: BTreeMap<String, f64>,
}

/// The model beside Slurm, in minutes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TwinFigures {
    /// Jobs and tasks submitted.
    pub submitted: usize,
    /// Jobs and tasks that both the model and Slurm started.
    pub compared: usize,
    /// The model's mean absolute difference to the first recording.
    pub model_and_first_minutes: Option<f64>,
    /// To the second.
    pub model_and_second_minutes: Option<f64>,
    /// Of the two recordings.
    pub slurm_and_again_minutes: Option<f64>,
    /// The first by the third.
    pub first_ratio: Option<f64>,
    /// The second by the third.
    pub second_ratio: Option<f64>,
    /// The median absolute difference of model and first recording.
    pub median_model_and_first_minutes: Option<f64>,
    /// And of the two recordings.
    pub median_slurm_and_again_minutes: Option<f64>,
    /// Who is not played, by why.
    pub not_modelled: BTreeMap<String, usize>,
}

/// The daemon's own check of its model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayFigures {
    /// Starts looked at.
    pub starts: u64,
    /// The share that the model made too.
    pub made: Option<f64>,
    /// Starts that only the model made, by Slurm's.
    pub only_model: Option<f64>,
}

impl StretchFigures {
    /// Those of a stretch, or of several pooled.
    pub fn of(judged: &Judged) -> Self {
        let (twin, ranges) = (TwinFigures::of(judged), RangeFigures::of(&judged.readings));
        let probes = ProbeFigures::of(judged);
        let first = FirstFigures::of(&judged.firsts.iter().collect::<Vec<_>>());
        let waiting = &judged.waiting;
        let per_minute = |calls: u64| calls as f64 / judged.calls.lab_minutes.max(1.0);
        Self {
            name: judged.name.clone(),
            twin_over_slurm_itself: mean(
                &[twin.first_ratio, twin.second_ratio].into_iter().flatten().collect::<Vec<_>>(),
            ),
            first_error_over_squeue: first.ratio,
            before_over_after_submit: ratio(probes.before_minutes, probes.after_minutes),
            range80: ranges.range80.number(),
            narrow_range_held: ranges.narrow.number(),
            no_forecast_share: Share { are: waiting.without_estimate(), of: waiting.waiting }.number(),
            twin,
            replay_check: ReplayFigures::of(judged.replay),
            replayed: ReplayFigures::of(judged.replayed),
            first,
            first_by_partition: by_partition(&judged.firsts, |first| &first.partition, FirstFigures::of),
            readings_where_planned: FirstFigures::of_readings(&judged.readings),
            probes,
            ranges,
            no_forecast: waiting.no_forecast.clone(),
            waiting: waiting.waiting,
            held: waiting.held,
            readings: waiting.readings,
            readings_without_answer: waiting.without_answer,
            started_meanwhile: waiting.started_meanwhile,
            never_started: waiting.never_started,
            limits: judged.limits.clone(),
            calls_per_lab_minute: judged
                .calls
                .by_kind
                .iter()
                .map(|(kind, calls)| ((*kind).to_owned(), per_minute(*calls)))
                .collect(),
        }
    }
}

impl TwinFigures {
    fn of(judged: &Judged) -> Self {
        let twin = &judged.twin;
        let mean_of = |one: &Differences| one.mean_size().map(minutes);
        let [first, second, floor] =
            [&twin.model_and_first, &twin.model_and_second, &twin.slurm_and_again].map(mean_of);
        Self {
            submitted: twin.submitted,
            compared: twin.model_and_first.0.len(),
            model_and_first_minutes: first,
            model_and_second_minutes: second,
            slurm_and_again_minutes: floor,
            first_ratio: ratio(first, floor),
            second_ratio: ratio(second, floor),
            median_model_and_first_minutes: twin.model_and_first.median_size().map(minutes),
            median_slurm_and_again_minutes: twin.slurm_and_again.median_size().map(minutes),
            not_modelled: twin.not_modelled.clone(),
        }
    }
}

impl ReplayFigures {
    fn of(check: ReplayCheck) -> Self {
        let of_starts = |count: u64| ratio(Some(count as f64), Some(check.starts as f64));
        Self { starts: check.starts, made: of_starts(check.explained), only_model: of_starts(check.missing) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{JudgedFirst, JudgedProbe, JudgedReading};
    use super::*;

    #[test]
    fn figures_are_those_of_the_rows_and_of_nothing_there_is_none() {
        let reading = |job: &str, left, told, width, held| JudgedReading {
            job: job.to_owned(),
            read: queuecast_workload::Time(0),
            partition: "batch".to_owned(),
            left_seconds: left,
            told_seconds: told,
            width_seconds: width,
            is_held: [held; 3],
            slurm_error_seconds: None,
            begins_in_the_past: false,
        };
        let first = |ours, slurms| JudgedFirst {
            partition: "gpu".to_owned(),
            error_seconds: ours,
            slurm_error_seconds: slurms,
        };
        let probe = |before_seconds, after_seconds| JudgedProbe {
            user: "user01".to_owned(),
            partition: "gpu".to_owned(),
            before_seconds,
            after_seconds,
        };
        let mut judged = Judged {
            readings: vec![
                reading("1", 600.0, 5_000.0, 300.0, true),
                reading("1", 60.0, 60.0, 300.0, false),
                reading("2", 50_000.0, 600.0, 9_000.0, true),
            ],
            firsts: vec![first(60.0, Some(240.0)), first(6_000.0, None)],
            probes: vec![probe(120.0, 60.0)],
            limits: vec![JudgedLimits { max_risk: 0.1, told_shorter: 20, killed: 3 }],
            ..Judged::default()
        };
        judged.twin.model_and_first = Differences(vec![-60.0, 180.0]);
        judged.twin.model_and_second = Differences(vec![60.0]);
        judged.twin.slurm_and_again = Differences(vec![60.0, -60.0]);
        let figures = StretchFigures::of(&judged);
        assert_eq!((figures.twin_over_slurm_itself, figures.first_error_over_squeue), (Some(1.5), Some(0.25)));
        assert_eq!((figures.before_over_after_submit, figures.narrow_range_held), (Some(2.0), Some(0.5)));
        assert_eq!((figures.no_forecast_share, figures.replay_check.made), (None, None));
        let left: Vec<usize> = figures.ranges.by_time_left.iter().map(|(_, share)| share.of).collect();
        let told: Vec<usize> = figures.ranges.by_time_told.iter().map(|(_, share)| share.of).collect();
        assert_eq!((left, told, figures.ranges.jobs), (vec![2, 0, 0, 0, 1], vec![2, 0, 1, 0, 0], 2));
        let both = Judged::pooled(&[judged.clone(), judged]);
        assert_eq!(both.readings.len(), 6);
        assert_eq!(both.limits, [JudgedLimits { max_risk: 0.1, told_shorter: 40, killed: 6 }]);
    }
}
