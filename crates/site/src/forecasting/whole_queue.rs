//! Everybody in a situation, forecast.

use std::array;
use std::sync::Arc;

use queuecast_forecast::forward::RuntimeSampler;
use queuecast_forecast::pooled::Answer;
use queuecast_forecast::queue::{Patience, PlayableQueue, PlayedEffort, QueueForecast, QueueSettings, forecast_queue};
use queuecast_workload::{Seconds, Time};

use super::effort::Effort;
use super::estimate::{at_shares, not_before, spans, start_times};
use super::learner::Learner;
use super::range_correction::{RangeCorrection, Raw};
use super::waits::{times, waits_in};
use crate::adviser::OpenAdviser;
use crate::cluster::Situation;
use queuecast_advise::Adviser;
use queuecast_forecast::estimate::{Estimate, JobForecast, LastTask, TimeRange};

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForecastingSettings {
    /// How many futures of a short queue.
    pub futures: u64,
    /// The fewest, however long the queue.
    pub futures_least: u64,
    /// How far ahead is looked.
    pub horizon: Seconds,
    /// Decides all draws.
    pub seed: u64,
}

impl Default for ForecastingSettings {
    fn default() -> Self {
        Self { futures: 100, futures_least: 16, horizon: Seconds(30 * 86_400), seed: 0 }
    }
}

/// What is said of one waiting job.
#[derive(Clone, Debug)]
pub struct Said {
    /// What is said.
    pub forecast: JobForecast,
    /// The same before its range was stretched, if anything was said, and what it takes to learn from it.
    pub raw: Option<(Raw, Box<Answer>)>,
}

/// Forecasts situations. A clone forecasts on another thread with what is known of run times and waits whenever it asks.
#[derive(Clone, Default)]
pub struct Forecasting {
    /// What is known of run times and waits.
    pub learner: Learner,
    /// What is known of how far outside of ranges starts have been.
    pub correction: RangeCorrection,
    settings: ForecastingSettings,
}

/// What came out.
pub struct Forecasts {
    /// Of everybody in `Situation::waiting`, in that order.
    pub waiting: Vec<Said>,
    /// Of everybody in `Situation::running`, in that order.
    pub running: Vec<JobForecast>,
    /// For jobs that do not exist.
    pub adviser: Arc<dyn Adviser>,
    /// How much was played.
    pub effort: PlayedEffort,
}

impl Forecasting {
    /// With these settings, nothing learnt.
    pub fn new(settings: ForecastingSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Forecasts everybody, playing as long as there is patience.
    pub fn forecast(&self, mut situation: Situation, patience: Patience) -> Forecasts {
        let settings = adapted(&mut situation.core, &self.settings);
        let within = QueueSettings { patience, ..settings.clone() };
        let played = forecast_queue(&situation.core, &mut self.learner.sampler(), &within);
        let now = situation.core.now;
        let horizon = now + self.settings.horizon;
        let waits = self.learner.shared_waits();
        let waiting = situation.waiting.iter().map(|job| match &job.place {
            Ok(place) => {
                let here = &situation.core.waiting[*place];
                let from = here.not_before.map_or(now, |begin| begin.max(now));
                let starts = starts_together(&played, *place, &job.together);
                let raw = match start_times(&starts, horizon) {
                    Ok(raw) => raw,
                    Err(none) => return Said { forecast: JobForecast::NoForecast(none), raw: None },
                };
                let answer = waits.ask(&here.submission, &waits_in(&starts, now, horizon), now);
                let runs = &played.runs[*place];
                let pooled = times(&answer, now);
                let told = self.correction.correct(&pooled, here.submission.submitted, now);
                let mut estimate = waiting_job(&raw, told, &starts, runs, now, horizon);
                let lasts = &played.last_starts[*place];
                estimate.last_task = last_task(lasts, runs, &raw, &told, now, horizon).map(Box::new);
                not_before(&mut estimate, from);
                Said { forecast: JobForecast::Estimate(estimate), raw: Some((pooled, Box::new(answer))) }
            }
            Err(none) => Said { forecast: JobForecast::NoForecast(none.clone()), raw: None },
        });
        let waiting = waiting.collect();
        let running = situation.running.iter().map(|(_, place)| {
            let started = situation.core.running[*place].started;
            running_job(started, &played.ends[*place])
        });
        let running = running.collect();
        let adviser = OpenAdviser::new(situation, &self.learner, self.correction.clone(), settings);
        Forecasts { waiting, running, adviser: Arc::new(adviser), effort: played.effort }
    }
}

/// What is said of the last task of an array; of other jobs nothing. It is as much later than the futures have it as the first is.
fn last_task(
    starts: &[Option<Time>],
    runs: &[Seconds],
    first_raw: &Raw,
    first_reported: &Raw,
    now: Time,
    horizon: Time,
) -> Option<LastTask> {
    let raw = start_times(starts, horizon).ok()?;
    let mut told: Raw =
        array::from_fn(|place| (raw[place] + (first_reported[place] - first_raw[place])).max(first_reported[place]));
    told.sort_unstable();
    let Estimate { start, completion, .. } = waiting_job(&raw, told, starts, runs, now, horizon);
    Some(LastTask { start, completion })
}

/// When a job starts, future by future; of a heterogeneous one with the last of its components.
fn starts_together(played: &QueueForecast, place: usize, together: &[usize]) -> Vec<Option<Time>> {
    let last = |future: usize| {
        let starts = together.iter().map(|component| played.starts[*component][future]);
        starts.collect::<Option<Vec<Time>>>().and_then(|starts| starts.into_iter().max())
    };
    if together.is_empty() { played.starts[place].clone() } else { (0..played.starts[place].len()).map(last).collect() }
}

/// Plays a queue with as many futures, and times reserved in them for as many, as one of this length is given.
pub fn play<S: RuntimeSampler + Sync>(
    situation: &mut PlayableQueue,
    sampler: &mut S,
    settings: &ForecastingSettings,
) -> QueueForecast {
    let settings = adapted(situation, settings);
    forecast_queue(situation, sampler, &settings)
}

/// For so many of a long queue times are reserved where nodes are told apart: each takes longer there.
const RESERVED_ON_NODES: usize = 10;

/// What a queue of this length is given. The situation is left with what is reserved for.
fn adapted(situation: &mut PlayableQueue, settings: &ForecastingSettings) -> QueueSettings {
    let tasks = situation.tasks(QueueSettings::default().tasks_played);
    let effort = Effort::of(tasks, settings);
    // Putting a long queue in order takes as long as playing it: it is done less often.
    let seldom = Seconds(i64::try_from(tasks).unwrap_or(i64::MAX >> 1) * 3 / 2);
    situation.priorities.period = situation.priorities.period.max(seldom);
    let is_placed = !situation.cluster.nodes.is_empty() && effort.reservations < usize::MAX;
    let reserved = &mut situation.cluster.settings.reservations;
    *reserved = (*reserved).min(effort.reservations).min(if is_placed { RESERVED_ON_NODES } else { usize::MAX });
    QueueSettings {
        futures: effort.futures,
        seed: settings.seed,
        horizon: settings.horizon,
        ..QueueSettings::default()
    }
}

/// The estimate of a job that waits: its start as told, its end moved along with it.
pub fn waiting_job(
    raw: &Raw,
    start: Raw,
    starts: &[Option<Time>],
    runs: &[Seconds],
    now: Time,
    horizon: Time,
) -> Estimate {
    let mut ends: Vec<Time> = starts.iter().zip(runs).map(|(start, run)| start.unwrap_or(horizon) + *run).collect();
    ends.sort_unstable();
    let mut completion = at_shares(&ends);
    for (place, end) in completion.iter_mut().enumerate() {
        *end = *end + (start[place] - raw[place]);
    }
    let mut latest = now;
    for end in &mut completion {
        latest = latest.max(*end);
        *end = latest;
    }
    Estimate {
        start: TimeRange { times: start },
        run: spans(runs.iter().copied()),
        completion: TimeRange { times: completion },
        last_task: None,
    }
}

fn running_job(started: Time, ends: &[Time]) -> JobForecast {
    let mut sorted = ends.to_vec();
    sorted.sort_unstable();
    let completion = at_shares(&sorted);
    JobForecast::Estimate(Estimate {
        start: TimeRange { times: [started; 9] },
        run: spans(ends.iter().map(|end| *end - started)),
        completion: TimeRange { times: completion },
        last_task: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::test_cluster::{situation, waiting};

    #[test]
    fn fewer_times_are_reserved_for_a_long_queue_and_fewest_where_nodes_are_told_apart() {
        let reserved = |jobs: usize, is_placed: bool| {
            let mut jobs = vec![waiting(1, 1); jobs];
            (1..).zip(&mut jobs).for_each(|(number, job)| job.key.job_id = number);
            let mut core = situation(&jobs).core;
            core.cluster.settings.reservations = 1_000;
            if !is_placed {
                core.cluster.nodes.clear();
            }
            adapted(&mut core, &ForecastingSettings::default());
            core.cluster.settings.reservations
        };
        assert_eq!(
            (reserved(300, true), reserved(300, false)),
            (1_000, 1_000),
            "a short queue is played as Slurm does"
        );
        assert_eq!((reserved(301, true), reserved(301, false)), (RESERVED_ON_NODES, 100));
        assert_eq!((reserved(4_000, true), reserved(4_000, false)), (8, 8));
    }
}
