//! A piece of a log, to be replayed on a lab's nodes.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader, SwfRecord};

use crate::replay::ReplayJob;
use crate::users;

/// Which jobs of a log, and onto what.
#[derive(Clone, Copy, Debug)]
pub struct LogPiece {
    /// Jobs left out at the beginning.
    pub skip: usize,
    /// Jobs taken.
    pub count: usize,
    /// Nodes of the lab; a wider job has all of them.
    pub nodes: u32,
    /// Processors of the log that become one node.
    pub processors_per_node: u32,
}

/// The columns of an export.
const COLUMNS: &str = "JobIDRaw|JobID|JobName|User|Account|Cluster|Partition|QOS|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|\
                       ReqCPUS|ReqTRES|AllocCPUS|ExitCode";
/// The first job number of an export, beyond those of a lab.
const FIRST_NUMBER: usize = 1_000_000;

impl LogPiece {
    /// The jobs that ran, with a limit, in order of submission; the first is submitted at once.
    pub fn of(&self, log: &Path) -> Result<Vec<ReplayJob>> {
        let records = usable(log, self.skip, self.count)?;
        let first = records.first().map_or(0, |record| record.submit_time);
        Ok(records.iter().map(|record| self.job(record, first)).collect())
    }

    /// What accounting would have of the `count` jobs before the piece, as `sacct -P` prints it, if the piece began at this time:
    /// for a daemon that shall know its users as it would on a site that has run for a while.
    pub fn past(&self, log: &Path, count: usize, begins: i64, users: u32, cluster: &str) -> Result<String> {
        let count = count.min(self.skip);
        let records = usable(log, self.skip - count, count + 1)?;
        let (last, past) = records.split_last().context("a piece has a first job")?;
        let shift = begins - last.submit_time;
        let mut export = format!("{COLUMNS}\n");
        for (place, record) in past.iter().enumerate() {
            let job = self.job(record, 0);
            let number = FIRST_NUMBER + place;
            let user = (job.user - 1) % users + 1;
            let (name, account) = (users::name(user), users::account(user));
            let submitted = record.submit_time + shift;
            let started = submitted + record.wait_time.max(0);
            let run = i64::from(job.runs_seconds());
            let state = if run < record.run_time { "TIMEOUT" } else { "COMPLETED" };
            let (nodes, limit, ended) = (job.nodes, job.limit_minutes, started + run);
            if ended >= begins {
                continue;
            }
            writeln!(
                export,
                "{number}|{number}|sbatch|{name}|{account}|{cluster}|batch|normal|{state}|{submitted}|{started}|{ended}|{run}|{limit}|\
                 {nodes}|cpu={nodes},node={nodes}|{nodes}|0:0"
            )?;
        }
        Ok(export)
    }

    fn job(&self, record: &SwfRecord, first: i64) -> ReplayJob {
        let whole = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
        ReplayJob {
            submit_offset_seconds: whole(record.submit_time - first),
            run_seconds: whole(record.run_time),
            nodes: whole(record.processors().unwrap_or(1)).div_ceil(self.processors_per_node).clamp(1, self.nodes),
            limit_minutes: whole(record.requested_time).div_ceil(60).max(1),
            user: whole(record.user).max(1),
        }
    }
}

/// Moves the submissions closer together or apart, all by the same factor, so that from the first to the last the jobs would keep
/// this share of so many nodes busy.
pub fn at_load(jobs: &mut [ReplayJob], nodes: u32, load: f64) {
    let work: f64 = jobs.iter().map(|job| f64::from(job.nodes) * f64::from(job.runs_seconds())).sum();
    let span = jobs.last().map_or(0, |job| job.submit_offset_seconds);
    let factor = work / (f64::from(nodes) * load * f64::from(span.max(1)));
    for job in jobs {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "seconds of a few days, not negative"
        )]
        let moved = (f64::from(job.submit_offset_seconds) * factor).round() as u32;
        job.submit_offset_seconds = moved;
    }
}

/// So many jobs behind the first few that ran and have a limit.
fn usable(log: &Path, skip: usize, count: usize) -> Result<Vec<SwfRecord>> {
    let mut reader = SwfReader::new(Input::open(log).with_context(|| log.display().to_string())?)?;
    let mut records = Vec::new();
    let mut seen = 0;
    while records.len() < count {
        let Some(line) = reader.next_line()? else { break };
        let Line::Job(record) = line else { continue };
        if record.processors().is_none() || record.run_time <= 0 || record.requested_time <= 0 {
            continue;
        }
        seen += 1;
        if seen > skip {
            records.push(record);
        }
    }
    ensure!(records.len() == count, "{} has only {} such jobs", log.display(), records.len());
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_are_moved_until_the_jobs_fill_so_much_of_the_nodes() {
        let job = |submit_offset_seconds, run_seconds| ReplayJob {
            submit_offset_seconds,
            run_seconds,
            nodes: 4,
            limit_minutes: 10,
            user: 1,
        };
        // The last one runs to its limit: 4 nodes x (100 + 200 + 600) s on 8 nodes at a half is 900 s.
        let mut jobs = [job(0, 100), job(30, 200), job(90, 900)];
        at_load(&mut jobs, 8, 0.5);
        assert_eq!(jobs.map(|job| job.submit_offset_seconds), [0, 300, 900]);
    }
}
