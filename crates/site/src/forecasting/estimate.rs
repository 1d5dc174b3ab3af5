//! From what came out of the futures to ranges.

use std::array;

use queuecast_forecast::score::SHARES;
use queuecast_workload::{Seconds, Time};

use queuecast_forecast::estimate::{NoEstimate, SpanRange};

/// The value at each of [`SHARES`] among sorted draws.
pub fn at_shares<T: Copy>(sorted: &[T]) -> [T; SHARES.len()] {
    array::from_fn(|place| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let rank = (SHARES[place] * sorted.len() as f64).ceil() as usize;
        sorted[rank.clamp(1, sorted.len()) - 1]
    })
}

/// When it starts, going by its start in every future; one that does not start before the horizon starts at it.
pub fn start_times(starts: &[Option<Time>], horizon: Time) -> Result<[Time; SHARES.len()], NoEstimate> {
    let late = starts.iter().filter(|start| start.is_none()).count();
    if starts.is_empty() || late * 2 > starts.len() {
        let why = "It starts, if at all, later than is looked ahead.";
        return Err(NoEstimate { code: "beyond_horizon", why: why.to_owned() });
    }
    let mut sorted: Vec<Time> = starts.iter().map(|start| start.unwrap_or(horizon)).collect();
    sorted.sort_unstable();
    Ok(at_shares(&sorted))
}

/// How long it runs.
pub fn spans(draws: impl IntoIterator<Item = Seconds>) -> SpanRange {
    let mut sorted: Vec<Seconds> = draws.into_iter().collect();
    sorted.sort_unstable();
    SpanRange { spans: if sorted.is_empty() { [Seconds::ZERO; SHARES.len()] } else { at_shares(&sorted) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_draws() {
        let sorted: Vec<i64> = (1..=200).collect();
        assert_eq!(at_shares(&sorted), [5, 10, 20, 50, 100, 150, 180, 190, 195]);
        assert_eq!(at_shares(&[7]), [7; 9]);
    }

    #[test]
    fn who_mostly_starts_beyond_the_horizon_has_no_estimate() {
        let none = start_times(&[Some(Time(1)), None, None], Time(9)).expect_err("two of three do not start");
        assert_eq!(none.code, "beyond_horizon");
        let some = start_times(&[Some(Time(1)), Some(Time(2)), None], Time(9)).expect("two of three start");
        assert_eq!((some[4], some[8]), (Time(2), Time(9)));
    }
}
