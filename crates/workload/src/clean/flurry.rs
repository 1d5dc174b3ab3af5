//! Flurries: bursts in which one user's jobs are most of what is submitted.
//!
//! For: taking such bursts out whole, by a rule that can be stated in a paper.
//!
//! Not for: matching the archive's own cleaned logs job for job: there a person picked user and job numbers by eye.
//!
//! Source: Tsafrir and Feitelson, "Instability in parallel job scheduling simulation: the role of workload
//! flurries" (IPDPS 2006): rare surges of activity caused by a single user that dominate the workload for a
//! relatively short period. Made a rule here: a job belongs to a flurry if it lies in some span of `window` in which
//! its user submitted more than `jobs_max` jobs and more than `share_max` of all jobs.
//!
//! The defaults (7 days, 500 jobs, one half): a week is the resolution at which the archive shows flurries; all but
//! three of the bursts named in the headers of its cleaned logs have more than 500 jobs (the three 173, 452 and 477);
//! and a half is the least that "dominate" can mean. Measured on the logs at hand, the rule takes 0 to 5 % out of
//! those that the archive has cleaned already (none out of KTH-SP2, LANL-CM5, SDSC-BLUE, NASA-iPSC and OSC, 1.6 %
//! out of CTC-SP2, 3.8 % out of SDSC-SP2; the exception is HPC2N with 28 %), and 35 % and 60 % out of the uncleaned
//! RICC and UniLu-Gaia.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::Seconds;
use crate::swf::SwfRecord;

/// What counts as a flurry; see the module for the rule and where the defaults come from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FlurryOptions {
    /// The span within which jobs are counted.
    pub window: Seconds,
    /// As many jobs of one user within the window are not yet a flurry.
    pub jobs_max: usize,
    /// As large a share of all jobs within the window is not yet a flurry.
    pub share_max: f64,
}

impl Default for FlurryOptions {
    fn default() -> Self {
        Self { window: Seconds(7 * 86_400), jobs_max: 500, share_max: 0.5 }
    }
}

/// Holds back the jobs of the last window, for until it is over each of them may turn out to be in a flurry. Memory
/// is bounded by the jobs in one window.
#[derive(Debug)]
pub(super) struct FlurryFilter {
    options: FlurryOptions,
    /// The jobs of the window that ends now, in order of submission.
    held: VecDeque<Held>,
    /// Which of those each user has, by their count from the beginning of the log.
    by_user: FxHashMap<i64, VecDeque<u64>>,
    /// How many jobs have left `held`.
    left: u64,
    now: i64,
    dropped: u64,
}

#[derive(Debug)]
struct Held {
    record: SwfRecord,
    submitted: i64,
    in_flurry: bool,
}

impl FlurryFilter {
    pub(super) fn new(options: FlurryOptions) -> Self {
        Self { options, held: VecDeque::new(), by_user: FxHashMap::default(), left: 0, now: i64::MIN, dropped: 0 }
    }

    /// How many jobs have been taken out.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Takes the next job in, and passes those on that can no longer be part of a flurry.
    pub(super) fn push(&mut self, record: SwfRecord, kept: &mut VecDeque<SwfRecord>) {
        // A job out of order, or without a submit time, counts as submitted with the one before it.
        self.now = self.now.max(record.submit_time);
        let now = self.now;
        let window = self.options.window.0;
        while self.held.front().is_some_and(|oldest| now.saturating_sub(oldest.submitted) >= window) {
            self.release(kept);
        }
        self.held.push_back(Held { record, submitted: now, in_flurry: false });
        if record.user >= 0 {
            self.mark(record.user);
        }
    }

    /// Passes on everything that is left.
    pub(super) fn finish(&mut self, kept: &mut VecDeque<SwfRecord>) {
        while !self.held.is_empty() {
            self.release(kept);
        }
    }

    /// Notes the newest job as this user's, and if that makes a flurry marks all of theirs that are held.
    fn mark(&mut self, user: i64) {
        let newest = self.left + self.held.len() as u64 - 1;
        let theirs = self.by_user.entry(user).or_default();
        theirs.push_back(newest);
        let dominates = theirs.len() as f64 > self.options.share_max * self.held.len() as f64;
        if theirs.len() <= self.options.jobs_max || !dominates {
            return;
        }
        for &count in theirs.iter().rev() {
            let place = usize::try_from(count - self.left).expect("held jobs are counted by a usize");
            // Marks reach back to the start of the window each time, so before a marked job all are.
            if std::mem::replace(&mut self.held[place].in_flurry, true) {
                break;
            }
        }
    }

    fn release(&mut self, kept: &mut VecDeque<SwfRecord>) {
        let Some(oldest) = self.held.pop_front() else { return };
        self.left += 1;
        if let Some(theirs) = self.by_user.get_mut(&oldest.record.user) {
            theirs.pop_front();
            if theirs.is_empty() {
                self.by_user.remove(&oldest.record.user);
            }
        }
        if oldest.in_flurry {
            self.dropped += 1;
        } else {
            kept.push_back(oldest.record);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OPTIONS: FlurryOptions = FlurryOptions { window: Seconds(10), jobs_max: 3, share_max: 0.5 };

    fn job(submit_time: i64, user: i64) -> SwfRecord {
        SwfRecord { submit_time, user, ..SwfRecord::UNKNOWN }
    }

    fn filter(records: &[SwfRecord], options: FlurryOptions) -> Vec<SwfRecord> {
        let mut filter = FlurryFilter::new(options);
        let mut kept = VecDeque::new();
        for &record in records {
            filter.push(record, &mut kept);
        }
        filter.finish(&mut kept);
        assert_eq!(filter.dropped() + kept.len() as u64, records.len() as u64);
        assert!(filter.by_user.is_empty(), "nobody is left behind");
        kept.into()
    }

    /// The rule read aloud: every window that ends with a job of the user, every job in it.
    fn slow_filter(records: &[SwfRecord], options: FlurryOptions) -> Vec<SwfRecord> {
        let mut in_flurry = vec![false; records.len()];
        for (last, record) in records.iter().enumerate().filter(|(_, record)| record.user >= 0) {
            let within = |other: &SwfRecord| record.submit_time - other.submit_time < options.window.0;
            let window: Vec<usize> = (0..=last).filter(|&place| within(&records[place])).collect();
            let theirs: Vec<usize> =
                window.iter().copied().filter(|&place| records[place].user == record.user).collect();
            if theirs.len() > options.jobs_max && theirs.len() as f64 > options.share_max * window.len() as f64 {
                for place in theirs {
                    in_flurry[place] = true;
                }
            }
        }
        records.iter().zip(in_flurry).filter(|(_, gone)| !gone).map(|(&record, _)| record).collect()
    }

    #[test]
    fn a_burst_goes_whole_and_the_user_stays_otherwise() {
        let records =
            [job(0, 1), job(100, 1), job(101, 2), job(102, 1), job(103, 1), job(104, 1), job(105, 2), job(200, 1)];
        assert_eq!(filter(&records, OPTIONS), [job(0, 1), job(101, 2), job(105, 2), job(200, 1)]);
    }

    #[test]
    fn many_jobs_among_many_more_are_no_flurry() {
        let records: Vec<SwfRecord> = (0..30).map(|place| job(place / 10, place % 3)).collect();
        assert_eq!(filter(&records, OPTIONS), records);
    }

    #[test]
    fn jobs_of_nobody_are_no_flurry() {
        let records = [job(1, -1); 20];
        assert_eq!(filter(&records, OPTIONS), records);
    }

    proptest! {
        #[test]
        fn quick_and_slow_filter_agree(
            steps in proptest::collection::vec((0..4_i64, -1..3_i64), 0..80),
            jobs_max in 0..6_usize,
            window in 1..20_i64,
        ) {
            let mut now = 0;
            let records: Vec<SwfRecord> = steps.iter().map(|&(step, user)| { now += step; job(now, user) }).collect();
            let options = FlurryOptions { window: Seconds(window), jobs_max, share_max: 0.5 };
            prop_assert_eq!(filter(&records, options), slow_filter(&records, options));
        }
    }
}
