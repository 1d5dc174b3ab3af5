//! Everything that is added up of forecasts. All of it adds, so that weeks can be put together in any way.

use queuecast_forecast::{ForecastJob, WaitClass};

/// The levels of central ranges that are judged.
pub const COVERAGE_LEVELS: [f64; 4] = [0.5, 0.8, 0.9, 0.95];
/// The levels at which quantiles are held against what came.
pub const RELIABILITY_LEVELS: [f64; 19] =
    [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
/// Bins of the place where a wait came in its distribution.
pub const PLACE_BINS: usize = 20;

/// Sums over jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    pub jobs: f64,
    pub single: f64,
    pub two: f64,
    pub three: f64,
    /// Jobs of the class most jobs are of everywhere: up to an hour.
    pub up_to_an_hour: f64,
    pub single_over_an_hour: f64,
    pub two_over_an_hour: f64,
    pub three_over_an_hour: f64,
    pub log_loss: f64,
    pub brier: f64,
    pub wait_seconds: f64,
    pub error_seconds: f64,
    pub log_error: f64,
    /// Jobs with a limit, and their errors over the time in the system that it and the wait make up.
    pub response_jobs: f64,
    pub response_error: f64,
    pub within_a_minute: f64,
    pub within_ten_minutes: f64,
    pub crps_seconds: f64,
    pub pinball_seconds: f64,
    pub covered: [f64; COVERAGE_LEVELS.len()],
    /// The same with an outcome in a step of its distribution counted in parts: it could lie anywhere in the step.
    pub covered_at_random: [f64; COVERAGE_LEVELS.len()],
    pub width_seconds: [f64; COVERAGE_LEVELS.len()],
    pub below_quantile: [f64; RELIABILITY_LEVELS.len()],
    pub places: [f64; PLACE_BINS],
    pub within_bound: f64,
    pub bound_seconds: f64,
}

/// A class that was thought impossible counts as this likely, so that one such job does not decide everything.
const LEAST_PROBABILITY: f64 = 1e-4;

impl Sums {
    /// Of one job.
    pub fn of(job: &ForecastJob<'_>) -> Self {
        let (forecast, wait) = (job.forecast, job.wait.as_f64());
        let class = WaitClass::of(wait);
        let hit = |named: &[WaitClass]| f64::from(u8::from(named.contains(&class)));
        let ranges = &forecast.ranges;
        let (single, two, three) = (hit(&[ranges.single]), hit(&ranges.two), hit(&ranges.three));
        let over_an_hour = f64::from(u8::from(class.index() > 0));
        let error = (forecast.point_seconds - wait).abs();
        let yes = |is: bool| f64::from(u8::from(is));
        let distribution = &forecast.distribution;
        let place = distribution.place_of(wait);
        let range =
            |level: f64| (distribution.quantile((1.0 - level) / 2.0), distribution.quantile(f64::midpoint(1.0, level)));
        let pinball = |level: f64| {
            let quantile = distribution.quantile(level);
            if wait >= quantile { level * (wait - quantile) } else { (1.0 - level) * (quantile - wait) }
        };
        // A job that neither waited nor has a limit has no time in the system to be compared with.
        let response = job.submission.limit.map(|limit| wait + limit.as_f64()).filter(|seconds| *seconds > 0.0);
        let brier = forecast.classes.iter().enumerate().map(|(index, probability)| {
            let came = yes(index == class.index());
            (probability - came).powi(2)
        });
        Self {
            jobs: 1.0,
            single,
            two,
            three,
            up_to_an_hour: 1.0 - over_an_hour,
            single_over_an_hour: single * over_an_hour,
            two_over_an_hour: two * over_an_hour,
            three_over_an_hour: three * over_an_hour,
            log_loss: -forecast.classes[class.index()].max(LEAST_PROBABILITY).ln(),
            brier: brier.sum(),
            wait_seconds: wait,
            error_seconds: error,
            log_error: ((1.0 + forecast.point_seconds.max(0.0)) / (1.0 + wait)).ln().abs(),
            response_jobs: yes(response.is_some()),
            response_error: response.map_or(0.0, |seconds| error / seconds),
            within_a_minute: yes(error <= 60.0),
            within_ten_minutes: yes(error <= 600.0),
            crps_seconds: distribution.crps(wait),
            pinball_seconds: RELIABILITY_LEVELS.map(pinball).iter().sum::<f64>() / RELIABILITY_LEVELS.len() as f64,
            covered: COVERAGE_LEVELS.map(|level| {
                let (low, high) = range(level);
                yes((low..=high).contains(&wait))
            }),
            covered_at_random: COVERAGE_LEVELS
                .map(|level| part_between(place, (1.0 - level) / 2.0, f64::midpoint(1.0, level))),
            width_seconds: COVERAGE_LEVELS.map(|level| {
                let (low, high) = range(level);
                high - low
            }),
            below_quantile: RELIABILITY_LEVELS.map(|level| yes(wait <= distribution.quantile(level))),
            places: places(place),
            within_bound: yes(wait <= forecast.bound95_seconds),
            bound_seconds: forecast.bound95_seconds,
        }
    }

    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        fn each<const N: usize>(one: [f64; N], other: [f64; N]) -> [f64; N] {
            std::array::from_fn(|index| one[index] + other[index])
        }
        Self {
            jobs: self.jobs + other.jobs,
            single: self.single + other.single,
            two: self.two + other.two,
            three: self.three + other.three,
            up_to_an_hour: self.up_to_an_hour + other.up_to_an_hour,
            single_over_an_hour: self.single_over_an_hour + other.single_over_an_hour,
            two_over_an_hour: self.two_over_an_hour + other.two_over_an_hour,
            three_over_an_hour: self.three_over_an_hour + other.three_over_an_hour,
            log_loss: self.log_loss + other.log_loss,
            brier: self.brier + other.brier,
            wait_seconds: self.wait_seconds + other.wait_seconds,
            error_seconds: self.error_seconds + other.error_seconds,
            log_error: self.log_error + other.log_error,
            response_jobs: self.response_jobs + other.response_jobs,
            response_error: self.response_error + other.response_error,
            within_a_minute: self.within_a_minute + other.within_a_minute,
            within_ten_minutes: self.within_ten_minutes + other.within_ten_minutes,
            crps_seconds: self.crps_seconds + other.crps_seconds,
            pinball_seconds: self.pinball_seconds + other.pinball_seconds,
            covered: each(self.covered, other.covered),
            covered_at_random: each(self.covered_at_random, other.covered_at_random),
            width_seconds: each(self.width_seconds, other.width_seconds),
            below_quantile: each(self.below_quantile, other.below_quantile),
            places: each(self.places, other.places),
            within_bound: self.within_bound + other.within_bound,
            bound_seconds: self.bound_seconds + other.bound_seconds,
        }
    }
}

/// One job spread over the bins between the shares below it and at or below it: a distribution of few values has steps, and
/// a job on a step could be anywhere in it.
fn places((from, to): (f64, f64)) -> [f64; PLACE_BINS] {
    let bins = PLACE_BINS as f64;
    let bin = |index: usize| (index as f64 / bins, (index + 1) as f64 / bins);
    std::array::from_fn(|index| {
        let (low, high) = bin(index);
        part_between((from, to), low, high)
    })
}

/// The part of a place that lies between two shares. Beyond every value, or between two, a place is a point; it belongs to what it begins.
fn part_between((from, to): (f64, f64), low: f64, high: f64) -> f64 {
    if to > from {
        (to.min(high) - from.max(low)).max(0.0) / (to - from)
    } else {
        f64::from(u8::from((low..high).contains(&from) || (high >= 1.0 && from >= high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_one_job_wherever_it_lies() {
        for place in [(0.0, 1.0), (0.0, 0.0), (1.0, 1.0), (0.33, 0.34), (0.2, 0.9)] {
            assert!((places(place).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{place:?}");
        }
        assert!((places((1.0, 1.0))[PLACE_BINS - 1] - 1.0).abs() < 1e-12);
    }

    /// Nine in ten are said to start at once, and do: every range has both ends at once and holds. At random in the step it holds as often as it says.
    #[test]
    fn a_range_is_not_flattered_by_those_who_start_at_once() {
        let at_once = (0.0, 0.9);
        assert!((part_between(at_once, 0.1, 0.9) - 8.0 / 9.0).abs() < 1e-9);
        assert!((part_between(at_once, 0.25, 0.75) - 5.0 / 9.0).abs() < 1e-9);
        let rest = part_between((0.9, 1.0), 0.1, 0.9);
        assert!((0.9 * part_between(at_once, 0.1, 0.9) + 0.1 * rest - 0.8).abs() < 1e-9);
    }
}
