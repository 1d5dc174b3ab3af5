//! When forecasts are made: when some jobs come, spread evenly over those of the last days, and no more than there is time for.
//!
//! What a forecast costs depends on how many wait. So the queue's lengths are counted first, and if all moments together were too much,
//! there are fewer of them, as evenly spread.

use queuecast_forecast::forward::Randomness;
use queuecast_workload::{JobId, Seconds, Time};

use super::clock::{Clock, Event};
use super::past_job::PastJob;
use crate::forecasting::{ForecastingSettings, work_of};

/// Of a history that is shorter than what is asked for, this part only teaches.
const TEACHING_SHARE: usize = 100;

/// How many moments, and of which days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MomentSettings {
    /// The last so many days.
    pub days: u32,
    /// No more moments than this.
    pub most: usize,
    /// No more work than this, in units of some 150 ns of one core.
    pub work: u64,
    /// Decides which jobs.
    pub seed: u64,
}

impl Default for MomentSettings {
    fn default() -> Self {
        Self { days: 90, most: 1_000, work: 200_000_000, seed: 0 }
    }
}

/// The moments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// The first job that is counted, by place.
    pub first: u32,
    /// When it came.
    pub from: Time,
    /// When the last job came.
    pub to: Time,
    /// At whose arrival the queue is forecast, by place, in order.
    pub jobs: Vec<u32>,
    /// Before those, at whose arrival it is forecast only to learn from what comes: a daemon would have watched for longer, too.
    pub teaching: Vec<u32>,
}

/// Chooses the moments.
pub fn moments(jobs: &[PastJob], settings: &MomentSettings, forecasting: &ForecastingSettings) -> Moments {
    let Some(last) = jobs.last() else { return Moments::default() };
    let begins = last.arrived - Seconds(86_400 * i64::from(settings.days));
    let first = jobs.partition_point(|job| job.arrived < begins).max(jobs.len() / TEACHING_SHARE);
    let mut chosen = spread(first, jobs.len(), settings.most, settings.seed);
    let work = work(jobs, &chosen, forecasting);
    let all: u64 = work.iter().sum();
    if all > settings.work {
        // Of so many as there is work for, the nearest in front.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let kept = ((chosen.len() as f64 * settings.work as f64 / all as f64) as usize).max(1);
        chosen = (0..kept).map(|place| chosen[place * chosen.len() / kept]).collect();
    }
    let place = u32::try_from(first).unwrap_or(u32::MAX);
    // As long before and as many: it costs as much again.
    let begins = begins - Seconds(86_400 * i64::from(settings.days));
    let taught_from = jobs.partition_point(|job| job.arrived < begins);
    let teaching =
        if taught_from < first { spread(taught_from, first, chosen.len(), settings.seed) } else { Vec::new() };
    Moments { first: place, from: jobs[first.min(jobs.len() - 1)].arrived, to: last.arrived, jobs: chosen, teaching }
}

/// Places from the first on, one of each of equal stretches.
fn spread(first: usize, end: usize, most: usize, seed: u64) -> Vec<u32> {
    let (count, luck) = (end - first, Randomness::new(seed).of_future(0));
    let stretches = most.min(count);
    let places = (0..stretches).map(|stretch| {
        let (from, to) = (stretch * count / stretches, (stretch + 1) * count / stretches);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let within = (luck.uniform(JobId(stretch as u64)) * (to - from) as f64) as usize;
        u32::try_from(first + from + within.min(to - from - 1)).expect("fewer than 2^32 jobs")
    });
    places.collect()
}

/// What a forecast at each of these moments costs.
fn work(jobs: &[PastJob], chosen: &[u32], forecasting: &ForecastingSettings) -> Vec<u64> {
    let mut waiting = 0;
    let mut next = chosen.iter().peekable();
    let mut work = Vec::with_capacity(chosen.len());
    for (_, event, place) in Clock::new(jobs) {
        match event {
            Event::Arrived => waiting += 1,
            Event::Left | Event::Started => waiting -= 1,
            Event::Ended => {}
        }
        if event == Event::Arrived && next.next_if(|next| **next == place).is_some() {
            work.push(work_of(waiting, forecasting));
        }
    }
    work
}

#[cfg(test)]
mod tests {
    use super::super::test_jobs::job;
    use super::*;

    #[test]
    fn they_are_spread_evenly_over_the_last_days_and_the_same_every_time() {
        let jobs: Vec<PastJob> = (0..10_000).map(|number| job(number * 864, 0, 1)).collect();
        let settings = MomentSettings { days: 20, most: 100, ..MomentSettings::default() };
        let chosen = moments(&jobs, &settings, &ForecastingSettings::default());
        assert_eq!((chosen.first, chosen.jobs.len()), (7_999, 100));
        assert!(chosen.jobs.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] < 41), "{chosen:?}");
        assert_eq!(chosen, moments(&jobs, &settings, &ForecastingSettings::default()));
        let other = MomentSettings { seed: 1, ..settings };
        assert_ne!(chosen, moments(&jobs, &other, &ForecastingSettings::default()));
        let all = MomentSettings { days: 100_000, most: usize::MAX, ..settings };
        assert_eq!(moments(&jobs, &all, &ForecastingSettings::default()).jobs.len(), 9_900, "a hundredth only teaches");
        assert_eq!(moments(&[], &all, &ForecastingSettings::default()).jobs, Vec::<u32>::new());
    }

    #[test]
    fn there_are_fewer_if_all_were_too_much_work() {
        let jobs: Vec<PastJob> = (0..1_000).map(|number| job(number, 2_000, 10)).collect();
        let settings = MomentSettings { days: 20, most: 100, work: u64::MAX, seed: 0 };
        let all = moments(&jobs, &settings, &ForecastingSettings::default());
        let fewer = moments(&jobs, &MomentSettings { work: 100_000_000, ..settings }, &ForecastingSettings::default());
        assert!(fewer.jobs.len() < 30 && fewer.jobs.iter().all(|place| all.jobs.contains(place)), "{fewer:?}");
        assert!(fewer.jobs.last().is_some_and(|last| *last > 800), "{fewer:?}");
    }
}
