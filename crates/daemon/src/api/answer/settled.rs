//! A forecast's ranges as answers show them: the median, and between which ends it lies with 50, 80 and 95 %.
//!
//! For: bringing what was published in order at the last moment: never before now, never decreasing, an end never before
//! its start, a run never shorter than it has lasted.
//!
//! Not for: making forecasts; a forecast that had to be brought in order much is a mistake elsewhere.

use queuecast_forecast::estimate::Estimate;
use queuecast_forecast::score::SHARES;
use queuecast_workload::{Seconds, Time};

use queuecast_api::forecast::LastTaskResponse;
use queuecast_api::ranges::{SpanRangeResponse, SpansResponse, TimeRangeResponse, TimesResponse};

/// Where in `SHARES` the ends of the ranges and the median are.
const RANGE95: (usize, usize) = (0, 8);
const RANGE80: (usize, usize) = (2, 6);
const RANGE50: (usize, usize) = (3, 5);
const MEDIAN: usize = 4;

/// An estimate brought in order: start, run and completion, each at [`SHARES`].
pub(crate) struct Settled {
    start: [Time; SHARES.len()],
    run: [Seconds; SHARES.len()],
    completion: [Time; SHARES.len()],
    last_task: Option<([Time; SHARES.len()], [Time; SHARES.len()])>,
    now: Time,
}

impl Settled {
    /// Of a job that waits or, if it has, started then.
    pub fn new(estimate: &Estimate, started: Option<Time>, now: Time) -> Self {
        let start = match started {
            Some(started) => [started; SHARES.len()],
            None => never_decreasing(estimate.start.times, now),
        };
        let lasted = started.map_or(Seconds::ZERO, |started| (now - started).max(Seconds::ZERO));
        let run = never_decreasing(estimate.run.spans, lasted);
        let mut completion = never_decreasing(estimate.completion.times, now);
        for (end, start) in completion.iter_mut().zip(start) {
            *end = (*end).max(start);
        }
        // The last task starts no sooner than the first, and ends no sooner.
        let last_task = estimate.last_task.as_ref().filter(|_| started.is_none()).map(|last| {
            let later = |times: [Time; SHARES.len()], first: [Time; SHARES.len()]| {
                let mut times = never_decreasing(times, now);
                times.iter_mut().zip(first).for_each(|(time, first)| *time = (*time).max(first));
                times
            };
            (later(last.start.times, start), later(last.completion.times, completion))
        });
        Self { start, run, completion, last_task, now }
    }

    pub fn last_task(&self) -> Option<LastTaskResponse> {
        let (start, completion) = self.last_task?;
        Some(LastTaskResponse { start: times(start, self.now), completion: times(completion, self.now) })
    }

    /// The latest start there is a word for.
    pub fn latest_start(&self) -> Time {
        self.start[RANGE95.1]
    }

    pub fn start(&self) -> TimesResponse {
        times(self.start, self.now)
    }

    pub fn run(&self) -> SpansResponse {
        let range = |(from, to): (usize, usize)| SpanRangeResponse {
            from_seconds: self.run[from].0,
            to_seconds: self.run[to].0,
        };
        SpansResponse {
            median_seconds: self.run[MEDIAN].0,
            range50: range(RANGE50),
            range80: range(RANGE80),
            range95: range(RANGE95),
        }
    }

    pub fn completion(&self) -> TimesResponse {
        times(self.completion, self.now)
    }
}

fn times(times: [Time; SHARES.len()], now: Time) -> TimesResponse {
    let range = |(from, to): (usize, usize)| TimeRangeResponse { from: times[from].into(), to: times[to].into() };
    TimesResponse {
        median: times[MEDIAN].into(),
        seconds_from_now: times[MEDIAN].0.saturating_sub(now.0),
        range50: range(RANGE50),
        range80: range(RANGE80),
        range95: range(RANGE95),
    }
}

fn never_decreasing<T: Ord + Copy>(mut values: [T; SHARES.len()], least: T) -> [T; SHARES.len()] {
    let mut highest = least;
    for value in &mut values {
        highest = highest.max(*value);
        *value = highest;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use queuecast_forecast::estimate::{SpanRange, TimeRange};

    #[test]
    fn the_ends_of_the_ranges_are_where_the_shares_say() {
        for ((from, to), share) in [(RANGE50, 0.5), (RANGE80, 0.8), (RANGE95, 0.95)] {
            assert!((SHARES[to] - SHARES[from] - share).abs() < 1e-9, "{share}");
            assert!((SHARES[to] + SHARES[from] - 1.0).abs() < 1e-9, "{share} is central");
        }
        assert!((SHARES[MEDIAN] - 0.5).abs() < 1e-9);
    }

    fn nine() -> impl Strategy<Value = [i64; SHARES.len()]> {
        proptest::array::uniform9(-1_000_000_i64..1_000_000)
    }

    proptest! {
        #[test]
        fn whatever_was_published_an_answer_is_in_order(
            (start, run, completion) in (nine(), nine(), nine()),
            now in -1_000_000_i64..1_000_000,
            started in proptest::option::of(-1_000_000_i64..1_000_000),
        ) {
            let estimate = Estimate {
                start: TimeRange { times: start.map(Time) },
                run: SpanRange { spans: run.map(Seconds) },
                completion: TimeRange { times: completion.map(Time) },
                last_task: None,
            };
            let settled = Settled::new(&estimate, started.map(Time), Time(now));
            for place in 0..SHARES.len() {
                prop_assert!(settled.run[place].0 >= 0);
                prop_assert!(settled.completion[place].0 >= now);
                prop_assert!(settled.completion[place] >= settled.start[place]);
                match started {
                    Some(started) => {
                        prop_assert_eq!(settled.start[place], Time(started));
                        prop_assert!(settled.run[place].0 >= now - started);
                    }
                    None => prop_assert!(settled.start[place].0 >= now),
                }
                if place > 0 {
                    prop_assert!(settled.start[place] >= settled.start[place - 1]);
                    prop_assert!(settled.run[place] >= settled.run[place - 1]);
                    prop_assert!(settled.completion[place] >= settled.completion[place - 1]);
                }
            }
        }
    }
}
