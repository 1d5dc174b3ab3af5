//! Submitting jobs that do nothing for a while, and waiting for what becomes of them.
//!
//! Not for: many jobs at given times (`replay.rs`).

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::cluster::ClusterHandle;
use crate::wait::wait_until;

/// What Slurm calls a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobNumber(pub u32);

impl fmt::Display for JobNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A job to be submitted.
#[derive(Clone, Debug)]
pub struct Submission {
    script: String,
    arguments: Vec<OsString>,
}

impl Submission {
    /// A job with this script.
    ///
    /// Its output goes nowhere: jobs of two clusters have the same numbers, and with Slurm's names for output files
    /// the second of two in one folder fails.
    pub fn script(script: &str) -> Self {
        Self { script: format!("#!/bin/sh\n{script}\n"), arguments: vec!["--output=/dev/null".into()] }
    }

    /// A job that sleeps for so many lab seconds.
    pub fn sleeping(run_seconds: u32) -> Self {
        Self::script(&format!("exec sleep {run_seconds}"))
    }

    /// On so many whole nodes.
    #[must_use]
    pub fn nodes(self, nodes: u32) -> Self {
        self.argument(format!("--nodes={nodes}")).argument("--exclusive")
    }

    /// With this limit; Slurm knows whole minutes only.
    #[must_use]
    pub fn limit_minutes(self, minutes: u32) -> Self {
        self.argument(format!("--time={minutes}"))
    }

    /// With this name, which may be any bytes but zero.
    #[must_use]
    pub fn name(self, name: impl AsRef<OsStr>) -> Self {
        let mut argument = OsString::from("--job-name=");
        argument.push(name);
        self.argument(argument)
    }

    /// With any argument of sbatch.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }
}

impl ClusterHandle<'_> {
    /// Submits a job as a user.
    pub fn submit(&self, user: &str, submission: &Submission) -> Result<JobNumber> {
        Ok(self.answer_of_sbatch(user, submission)?.0)
    }

    /// Submits a job as a user to one of several clusters, as `sbatch -M` chooses, and says to which.
    pub fn submit_to(&self, clusters: &[&str], user: &str, submission: Submission) -> Result<(String, JobNumber)> {
        let submission = submission.argument(format!("--clusters={}", clusters.join(",")));
        let (number, cluster) = self.answer_of_sbatch(user, &submission)?;
        Ok((cluster.context("with --clusters sbatch says where the job is")?, number))
    }

    /// The number, and the cluster if sbatch was told of clusters.
    fn answer_of_sbatch(&self, user: &str, submission: &Submission) -> Result<(JobNumber, Option<String>)> {
        let mut sbatch = self.command_as(user, "sbatch");
        sbatch.arg("--parsable").args(&submission.arguments);
        let mut sbatch = sbatch.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // sbatch may have refused its arguments and be gone: its answer says so better than a broken pipe.
        drop(sbatch.stdin.take().expect("it was asked for above").write_all(submission.script.as_bytes()));
        let output = sbatch.wait_with_output()?;
        ensure!(output.status.success(), "sbatch: {}", String::from_utf8_lossy(&output.stderr).trim());
        let answer = String::from_utf8_lossy(&output.stdout);
        // With several clusters the answer is `number;cluster`.
        let mut words = answer.trim().split(';');
        let number = words.next().unwrap_or_default();
        let number = number.parse().with_context(|| format!("sbatch answered {answer:?}"))?;
        Ok((JobNumber(number), words.next().map(str::to_owned)))
    }

    /// The states of a job as the controller has them, one for every part of it; nothing once it has forgotten the job.
    pub fn states(&self, job: JobNumber) -> Result<Vec<String>> {
        // squeue fails on a job nobody knows, which is no failure here.
        let job = job.to_string();
        let output = self.command("squeue").args(["-h", "-t", "all", "-o", "%T", "-j", &job]).output()?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    /// The states of a job in the accounting records, one for every attempt and part of it.
    pub fn recorded_states(&self, job: JobNumber) -> Result<Vec<String>> {
        let job = job.to_string();
        let states = self.run("sacct", &["-D", "-X", "-n", "-P", "-o", "State", "-j", &job])?;
        Ok(states.lines().map(str::to_owned).collect())
    }

    /// Waits until some part of a job is in a state, as the controller has it.
    pub fn wait_for_state(&self, job: JobNumber, state: &str, deadline: Duration) -> Result<()> {
        let mut last = Vec::new();
        let found = wait_until(&format!("job {job} to be {state}"), deadline, || {
            last = self.states(job)?;
            Ok(last.iter().any(|found| found == state))
        });
        found.with_context(|| format!("job {job} was last seen as {last:?}"))
    }

    /// Waits until the accounting records have an attempt or part of a job that begins with this state.
    pub fn wait_for_record(&self, job: JobNumber, state: &str, deadline: Duration) -> Result<()> {
        wait_until(&format!("a record of job {job} as {state}"), deadline, || {
            Ok(self.recorded_states(job)?.iter().any(|found| found.starts_with(state)))
        })
    }

    /// Waits until no job waits; some may run.
    pub fn wait_until_all_started(&self, deadline: Duration) -> Result<()> {
        wait_until(&format!("every job of {} to start", self.name()), deadline, || {
            Ok(self.run("squeue", &["-h", "-t", "PENDING"])?.trim().is_empty())
        })
    }

    /// Waits until no job waits or runs.
    pub fn wait_until_empty(&self, deadline: Duration) -> Result<()> {
        wait_until(&format!("the queue of {} to be empty", self.name()), deadline, || {
            Ok(self.run("squeue", &["-h"])?.trim().is_empty())
        })
    }
}
