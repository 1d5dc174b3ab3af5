//! The fan of possible starts: three bars on one axis of time, with now, the median and Slurm's plan marked.
//!
//! For: seeing at a glance how far apart the ends of the ranges are, and on which side of them Slurm's plan lies.
//!
//! Not for: densities; a bar says between which ends, not where in it.

use queuecast_api::ranges::TimesResponse;
use queuecast_api::time::Moment;

use crate::ask::wall::Wall;
use crate::queue::layout::{fitted, width};

/// A plan further away than so many times the fan would make the fan a dot: it is marked at the edge.
const FARTHEST_PLAN: i64 = 4;
/// An axis shorter than this says nothing.
const NARROWEST_AXIS: usize = 10;

/// A longer one says no more.
const WIDEST_AXIS: usize = 100;

/// The lines: marks, bars for 95, 80 and 50 %, times, and what the marks mean.
pub fn lines(
    times: &TimesResponse,
    now: &Moment,
    plan: Option<&Moment>,
    wall: &Wall<'_>,
    columns: usize,
) -> Vec<String> {
    let ranges = [("95 %", '-', &times.range95), ("80 %", '=', &times.range80), ("50 %", '#', &times.range50)];
    let told = ranges.map(|(share, _, range)| format!("{share} {}", wall.brief_range(range)));
    let widest = told.iter().map(|text| width(text)).max().unwrap_or(0);
    let label = if widest + 2 + 3 * NARROWEST_AXIS <= columns { widest } else { 4 };
    let room = columns.saturating_sub(label + 2).min(WIDEST_AXIS);
    if room < NARROWEST_AXIS {
        return told.to_vec();
    }
    let axis = Axis::new(times, now.unix, plan.map(|plan| plan.unix), room);
    let beside = |text: &str, cells: &[char]| {
        format!("{}  {}", fitted(text, label, false), cells.iter().collect::<String>()).trim_end().to_owned()
    };
    let mut marks = vec![' '; room];
    if let Some(plan) = plan {
        marks[axis.place(plan.unix)] = if axis.holds(plan.unix) { 'S' } else { '>' };
    }
    marks[axis.place(now.unix)] = 'N';
    marks[axis.place(times.median.unix)] = 'M';
    let mut lines = vec![beside("", &marks)];
    for ((_, sign, range), told) in ranges.into_iter().zip(&told) {
        let mut cells = vec![' '; room];
        cells[axis.place(range.from.unix)..=axis.place(range.to.unix)].fill(sign);
        lines.push(beside(told.split_at(if label == 4 { 4 } else { told.len() }).0, &cells));
    }
    lines.push(beside("", &axis.times(wall)));
    let slurm = plan.map(|plan| {
        let edge = if axis.holds(plan.unix) { "S" } else { "> beyond the edge:" };
        format!("  {edge} Slurm's estimate {}", wall.brief(plan))
    });
    lines.push(format!(
        "N now {}  M median {}{}",
        wall.brief(now),
        wall.brief(&times.median),
        slurm.unwrap_or_default()
    ));
    lines
}

/// Time from left to right.
struct Axis {
    from: i64,
    to: i64,
    room: usize,
}

impl Axis {
    fn new(times: &TimesResponse, now: i64, plan: Option<i64>, room: usize) -> Self {
        let from = times.range95.from.unix.min(now);
        let fan_ends = times.range95.to.unix.max(now).max(from.saturating_add(60));
        let farthest = from.saturating_add(fan_ends.saturating_sub(from).saturating_mul(FARTHEST_PLAN));
        let plan = plan.filter(|plan| (from..=farthest).contains(plan));
        Self { from, to: plan.map_or(fan_ends, |plan| plan.max(fan_ends)), room }
    }

    fn holds(&self, unix: i64) -> bool {
        (self.from..=self.to).contains(&unix)
    }

    /// The cell of a time; what lies beyond is at the edge.
    fn place(&self, unix: i64) -> usize {
        let passed = i128::from(unix.clamp(self.from, self.to)) - i128::from(self.from);
        let whole = (i128::from(self.to) - i128::from(self.from)).max(1);
        usize::try_from(passed * (self.room as i128 - 1) / whole).unwrap_or(0)
    }

    /// The times at both ends and, if there is room, between them.
    fn times(&self, wall: &Wall<'_>) -> Vec<char> {
        let mut cells = vec![' '; self.room];
        let middle = self.from + (self.to - self.from) / 2;
        for (unix, is_edge) in [(self.from, true), (self.to, true), (middle, false)] {
            let text: Vec<char> = wall.brief(&queuecast_workload::Time(unix).into()).chars().collect();
            let place = self.place(unix);
            let begin = if is_edge {
                place.min(self.room.saturating_sub(text.len()))
            } else {
                place - place.min(text.len() / 2)
            };
            let end = (begin + text.len()).min(self.room);
            let is_free = cells[begin.saturating_sub(1)..(end + 1).min(self.room)].iter().all(|cell| *cell == ' ');
            if is_free {
                cells[begin..end].copy_from_slice(&text[..end - begin]);
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::zone::Zone;
    use crate::queue::sample;
    use proptest::prelude::*;

    fn fan(start_in_seconds: i64, plan_in_seconds: Option<i64>, columns: usize) -> Vec<String> {
        let job = sample::starting_in(7, start_in_seconds);
        let zone = Zone::UTC;
        let wall = Wall::new(&zone, &job.now);
        let plan = plan_in_seconds.map(|seconds| queuecast_workload::Time(sample::NOW.saturating_add(seconds)).into());
        lines(&job.start.expect("an estimate"), &job.now, plan.as_ref(), &wall, columns)
    }

    #[test]
    fn ranges_hold_each_other_and_the_plan_is_marked() {
        assert_eq!(
            fan(2_100, Some(4_800), 60).join("\n"),
            "                   N                M                      S\n\
             95 % 12:35..13:15         ---------------------\n\
             80 % 12:45..13:05              ===========\n\
             50 % 12:50..13:00                 ######\n\
             \x20                  12:20             13:00             13:40\n\
             N now 12:20  M median 12:55  S Slurm's estimate 13:40"
        );
    }

    #[test]
    fn a_plan_far_away_does_not_make_the_fan_a_dot() {
        let far = fan(2_100, Some(86_400 * 3), 60).join("\n");
        assert!(far.contains('>') && far.contains("> beyond the edge: Slurm's estimate 11-18 12:20"), "{far}");
        assert!(far.contains("----------"), "{far}");
        assert!(!fan(2_100, None, 60).join("\n").contains("Slurm"), "without a plan there is nothing to mark");
    }

    proptest! {
        #[test]
        fn no_time_and_no_width_breaks_it(
            start in 0_i64..1_000_000_000,
            plan in proptest::option::of(any::<i64>()),
            columns in 0_usize..300,
        ) {
            let lines = fan(start, plan, columns);
            prop_assert!(lines.len() == 3 || lines.len() == 6);
        }
    }
}
