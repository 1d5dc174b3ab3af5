//! What users have used before the stretch, so that fair share means something from the first job on.
//!
//! Every user runs one job of twenty minutes, of unequal widths, in a quality of service that counts each minute as 200: a few weeks of
//! use in some fifteen real seconds. slurmctld has no other way in: usage can be set to zero only (sacctmgr(1), `RawUsage`).
//!
//! Not for: records of past jobs, of which there is one a user.

use std::time::Duration;

use anyhow::Result;

use super::accounts::{USERS, account_of};
use super::draw::Draws;
use crate::cluster::ClusterHandle;
use crate::jobs::Submission;
use crate::replay::ReplayJob;
use crate::users;

const MINUTES: u32 = 20;
/// Longer than `PriorityCalcPeriod`, in lab seconds: usage is counted that often.
const UNTIL_COUNTED_SECONDS: u32 = 400;

/// Gives the users a past. The same seed gives the same.
pub fn give_history(cluster: ClusterHandle<'_>, seed: u64) -> Result<()> {
    let jobs: Vec<ReplayJob> = (1..=USERS)
        .map(|user| ReplayJob {
            submit_offset_seconds: 0,
            run_seconds: MINUTES * 60,
            nodes: used_cpus(seed, user),
            limit_minutes: 3 * MINUTES,
            user,
        })
        .collect();
    cluster.lab().submit_in_time(&jobs, |job| {
        let submission = Submission::sleeping(job.run_seconds)
            .limit_minutes(job.limit_minutes)
            .argument(format!("--ntasks={}", job.nodes))
            .argument(format!("--account={}", account_of(job.user)))
            .argument("--qos=history")
            .argument("--partition=batch")
            .name("history");
        cluster.submit(&users::name(job.user), &submission)
    })?;
    cluster.wait_until_empty(Duration::from_mins(3))?;
    let lab_seconds_a_second = cluster.lab().settings().speed.max(1);
    std::thread::sleep(Duration::from_secs(u64::from(UNTIL_COUNTED_SECONDS)) / lab_seconds_a_second);
    Ok(())
}

fn used_cpus(seed: u64, user: u32) -> u32 {
    Draws::of(seed, user as usize).one_of("past", &[1, 2, 4, 8, 16, 32])
}
