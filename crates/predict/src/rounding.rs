//! From a real number of seconds to a prediction in whole ones.
//!
//! For: models whose formula leaves the whole numbers (regressions, exponentials).
//!
//! Not for: means that the golden schedules round down ([`crate::Statistic`]); the user's limit, which
//! [`crate::FromHistory`] applies.

use queuecast_workload::Seconds;

/// The nearest whole second, but at least one and at most [`Seconds::MAX`], which is also what becomes of an infinity;
/// what is not a number becomes one second.
pub fn nearest_second(seconds: f64) -> Seconds {
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and what it saturates to is clamped")]
    let whole = seconds.round() as i64;
    Seconds(whole.clamp(1, Seconds::MAX.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_becomes_a_span_the_core_computes_with() {
        assert_eq!([0.4, 1.5, 2.4].map(nearest_second), [Seconds(1), Seconds(2), Seconds(2)]);
        assert_eq!([-7.0, f64::NEG_INFINITY, f64::NAN].map(nearest_second), [Seconds(1); 3]);
        assert_eq!([1e13, f64::INFINITY].map(nearest_second), [Seconds::MAX; 2]);
    }
}
