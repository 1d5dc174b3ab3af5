//! Whose waits are forecast: a log's own, or those of a policy that is known.

use queuecast_simulate::{FinishedJob, Observer};
use queuecast_workload::{Seconds, TracedJob};

use crate::Configuration;

/// The jobs that a replay can use, with the waits that the configuration gives them and run times cut where it cuts them,
/// in order of submission.
pub fn with_simulated_waits(configuration: &Configuration, jobs: &[TracedJob]) -> Vec<TracedJob> {
    let (mut usable, mut waits) = (Vec::new(), Waits(Vec::new()));
    configuration.simulate_hearing(jobs.iter().copied(), |job| usable.push(*job), &mut waits);
    for (job, wait) in waits.0 {
        // Handles are places in the order of submission.
        if let Some(job) = usize::try_from(job).ok().and_then(|place| usable.get_mut(place)) {
            job.recorded.wait = Some(wait);
        }
    }
    usable
}

struct Waits(Vec<(u64, Seconds)>);

impl Observer for Waits {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.0.push((job.submission.job.0, job.wait()));
    }
}

#[cfg(test)]
mod tests {
    use queuecast_predict::PredictorSpecification;
    use queuecast_workload::{JobId, Machine, Recorded, Request, Status, Submission, Time};

    use super::*;

    #[test]
    fn waits_are_those_of_the_policy_and_runs_end_at_the_limit() {
        let job = |number: i64, processors: u32, run: i64| TracedJob {
            number,
            submission: Submission {
                job: JobId(0),
                submitted: Time(number),
                request: Request { processors },
                limit: Some(Seconds(100)),
                user: None,
                group: None,
                program: None,
                queue: None,
                partition: None,
            },
            recorded: Recorded { wait: Some(Seconds(9_999)), run: Seconds(run), status: Status::Completed },
        };
        let policy = "fcfs".parse().unwrap();
        let configuration = Configuration::new(Machine { processors: 4 }, policy, PredictorSpecification::Estimate);
        let jobs = with_simulated_waits(&configuration, &[job(1, 4, 500), job(2, 9, 10), job(3, 1, 10)]);
        let found: Vec<(i64, i64, i64)> =
            jobs.iter().map(|job| (job.number, job.recorded.wait.unwrap().0, job.recorded.run.0)).collect();
        assert_eq!(found, [(1, 0, 100), (3, 98, 10)]);
    }
}
