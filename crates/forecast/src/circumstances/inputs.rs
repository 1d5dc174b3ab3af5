//! What the trees look at, by name.
//!
//! Trees ask only whether a number is above another, so nothing is scaled, and what is not known is `NAN`. Users, groups,
//! queues and programs are numbers without an order: a few questions still single out the heavy ones.

use queuecast_workload::{Seconds, Submission, Time};

use super::memory::Remembered;
use super::waiting_jobs::{Seen, Sight};
use crate::features::{FEATURES, Features};
use crate::state::SiteState;

const SECONDS_PER_HOUR: f64 = 3_600.0;
const SECONDS_PER_DAY: i64 = 86_400;
/// Of what the other forecaster says: these quantiles, and the probability of starting within the hour.
pub(crate) const QUANTILES: [(&str, f64); 5] =
    [("said_p10", 0.1), ("said_p25", 0.25), ("said_p50", 0.5), ("said_p75", 0.75), ("said_p90", 0.9)];

/// How many there are.
pub(crate) const INPUTS: usize = FEATURES + 43;

/// Everything there is to say about a job that is about to arrive.
pub(crate) struct Circumstances<'a> {
    pub(crate) job: &'a Submission,
    pub(crate) state: &'a SiteState,
    pub(crate) now: Time,
    pub(crate) features: Features,
    /// What the model says, at the shares of [`QUANTILES`].
    pub(crate) said: [f64; QUANTILES.len()],
    /// How likely it says a start within the hour is.
    pub(crate) said_quick: f64,
    /// How many jobs before it seem to be held by something nobody told.
    pub(crate) stuck: usize,
    pub(crate) sight: Sight,
    pub(crate) remembered: Remembered,
}

impl Circumstances<'_> {
    /// Each with its name.
    pub(crate) fn named(&self) -> [(&'static str, f64); INPUTS] {
        let mut named = [("", f64::NAN); INPUTS];
        let all = self.features.named().chain(self.of_request()).chain(self.of_forecast());
        let all = all.chain(self.of_queue()).chain(self.of_memory());
        for (place, value) in named.iter_mut().zip(all) {
            *place = value;
        }
        named
    }

    fn of_request(&self) -> [(&'static str, f64); 7] {
        let job = self.job;
        let number = |number: Option<u32>| number.map_or(f64::NAN, f64::from);
        let free = f64::from(self.state.machine().processors) - self.state.occupied_processors() as f64;
        [
            ("limit", job.limit.map_or(f64::NAN, Seconds::as_f64)),
            ("user", number(job.user.map(|user| user.0))),
            ("group", number(job.group.map(|group| group.0))),
            ("queue", number(job.queue.map(|queue| queue.0))),
            ("program", number(job.program.map(|program| program.0))),
            ("hour", self.now.0.rem_euclid(SECONDS_PER_DAY) as f64 / SECONDS_PER_HOUR),
            ("free_processors_after", free - f64::from(job.request.processors)),
        ]
    }

    fn of_forecast(&self) -> [(&'static str, f64); 6] {
        let mut said = [("said_quick", self.said_quick); 6];
        for (place, ((name, _), wait)) in said.iter_mut().zip(QUANTILES.into_iter().zip(self.said)) {
            *place = (name, wait);
        }
        said
    }

    fn of_queue(&self) -> [(&'static str, f64); 10] {
        let Sight { of_user, of_queue, no_wider, no_larger } = self.sight;
        let oldest = |seen: Seen| seen.oldest.map_or(f64::NAN, Seconds::as_f64);
        [
            ("waiting_no_larger", no_larger.jobs),
            ("oldest_no_larger", oldest(no_larger)),
            ("waiting_no_wider", no_wider.jobs),
            ("oldest_no_wider", oldest(no_wider)),
            ("user_waiting", of_user.jobs),
            ("user_waiting_work", of_user.processor_seconds),
            ("user_oldest", oldest(of_user)),
            ("queue_waiting", of_queue.jobs),
            ("queue_waiting_work", of_queue.processor_seconds),
            ("queue_oldest", oldest(of_queue)),
        ]
    }

    fn of_memory(&self) -> [(&'static str, f64); 20] {
        let Remembered { of_all, of_user, of_queue, of_shape, of_user_and_shape, .. } = self.remembered;
        [
            ("all_last_wait", of_all.last_ln),
            ("all_mean_wait", of_all.mean_ln),
            ("all_since_start", of_all.seconds_since),
            ("user_last_wait", of_user.last_ln),
            ("user_mean_wait", of_user.mean_ln),
            ("user_since_start", of_user.seconds_since),
            ("queue_last_wait", of_queue.last_ln),
            ("queue_mean_wait", of_queue.mean_ln),
            ("queue_since_start", of_queue.seconds_since),
            ("alike_last_wait", of_shape.last_ln),
            ("alike_mean_wait", of_shape.mean_ln),
            ("alike_since_start", of_shape.seconds_since),
            ("user_alike_last_wait", of_user_and_shape.last_ln),
            ("user_alike_mean_wait", of_user_and_shape.mean_ln),
            ("user_alike_since_start", of_user_and_shape.seconds_since),
            ("user_running", self.remembered.user_running_jobs),
            ("user_running_processors", self.remembered.user_running_processors),
            ("since_end", self.remembered.seconds_since_end),
            ("user_share_of_use", self.remembered.user_share_of_use),
            ("group_share_of_use", self.remembered.group_share_of_use),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use queuecast_workload::Machine;

    use super::*;
    use crate::circumstances::memory::Memory;
    use crate::circumstances::shape::Shape;
    use crate::features::Demand;
    use queuecast_testkit::submission;

    #[test]
    fn every_place_has_a_name_of_its_own() {
        let (job, now) = (submission(0, 7_200, 4, Some(60)), Time(7_200));
        let state = SiteState::new(Machine { processors: 8 });
        let shape = Shape::of(Demand { processors: 4, estimate: Seconds(60) });
        let circumstances = Circumstances {
            job: &job,
            state: &state,
            now,
            features: state.features(&job, now),
            said: [30.0; 5],
            said_quick: 1.0,
            stuck: 0,
            sight: Sight::default(),
            remembered: Memory::new().remembered(&job, shape, now),
        };
        let named = circumstances.named();
        let distinct: HashSet<&str> = named.iter().map(|(name, _)| *name).collect();
        assert_eq!(distinct.len(), INPUTS);
        assert!(!distinct.contains(""), "{distinct:?}");
        let value = |wanted: &str| named.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
        let known = [("request_size", 4.0), ("hour", 2.0), ("free_processors_after", 4.0), ("said_p90", 30.0)];
        for (name, expected) in known {
            assert!(value(name).is_some_and(|value| (value - expected).abs() < 1e-12), "{name}");
        }
    }
}
