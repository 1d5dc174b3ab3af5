//! The figures of a stretch, as `figures.json` has them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Judged, JudgedFirst, JudgedProbe, JudgedReading};
use crate::differences::Differences;
use crate::measures::{Share, mean, median, ratio};

/// Classes of the time left until a start: what each is called, and its longest in seconds.
pub const TIMES_LEFT: [(&str, f64); 5] = [
    ("up to 15 min", 900.0),
    ("15 min to 1 h", 3_600.0),
    ("1 to 3 h", 10_800.0),
    ("3 to 12 h", 43_200.0),
    ("more than 12 h", f64::INFINITY),
];
/// A range is narrow if it is narrower than this.
const NARROW_SECONDS: f64 = 900.0;

/// One figure a partition.
pub type ByPartition<T> = BTreeMap<String, T>;

/// The figures of a stretch. What cannot be told is `null`.
#[derive(Clone, Debug, Serialize)]
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
    pub no_estimate_share: Option<f64>,
    /// More on the first.
    pub twin: TwinFigures,
    /// The daemon's own check of its model.
    pub replay_check: ReplayFigures,
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
    pub no_estimate: BTreeMap<String, usize>,
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
    /// Calls to Slurm in a minute of the lab's clock, by what was asked.
    pub calls_per_lab_minute: BTreeMap<&'static str, f64>,
}

/// The model beside Slurm, in minutes.
#[derive(Clone, Debug, Serialize)]
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
    pub not_played: BTreeMap<String, usize>,
}

/// The daemon's own check of its model.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayFigures {
    /// Starts looked at.
    pub starts: u64,
    /// The share that the model made too.
    pub made: Option<f64>,
    /// Starts that only the model made, by Slurm's.
    pub only_model: Option<f64>,
}

/// Errors where Slurm had a plan, in minutes, and ours at all.
#[derive(Clone, Debug, Serialize)]
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
#[derive(Clone, Debug, Serialize)]
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

/// Ranges that held.
#[derive(Clone, Debug, Serialize)]
pub struct RangeFigures {
    /// Jobs they were of.
    pub jobs: usize,
    /// 50 % ranges.
    pub range50: Share,
    /// 80 % ranges.
    pub range80: Share,
    /// 95 % ranges.
    pub range95: Share,
    /// 80 % ranges by the time that was left.
    pub by_time_left: Vec<(&'static str, Share)>,
    /// The same by the time that was told to be left.
    pub by_time_told: Vec<(&'static str, Share)>,
    /// The same by partition.
    pub by_partition: ByPartition<Share>,
    /// Those narrower than 15 minutes.
    pub narrow: Share,
    /// Ranges that begin before the reading.
    pub begin_in_the_past: usize,
    /// The median width, in minutes.
    pub median_width_minutes: Option<f64>,
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
            no_estimate_share: Share { are: waiting.without_estimate(), of: waiting.waiting }.number(),
            twin,
            replay_check: ReplayFigures::of(judged),
            first,
            first_by_partition: by_partition(&judged.firsts, |first| &first.partition, FirstFigures::of),
            readings_where_planned: FirstFigures::of_readings(&judged.readings),
            probes,
            ranges,
            no_estimate: waiting.no_estimate.clone(),
            waiting: waiting.waiting,
            held: waiting.held,
            readings: waiting.readings,
            readings_without_answer: waiting.without_answer,
            started_meanwhile: waiting.started_meanwhile,
            never_started: waiting.never_started,
            calls_per_lab_minute: judged
                .calls
                .by_kind
                .iter()
                .map(|(kind, calls)| (*kind, per_minute(*calls)))
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
            not_played: twin.not_played.clone(),
        }
    }
}

impl ReplayFigures {
    fn of(judged: &Judged) -> Self {
        let check = judged.replay;
        let of_starts = |count: u64| ratio(Some(count as f64), Some(check.starts as f64));
        Self { starts: check.starts, made: of_starts(check.explained), only_model: of_starts(check.missing) }
    }
}

impl FirstFigures {
    fn of(firsts: &[&JudgedFirst]) -> Self {
        Self::of_errors(firsts.iter().map(|first| (first.error_seconds, first.slurm_error_seconds)))
    }

    fn of_readings(readings: &[JudgedReading]) -> Self {
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
    fn of(judged: &Judged) -> Self {
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

impl RangeFigures {
    fn of(readings: &[JudgedReading]) -> Self {
        let held = |range: usize| Share::of(readings.iter().map(|reading| reading.is_held[range]));
        let classes = |seconds: &dyn Fn(&JudgedReading) -> f64| -> Vec<(&'static str, Share)> {
            let place = |reading: &JudgedReading| TIMES_LEFT.iter().position(|(_, most)| seconds(reading) <= *most);
            let of = |class| readings.iter().filter(move |reading| place(reading) == Some(class));
            let share = |class| Share::of(of(class).map(|reading| reading.is_held[1]));
            TIMES_LEFT.iter().enumerate().map(|(class, (name, _))| (*name, share(class))).collect()
        };
        let narrow = readings.iter().filter(|reading| reading.width_seconds < NARROW_SECONDS);
        Self {
            jobs: readings.iter().map(|reading| &reading.job).collect::<BTreeSet<_>>().len(),
            range50: held(0),
            range80: held(1),
            range95: held(2),
            by_time_left: classes(&|reading| reading.left_seconds),
            by_time_told: classes(&|reading| reading.told_seconds),
            by_partition: by_partition(
                readings,
                |reading| &reading.partition,
                |of| Share::of(of.iter().map(|reading| reading.is_held[1])),
            ),
            narrow: Share::of(narrow.map(|reading| reading.is_held[1])),
            begin_in_the_past: readings.iter().filter(|reading| reading.begins_in_the_past).count(),
            median_width_minutes: median(readings.iter().map(|reading| minutes(reading.width_seconds)).collect()),
        }
    }
}

fn by_partition<T, F>(all: &[T], partition: impl Fn(&T) -> &String, figure: impl Fn(&[&T]) -> F) -> ByPartition<F> {
    let mut groups: BTreeMap<&String, Vec<&T>> = BTreeMap::new();
    for one in all {
        groups.entry(partition(one)).or_default().push(one);
    }
    groups.into_iter().map(|(name, group)| (name.clone(), figure(&group))).collect()
}

fn minutes(seconds: f64) -> f64 {
    seconds / 60.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_rows_and_of_nothing_there_is_none() {
        let reading = |job: &str, left, told, width, held| JudgedReading {
            job: job.to_owned(),
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
            ..Judged::default()
        };
        judged.twin.model_and_first = Differences(vec![-60.0, 180.0]);
        judged.twin.model_and_second = Differences(vec![60.0]);
        judged.twin.slurm_and_again = Differences(vec![60.0, -60.0]);
        let figures = StretchFigures::of(&judged);
        assert_eq!((figures.twin_over_slurm_itself, figures.first_error_over_squeue), (Some(1.5), Some(0.25)));
        assert_eq!((figures.before_over_after_submit, figures.narrow_range_held), (Some(2.0), Some(0.5)));
        assert_eq!((figures.no_estimate_share, figures.replay_check.made), (None, None));
        let left: Vec<usize> = figures.ranges.by_time_left.iter().map(|(_, share)| share.of).collect();
        let told: Vec<usize> = figures.ranges.by_time_told.iter().map(|(_, share)| share.of).collect();
        assert_eq!((left, told, figures.ranges.jobs), (vec![2, 0, 0, 0, 1], vec![2, 0, 1, 0, 0], 2));
        assert_eq!(Judged::pooled(&[judged.clone(), judged]).readings.len(), 6);
    }
}
