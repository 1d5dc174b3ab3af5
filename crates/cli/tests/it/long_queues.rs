//! However long a queue is, there is an answer soon, and the daemon ends when told to: the built binary on a queue that is made up.
//!
//! The machine that runs this may be busy: what is asserted leaves room for that. What was measured on a quiet one is in `docs/reliability.md`.

use std::time::Duration;

use crate::made_up_slurm::MadeUpSlurm;

/// Told within this, whatever else the machine does: the time between two readings of the queue.
const POLLING_INTERVAL: Duration = Duration::from_secs(30);

#[test]
fn a_thousand_arrays_of_a_thousand_tasks_are_forecast_before_the_queue_is_read_again_and_the_end_comes_at_once() {
    let slurm = MadeUpSlurm::full().with_arrays(1_000, 1_000);
    slurm.write("none");
    let mut served = slurm.serve();
    let (health, _) = served.forecast(POLLING_INTERVAL);
    assert_eq!(health.jobs_waiting, Some(1_000));
    assert_eq!(health.tasks_not_modelled, 800_000, "tasks of long arrays");
    assert!(served.terminate() < Duration::from_secs(2));
}

#[test]
fn in_the_middle_of_a_forecast_the_end_comes_at_once() {
    let slurm = MadeUpSlurm::full().with_arrays(50_000, 20);
    slurm.write("none");
    let mut served = slurm.serve();
    served.wait_for(POLLING_INTERVAL, |health| health.queue.age_seconds.is_some());
    assert!(served.terminate() < Duration::from_secs(2));
}
