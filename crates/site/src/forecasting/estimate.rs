//! From what came out of the futures to ranges.

use std::array;

use queuecast_forecast::score::SHARES;
use queuecast_workload::{Seconds, Time};

use queuecast_forecast::estimate::{Estimate, NoForecast, SpanRange, TimeRange};

/// The value at each of [`SHARES`] among sorted draws.
pub fn at_shares<T: Copy>(sorted: &[T]) -> [T; SHARES.len()] {
    array::from_fn(|place| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let rank = (SHARES[place] * sorted.len() as f64).ceil() as usize;
        sorted[rank.clamp(1, sorted.len()) - 1]
    })
}

/// When it starts, going by its start in every future; one that does not start before the horizon starts at it.
pub fn start_times(starts: &[Option<Time>], horizon: Time) -> Result<[Time; SHARES.len()], NoForecast> {
    let late = starts.iter().filter(|start| start.is_none()).count();
    if starts.is_empty() || late * 2 > starts.len() {
        let why = "The job starts beyond the forecast horizon, if at all.";
        return Err(NoForecast { code: "beyond_horizon", why: why.to_owned() });
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

/// Nothing is said before it can be: neither a start before now or before the job may begin, nor an end sooner after that than its
/// shortest run. A correction learnt from other jobs knows of no begin.
pub fn not_before(estimate: &mut Estimate, from: Time) {
    let shortest = estimate.run.spans[0].max(Seconds::ZERO);
    let raised = |times: &mut TimeRange, least: Time| {
        for time in &mut times.times {
            *time = (*time).max(least);
        }
    };
    raised(&mut estimate.start, from);
    raised(&mut estimate.completion, from + shortest);
    if let Some(last) = &mut estimate.last_task {
        raised(&mut last.start, from);
        raised(&mut last.completion, from + shortest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_forecast::estimate::LastTask;

    #[test]
    fn no_range_begins_before_the_job_may_and_the_middle_stays_within() {
        let times = |first: i64| TimeRange { times: array::from_fn(|place| Time(first + 100 * place as i64)) };
        let mut estimate = Estimate {
            start: times(1_000),
            run: SpanRange { spans: [Seconds(60); SHARES.len()] },
            completion: times(1_050),
            last_task: Some(Box::new(LastTask { start: times(900), completion: times(1_000) })),
        };
        not_before(&mut estimate, Time(1_600));
        let (start, end) = (estimate.start.times, estimate.completion.times);
        assert_eq!((start[0], start[4], start[8]), (Time(1_600), Time(1_600), Time(1_800)));
        assert_eq!((end[0], end[8]), (Time(1_660), Time(1_850)));
        assert!(start.is_sorted() && end.is_sorted() && start[2] <= start[4] && start[4] <= start[6]);
        let last = estimate.last_task.expect("it is kept");
        assert_eq!((last.start.times[0], last.completion.times[0]), (Time(1_600), Time(1_660)));
    }

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
