//! Many jobs, submitted at given times of the lab's clock: a piece of a log brought to life.
//!
//! Not for: single jobs in chosen situations (`jobs.rs`); simulated replays, which need no Slurm at all.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::cluster::ClusterHandle;
use crate::command::printed;
use crate::jobs::{JobNumber, Submission};
use crate::lab::Lab;
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

/// What the accounting records say of a job.
#[derive(Clone, Debug)]
pub struct RecordedJob {
    /// What Slurm calls it.
    pub number: JobNumber,
    /// Its state.
    pub state: String,
    /// When it was submitted, in seconds since 1970.
    pub submitted: i64,
    /// When it started, if it has.
    pub started: Option<i64>,
    /// From start to end, in lab seconds.
    pub elapsed_seconds: u32,
}

impl ReplayJob {
    /// For how long it will run, in lab seconds: Slurm ends it at its limit.
    pub fn runs_seconds(&self) -> u32 {
        self.run_seconds.min(self.limit_minutes.saturating_mul(60))
    }

    /// What is submitted for it.
    pub(crate) fn submission(&self) -> Submission {
        Submission::sleeping(self.run_seconds).nodes(self.nodes).limit_minutes(self.limit_minutes)
    }
}

impl Lab {
    /// Submits jobs, which must be in order of their time, each at its time, and says for each what became of it and how late,
    /// in lab seconds, that was known. Returns when the last is submitted.
    pub fn submit_in_time<T: Send>(
        &self,
        jobs: &[ReplayJob],
        submit: impl Fn(&ReplayJob) -> Result<T> + Sync,
    ) -> Result<Vec<(T, f64)>> {
        self.do_in_time(jobs, |job| job.submit_offset_seconds, submit)
    }

    /// Does things, which must be in order of their time, each at its time in lab seconds from now, and says for each what came of it and
    /// how late, in lab seconds, that was known. Returns when the last is done.
    pub fn do_in_time<J: Sync, T: Send>(
        &self,
        jobs: &[J],
        offset_seconds: impl Fn(&J) -> u32 + Sync,
        submit: impl Fn(&J) -> Result<T> + Sync,
    ) -> Result<Vec<(T, f64)>> {
        let speed = f64::from(self.settings().speed.max(1));
        let next = AtomicUsize::new(0);
        let submitted = Mutex::new(Vec::with_capacity(jobs.len()));
        let begun = Instant::now();
        thread::scope(|scope| {
            let submitters: Vec<_> = (0..SUBMITTERS)
                .map(|_| {
                    scope.spawn(|| -> Result<()> {
                        loop {
                            let place = next.fetch_add(1, Ordering::Relaxed);
                            let Some(job) = jobs.get(place) else { return Ok(()) };
                            let due = Duration::from_secs_f64(f64::from(offset_seconds(job)) / speed);
                            thread::sleep(due.saturating_sub(begun.elapsed()));
                            let became = submit(job)?;
                            let late_seconds = begun.elapsed().saturating_sub(due).as_secs_f64() * speed;
                            let mut submitted = submitted.lock().expect("no submitter panics with the list");
                            submitted.push((place, (became, late_seconds)));
                        }
                    })
                })
                .collect();
            submitters.into_iter().try_for_each(|submitter| submitter.join().expect("a submitter returns its errors"))
        })?;
        let mut submitted = submitted.into_inner().expect("no submitter panics with the list");
        submitted.sort_by_key(|(place, _)| *place);
        Ok(submitted.into_iter().map(|(_, became)| became).collect())
    }

    /// The name of the user whose job it is: more users than the lab has are folded onto those it has.
    pub fn user_of(&self, job: &ReplayJob) -> String {
        users::name((job.user.max(1) - 1) % self.settings().users + 1)
    }
}

impl ClusterHandle<'_> {
    /// Submits jobs, which must be in order of their time, each at its time. Returns when the last is submitted.
    pub fn replay(&self, jobs: &[ReplayJob]) -> Result<Vec<ReplayedJob>> {
        let submitted =
            self.lab().submit_in_time(jobs, |job| self.submit(&self.lab().user_of(job), &job.submission()))?;
        let replayed = jobs.iter().zip(submitted);
        Ok(replayed
            .map(|(asked, (number, late_seconds))| ReplayedJob { asked: *asked, number, late_seconds })
            .collect())
    }

    /// Every job of this cluster's records, in order of number.
    pub fn recorded_jobs(&self) -> Result<Vec<RecordedJob>> {
        // Without -S sacct begins at midnight, which a fast clock passes in the middle of a test.
        let mut sacct = self.command("sacct");
        sacct.args(["-a", "-X", "-n", "-P", "-S", "2000-01-01", "-E", "now"]);
        sacct.args(["-o", "JobIDRaw,State,Submit,Start,ElapsedRaw"]).env("SLURM_TIME_FORMAT", "%s");
        let table = printed(&mut sacct)?;
        String::from_utf8_lossy(&table).lines().map(recorded_job).collect()
    }
}

/// A job that has not started has a word in the place of its start.
fn recorded_job(line: &str) -> Result<RecordedJob> {
    let mut fields = line.split('|');
    let job = (|| {
        let (number, state, submitted) = (fields.next()?, fields.next()?, fields.next()?);
        let (started, elapsed) = (fields.next()?, fields.next()?);
        Some(RecordedJob {
            number: JobNumber(number.parse().ok()?),
            state: state.to_owned(),
            submitted: submitted.parse().ok()?,
            started: started.parse().ok(),
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
        let job = recorded_job("17|COMPLETED|1763209200|1763209260|600").unwrap();
        assert_eq!((job.number, job.state.as_str(), job.elapsed_seconds), (JobNumber(17), "COMPLETED", 600));
        assert_eq!((job.submitted, job.started), (1_763_209_200, Some(1_763_209_260)));
        assert_eq!(recorded_job("18|PENDING|1763209200|Unknown|0").unwrap().started, None);
        assert!(recorded_job("17|COMPLETED").is_err());
    }
}
