//! Jobs replayed on a fast clock run for as long as they were asked to.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use queuecast_slurm_lab::{ClusterSettings, Lab, LabSettings, ReplayJob, wait_until};

/// Made up, without a generator: what counts is that sizes, lengths and users differ and that some jobs must wait.
fn made_up_jobs() -> Vec<ReplayJob> {
    let job = |index: u32| ReplayJob {
        submit_offset_seconds: index * 25,
        run_seconds: 60 + (index * 97) % 540,
        nodes: 1 << (index % 4),
        limit_minutes: 15,
        user: 1 + index % 8,
    };
    (0..60).map(job).collect()
}

#[test]
#[ignore = "needs root and Slurm: tests/install-slurm.sh, then --run-ignored all"]
fn sixty_jobs_at_a_hundred_times_the_speed_run_as_long_as_asked() {
    let clusters = vec![ClusterSettings::new("alpha", 32)];
    let lab = Lab::up(LabSettings { clusters, speed: 100, ..LabSettings::default() }).unwrap();
    let cluster = lab.cluster("alpha");
    let jobs = made_up_jobs();
    let begun = Instant::now();
    let replayed = cluster.replay(&jobs).unwrap();
    assert_eq!(replayed.len(), jobs.len());
    wait_until("every job to be recorded as ended", Duration::from_mins(1), || {
        let recorded = cluster.recorded_jobs()?;
        Ok(recorded.len() == jobs.len() && recorded.iter().all(|job| job.state == "COMPLETED"))
    })
    .unwrap();
    let took = begun.elapsed();

    let recorded: HashMap<_, _> =
        cluster.recorded_jobs().unwrap().into_iter().map(|job| (job.number, job.elapsed_seconds)).collect();
    let mut errors_seconds: Vec<u32> =
        replayed.iter().map(|job| recorded[&job.number].abs_diff(job.asked.run_seconds)).collect();
    errors_seconds.sort_unstable();
    let mut late_seconds: Vec<f64> = replayed.iter().map(|job| job.late_seconds).collect();
    late_seconds.sort_by(f64::total_cmp);
    println!(
        "{} jobs in {:.0} s; elapsed against asked, in lab seconds: median {}, 95 % {}, most {}; \
         submitted late: median {:.0}, most {:.0}",
        jobs.len(),
        took.as_secs_f64(),
        errors_seconds[jobs.len() / 2],
        errors_seconds[jobs.len() * 95 / 100 - 1],
        errors_seconds[jobs.len() - 1],
        late_seconds[jobs.len() / 2],
        late_seconds[jobs.len() - 1],
    );
    let close = errors_seconds.iter().filter(|error| **error <= 60).count();
    assert!(close * 100 >= jobs.len() * 95, "only {close} of {} within 60 lab seconds", jobs.len());
    assert!(took < Duration::from_mins(1), "took {took:?}");
}
