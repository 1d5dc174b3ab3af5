//! Whether a simple answer has been nearer than ours for a month.
//!
//! For: telling a site so. Forecasts made in the last thirty days whose jobs have started are kept day by day. The day is that of our own clock: a wrong start
//! that the manager tells must not push the others out.
//!
//! Not for: how sure that is. Jobs of one week err alike; a month is what we take for long enough.

use std::collections::BTreeMap;

use queuecast_workload::Time;

use super::few_users::FewUsers;
use super::figures::BetterForAMonth;
use super::tally::Judged;
use crate::durations::{DurationCounts, median_of_all};
use crate::pooled::EXPERTS;

const DAY_SECONDS: i64 = 86_400;
/// So many days are a month.
const DAYS: i64 = 30;
/// The first and the last of them are at least so far apart.
const LEAST_DAYS: i64 = 28;
/// Of fewer forecasts nothing is said.
const LEAST_FORECASTS: u64 = 100;
/// A median is known within 2 %; what is nearer by less is not nearer.
const NEARER: f64 = 0.98;
/// The experts that are plain answers, and the plan behind them.
const SIMPLE: [&str; 5] = ["simulation", "recent", "recent:class", "recent:user", "plan"];

/// The last days.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Month {
    days: BTreeMap<i64, Day>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Day {
    pairs: [Pair; SIMPLE.len()],
}

/// One answer, and ours at the same moments.
#[derive(Clone, Debug, Default, PartialEq)]
struct Pair {
    forecasts: u64,
    users: FewUsers,
    other: DurationCounts,
    ours: DurationCounts,
}

impl Month {
    /// A forecast whose job has started.
    pub fn add(&mut self, judged: &Judged, made: Time) {
        let number = made.0.div_euclid(DAY_SECONDS);
        let newest = self.days.last_key_value().map_or(number, |(newest, _)| number.max(*newest));
        if number <= newest - DAYS {
            return;
        }
        while let Some(oldest) = self.days.first_entry().filter(|oldest| *oldest.key() <= newest - DAYS) {
            oldest.remove();
        }
        let day = self.days.entry(number).or_default();
        for (pair, name) in day.pairs.iter_mut().zip(SIMPLE) {
            let expert = EXPERTS.iter().position(|expert| *expert == name);
            let error = match expert {
                Some(place) => judged.experts.map(|errors| errors[place]),
                None => judged.plan_error(),
            };
            if let Some(error) = error {
                pair.forecasts += 1;
                pair.users.add(judged.user);
                pair.other.add(error as f64);
                pair.ours.add(judged.error as f64);
            }
        }
    }

    /// Who has been nearer.
    pub fn better(&self) -> Vec<BetterForAMonth> {
        let ends = self.days.first_key_value().zip(self.days.last_key_value());
        if ends.is_none_or(|((first, _), (last, _))| last - first + 1 < LEAST_DAYS) {
            return Vec::new();
        }
        let whole = |place: usize| {
            let pairs = || self.days.values().map(move |day| &day.pairs[place]);
            let mut users = FewUsers::default();
            pairs().for_each(|pair| users.add_all(&pair.users));
            BetterForAMonth {
                name: SIMPLE[place],
                forecasts: pairs().map(|pair| pair.forecasts).sum(),
                users: users.count(),
                median_seconds: median_of_all(pairs().map(|pair| &pair.other)),
                our_median_seconds: median_of_all(pairs().map(|pair| &pair.ours)),
            }
        };
        let is_better = |one: &BetterForAMonth| {
            one.forecasts >= LEAST_FORECASTS && one.median_seconds < NEARER * one.our_median_seconds
        };
        (0..SIMPLE.len()).map(whole).filter(is_better).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ScoredForecast;
    use super::*;

    /// A forecast that was off by so much, while the last waits of the user were off by something else.
    fn judged(ours: i64, of_user: i64, day: i64) -> (Judged, Time) {
        let started = Time(day * DAY_SECONDS + 7_200);
        let mut experts = [started; EXPERTS.len()].map(|time| Time(time.0 + 3_000));
        experts[4] = Time(started.0 + of_user);
        let forecast = ScoredForecast {
            partition: String::new(),
            user: format!("user{}", day % 7),
            submitted: Time(started.0 - 600),
            made: Time(started.0 - 600),
            first: true,
            said: [Time(started.0 + ours); 9],
            raw: [started; 9],
            slurm_said: None,
            experts: Some(experts),
            started,
        };
        (Judged::of(&forecast), forecast.made)
    }

    fn month(days: std::ops::Range<i64>, ours: i64, of_user: i64) -> Month {
        let mut month = Month::default();
        for day in days {
            for _ in 0..5 {
                let (judged, made) = judged(ours, of_user, day);
                month.add(&judged, made);
            }
        }
        month
    }

    #[test]
    fn who_is_nearer_for_a_month_is_named_and_nobody_else() {
        let better = month(0..30, 1_000, 500).better();
        let [one] = better.as_slice() else { panic!("{better:?}") };
        assert_eq!((one.name, one.forecasts, one.users), ("recent:user", 150, 5));
        assert!((one.median_seconds - 500.0).abs() < 10.0 && (one.our_median_seconds - 1_000.0).abs() < 20.0);
        assert_eq!(month(0..30, 500, 500).better(), [], "as near is not nearer");
        assert_eq!(month(0..27, 1_000, 500).better(), [], "not a month yet");
    }

    #[test]
    fn what_is_more_than_a_month_ago_does_not_count() {
        let mut month = month(0..30, 1_000, 500);
        for day in 30..60 {
            for _ in 0..5 {
                let (judged, made) = judged(500, 1_000, day);
                month.add(&judged, made);
            }
        }
        assert_eq!(month.better(), []);
        assert_eq!(month.days.len(), 30);
    }
}
