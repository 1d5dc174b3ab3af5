//! Submitting a stretch: each job as its user, at its time of the lab's clock.
//!
//! Not for: which jobs (`stretch.rs`).

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::stretch::{DependencyKind, StretchJob};
use crate::cluster::ClusterHandle;
use crate::jobs::{JobNumber, Submission};

/// What became of a submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SubmittedJob {
    /// What Slurm calls it: the array's number, the first component's. None if it was refused.
    pub job_id: Option<JobNumber>,
    /// What sbatch said if it refused it.
    pub refused: Option<String>,
    /// When sbatch had answered, in lab seconds from the beginning; when exactly it was submitted, accounting knows.
    pub answered_offset_seconds: f64,
    /// The job it depends on, if it depends on one that was taken.
    pub depends_on_job_id: Option<JobNumber>,
    /// What was submitted.
    #[serde(flatten)]
    pub job: StretchJob,
}

/// Submits the jobs, which must be in order of their time, and tells of each as soon as it is known. Returns when the last is submitted.
pub fn submit_stretch(
    cluster: ClusterHandle<'_>,
    jobs: &[StretchJob],
    tell: impl Fn(&SubmittedJob) -> Result<()> + Sync,
) -> Result<Vec<SubmittedJob>> {
    let numbers = Numbers::default();
    let begun = Instant::now();
    let speed = f64::from(cluster.lab().settings().speed.max(1));
    let submitted = cluster.lab().do_in_time(
        jobs,
        |job| job.submit_offset_seconds,
        |job| {
            let depends_on = job.dependency.and_then(|dependency| dependency.on_index);
            let depends_on_job_id = depends_on.and_then(|index| numbers.of(index));
            let answer = cluster.submit(&job.user, &submission(job, depends_on_job_id));
            let (job_id, refused) = match answer {
                Ok(number) => (Some(number), None),
                Err(error) => (None, Some(format!("{error:#}"))),
            };
            numbers.known(job.index, job_id);
            let answered_offset_seconds = begun.elapsed().as_secs_f64() * speed;
            let submitted =
                SubmittedJob { job_id, refused, answered_offset_seconds, depends_on_job_id, job: job.clone() };
            tell(&submitted)?;
            Ok(submitted)
        },
    )?;
    Ok(submitted.into_iter().map(|(submitted, _)| submitted).collect())
}

fn submission(job: &StretchJob, depends_on: Option<JobNumber>) -> Submission {
    let mut submission = Submission::script(&script(&job.run_seconds));
    let kind = job.dependency.map(|dependency| dependency.kind);
    let dependency = match (kind, depends_on) {
        (Some(DependencyKind::Singleton), _) => Some("singleton".to_owned()),
        (Some(DependencyKind::AfterAny), Some(number)) => Some(format!("afterany:{number}")),
        (Some(DependencyKind::AfterOk), Some(number)) => Some(format!("afterok:{number}")),
        _ => None,
    };
    if let Some(dependency) = dependency {
        submission = submission.argument(format!("--dependency={dependency}"));
    }
    job.arguments.iter().fold(submission, Submission::argument)
}

/// A job that sleeps as long as it runs, or an array each task of which sleeps as long as it does.
fn script(run_seconds: &[u32]) -> String {
    match run_seconds {
        [run] => format!("exec sleep {run}"),
        runs => {
            let runs: Vec<String> = runs.iter().map(ToString::to_string).collect();
            format!("set -- {}\nshift \"$SLURM_ARRAY_TASK_ID\"\nexec sleep \"$1\"", runs.join(" "))
        }
    }
}

/// What Slurm calls the jobs so far, for those that depend on them. Several are submitted at once: who depends waits until the other has its
/// number.
#[derive(Default)]
struct Numbers {
    known: Mutex<HashMap<usize, Option<JobNumber>>>,
    changed: Condvar,
}

impl Numbers {
    fn of(&self, index: usize) -> Option<JobNumber> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = self.changed.wait_while(known, |known| !known.contains_key(&index));
        known.unwrap_or_else(PoisonError::into_inner)[&index]
    }

    fn known(&self, index: usize, number: Option<JobNumber>) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(index, number);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_sleeps_for_its_own_time() {
        assert_eq!(script(&[600]), "exec sleep 600");
        let of_three = script(&[10, 20, 30]);
        let out = std::process::Command::new("sh")
            .args(["-c", &of_three.replace("exec sleep", "echo")])
            .env("SLURM_ARRAY_TASK_ID", "2")
            .output()
            .unwrap();
        assert_eq!(out.stdout, b"30\n");
    }

    #[test]
    fn who_depends_waits_for_the_others_number() {
        let numbers = Numbers::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| numbers.of(7));
            numbers.known(6, Some(JobNumber(1)));
            numbers.known(7, Some(JobNumber(2)));
            assert_eq!(waiting.join().unwrap(), Some(JobNumber(2)));
        });
        numbers.known(8, None);
        assert_eq!(numbers.of(8), None);
    }
}
