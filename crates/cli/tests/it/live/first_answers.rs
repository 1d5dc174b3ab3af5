//! From nothing to answers, and what they cost Slurm.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use queuecast_slurm_lab::{ClusterSettings, Daemon, Lab, LabSettings, Submission, wait_until};

use super::{SOON, asked, qcast, waiting};

const HISTORY: usize = 1_000;
const WAITING: u32 = 200;

/// A lab with jobs behind it and a queue before it: all nodes are held by one long job.
fn busy_lab() -> Lab {
    let lab =
        Lab::up(LabSettings { clusters: vec![ClusterSettings::new("alpha", 64)], ..LabSettings::default() }).unwrap();
    let cluster = lab.cluster("alpha");
    let many = format!("--array=1-{HISTORY}");
    cluster.submit("user01", &Submission::script("true").limit_minutes(5).argument(many)).unwrap();
    wait_until("the history", Duration::from_mins(4), || {
        Ok(cluster.recorded_jobs()?.iter().filter(|job| job.state == "COMPLETED").count() >= HISTORY)
    })
    .unwrap();
    let blocker = cluster.submit("user01", &Submission::sleeping(3_600).nodes(64).limit_minutes(90)).unwrap();
    cluster.wait_for_state(blocker, "RUNNING", SOON).unwrap();
    thread::scope(|scope| {
        for submitter in 1..=4_u32 {
            scope.spawn(move || {
                for job in 0..WAITING / 4 {
                    let wanted = Submission::sleeping(60).nodes(1 + job % 8).limit_minutes(10 + job % 50);
                    cluster.submit(&format!("user{submitter:02}"), &wanted).unwrap();
                }
            });
        }
    });
    lab
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn everybody_is_forecast_within_ten_seconds_and_a_thousand_askers_cost_slurm_nothing() {
    let lab = busy_lab();
    let cluster = lab.cluster("alpha");
    let folder = tempfile::tempdir().unwrap();
    let mut daemon = Daemon::of(cluster, qcast(), folder.path(), &[]).unwrap();
    let begun = Instant::now();
    daemon.start().unwrap();
    wait_until("forecasts of everybody", SOON, || {
        let Ok(queue) = daemon.get("/v1/queue?limit=1000") else { return Ok(false) };
        let jobs = queue["jobs"].as_array().cloned().unwrap_or_default();
        Ok(jobs.len() == WAITING as usize && jobs.iter().all(|job| !job["start"].is_null()))
    })
    .unwrap();
    let took = begun.elapsed();
    let health = daemon.get("/v1/health").unwrap();
    println!("{WAITING} forecasts after {:.1} s; {}", took.as_secs_f64(), health["training_jobs"]);
    assert!(took < Duration::from_secs(10), "{took:?}\n{}", daemon.complaints());
    assert!(health["training_jobs"].as_u64().unwrap() >= HISTORY as u64, "{health}");

    a_user_is_answered(&daemon);
    askers_cost_nothing(&daemon, cluster);
}

fn a_user_is_answered(daemon: &Daemon) {
    let number = waiting(daemon)[0]["job"]["id"].as_str().expect("a job's number").to_owned();
    let (code, said) = asked(daemon, &["when", &number]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(&format!("Job {number} starts")) && said.contains("80 % range"), "{said}");
    let (code, said) = asked(daemon, &["when", "-N", "4", "-t", "2:00:00", "-p", "batch"]);
    assert!(code == Some(0) && said.contains("Such a job would start"), "{said}");
    let (code, said) = asked(daemon, &["when", "-N", "65", "-t", "2:00:00"]);
    assert!(code == Some(5) && said.contains("refused"), "{said}");
    let (code, _) = asked(daemon, &["score", "--format", "json"]);
    assert_eq!(code, Some(0));
}

/// Asks by hand: a thousand programs at once would measure the machine.
fn is_answered(socket: &Path) -> bool {
    let answer = UnixStream::connect(socket).and_then(|mut stream| {
        stream.write_all(b"GET /v1/queue?limit=10 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    });
    answer.is_ok_and(|answer| answer.starts_with(b"HTTP/1.1 200"))
}

/// Calls in a while without askers, and in the same while with a thousand, are as many.
fn askers_cost_nothing(daemon: &Daemon, cluster: queuecast_slurm_lab::ClusterHandle<'_>) {
    const WHILE: Duration = Duration::from_secs(35);
    let calls_while = |asking: bool| {
        let before = cluster.calls().len();
        let begun = Instant::now();
        thread::scope(|scope| {
            for _ in 0..if asking { 1_000 } else { 0 } {
                scope.spawn(|| assert!(is_answered(&daemon.socket()), "every asker is answered"));
            }
        });
        thread::sleep(WHILE.saturating_sub(begun.elapsed()));
        cluster.calls().len() - before
    };
    let (alone, with_askers) = (calls_while(false), calls_while(true));
    println!("calls to Slurm in {WHILE:?}: {alone} alone, {with_askers} with a thousand askers");
    // Two readings of the queue, one of the nodes, one of accounting: no more fall into it at the default intervals.
    assert!(with_askers <= 4, "{with_askers}: {:?}", cluster.calls());
}
