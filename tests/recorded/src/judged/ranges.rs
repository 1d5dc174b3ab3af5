//! Ranges that held, by the time left and by partition.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::JudgedReading;
use super::grouped::{ByPartition, by_partition, minutes};
use crate::measures::{Share, median};

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

/// Ranges that held.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    pub by_time_left: Vec<(String, Share)>,
    /// The same by the time that was told to be left.
    pub by_time_told: Vec<(String, Share)>,
    /// The same by partition.
    pub by_partition: ByPartition<Share>,
    /// Those narrower than 15 minutes.
    pub narrow: Share,
    /// Ranges that begin before the reading.
    pub begin_in_the_past: usize,
    /// The median width, in minutes.
    pub median_width_minutes: Option<f64>,
}

impl RangeFigures {
    /// Of these.
    pub fn of(readings: &[JudgedReading]) -> Self {
        let held = |range: usize| Share::of(readings.iter().map(|reading| reading.is_held[range]));
        let classes = |seconds: &dyn Fn(&JudgedReading) -> f64| -> Vec<(String, Share)> {
            let place = |reading: &JudgedReading| TIMES_LEFT.iter().position(|(_, most)| seconds(reading) <= *most);
            let of = |class| readings.iter().filter(move |reading| place(reading) == Some(class));
            let share = |class| Share::of(of(class).map(|reading| reading.is_held[1]));
            TIMES_LEFT.iter().enumerate().map(|(class, (name, _))| ((*name).to_owned(), share(class))).collect()
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
