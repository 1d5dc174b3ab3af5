//! Many futures of the queue, one forecast for everybody.

use queuecast_schedule::slurm::Onlooker;
use queuecast_workload::{JobId, Seconds, Submission, Time};
use rayon::prelude::*;

use super::patience::Patience;
use super::playable_queue::PlayableQueue;
use super::player::{Played, Player, Start};
use super::threads::Threads;
use crate::forward::{Prospect, Randomness, RuntimeSampler};

/// How the futures are played.
#[derive(Clone, Debug)]
pub struct QueueSettings {
    /// How many.
    pub futures: u64,
    /// Decides all draws.
    pub seed: u64,
    /// How far they are played.
    pub horizon: Seconds,
    /// How many tasks of an array that waits as one are played, at most. Of a longer one each that is played stands for several, one after the other.
    pub tasks_played: u32,
    /// For how long.
    pub patience: Patience,
    /// By whom.
    pub threads: Threads,
}

impl Default for QueueSettings {
    fn default() -> Self {
        Self {
            futures: 100,
            seed: 0,
            horizon: Seconds(30 * 86_400),
            tasks_played: 200,
            patience: Patience::ENDLESS,
            threads: Threads::SHARED,
        }
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
    /// How much was played of what was to be.
    pub effort: PlayedEffort,
}

/// How much was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayedEffort {
    /// So many futures were to be.
    pub simulations_planned: u64,
    /// So many are told.
    pub simulations_finished: u64,
    /// Whether they end before everybody has started: who comes behind is told by how much work stands before it, without backfill.
    pub is_tail_coarse: bool,
    /// So many tasks of arrays were not played one by one.
    pub tasks_not_modelled: u64,
}

/// Plays the queue forward. The same for any number of threads, unless patience ends: then those futures are told that are finished, and if none is, those
/// that were begun.
pub fn forecast_queue<S: RuntimeSampler + Sync>(
    situation: &PlayableQueue,
    sampler: &mut S,
    settings: &QueueSettings,
) -> QueueForecast {
    let draws = Draws::new(situation, sampler, settings.seed);
    let draw = |future: u64, place: usize, task: u32| draws.run(future, place, task);
    let start = Start::new(situation, settings.tasks_played.max(1), settings.horizon);
    let simulations_planned = settings.futures.max(1);
    let played = told(play_all(&start, &draws, simulations_planned, settings));
    let effort = PlayedEffort {
        simulations_planned,
        simulations_finished: played.len() as u64,
        is_tail_coarse: played.iter().any(|(_, future)| !future.is_whole),
        tasks_not_modelled: start.tasks_not_modelled(),
    };
    let waiting = situation.waiting.len();
    let futures = || played.iter().map(|(future, _)| *future);
    QueueForecast {
        starts: (0..waiting).map(|job| played.iter().map(|(_, future)| future.starts[job]).collect()).collect(),
        last_starts: (situation.waiting.iter().enumerate())
            .map(|(place, job)| match job.tasks {
                0 | 1 => Vec::new(),
                _ => played.iter().map(|(_, future)| future.lasts[place]).collect(),
            })
            .collect(),
        runs: (0..waiting).map(|job| futures().map(|future| draw(future, job, 0)).collect()).collect(),
        ends: (situation.running.iter().enumerate())
            .map(|(place, job)| futures().map(|future| job.started + draw(future, waiting + place, 0)).collect())
            .collect(),
        effort,
    }
}

/// Plays one job's futures, each no further than to its start: `None` if that is not before the horizon. Where nothing is different
/// they are the futures of [`forecast_queue`]. What comes out once patience is over is worth nothing, and is to be thrown away.
pub fn forecast_job<S: RuntimeSampler + Sync>(
    situation: &PlayableQueue,
    place: usize,
    sampler: &mut S,
    settings: &QueueSettings,
) -> Vec<Option<Time>> {
    let draws = Draws::new(situation, sampler, settings.seed);
    let mut start = Start::new(situation, settings.tasks_played.max(1), settings.horizon);
    start.watched = Some(place);
    let played = play_all(&start, &draws, settings.futures.max(1), settings);
    played.iter().map(|(_, future)| future.starts[place]).collect()
}

/// Plays the futures of a queue at which others look on from behind: when each would start, by onlooker, plan and future; `None` if that is not before the
/// horizon. For one alone this is what [`forecast_job`] says of it at the end of the queue. What comes out once patience is over is worth nothing.
pub fn forecast_onlookers<S: RuntimeSampler + Sync>(
    situation: &PlayableQueue,
    onlookers: &[Onlooker],
    sampler: &mut S,
    settings: &QueueSettings,
) -> Vec<Vec<Vec<Option<Time>>>> {
    let draws = Draws::new(situation, sampler, settings.seed);
    let start = Start::new(situation, settings.tasks_played.max(1), settings.horizon).with_onlookers(onlookers);
    let played = play_all(&start, &draws, settings.futures.max(1), settings);
    let of_plan =
        |onlooker: usize, plan: usize| played.iter().map(|(_, future)| future.onlookers[onlooker][plan]).collect();
    let plans = onlookers.iter().map(|onlooker| onlooker.planned.len()).enumerate();
    plans.map(|(onlooker, plans)| (0..plans).map(|plan| of_plan(onlooker, plan)).collect()).collect()
}

/// Every future that is begun before patience ends, with its number; the first in any case.
fn play_all<S: RuntimeSampler + Sync>(
    start: &Start<'_>,
    draws: &Draws<'_, S>,
    futures: u64,
    QueueSettings { patience, threads, .. }: &QueueSettings,
) -> Vec<(u64, Played)> {
    let begun = (0..futures).into_par_iter().filter(|future| *future == 0 || !patience.is_over());
    let play = |future| {
        let player = Player::new(start, |place, task| draws.run(future, place, task));
        (future, player.play(patience))
    };
    threads.run(|| begun.map(play).collect())
}

/// Those that are finished, or if none is, all that were begun.
fn told(mut played: Vec<(u64, Played)>) -> Vec<(u64, Played)> {
    if played.iter().any(|(_, future)| future.is_whole) {
        played.retain(|(_, future)| future.is_whole);
    }
    played
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
