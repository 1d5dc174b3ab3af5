//! Many jobs, submitted at given times of the lab's clock: a piece of a log brought to life.
//!
//! Not for: single jobs in chosen situations (`jobs.rs`); simulated replays, which need no Slurm at all.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::cluster::ClusterHandle;
use crate::jobs::{JobNumber, Submission};
use crate::users;

/// How many jobs are submitted at once: one sbatch takes about 50 ms, which is seconds on a fast clock.
const SUBMITTERS: usize = 4;

/// A job to be replayed.
#[derive(Clone, Copy, Debug)]
pub struct ReplayJob {
    /// When, in lab seconds after the start of the replay.
    pub submit_offset_seconds: u32,
    /// How long it will run, in lab seconds.
    pub run_seconds: u32,
    /// On how many nodes, all of each.
    pub nodes: u32,
    /// Its limit.
    pub limit_minutes: u32,
    /// Whose it is, counted from one; more users than the lab has are folded onto those it has.
    pub user: u32,
}

/// A job that was submitted.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedJob {
    /// What was asked.
    pub asked: ReplayJob,
    /// What Slurm calls it.
    pub number: JobNumber,
    /// How long after its time sbatch had answered, in lab seconds: at least the speed times what sbatch takes.
    pub late_seconds: f64,
}

/// What the accounting records say of an ended job.
#[derive(Clone, Debug)]
pub struct RecordedJob {
    /// What Slurm calls it.
    pub number: JobNumber,
    /// Its state.
    pub state: String,
    /// From start to end, in lab seconds.
    pub elapsed_seconds: u32,
}

impl ClusterHandle<'_> {
    /// Submits jobs, which must be in order of their time, each at its time. Returns when the last is submitted.
    pub fn replay(&self, jobs: &[ReplayJob]) -> Result<Vec<ReplayedJob>> {
        let speed = f64::from(self.lab().settings().speed.max(1));
        let next = AtomicUsize::new(0);
        let submitted = Mutex::new(Vec::with_capacity(jobs.len()));
        let begun = Instant::now();
        thread::scope(|scope| {
            let submitters: Vec<_> = (0..SUBMITTERS)
                .map(|_| {
                    scope.spawn(|| -> Result<()> {
                        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let due = Duration::from_secs_f64(f64::from(job.submit_offset_seconds) / speed);
                            thread::sleep(due.saturating_sub(begun.elapsed()));
                            let number = self.submit_replayed(job)?;
                            let late_seconds = begun.elapsed().saturating_sub(due).as_secs_f64() * speed;
                            let replayed = ReplayedJob { asked: *job, number, late_seconds };
                            submitted.lock().expect("no submitter panics with the list").push(replayed);
                        }
                        Ok(())
                    })
                })
                .collect();
            submitters.into_iter().try_for_each(|submitter| submitter.join().expect("a submitter returns its errors"))
        })?;
        let mut submitted = submitted.into_inner().expect("no submitter panics with the list");
        submitted.sort_by_key(|job| (job.asked.submit_offset_seconds, job.number));
        Ok(submitted)
    }

    fn submit_replayed(&self, job: &ReplayJob) -> Result<JobNumber> {
        let user = users::name((job.user.max(1) - 1) % self.lab().settings().users + 1);
        let submission = Submission::sleeping(job.run_seconds).nodes(job.nodes).limit_minutes(job.limit_minutes);
        self.submit(&user, &submission)
    }

    /// Every job of this cluster's records, in order of number.
    pub fn recorded_jobs(&self) -> Result<Vec<RecordedJob>> {
        // Without -S sacct begins at midnight, which a fast clock passes in the middle of a test.
        let table = self.run(
            "sacct",
            &["-a", "-X", "-n", "-P", "-S", "2000-01-01", "-E", "now", "-o", "JobIDRaw,State,ElapsedRaw"],
        )?;
        table.lines().map(recorded_job).collect()
    }
}

fn recorded_job(line: &str) -> Result<RecordedJob> {
    let mut fields = line.split('|');
    let job = (|| {
        let (number, state, elapsed) = (fields.next()?, fields.next()?, fields.next()?);
        Some(RecordedJob {
            number: JobNumber(number.parse().ok()?),
            state: state.to_owned(),
            elapsed_seconds: elapsed.parse().ok()?,
        })
    })();
    job.with_context(|| format!("sacct printed {line:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_records_is_read() {
        let job = recorded_job("17|COMPLETED|600").unwrap();
        assert_eq!((job.number, job.state.as_str(), job.elapsed_seconds), (JobNumber(17), "COMPLETED", 600));
        assert!(recorded_job("17|COMPLETED").is_err());
    }
}
