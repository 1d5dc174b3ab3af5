//! How long a forecast of a whole queue takes: `whole_queue WAITING FUTURES RESERVATIONS POOLS [NODES [TASKS]]`.
//!
//! A made-up cluster of 2,000 nodes with 32 processors each, full, and a queue of jobs of many shapes behind it; run times as
//! 20,000 ended jobs were. With NODES there are so many, and they are told apart; with TASKS every job that waits is an array of so many. See
//! `benchmarks/README.md`.

#![expect(clippy::cast_possible_truncation, reason = "made-up spans")]

use std::hint::black_box;
use std::time::Instant;

use queuecast_forecast::forward::{HistorySampler, RuntimeSampler};
use queuecast_forecast::queue::{PlayableQueue, QueueSettings, RunningHere, WaitingHere, forecast_job, forecast_queue};
use queuecast_predict::distribution::{WeightedHistory, WeightedHistoryParameters};
use queuecast_schedule::slurm::{Amount, Chunk, Cluster, Demand, Node, Pool, PoolSet, SlurmSettings};
use queuecast_workload::{JobId, Outcome, Request, Seconds, Status, Submission, Time, UserId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const NODES: u32 = 2_000;
const NEW_JOBS: u64 = 200;
const NODE: Amount = Amount { processors: 32, memory_mebibytes: 128_000, gpus: 0 };

fn submission(job: u64, generator: &mut Pcg64) -> Submission {
    let hours = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 24.0, 48.0][generator.random_range(0..9)];
    let minutes = (hours * 60.0_f64) as i64 + i64::from(generator.random_range(0..4_u8)) * 5;
    let nodes = 1_u32 << generator.random_range(0..6_u8);
    Submission {
        job: JobId(job),
        submitted: Time(1_000_000),
        request: Request { processors: nodes * 32 },
        limit: Some(Seconds(minutes * 60)),
        user: Some(UserId(generator.random_range(0..300))),
        group: None,
        program: None,
        queue: None,
        partition: None,
    }
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|text| text.parse().expect("a number")).collect();
    let [waiting, futures, reservations, pools, more @ ..] = &numbers[..] else {
        panic!("whole_queue WAITING FUTURES RESERVATIONS POOLS [NODES [TASKS]]");
    };
    let (waiting, futures, reservations, pools) = (*waiting, *futures, *reservations, *pools);
    let small = |place: usize| more.get(place).map(|number| u32::try_from(*number).expect("a small number"));
    let (told_apart, tasks) = (small(0), small(1).unwrap_or(1));
    let generator = &mut Pcg64::seed_from_u64(1);
    let mut sampler = HistorySampler::new(WeightedHistory::new(WeightedHistoryParameters::default()));
    let learning = Instant::now();
    for number in 0..20_000 {
        let job = submission(number, generator);
        let run = (job.limit.map_or(0, |limit| limit.0) as f64 * generator.random::<f64>().powi(2)) as i64 + 1;
        sampler.on_arrival(&job, job.submitted);
        sampler.on_start(&job, job.submitted);
        let ended = job.submitted + Seconds(run);
        sampler.on_end(&job, &Outcome { started: job.submitted, ended, status: Status::Completed });
    }
    println!("learning from 20,000 jobs: {:.2} s", learning.elapsed().as_secs_f64());
    let now = Time(1_100_000);
    let each = told_apart.unwrap_or(NODES) / u32::try_from(pools).expect("few pools");
    let settings = SlurmSettings { reservations, window: Seconds(4 * 86_400), ..SlurmSettings::default() };
    let pool_list = vec![Pool { node: NODE, nodes: each }; pools];
    let node_of = |pool: usize| Node { pool: u8::try_from(pool).expect("few pools"), weight: 1 };
    let nodes = (0..pools).flat_map(|pool| std::iter::repeat_n(node_of(pool), each as usize));
    let nodes = if told_apart.is_some() { nodes.collect() } else { Vec::new() };
    let cluster = Cluster { pools: pool_list, nodes, settings, ..Cluster::default() };
    let mut situation = PlayableQueue::new(now, cluster, Vec::new(), Vec::new());
    let mut job = 20_000;
    for pool in 0..pools {
        let mut free = each;
        while free > 0 {
            let submission = submission(job, generator);
            job += 1;
            let nodes = (submission.request.processors / 32).min(free);
            let first = u32::try_from(pool).expect("few pools") * each + each - free;
            free -= nodes;
            let limit = submission.limit.unwrap_or_default();
            let started = now - Seconds((limit.0 as f64 * generator.random::<f64>() * 0.5) as i64);
            let holds = match told_apart {
                Some(_) => (first..first + nodes).map(|node| (node, NODE)).collect(),
                None => vec![(u32::try_from(pool).expect("few pools"), NODE.times(nodes))],
            };
            situation.running.push(RunningHere::new(submission, started, started + limit, holds));
        }
    }
    for _ in 0..waiting {
        let submission = submission(job, generator);
        job += 1;
        let set = PoolSet::default().with(generator.random_range(0..pools));
        let demand = Demand::of(submission.request.processors / 32, Chunk::WholeNode, set);
        let planned = submission.limit.unwrap_or_default();
        situation.waiting.push(WaitingHere { tasks, ..WaitingHere::new(submission, demand, planned) });
    }
    let settings = QueueSettings { futures: futures as u64, horizon: Seconds(60 * 86_400), ..QueueSettings::default() };
    let playing = Instant::now();
    let forecast = forecast_queue(&situation, &mut sampler, &settings);
    let seconds = playing.elapsed().as_secs_f64();
    let started = forecast.starts.iter().flatten().flatten().count();
    println!("{waiting} waiting, {} running: {seconds:.2} s, {started} starts", situation.running.len());
    new_jobs(&situation, &mut sampler, &settings, generator);
}

/// Jobs that do not exist, each put somewhere into the queue by itself and played to its start in as many futures as a daemon plays for one answer.
fn new_jobs<S: RuntimeSampler + Sync>(
    situation: &PlayableQueue,
    sampler: &mut S,
    settings: &QueueSettings,
    generator: &mut Pcg64,
) {
    let futures = (20_000 / situation.waiting.len().max(1)).clamp(12, 50) as u64;
    let settings = QueueSettings { futures: futures.min(settings.futures), ..settings.clone() };
    let mut spent: Vec<f64> = Vec::new();
    for number in 0..NEW_JOBS {
        let place = generator.random_range(0..=situation.waiting.len());
        let submission = submission(u64::MAX - number, generator);
        let demand = Demand::of(submission.request.processors / 32, Chunk::WholeNode, PoolSet::default().with(0));
        let playing = Instant::now();
        let mut queue = situation.clone();
        queue.waiting.insert(place, WaitingHere::new(submission, demand, submission.limit.unwrap_or_default()));
        black_box(forecast_job(&queue, place, sampler, &settings));
        spent.push(playing.elapsed().as_secs_f64() * 1e3);
    }
    spent.sort_by(f64::total_cmp);
    let (half, most) = (spent[spent.len() / 2], spent[spent.len() * 99 / 100]);
    println!("a job that does not exist, {futures} futures: {half:.1} ms in the middle, 99 % within {most:.1} ms");
}
