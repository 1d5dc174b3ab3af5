//! Ours beside each expert by itself: how far off, and the whole distribution's distance.
//!
//! For: what the pool is worth over its parts, of jobs that have just come and of those that have waited, week by week, so that whoever shows it can say how
//! sure it is; and the forecasts that were worst.

use std::collections::BTreeMap;

use queuecast_forecast::DurationCounts;
use queuecast_forecast::pooled::EXPERTS;
use queuecast_forecast::score::{MEDIAN, SHARES};
use queuecast_workload::{Seconds, Time};

use super::past_job::PastJob;
use super::replay::MadeForecast;
use crate::forecasting::Raw;

const WEEK_SECONDS: i64 = 7 * 86_400;
/// Ours, the pool before its ranges are stretched, and the experts.
pub const ANSWERS: usize = EXPERTS.len() + 2;
/// So many of the worst are kept.
const WORST: usize = 10;
/// Where the ends of the 80 % range are in [`SHARES`].
const LOW80: usize = 2;
const HIGH80: usize = 6;

/// How wide a part of all shares each of [`SHARES`] stands for: up to half-way to its neighbours.
fn width(place: usize) -> f64 {
    let border = |below: Option<f64>, above: Option<f64>| match (below, above) {
        (Some(below), Some(above)) => f64::midpoint(below, above),
        (None, _) => 0.0,
        (_, None) => 1.0,
    };
    let at = |place: usize| SHARES.get(place).copied();
    border(at(place), at(place + 1)) - border(place.checked_sub(1).and_then(at), at(place))
}

/// The distance of a distribution from what came, in seconds: the continuous ranked probability score from its quantiles at [`SHARES`], which is twice the
/// mean pinball loss over all shares.
///
/// Source: Gneiting and Raftery, Strictly proper scoring rules, prediction, and estimation, 2007.
pub fn distance_seconds(said: &Raw, made: Time, started: Time) -> f64 {
    let loss = |place: usize| {
        let late = (started - said[place].max(made)).as_f64();
        2.0 * width(place) * if late >= 0.0 { SHARES[place] * late } else { (SHARES[place] - 1.0) * late }
    };
    (0..SHARES.len()).map(loss).sum()
}

/// Forecasts of one kind, ours and the experts'.
#[derive(Clone, Debug, Default)]
pub struct Contest {
    /// How many.
    pub forecasts: u64,
    /// How far off the middle was.
    pub errors: [DurationCounts; ANSWERS],
    /// How often the 80 % range held.
    pub held: [u64; ANSWERS],
    /// Sums of distances by week of when the forecast was made.
    pub weeks: BTreeMap<i64, [f64; ANSWERS]>,
}

impl Contest {
    fn add(&mut self, forecast: &MadeForecast, started: Time) {
        let made = forecast.made;
        let week = self.weeks.entry(made.0.div_euclid(WEEK_SECONDS)).or_default();
        let answers = [&forecast.said, &forecast.raw].into_iter().chain(&forecast.experts);
        for (((said, sum), errors), held) in answers.zip(week).zip(&mut self.errors).zip(&mut self.held) {
            *held += u64::from(said[LOW80].max(made) <= started && started <= said[HIGH80].max(made));
            *sum += distance_seconds(said, made, started);
            errors.add((said[MEDIAN].max(made) - started).as_f64().abs());
        }
        self.forecasts += 1;
    }

    /// The mean distance of each.
    pub fn mean_distances(&self) -> [f64; ANSWERS] {
        let sum = |place: usize| self.weeks.values().map(|week| week[place]).sum::<f64>();
        std::array::from_fn(|place| sum(place) / self.forecasts.max(1) as f64)
    }
}

/// A forecast that was far off.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// The job's number.
    pub job: i64,
    /// Its partition.
    pub partition: String,
    /// When the forecast was made.
    pub made: Time,
    /// How much longer it was said to wait: the ends of the 80 % range and the middle.
    pub said: [Seconds; 3],
    /// How much longer it waited.
    pub came: Seconds,
    /// The expert that was nearest, and what it said.
    pub nearest: (&'static str, Seconds),
}

impl Worst {
    fn error(&self) -> i64 {
        (self.said[1].0 - self.came.0).abs()
    }
}

/// Ours beside the experts.
#[derive(Clone, Debug, Default)]
pub struct Contests {
    /// Of jobs that had just come.
    pub first: Contest,
    /// Of jobs that had waited.
    pub later: Contest,
    worst: Vec<Worst>,
}

impl Contests {
    /// A job of a partition started of which this was said.
    pub fn add(&mut self, job: &PastJob, partition: &str, forecast: &MadeForecast) {
        let contest = if forecast.first { &mut self.first } else { &mut self.later };
        contest.add(forecast, job.started());
        if forecast.first {
            self.keep_if_worst(job, partition, forecast);
        }
    }

    fn keep_if_worst(&mut self, job: &PastJob, partition: &str, forecast: &MadeForecast) {
        let left = |time: Time| time.max(forecast.made) - forecast.made;
        let came = left(job.started());
        let experts = EXPERTS.into_iter().zip(forecast.experts.map(|said| left(said[MEDIAN])));
        let Some(nearest) = experts.min_by_key(|(_, said)| (said.0 - came.0).abs()) else { return };
        let said = [LOW80, MEDIAN, HIGH80].map(|place| left(forecast.said[place]));
        let one = Worst { job: job.number, partition: partition.to_owned(), made: forecast.made, said, came, nearest };
        let place = self.worst.partition_point(|other| other.error() >= one.error());
        if place < WORST {
            self.worst.insert(place, one);
            self.worst.truncate(WORST);
        }
    }

    /// The first forecasts that were furthest off, from the worst.
    pub fn worst(&self) -> &[Worst] {
        &self.worst
    }
}

#[cfg(test)]
mod tests {
    use queuecast_forecast::WaitDistribution;

    use super::super::test_jobs::job;
    use super::*;

    fn made(said: i64, experts: [i64; EXPERTS.len()], first: bool) -> MadeForecast {
        MadeForecast {
            made: Time(0),
            first,
            raw: [Time(said + 50); SHARES.len()],
            said: [Time(said); SHARES.len()],
            plan: None,
            last_waits: None,
            experts: experts.map(|said| [Time(said); SHARES.len()]),
        }
    }

    #[test]
    fn the_widths_are_of_all_shares() {
        assert!(((0..SHARES.len()).map(width).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((width(4) - 0.25).abs() < 1e-12 && (width(0) - 0.0375).abs() < 1e-12);
    }

    /// A certain answer's distance is its error, and of a wide one it is near that of the whole distribution.
    #[test]
    fn the_distance_is_that_of_the_distribution_as_far_as_it_is_kept() {
        for (said, started) in [(500, 2_000), (2_000, 500), (700, 700)] {
            let distance = distance_seconds(&[Time(said); SHARES.len()], Time(0), Time(started));
            assert!((distance - (said - started).abs() as f64).abs() < 1e-9, "{distance}");
        }
        let waits: Vec<f64> = (0..1_000).map(f64::from).collect();
        let whole = WaitDistribution::of(waits);
        #[expect(clippy::cast_possible_truncation, reason = "seconds")]
        let said = SHARES.map(|share| Time(whole.quantile(share) as i64));
        for came in [0, 400, 990, 3_000] {
            let (kept, exact) = (distance_seconds(&said, Time(0), Time(came)), whole.crps(came as f64));
            assert!((kept / exact - 1.0).abs() < 0.05, "{kept} for {exact}");
        }
    }

    #[test]
    fn ours_and_every_expert_are_judged_at_the_same_moments() {
        let mut contests = Contests::default();
        let experts = [0, 60, 100, 160, 200, 1_100];
        contests.add(&job(0, 100, 10), "batch", &made(300, experts, true));
        contests.add(&job(0, 100, 10), "batch", &made(150, experts, false));
        let Contest { forecasts, .. } = contests.first;
        assert_eq!((forecasts, contests.later.forecasts), (1, 1));
        assert_eq!(contests.first.held, [0, 0, 0, 0, 1, 0, 0, 0]);
        let off =
            contests.first.mean_distances().into_iter().zip([200.0, 250.0, 100.0, 40.0, 0.0, 60.0, 100.0, 1_000.0]);
        assert!(off.map(|(distance, error): (f64, f64)| (distance - error).abs()).all(|off| off < 1e-9));
        assert!((contests.later.mean_distances()[0] - 50.0).abs() < 1e-9);
        let [worst] = contests.worst() else { panic!("only first ones are looked at") };
        assert_eq!((worst.said[1], worst.came, worst.nearest), (Seconds(300), Seconds(100), ("recent", Seconds(100))));
    }

    #[test]
    fn the_worst_are_few_and_in_order() {
        let mut contests = Contests::default();
        for said in 0..41 {
            contests.add(&job(0, 0, 10), "", &made(said * 7 % 41, [0; EXPERTS.len()], true));
        }
        let errors: Vec<i64> = contests.worst().iter().map(Worst::error).collect();
        assert_eq!(errors, (31..=40).rev().collect::<Vec<_>>());
    }
}
