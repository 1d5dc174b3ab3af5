//! Will it start within the hour? A probability from near, mid and long-term history (R-K11).
//!
//! For: quick starters (a wait below one hour), which routing between queues asks for (R-K12).
//!
//! Not for: how long the others wait; the distribution is that of the history's quick and other waits.
//!
//! The paper only sketches its classifier; this one is our own design on its three ideas.
//! - History is split by how much of what is running now was running then: of the processors held now, the share whose
//!   jobs had already started when the earlier job arrived. At least half is near, at least a tenth is mid, the rest
//!   long.
//! - Jobs are similar if their processors and their estimates are within a factor of two of each other.
//! - Of mid-term and long-term history a job counts only if it, too, would (or would not) have fitted into the free
//!   processors, and if it met a queue of like length, within a factor of two of one more than the jobs in it.
//!
//! Each term is evidence upon the one before: the share of quick starters among all, then in the long, mid and near
//! term, each as if the term before had brought [`PRIOR_JOBS`] jobs. A term without similar jobs thus changes nothing.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Submission, Time};
use rustc_hash::FxHashMap;

use crate::class::CLASS_BOUNDS;
use crate::distribution::WaitDistribution;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::papers::neighbours::HISTORY_JOBS;
use crate::state::SiteState;

/// What the term before counts for.
const PRIOR_JOBS: f64 = 3.0;
/// At least this share of the processors held now was held by the same jobs then.
const NEAR_SHARE: f64 = 0.5;
/// The same for mid-term history.
const MID_SHARE: f64 = 0.1;
/// Similar is within a factor of two.
const SIMILAR_LN: f64 = std::f64::consts::LN_2 + 1e-9;
/// Quick and other waits are told in so many values each.
const DISTRIBUTION_VALUES: usize = 100;

/// What an arriving job was and met.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    arrived: Time,
    ln_processors: f64,
    ln_estimate: f64,
    ln_queue: f64,
    fits: bool,
}

impl Arrival {
    fn of(job: &Submission, state: &SiteState, now: Time) -> Self {
        let free = u64::from(state.machine().processors).saturating_sub(state.occupied_processors());
        Self {
            arrived: now,
            ln_processors: f64::from(job.request.processors.max(1)).ln(),
            ln_estimate: job.limit.map_or(0.0, |limit| limit.as_f64().max(0.0).ln_1p()),
            ln_queue: (state.waiting().len() as f64).ln_1p(),
            fits: u64::from(job.request.processors) <= free,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.ln_processors - other.ln_processors).abs() <= SIMILAR_LN
            && (self.ln_estimate - other.ln_estimate).abs() <= SIMILAR_LN
    }

    fn met_the_like(&self, other: &Self) -> bool {
        self.fits == other.fits && (self.ln_queue - other.ln_queue).abs() <= SIMILAR_LN
    }
}

/// How many jobs, and how many of them were quick.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    jobs: f64,
    quick: f64,
}

impl Evidence {
    fn upon(self, before: f64) -> f64 {
        (self.quick + PRIOR_JOBS * before) / (self.jobs + PRIOR_JOBS)
    }
}

/// Forecasts who starts within the hour.
#[derive(Clone, Debug)]
pub struct QuickStartForecaster {
    history_jobs: usize,
    arrived: FxHashMap<JobId, Arrival>,
    /// With waits in seconds, the last to start at the end.
    history: VecDeque<(Arrival, f64)>,
    quick_in_history: u32,
}

impl QuickStartForecaster {
    /// That has seen nothing and remembers so many started jobs.
    pub fn new(history_jobs: usize) -> Self {
        Self {
            history_jobs: history_jobs.max(1),
            arrived: FxHashMap::default(),
            history: VecDeque::new(),
            quick_in_history: 0,
        }
    }

    /// How likely it is that a job that arrives now starts within the hour.
    pub fn quick_probability(&self, job: &Submission, state: &SiteState, now: Time) -> f64 {
        self.probability_of(&Arrival::of(job, state, now), state)
    }

    fn probability_of(&self, arrival: &Arrival, state: &SiteState) -> f64 {
        let near_since = held_since(state, NEAR_SHARE);
        let mid_since = held_since(state, MID_SHARE);
        let [mut near, mut mid, mut long] = [Evidence::default(); 3];
        for (other, wait_seconds) in self.history.iter().filter(|(other, _)| arrival.is_like(other)) {
            let term = if near_since.is_some_and(|since| other.arrived >= since) {
                &mut near
            } else if !arrival.met_the_like(other) {
                continue;
            } else if mid_since.is_some_and(|since| other.arrived >= since) {
                &mut mid
            } else {
                &mut long
            };
            term.jobs += 1.0;
            term.quick += f64::from(u8::from(is_quick(*wait_seconds)));
        }
        // Before anything has started, one chance in two.
        let all = Evidence { jobs: self.history.len() as f64, quick: f64::from(self.quick_in_history) };
        near.upon(mid.upon(long.upon(all.upon(0.5))))
    }

    /// Quick waits with this probability, others with the rest; both as they are in the history.
    fn distribution(&self, quick_probability: f64) -> WaitDistribution {
        let of = |quick: bool, probability: f64| {
            let count = if quick {
                self.quick_in_history as usize
            } else {
                self.history.len() - self.quick_in_history as usize
            };
            // Every so many, from the last.
            let every = count.div_ceil(DISTRIBUTION_VALUES).max(1);
            let waits = self.history.iter().rev().map(|(_, wait)| *wait).filter(move |wait| is_quick(*wait) == quick);
            waits.step_by(every).map(move |wait| (wait, probability / count.div_ceil(every).max(1) as f64))
        };
        WaitDistribution::weighted(of(true, quick_probability).chain(of(false, 1.0 - quick_probability)))
    }
}

impl Default for QuickStartForecaster {
    fn default() -> Self {
        Self::new(HISTORY_JOBS)
    }
}

fn is_quick(wait_seconds: f64) -> bool {
    wait_seconds < CLASS_BOUNDS[0].as_f64()
}

/// The latest moment since which the given share of the processors held now has been held by the same jobs; none on an
/// empty machine, of which nothing can be said.
fn held_since(state: &SiteState, share: f64) -> Option<Time> {
    let mut holders: Vec<(Time, u64)> =
        state.running().map(|job| (job.started, u64::from(job.submission.request.processors))).collect();
    holders.sort_unstable();
    let needed = share * state.occupied_processors() as f64;
    let mut held = 0;
    holders.into_iter().find_map(|(started, processors)| {
        held += processors;
        (held as f64 >= needed).then_some(started)
    })
}

impl WaitForecaster for QuickStartForecaster {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let arrival = Arrival::of(job, state, now);
        let quick_probability = self.probability_of(&arrival, state);
        self.arrived.insert(job.job, arrival);
        WaitForecast::from_distribution(self.distribution(quick_probability))
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.arrived.remove(&job.job);
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        let Some(arrival) = self.arrived.remove(&job.job) else { return };
        let wait_seconds = (now - job.submitted).as_f64().max(0.0);
        self.quick_in_history += u32::from(is_quick(wait_seconds));
        self.history.push_back((arrival, wait_seconds));
        if self.history.len() > self.history_jobs
            && let Some((_, oldest_seconds)) = self.history.pop_front()
        {
            self.quick_in_history -= u32::from(is_quick(oldest_seconds));
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Machine;

    use super::*;
    use queuecast_testkit::submission;

    fn state_with(running: &[(u32, i64)]) -> SiteState {
        let mut state = SiteState::new(Machine { processors: 100 });
        for ((processors, started), job) in running.iter().zip(1_000..) {
            state.arrive(&submission(job, *started, *processors, None));
            state.start(JobId(job), Time(*started));
        }
        state
    }

    #[test]
    fn near_begins_when_half_of_what_is_held_now_was_held() {
        let state = state_with(&[(10, 5), (30, 20), (40, 30)]);
        assert_eq!([0.1, 0.5, 0.51].map(|share| held_since(&state, share)), [5, 20, 30].map(|time| Some(Time(time))));
        assert_eq!(held_since(&state_with(&[]), 0.5), None);
    }

    #[test]
    fn each_term_is_evidence_upon_the_one_before() {
        let mut forecaster = QuickStartForecaster::default();
        let state = state_with(&[(50, 100)]);
        assert!((forecaster.quick_probability(&submission(0, 0, 4, Some(60)), &state, Time(0)) - 0.5).abs() < 1e-12);
        // Long ago one quick job of the kind; since the machine looks as now two slow ones; and a large one, not alike.
        for (job, arrived, processors, wait) in
            [(0, 50, 4, 10), (1, 110, 4, 4_000), (2, 120, 5, 3_600), (3, 130, 90, 0)]
        {
            let submission = submission(job, arrived, processors, Some(60));
            forecaster.on_arrival(&submission, &state, Time(arrived));
            forecaster.on_start(&submission, Time(arrived + wait));
        }
        let all = (2.0 + 3.0 * 0.5) / 7.0;
        let expected = (0.0 + 3.0 * (1.0 + 3.0 * all) / 4.0) / 5.0;
        let arriving = submission(9, 9_000, 4, Some(60));
        let found = forecaster.quick_probability(&arriving, &state, Time(9_000));
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        let forecast = forecaster.on_arrival(&arriving, &state, Time(9_000));
        assert!((forecast.distribution.share_within(3_599.0) - expected).abs() < 1e-9);
    }
}
