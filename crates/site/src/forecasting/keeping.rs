//! Which forecasts are kept to be scored.

use queuecast_workload::{Seconds, Time};

/// The least time between two forecasts of a job that are kept.
const LEAST_APART: Seconds = Seconds(600);

/// Whether a forecast made now is kept. The first is; a later one once ten minutes and a quarter of the wait up to the one kept
/// last have passed, so that a job of any wait has few, and more of them early on.
pub fn should_keep(submitted: Time, last_kept: Option<Time>, now: Time) -> bool {
    last_kept.is_none_or(|last| {
        let quarter = Seconds((last - submitted).0 / 4);
        now >= last + LEAST_APART.max(quarter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_kept_and_later_ones_ever_less_often() {
        let day = 86_400;
        assert!(should_keep(Time(0), None, Time(0)));
        assert!(!should_keep(Time(0), Some(Time(0)), Time(599)));
        assert!(should_keep(Time(0), Some(Time(0)), Time(600)));
        assert!(!should_keep(Time(0), Some(Time(4 * day)), Time(5 * day - 1)));
        assert!(should_keep(Time(0), Some(Time(4 * day)), Time(5 * day)));
        // A submission after the forecast, by a clock that was put back, is no reason to keep everything.
        assert!(!should_keep(Time(10 * day), Some(Time(0)), Time(599)));
    }
}
