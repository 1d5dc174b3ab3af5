//! What is asked of the figures of a stretch.
//!
//! Source: what the experiment was asked to show when it was planned.

use crate::judged::StretchFigures;
use crate::measures::Share;

/// What is asked of one figure.
#[derive(Debug)]
pub struct Target {
    /// Which figure.
    pub figure: &'static str,
    /// What is asked, in words.
    pub asked: &'static str,
    /// The figure of a stretch.
    pub value: fn(&StretchFigures) -> Option<f64>,
    /// Whether it is told in hundredths.
    pub is_percent: bool,
    /// Whether that is enough.
    pub is_reached: fn(f64) -> bool,
}

/// Each of them.
pub const TARGETS: [Target; 12] = [
    Target {
        figure: "twin: mean difference to Slurm, by Slurm's to itself",
        asked: "at most 1.5",
        value: |figures| figures.twin_over_slurm_itself,
        is_percent: false,
        is_reached: |value| value <= 1.5,
    },
    Target {
        figure: "replay check: Slurm's starts that the model made",
        asked: "at least 97 %",
        value: |figures| figures.replay_check.made,
        is_percent: true,
        is_reached: |value| value >= 0.97,
    },
    Target {
        figure: "replay check: starts that only the model made",
        asked: "at most 3 %",
        value: |figures| figures.replay_check.only_model,
        is_percent: true,
        is_reached: |value| value <= 0.03,
    },
    Target {
        figure: "the model put back to the truth every ten minutes: Slurm's starts that it made",
        asked: "at least 97 %",
        value: |figures| figures.replayed.made,
        is_percent: true,
        is_reached: |value| value >= 0.97,
    },
    Target {
        figure: "the same: starts that only the model made",
        asked: "at most 3 %",
        value: |figures| figures.replayed.only_model,
        is_percent: true,
        is_reached: |value| value <= 0.03,
    },
    Target {
        figure: "first forecasts: median error by `squeue --start`'s",
        asked: "at most 0.5",
        value: |figures| figures.first_error_over_squeue,
        is_percent: false,
        is_reached: |value| value <= 0.5,
    },
    Target {
        figure: "the same in the worst partition",
        asked: "at most 1",
        value: |figures| largest(figures.first_by_partition.values().filter_map(|figures| figures.ratio)),
        is_percent: false,
        is_reached: |value| value <= 1.0,
    },
    Target {
        figure: "median error just before submission by that right after",
        asked: "at most 1.1",
        value: |figures| figures.before_over_after_submit,
        is_percent: false,
        is_reached: |value| value <= 1.1,
    },
    Target {
        figure: "80 % ranges that held",
        asked: "75 to 85 %",
        value: |figures| figures.range80,
        is_percent: true,
        is_reached: |value| (0.75..=0.85).contains(&value),
    },
    Target {
        figure: "farthest from 80 % among times left and partitions, points",
        asked: "at most 10 %",
        value: |figures| {
            let times = figures.ranges.by_time_left.iter().map(|(_, share)| *share);
            let shares = times.chain(figures.ranges.by_partition.values().copied());
            largest(shares.filter_map(Share::number).map(|share| (share - 0.8).abs()))
        },
        is_percent: true,
        is_reached: |value| value <= 0.10,
    },
    Target {
        figure: "ranges narrower than 15 min that held",
        asked: "at least 75 %",
        value: |figures| figures.narrow_range_held,
        is_percent: true,
        is_reached: |value| value >= 0.75,
    },
    Target {
        figure: "waiting jobs without an estimate, held ones aside",
        asked: "at most 2 %",
        value: |figures| figures.no_forecast_share,
        is_percent: true,
        is_reached: |value| value <= 0.02,
    },
];

fn largest(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.max_by(f64::total_cmp)
}
