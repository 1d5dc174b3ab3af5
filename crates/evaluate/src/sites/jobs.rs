//! The jobs of several logs as jobs of one world.

use queuecast_simulate::{RoamingJob, shaken};
use queuecast_workload::{JobId, Seconds, Time, TracedJob};

const DAY_SECONDS: i64 = 86_400;

/// Which part of each log is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// It begins so many days after the log does.
    pub from_day: u32,
    /// And is so many days long; to the end without.
    pub days: Option<u32>,
}

/// The jobs of a log killed at their limits, of this window, which begins at time zero.
pub fn begun_together(mut jobs: Vec<TracedJob>, window: Window) -> Vec<TracedJob> {
    let days = |days: u32| Seconds(i64::from(days) * DAY_SECONDS);
    let first = jobs.iter().map(|job| job.submission.submitted).min().unwrap_or(Time(0)) + days(window.from_day);
    let until = window.days.map_or(Seconds::MAX, days);
    jobs.retain(|job| (Seconds::ZERO..until).contains(&(job.submission.submitted - first)));
    for job in &mut jobs {
        job.submission.submitted = Time(0) + (job.submission.submitted - first);
        if let Some(limit) = job.submission.limit {
            job.recorded.run = job.recorded.run.min(limit);
        }
    }
    jobs
}

/// All jobs of one replicate, given by home and shaken, in order of submission and with handles in that order. Users of
/// different homes are different.
pub fn roaming(jobs_by_home: &[Vec<TracedJob>], jitter: Seconds, seed: u64, replicate: u64) -> Vec<RoamingJob> {
    let mut all: Vec<RoamingJob> = jobs_by_home
        .iter()
        .enumerate()
        .flat_map(|(home, jobs)| {
            let jobs = shaken(jobs, jitter, seed ^ home as u64, replicate);
            jobs.into_iter().map(move |mut job| {
                if let Some(user) = &mut job.submission.user {
                    user.0 = user.0.wrapping_mul(64).wrapping_add(u32::try_from(home).unwrap_or(u32::MAX));
                }
                RoamingJob { job, home }
            })
        })
        .collect();
    all.sort_by_key(|roaming| (roaming.job.submission.submitted, roaming.home, roaming.job.number));
    for (roaming, id) in all.iter_mut().zip(0..) {
        roaming.job.submission.job = JobId(id);
    }
    all
}
