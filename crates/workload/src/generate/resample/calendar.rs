//! Weeks and days of a log.
//!
//! For: moving jobs by whole weeks, so that each keeps its time of day and its day of the week.
//!
//! Not for: dates or zones; whoever reads the header knows at what time of day the log's clock was started. Clocks that
//! are put forward in summer are not followed: a log's seconds have no such jump.

use crate::{Seconds, Time};

const DAY_SECONDS: i64 = 24 * 3_600;
const WEEK_SECONDS: i64 = 7 * DAY_SECONDS;

/// Where days and weeks begin on a log's clock. Weeks begin at the midnight before time zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar {
    /// The time of day at time zero.
    begins_at: Seconds,
}

impl Calendar {
    pub(super) fn new(time_of_day_at_zero: Seconds) -> Self {
        Self { begins_at: Seconds(time_of_day_at_zero.0.rem_euclid(DAY_SECONDS)) }
    }

    /// The week, counted from the one that time zero is in.
    pub(super) fn week(self, time: Time) -> i64 {
        self.since_midnight(time).div_euclid(WEEK_SECONDS)
    }

    /// The day, counted from the one that time zero is in.
    pub(super) fn day(self, time: Time) -> i64 {
        self.since_midnight(time).div_euclid(DAY_SECONDS)
    }

    /// When a week begins.
    pub(super) fn beginning_of(self, week: i64) -> Time {
        Time(week * WEEK_SECONDS) - self.begins_at
    }

    fn since_midnight(self, time: Time) -> i64 {
        (time + self.begins_at).0
    }
}

/// So many weeks.
pub(super) fn whole_weeks(weeks: i64) -> Seconds {
    Seconds(weeks * WEEK_SECONDS)
}

/// The span in weeks.
pub(super) fn in_weeks(span: Seconds) -> f64 {
    span.as_f64() / WEEK_SECONDS as f64
}

/// Which of the seven days a day is; days that are whole weeks apart are the same.
pub(super) fn weekday(day: i64) -> i64 {
    day.rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_weeks_change_at_midnight() {
        let from_two_in_the_afternoon = Calendar::new(Seconds(14 * 3_600));
        let midnight = Time(10 * 3_600);
        assert_eq!(from_two_in_the_afternoon.day(midnight - Seconds(1)), 0);
        assert_eq!(from_two_in_the_afternoon.day(midnight), 1);
        let a_week_on = Time(midnight.0 + 6 * DAY_SECONDS);
        assert_eq!(from_two_in_the_afternoon.week(a_week_on - Seconds(1)), 0);
        assert_eq!(from_two_in_the_afternoon.week(a_week_on), 1);
        assert_eq!(from_two_in_the_afternoon.beginning_of(1), a_week_on);
        assert_eq!(from_two_in_the_afternoon.week(Time(-DAY_SECONDS)), -1);
    }
}
