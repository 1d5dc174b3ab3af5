//! The replay check: how much of what Slurm did the model would have done.
//!
//! Between two readings of the queue some jobs ended, some came, and some started. Told of the ends and the arrivals, and with
//! those who started put back into the queue, whom would the model start? Whom Slurm started too is *explained*. Whom only
//! the model would start, and would start again at the next look, is *missing*, once: Slurm comes round only every half minute or so, and one
//! job that it sees otherwise is not a new mistake at every reading.
//!
//! Not for: how good forecasts are, which depends on run times as well; for that there is the score.

use std::collections::HashSet;

use queuecast_records::{BaseState, JobRecord, JobState};
use queuecast_schedule::slurm::SlurmScheduler;
use queuecast_workload::{Submission, Time};

use super::situation::{ClusterReading, Situation, is_running};
use crate::published::ReplayCheck;

/// Who ran in a reading, by number and time of submission.
pub type Ran = HashSet<(u64, Time)>;

/// Who runs in this reading.
pub fn running(jobs: &[JobRecord]) -> Ran {
    jobs.iter().filter(|job| is_running(job)).map(|job| (job.key.job_id, job.key.submitted)).collect()
}

/// Whom the model would have started when it was last looked, and Slurm had not; and who of them was counted.
#[derive(Clone, Debug, Default)]
pub struct Suspects {
    chosen: Ran,
    counted: Ran,
}

/// Checks one reading against the one before it, in which these ran.
pub fn check(
    reading: &ClusterReading<'_>,
    before: &Ran,
    suspects: &mut Suspects,
    submission: impl FnMut(&JobRecord) -> Submission,
) -> ReplayCheck {
    let started = |job: &JobRecord| is_running(job) && !before.contains(&(job.key.job_id, job.key.submitted));
    let starts = reading.jobs.iter().filter(|job| started(job)).count();
    if starts == 0 {
        return ReplayCheck::default();
    }
    let put_back: Vec<JobRecord> = reading
        .jobs
        .iter()
        .map(|job| {
            let mut job = job.clone();
            if started(&job) {
                job.state = JobState { base: BaseState::Pending, ..job.state };
                (job.started, job.reason, job.dependency) = (None, String::new(), String::new());
            }
            job
        })
        .collect();
    let situation = Situation::of(&ClusterReading { jobs: &put_back, ..*reading }, submission);
    let queue: Vec<_> = situation.core.waiting.iter().map(queuecast_forecast::queue::WaitingHere::queued).collect();
    let running = situation.core.running.iter().map(queuecast_forecast::queue::RunningHere::running).collect();
    let mut scheduler = SlurmScheduler::new(situation.core.cluster.clone(), &queue, running);
    let mut chosen = Vec::new();
    scheduler.pass(reading.now, true, &mut chosen);
    let mut checked = ReplayCheck { starts: starts as u64, ..ReplayCheck::default() };
    let mut only_model = Ran::new();
    for job in &situation.waiting {
        let Ok(place) = job.place else { continue };
        if !chosen.iter().any(|chosen| chosen.0 as usize == place) {
            continue;
        }
        let record = &reading.jobs[job.record];
        if started(record) {
            checked.explained += 1;
        } else {
            only_model.insert((record.key.job_id, record.key.submitted));
        }
    }
    for job in only_model.intersection(&suspects.chosen) {
        checked.missing += u64::from(suspects.counted.insert(*job));
    }
    let waits: Ran = situation
        .waiting
        .iter()
        .map(|job| &reading.jobs[job.record].key)
        .map(|key| (key.job_id, key.submitted))
        .collect();
    suspects.counted.retain(|job| waits.contains(job));
    suspects.chosen = only_model;
    checked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Reach;
    use crate::cluster::test_cluster::{node, partition, running, submission, waiting};

    #[test]
    fn a_start_in_order_is_explained_and_one_out_of_order_leaves_somebody_missing() {
        let nodes = [node("a1", 1, &["batch"]), node("a2", 1, &["batch"])];
        let mut suspects = Suspects::default();
        let mut checked = |jobs: &[JobRecord]| {
            let reading = ClusterReading {
                now: Time(5_000),
                jobs,
                nodes: &nodes,
                partitions: &[partition("batch")],
                reservations: &[],
                qos: &[],
                associations: &[],
                shares: &[],
                configuration: None,
                reach: &Reach::default(),
            };
            check(&reading, &super::running(&[running(1, "a1", 1, 3_000)]), &mut suspects, submission)
        };
        let long_ago = running(1, "a1", 1, 3_000);
        let in_order = checked(&[long_ago.clone(), running(2, "a2", 1, 4_980), waiting(3, 1)]);
        assert_eq!(in_order, ReplayCheck { starts: 1, explained: 1, missing: 0 });
        let out_of_order = [long_ago.clone(), waiting(2, 1), running(3, "a2", 1, 4_980)];
        let missing = |missing| ReplayCheck { starts: 1, explained: 0, missing };
        assert_eq!(checked(&out_of_order), missing(0), "Slurm may just not have come round");
        assert_eq!(checked(&out_of_order), missing(1), "it has, and leaves it");
        assert_eq!(checked(&out_of_order), missing(0), "it is counted already");
        assert_eq!(checked(&[long_ago, waiting(2, 1)]), ReplayCheck::default(), "nobody started");
    }
}
