//! A whole queue played forward: when will everybody start who waits on this small cluster?
//!
//! `cargo run -p queuecast-examples --bin forecast_a_queue`
//!
//! Run times are learnt from jobs that have ended, and drawn anew in each of a thousand futures; in every one of them Slurm's own
//! scheduling is played. User 1 needs about an hour of the ten that are asked for and user 2 most of them, so that it matters who
//! runs. Job 204 asks for two hours only, and passes job 203.

use queuecast_forecast::forward::{HistorySampler, RuntimeSampler};
use queuecast_forecast::queue::{PlayableQueue, QueueSettings, RunningHere, WaitingHere, forecast_queue};
use queuecast_predict::distribution::{WeightedHistory, WeightedHistoryParameters};
use queuecast_schedule::slurm::{Amount, Chunk, Cluster, Demand, Pool, PoolSet};
use queuecast_workload::{JobId, Outcome, Seconds, Status, Submission, Time, UserId};

const NODE: Amount = Amount { processors: 32, memory_mebibytes: 128_000, gpus: 0 };
const HOUR: i64 = 3_600;
const NOW: Time = Time(100 * HOUR);

fn main() {
    let mut run_times = HistorySampler::new(WeightedHistory::new(WeightedHistoryParameters::default()));
    for past in 0..100_u32 {
        let (user, run_minutes) = if past % 2 == 0 { (1, 40 + past / 2) } else { (2, 420 + past) };
        let job = submission(u64::from(past), user, 4, 10);
        run_times.on_arrival(&job, job.submitted);
        run_times.on_start(&job, job.submitted);
        let ended = job.submitted + Seconds(60 * i64::from(run_minutes));
        run_times.on_end(&job, &Outcome { started: job.submitted, ended, status: Status::Completed });
    }

    let cluster = Cluster { pools: vec![Pool { node: NODE, nodes: 8 }], ..Cluster::default() };
    let runs = vec![running(submission(200, 1, 4, 10)), running(submission(201, 2, 4, 10))];
    let waits = vec![waiting(202, 1, 4, 10), waiting(203, 2, 8, 10), waiting(204, 1, 2, 2)];
    let situation = PlayableQueue::new(NOW, cluster, waits, runs);
    let settings = QueueSettings { futures: 1_000, seed: 1, ..QueueSettings::default() };
    let forecast = forecast_queue(&situation, &mut run_times, &settings);

    println!("{:<5} {:>4} {:>6}   starts in hours: 10 %, 50 %, 90 % of the simulations", "job", "user", "nodes");
    for (job, starts) in situation.waiting.iter().zip(forecast.starts) {
        let mut hours: Vec<f64> =
            starts.into_iter().flatten().map(|start| (start - NOW).as_f64() / HOUR as f64).collect();
        hours.sort_by(f64::total_cmp);
        let at = |share: usize| hours[(hours.len() - 1) * share / 100];
        let user = job.submission.user.map_or(0, |user| user.0);
        let nodes = job.demand.chunks;
        println!("{:<5} {user:>4} {nodes:>6} {:>19.1} {:>6.1} {:>6.1}", job.submission.job.0, at(10), at(50), at(90));
    }
}

/// Submitted half an hour ago.
fn submission(job: u64, user: u32, nodes: u32, limit_hours: i64) -> Submission {
    let (limit, user) = (Some(Seconds(limit_hours * HOUR)), Some(UserId(user)));
    Submission { job: JobId(job), limit, user, ..Submission::new(NOW - Seconds(HOUR / 2), nodes * 32) }
}

/// It started when it was submitted.
fn running(job: Submission) -> RunningHere {
    let holds = vec![(0, NODE.times(job.request.processors / 32))];
    let planned_end = job.submitted + job.limit.unwrap_or_default();
    RunningHere::new(job, job.submitted, planned_end, holds)
}

fn waiting(job: u64, user: u32, nodes: u32, limit_hours: i64) -> WaitingHere {
    let submission = submission(job, user, nodes, limit_hours);
    let pools = PoolSet::default().with(0);
    let demand = Demand::of(nodes, Chunk::WholeNode, pools);
    WaitingHere::new(submission, demand, submission.limit.unwrap_or_default())
}
