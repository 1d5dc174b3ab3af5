//! Many futures of the queue, one forecast for everybody.

use queuecast_workload::{JobId, Seconds, Submission, Time};
use rayon::prelude::*;

use super::playable_queue::PlayableQueue;
use super::player::{Played, Player, Start};
use crate::forward::{Prospect, Randomness, RuntimeSampler};

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
    /// By job that waits, then by future: when it starts, of an array its first task; `None` if not before the horizon.
    pub starts: Vec<Vec<Option<Time>>>,
    /// The same of the last task of an array; nothing of other jobs.
    pub last_starts: Vec<Vec<Option<Time>>>,
    /// By job that waits, then by future: how long it runs.
    pub runs: Vec<Vec<Seconds>>,
    /// By job that runs, then by future: when it ends.
    pub ends: Vec<Vec<Time>>,
}

/// Plays the queue forward. The same for any number of threads.
pub fn forecast_queue<S: RuntimeSampler + Sync>(
    situation: &PlayableQueue,
    sampler: &mut S,
    settings: &QueueSettings,
) -> QueueForecast {
    let draws = Draws::new(situation, sampler, settings.seed);
    let draw = |future: u64, place: usize, task: u32| draws.run(future, place, task);
    let start = Start::new(situation, settings.tasks_played.max(1), settings.horizon);
    let played = play_all(&start, &draws, settings.futures);
    let waiting = situation.waiting.len();
    let futures = 0..settings.futures.max(1);
    QueueForecast {
        starts: (0..waiting).map(|job| played.iter().map(|future| future.starts[job]).collect()).collect(),
        last_starts: (situation.waiting.iter().enumerate())
            .map(|(place, job)| match job.tasks {
                0 | 1 => Vec::new(),
                tasks => played.iter().map(|future| future.last_start(place, tasks)).collect(),
            })
            .collect(),
        runs: (0..waiting).map(|job| futures.clone().map(|future| draw(future, job, 0)).collect()).collect(),
        ends: (situation.running.iter().enumerate())
            .map(|(place, job)| futures.clone().map(|future| job.started + draw(future, waiting + place, 0)).collect())
            .collect(),
    }
}

/// Plays one job's futures, each no further than to its start: `None` if that is not before the horizon. Where nothing is different
/// they are the futures of [`forecast_queue`].
pub fn forecast_job<S: RuntimeSampler + Sync>(
    situation: &PlayableQueue,
    place: usize,
    sampler: &mut S,
    settings: &QueueSettings,
) -> Vec<Option<Time>> {
    let draws = Draws::new(situation, sampler, settings.seed);
    let mut start = Start::new(situation, settings.tasks_played.max(1), settings.horizon);
    start.watched = Some(place);
    play_all(&start, &draws, settings.futures).iter().map(|future| future.starts[place]).collect()
}

fn play_all<S: RuntimeSampler + Sync>(start: &Start<'_>, draws: &Draws<'_, S>, futures: u64) -> Vec<Played> {
    let futures = (0..futures.max(1)).into_par_iter();
    futures.map(|future| Player::new(start, |place, task| draws.run(future, place, task)).play()).collect()
}

/// Run times, by future.
struct Draws<'a, S> {
    sampler: &'a S,
    prospects: Vec<Prospect>,
    randomness: Randomness,
}

impl<'a, S: RuntimeSampler> Draws<'a, S> {
    fn new(situation: &PlayableQueue, sampler: &'a mut S, seed: u64) -> Self {
        let prospects = situation.prospects();
        sampler.prepare(&prospects, situation.now);
        Self { sampler, prospects, randomness: Randomness::new(seed) }
    }

    /// How long the task of a job runs, by its place among the prospects.
    fn run(&self, future: u64, place: usize, task: u32) -> Seconds {
        let luck = self.randomness.of_future(future);
        let prospect = &self.prospects[place];
        let drawn = self.sampler.sample(place, luck.uniform(task_of(&prospect.submission, task)));
        sound(drawn, &prospect.submission, prospect.age)
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
