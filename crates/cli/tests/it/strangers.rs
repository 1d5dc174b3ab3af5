//! What one user can learn of another by asking about jobs that do not exist, and what one who asks without end can do to others: the built binary, real users
//! of this machine, a Slurm that is made up.

use std::time::{Duration, Instant};

use crate::made_up_slurm::MadeUpSlurm;
use serde_json::Value;

const SOON: Duration = Duration::from_mins(1);
/// Whose jobs alone ask for 137 minutes and 13 CPUs, and run for 4,242 s.
const VICTIM: u32 = 2_001;
const STRANGER: u32 = 3_000;
const EVERYTHING_HIDDEN: &str = "accounts,events,jobs,nodes,reservations,usage,users";

/// A year of twenty users whose jobs take anything from a minute to an hour, and of one who is alone with theirs.
fn history_with_a_rare_shape() -> MadeUpSlurm {
    let mut slurm = MadeUpSlurm::full().with_jobs(40);
    for place in 0..600_i64 {
        let user = 2_100 + u32::try_from(place % 20).expect("small");
        let ago = 3_600 + (600 - place) * 1_000;
        slurm.with_ended(user, 1 << (place % 5), 30 + 30 * (place % 7), 60 + place * 7_919 % 3_500, ago);
        if place % 10 == 0 {
            slurm.with_ended(VICTIM, 13, 137, 4_242, ago - 100);
        }
    }
    slurm.write(EVERYTHING_HIDDEN);
    slurm
}

/// How long a job of this shape is said to run in the middle, to a stranger.
fn told_run(slurm: &MadeUpSlurm, cpus: u32, minutes: u32) -> f64 {
    let mut command = slurm.qcast_as(STRANGER);
    command.args(["when", "--ntasks", &cpus.to_string(), "--time", &minutes.to_string(), "--format", "json"]);
    let output = command.output().expect("the binary runs");
    let answer: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    answer["run"]["median_seconds"].as_f64().unwrap_or_else(|| panic!("{answer}"))
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

/// The attack of the audit: one question about a shape that one user alone has told that user's median run to the second; and 60 limits, scanned, found the
/// shape. Tried here: 24 limits around it, and 4 sizes.
#[test]
fn a_stranger_who_scans_limits_and_sizes_does_not_find_whose_jobs_are_alone_with_theirs() {
    if !is_root() {
        return eprintln!("not root: nobody can be a stranger here");
    }
    let slurm = history_with_a_rare_shape();
    let mut served = slurm.serve();
    served.wait_for(SOON, |health| health.made.is_some() && health.training_jobs.is_none_or(|learnt| learnt >= 660));
    let share_of_limit = |minutes: u32| told_run(&slurm, 13, minutes) / f64::from(minutes);
    let asked = share_of_limit(137);
    // Fewer than are asked at once without waiting: 30.
    let around: Vec<f64> = (125..150).step_by(2).filter(|minutes| *minutes != 137).map(share_of_limit).collect();
    let (least, most) = (around.iter().copied().fold(f64::MAX, f64::min), around.iter().copied().fold(0.0, f64::max));
    assert!(least * 0.98 <= asked && asked <= most * 1.02, "137 minutes stand out: {asked} among {around:?}");
    assert!((asked * 137.0 - 4_242.0).abs() > 100.0, "that is how long they run: {asked}");
    let sizes: Vec<f64> = [11, 12, 13, 14].map(|cpus| told_run(&slurm, cpus, 137)).to_vec();
    assert!(sizes.iter().all(|run| (run / sizes[0] - 1.0).abs() < 0.02), "13 CPUs stand out: {sizes:?}");
}

/// One user asks what holds their jobs, as fast as they can and from many terminals; another asks the same now and then, and waits for one question at most.
#[test]
fn one_who_asks_without_end_does_not_take_the_place_of_another() {
    if !is_root() {
        return eprintln!("not root: nobody can be somebody else here");
    }
    let slurm = MadeUpSlurm::full().with_jobs(3_000);
    slurm.write("none");
    let mut served = slurm.serve();
    served.forecast(SOON);
    let why = |user: u32, job: usize| {
        let mut command = slurm.qcast_as(user);
        command.args(["why", &job.to_string()]).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command
    };
    // Jobs 65 to 3,064 wait; every fiftieth is this user's.
    let jobs_of = |user: usize| (0..3_000).filter(move |place| place % 50 == user).map(|place| place + 65);
    why(1_001, 66).output().expect("the first answer is not measured");
    let greedy: Vec<_> = jobs_of(0).rev().take(25).map(|job| why(1_000, job).spawn().expect("it runs")).collect();
    let mut longest = Duration::ZERO;
    for job in jobs_of(1).rev().take(5) {
        let begun = Instant::now();
        let status = why(1_001, job).status().expect("it runs");
        longest = longest.max(begun.elapsed());
        assert!(status.success(), "nobody refuses who asks now and then");
    }
    for mut asked in greedy {
        // Answered or told to wait, in the end.
        let _ = asked.wait();
    }
    // Twenty-five questions in a row would take this long many times over on this machine.
    assert!(longest < Duration::from_secs(10), "{longest:?}");
    assert!(served.terminate() < Duration::from_secs(2));
}
