//! `kill -9`, again and again: nothing is lost, nothing doubled, and what was said is scored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use queuecast_slurm_lab::{ClusterSettings, Daemon, Lab, LabSettings, ReplayJob, wait_until};
use rusqlite::Connection;

use super::qcast;

/// Unless `QCAST_KILLS` says otherwise.
const KILLS: usize = 200;
/// One in so many lives may last longer.
const LONGER_LIVES: u64 = 6;

fn jobs() -> Vec<ReplayJob> {
    let job = |index: u32| ReplayJob {
        submit_offset_seconds: index * 40,
        run_seconds: 60 + (index * 397) % 400,
        nodes: 1 + (index * 7) % 12,
        limit_minutes: 30,
        user: 1 + index % 8,
    };
    (0..150).map(job).collect()
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn two_hundred_kills_lose_no_job_double_none_and_leave_every_kept_forecast_to_be_scored() {
    let clusters = vec![ClusterSettings::new("alpha", 32)];
    let lab = Lab::up(LabSettings { clusters, speed: 60, ..LabSettings::default() }).unwrap();
    let cluster = lab.cluster("alpha");
    let folder = tempfile::tempdir().unwrap();
    let mut daemon = Daemon::of(cluster, qcast(), folder.path(), &[]).unwrap();
    let jobs = jobs();
    let done = AtomicBool::new(false);
    let mut told = BTreeSet::new();
    let least = std::env::var("QCAST_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut kills = 0;
    thread::scope(|scope| {
        let replay = scope.spawn(|| {
            let replayed = cluster.replay(&jobs);
            cluster.wait_until_empty(Duration::from_mins(6)).unwrap();
            done.store(true, Ordering::Release);
            replayed.unwrap()
        });
        // Not a multiple of anything the daemon does.
        for number in 0_u64.. {
            if kills >= least && done.load(Ordering::Acquire) {
                break;
            }
            daemon.start().unwrap();
            thread::sleep(Duration::from_millis(50 + (number * 379) % 1_400));
            let mut kept = kept_forecasts(&daemon);
            // On a slow machine most lives are too short for a forecast: some last until there is one, if anybody waits.
            let patience = Instant::now();
            while kept.is_empty() && number % LONGER_LIVES == 0 && patience.elapsed() < Duration::from_secs(5) {
                thread::sleep(Duration::from_millis(100));
                kept = kept_forecasts(&daemon);
            }
            told.extend(kept);
            daemon.kill().unwrap();
            kills += 1;
        }
        replay.join().unwrap();
    });
    assert!(kills >= least);
    daemon.start().unwrap();
    let recorded: BTreeMap<i64, String> =
        cluster.recorded_jobs().unwrap().into_iter().map(|job| (i64::from(job.number.0), job.state)).collect();
    assert_eq!(recorded.len(), jobs.len());
    wait_until("every job to be known as ended", Duration::from_mins(1), || Ok(ended(&daemon).len() == jobs.len()))
        .unwrap();
    daemon.kill().unwrap();

    let ended = ended(&daemon);
    assert_eq!(ended.iter().collect::<BTreeSet<_>>().len(), ended.len(), "a job is there twice");
    assert_eq!(ended.iter().copied().collect::<BTreeSet<_>>(), recorded.keys().copied().collect());
    let store = Connection::open(daemon.store()).unwrap();
    let query =
        "SELECT job_id, made FROM settlements JOIN forecasts ON forecasts.id = forecast JOIN jobs ON jobs.id = job";
    let mut query = store.prepare(query).unwrap();
    let rows = query.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))).unwrap();
    let scored: Vec<(i64, i64)> = rows.map(Result::unwrap).collect();
    assert_eq!(scored.iter().collect::<BTreeSet<_>>().len(), scored.len(), "a forecast is scored twice");
    let scored: BTreeSet<(i64, i64)> = scored.into_iter().collect();
    let lost: Vec<_> = told.difference(&scored).collect();
    println!("{kills} kills, {} jobs, {} forecasts told and kept, {} scored", ended.len(), told.len(), scored.len());
    assert!(told.len() > 50, "only {} forecasts were seen", told.len());
    assert!(lost.is_empty(), "told and not scored: {lost:?}");
}

/// Forecasts that the daemon says it keeps: of which job, made when.
fn kept_forecasts(daemon: &Daemon) -> Vec<(i64, i64)> {
    let Ok(queue) = daemon.get("/v1/queue?limit=1000") else { return Vec::new() };
    let jobs = queue["jobs"].as_array().cloned().unwrap_or_default();
    let kept = jobs.iter().filter(|job| job["stored"] == true);
    kept.filter_map(|job| Some((job["job"]["id"].as_str()?.parse().ok()?, job["made"]["unix"].as_i64()?))).collect()
}

/// The numbers of the jobs that the store has as ended, as often as it has them.
fn ended(daemon: &Daemon) -> Vec<i64> {
    let store = Connection::open(daemon.store()).unwrap();
    let mut query = store.prepare("SELECT job_id FROM jobs WHERE stage = 'ended'").unwrap();
    let rows = query.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
