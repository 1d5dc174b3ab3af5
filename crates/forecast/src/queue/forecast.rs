//! Many futures of the queue, one forecast for everybody.

use queuecast_workload::{JobId, Seconds, Submission, Time};
use rayon::prelude::*;

use super::openings::Openings;
use super::player::{Player, Start};
use super::situation::QueueSituation;
use crate::forward::{Randomness, RuntimeSampler};

/// How the futures are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueSettings {
    /// How many.
    pub futures: u64,
    /// Decides all draws.
    pub seed: u64,
    /// How far they are played.
    pub horizon: Seconds,
    /// How many tasks of an array that waits as one are played.
    pub tasks_played: u32,
}

impl Default for QueueSettings {
    fn default() -> Self {
        Self { futures: 100, seed: 0, horizon: Seconds(30 * 86_400), tasks_played: 200 }
    }
}

/// What the futures came to.
#[derive(Clone, Debug, Default)]
pub struct QueueForecast {
    /// By job that waits, then by future: when it starts; `None` if not before the horizon.
    pub starts: Vec<Vec<Option<Time>>>,
    /// By job that waits, then by future: how long it runs.
    pub runs: Vec<Vec<Seconds>>,
    /// By job that runs, then by future: when it ends.
    pub ends: Vec<Vec<Time>>,
    /// What was left over.
    pub openings: Openings,
}

/// Plays the queue forward. The same for any number of threads.
pub fn forecast_queue<S: RuntimeSampler + Sync>(
    situation: &QueueSituation,
    sampler: &mut S,
    settings: &QueueSettings,
) -> QueueForecast {
    let prospects = situation.prospects();
    sampler.prepare(&prospects, situation.now);
    let sampler = &*sampler;
    let randomness = Randomness::new(settings.seed);
    let start = Start::new(situation, settings.tasks_played.max(1), settings.horizon);
    let draw = |future: u64, place: usize, task: u32| {
        let luck = randomness.of_future(future);
        let prospect = &prospects[place];
        let drawn = sampler.sample(place, luck.uniform(task_of(&prospect.submission, task)));
        sound(drawn, &prospect.submission, prospect.age)
    };
    let played: Vec<_> = (0..settings.futures.max(1))
        .into_par_iter()
        .map(|future| Player::new(&start, |place, task| draw(future, place, task)).play())
        .collect();
    let waiting = situation.waiting.len();
    let futures = 0..settings.futures.max(1);
    QueueForecast {
        starts: (0..waiting).map(|job| played.iter().map(|future| future.starts[job]).collect()).collect(),
        runs: (0..waiting).map(|job| futures.clone().map(|future| draw(future, job, 0)).collect()).collect(),
        ends: (situation.running.iter().enumerate())
            .map(|(place, job)| futures.clone().map(|future| job.started + draw(future, waiting + place, 0)).collect())
            .collect(),
        openings: Openings {
            pools: situation.cluster.pools.clone(),
            futures: played.into_iter().map(|future| future.openings).collect(),
            horizon: start.horizon,
        },
    }
}

/// Slurm ends a job at its limit, at the latest with its next look: a run drawn beyond is cut. A job that runs has not ended.
fn sound(drawn: Seconds, job: &Submission, age: Option<Seconds>) -> Seconds {
    let longest = job.limit.unwrap_or(Seconds::MAX);
    drawn.min(longest).max(age.unwrap_or(Seconds::ZERO) + Seconds(1))
}

/// The handle by which a task's luck is found: every task of an array has its own.
fn task_of(job: &Submission, task: u32) -> JobId {
    JobId(job.job.0 ^ (u64::from(task) << 40))
}
