//! Jobs of the same people, programs and sizes that met a like site waited alike: instance-based learning after Li et al. (R-K9's baseline).
//!
//! For: a forecast from what a job is and what it meets: the nearest of the last 5,000 started jobs by the heterogeneous Euclidean-overlap
//! metric over user, group, queue, program, processors, limit and hour of day, and over the state of queue and machine: how many jobs wait and
//! run, the work of each, and the processors in use. Kumar and Vadhiyar say of it that it looks at both (sections 2 and 5.1).
//!
//! Not for: ranks among those that wait and run, which is what their own method adds ([`NeighbourForecaster`](crate::NeighbourForecaster)).
//!
//! Li et al. find the weights with a genetic search for each site; that is out of scope here, and the weights below are
//! fixed: what a scheduler looks at (queue, processors, limit) and who asks count most, the hour least. An attribute
//! that neither job has is no difference; one that only one job has is the greatest, as in Wilson and Martinez.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Submission, Time};
use rustc_hash::FxHashMap;

use crate::distribution::WaitDistribution;
use crate::forecast::{NamedWaitClasses, WaitForecast};
use crate::forecaster::WaitForecaster;
use crate::papers::neighbours::HISTORY_JOBS;
use crate::state::SiteState;

const SECONDS_PER_HOUR: i64 = 3_600;
const HOURS_PER_DAY: f64 = 24.0;

/// What each attribute counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttributeWeights {
    /// Another user.
    pub user: f64,
    /// Another group.
    pub group: f64,
    /// Another queue.
    pub queue: f64,
    /// Another program.
    pub program: f64,
    /// The logarithm of processors, over its range.
    pub processors: f64,
    /// The logarithm of the limit, over its range.
    pub limit: f64,
    /// The hour of day, over twelve.
    pub hour: f64,
    /// Each number that describes the site, over its range.
    pub state: f64,
}

impl AttributeWeights {
    /// Only what a job is, whatever the site looks like.
    pub fn of_jobs_alone() -> Self {
        Self { state: 0.0, ..Self::default() }
    }
}

impl Default for AttributeWeights {
    fn default() -> Self {
        Self { user: 2.0, group: 0.5, queue: 2.0, program: 1.0, processors: 2.0, limit: 2.0, hour: 0.5, state: 1.0 }
    }
}

/// What is remembered and how it is weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceSettings {
    /// What attributes count.
    pub weights: AttributeWeights,
    /// How many of the nearest are asked; of equally near ones the last to start.
    pub nearest: usize,
    /// How many started jobs are remembered.
    pub history_jobs: usize,
}

impl Default for InstanceSettings {
    fn default() -> Self {
        Self { weights: AttributeWeights::default(), nearest: 20, history_jobs: HISTORY_JOBS }
    }
}

/// Numbers that describe the site when a job arrives: those that wait and their work, those that run and what they have left, and the processors in use.
const STATE: [&str; 5] = ["n_queue", "queue_demand_cputime", "n_proc", "proc_remain_cputime", "occupied_nodes"];

/// What a job is, and what it meets.
#[derive(Clone, Copy, Debug)]
struct Attributes {
    user: Option<u32>,
    group: Option<u32>,
    queue: Option<u32>,
    program: Option<u32>,
    ln_processors: f64,
    ln_limit: Option<f64>,
    /// Of a day that begins when the log does: only differences count.
    hour: f64,
    /// In the order of [`STATE`].
    state: [f64; STATE.len()],
}

impl Attributes {
    fn of(job: &Submission, site: &SiteState, now: Time) -> Self {
        let features = site.features(job, now);
        let named = |name: &str| features.named().find(|(other, _)| *other == name).map_or(0.0, |(_, value)| value);
        Self { state: STATE.map(named), ..Self::of_job(job) }
    }

    fn of_job(job: &Submission) -> Self {
        let second_of_day = job.submitted.0.rem_euclid(24 * SECONDS_PER_HOUR);
        Self {
            user: job.user.map(|user| user.0),
            group: job.group.map(|group| group.0),
            queue: job.queue.map(|queue| queue.0),
            program: job.program.map(|program| program.0),
            ln_processors: f64::from(job.request.processors.max(1)).ln(),
            ln_limit: job.limit.map(|limit| limit.as_f64().max(1.0).ln()),
            hour: second_of_day as f64 / SECONDS_PER_HOUR as f64,
            state: [0.0; STATE.len()],
        }
    }
}

/// The least and the greatest value seen.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: f64,
    most: f64,
}

impl Range {
    const NOTHING: Self = Self { least: f64::INFINITY, most: f64::NEG_INFINITY };

    fn include(&mut self, value: f64) {
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    /// A difference over the range; one where there is no range and still a difference.
    fn share(self, difference: f64) -> f64 {
        let range = self.most - self.least;
        if range > 0.0 { difference.abs() / range } else { f64::from(u8::from(difference != 0.0)) }
    }
}

/// Forecasts from jobs of the same kind.
#[derive(Clone, Debug)]
pub struct InstanceForecaster {
    settings: InstanceSettings,
    arrived: FxHashMap<JobId, Attributes>,
    /// With waits in seconds, the last to start at the end.
    history: VecDeque<(Attributes, f64)>,
    ln_processors: Range,
    ln_limit: Range,
    state: [Range; STATE.len()],
    distances: Vec<(f64, usize)>,
}

impl InstanceForecaster {
    /// That has seen nothing.
    pub fn new(settings: InstanceSettings) -> Self {
        Self {
            settings,
            arrived: FxHashMap::default(),
            history: VecDeque::new(),
            ln_processors: Range::NOTHING,
            ln_limit: Range::NOTHING,
            state: [Range::NOTHING; STATE.len()],
            distances: Vec::new(),
        }
    }

    fn distance(&self, one: &Attributes, other: &Attributes) -> f64 {
        let weights = &self.settings.weights;
        let differs = |one: Option<u32>, other: Option<u32>| f64::from(u8::from(one != other));
        let limit = match (one.ln_limit, other.ln_limit) {
            (Some(one), Some(other)) => self.ln_limit.share(one - other),
            (None, None) => 0.0,
            _ => 1.0,
        };
        let hours = (one.hour - other.hour).abs();
        let squares = [
            weights.user * differs(one.user, other.user),
            weights.group * differs(one.group, other.group),
            weights.queue * differs(one.queue, other.queue),
            weights.program * differs(one.program, other.program),
            weights.processors * self.ln_processors.share(one.ln_processors - other.ln_processors).powi(2),
            weights.limit * limit.powi(2),
            weights.hour * (hours.min(HOURS_PER_DAY - hours) / (HOURS_PER_DAY / 2.0)).powi(2),
        ];
        let states = self.state.iter().zip(one.state.iter().zip(&other.state));
        let states: f64 = states.map(|(range, (one, other))| range.share(one - other).powi(2)).sum();
        (squares.into_iter().sum::<f64>() + weights.state * states).sqrt()
    }

    /// The waits of the nearest, with weights; as with neighbours, those at no distance stand alone.
    fn nearest(&mut self, job: &Attributes) -> Vec<(f64, f64)> {
        let mut distances = std::mem::take(&mut self.distances);
        distances.clear();
        // From the last to start, so that it comes first among equals.
        distances.extend(
            self.history.iter().enumerate().rev().map(|(place, (other, _))| (self.distance(job, other), place)),
        );
        let count = self.settings.nearest.clamp(1, distances.len().max(1));
        if distances.len() > count {
            distances
                .select_nth_unstable_by(count - 1, |one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
            distances.truncate(count);
        }
        let same = distances.iter().any(|(distance, _)| *distance <= 0.0);
        let waits = distances
            .iter()
            .filter(|(distance, _)| !same || *distance <= 0.0)
            .map(|(distance, place)| (self.history[*place].1, if same { 1.0 } else { 1.0 / distance }))
            .collect();
        self.distances = distances;
        waits
    }
}

impl Default for InstanceForecaster {
    fn default() -> Self {
        Self::new(InstanceSettings::default())
    }
}

impl WaitForecaster for InstanceForecaster {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let attributes = Attributes::of(job, state, now);
        let distribution = WaitDistribution::weighted(self.nearest(&attributes));
        self.arrived.insert(job.job, attributes);
        let point_seconds = distribution.mean();
        let classes = distribution.classes();
        WaitForecast {
            point_seconds,
            ranges: NamedWaitClasses::around(point_seconds, &classes),
            bound95_seconds: distribution.quantile(0.95),
            classes,
            distribution,
        }
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.arrived.remove(&job.job);
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        let Some(attributes) = self.arrived.remove(&job.job) else { return };
        self.ln_processors.include(attributes.ln_processors);
        if let Some(ln_limit) = attributes.ln_limit {
            self.ln_limit.include(ln_limit);
        }
        for (range, value) in self.state.iter_mut().zip(attributes.state) {
            range.include(value);
        }
        self.history.push_back((attributes, (now - job.submitted).as_f64().max(0.0)));
        if self.history.len() > self.settings.history_jobs.max(1) {
            self.history.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Machine, UserId};

    use super::*;
    use queuecast_testkit::submission;

    fn of_user(job: u64, user: u32, processors: u32) -> Submission {
        Submission { user: Some(UserId(user)), ..submission(job, 0, processors, Some(600)) }
    }

    #[test]
    fn distances_are_those_computed_by_hand() {
        let mut forecaster = InstanceForecaster::default();
        let state = SiteState::new(Machine { processors: 64 });
        for (job, processors) in [(0, 1), (1, 16)] {
            forecaster.on_arrival(&of_user(job, 1, processors), &state, Time(0));
            forecaster.on_start(&of_user(job, 1, processors), Time(0));
        }
        // Another user (2), a quarter of the range of ln processors (2 / 16), six hours of twelve (0.5 / 4).
        let mut other = of_user(2, 2, 2);
        other.submitted = Time(6 * SECONDS_PER_HOUR);
        let distance = forecaster.distance(&Attributes::of_job(&of_user(3, 1, 1)), &Attributes::of_job(&other));
        assert!((distance - 2.25_f64.sqrt()).abs() < 1e-12, "{distance}");
        // A limit that only one has is as far as can be.
        let distance = forecaster.distance(
            &Attributes::of_job(&submission(3, 0, 1, None)),
            &Attributes::of_job(&submission(4, 0, 1, Some(9))),
        );
        assert!((distance - 2.0_f64.sqrt()).abs() < 1e-12, "{distance}");
    }

    /// Two jobs that are the same but for the queue that they meet: who meets an empty one is told what those were told who did.
    #[test]
    fn a_job_that_meets_a_full_queue_is_told_the_waits_of_those_that_met_one() {
        let quiet = SiteState::new(Machine { processors: 64 });
        let mut busy = SiteState::new(Machine { processors: 64 });
        for waiting in 100..110 {
            busy.arrive(&of_user(waiting, 9, 32));
        }
        let settings = |weights| InstanceSettings { weights, nearest: 1, ..InstanceSettings::default() };
        let told = |weights| {
            let mut forecaster = InstanceForecaster::new(settings(weights));
            for (job, state, wait) in [(0, &busy, 9_000), (1, &quiet, 10)] {
                forecaster.on_arrival(&of_user(job, 1, 4), state, Time(0));
                forecaster.on_start(&of_user(job, 1, 4), Time(wait));
            }
            forecaster.on_arrival(&of_user(2, 1, 4), &busy, Time(0)).point_seconds
        };
        assert!((told(AttributeWeights::default()) - 9_000.0).abs() < 1e-9);
        assert!((told(AttributeWeights::of_jobs_alone()) - 10.0).abs() < 1e-9, "the last to start");
    }

    #[test]
    fn midnight_is_near_to_an_hour_before_it() {
        let forecaster = InstanceForecaster::default();
        let (late, early) = (submission(0, 23 * SECONDS_PER_HOUR, 1, None), submission(1, 0, 1, None));
        let distance = forecaster.distance(&Attributes::of_job(&late), &Attributes::of_job(&early));
        assert!((distance - (0.5_f64 / 144.0).sqrt()).abs() < 1e-12, "{distance}");
    }

    #[test]
    fn of_equally_near_jobs_the_last_to_start_are_asked() {
        let settings = InstanceSettings { nearest: 2, ..InstanceSettings::default() };
        let mut forecaster = InstanceForecaster::new(settings);
        let state = SiteState::new(Machine { processors: 64 });
        for (job, wait) in [(0, 9_000), (1, 100), (2, 300)] {
            forecaster.on_arrival(&of_user(job, 1, 4), &state, Time(0));
            forecaster.on_start(&of_user(job, 1, 4), Time(wait));
        }
        let forecast = forecaster.on_arrival(&of_user(3, 1, 4), &state, Time(0));
        assert!((forecast.point_seconds - 200.0).abs() < 1e-9);
    }
}
