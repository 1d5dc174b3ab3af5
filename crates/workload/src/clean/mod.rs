//! Filters that make a log fit for replay or evaluation, each with a count of what it took out.
//!
//! For: the recipe every result must state (R-P1): which jobs were left out and why.
//!
//! Not for: bad lines, which the reader reports, and repair: apart from cutting a run time at the limit nothing is
//! changed, a job stays or goes.
//!
//! Source: R-P1, which also has the recipe from the archive's logs to the golden inputs; for flurries the module of that
//! name.
//!
//! ```
//! use queuecast_workload::clean::{CleanOptions, clean};
//! use queuecast_workload::swf::SwfRecord;
//!
//! let good = SwfRecord { submit_time: 0, run_time: 60, requested_processors: 4, ..SwfRecord::UNKNOWN };
//! let cancelled = SwfRecord { run_time: -1, ..good };
//! let (kept, report) = clean([good, cancelled], CleanOptions::default());
//! assert_eq!(kept, [good]);
//! assert_eq!(report.dropped_no_run_time, 1);
//! ```

mod flurry;

use std::collections::VecDeque;

use serde::Serialize;

use crate::Machine;
use crate::swf::SwfRecord;

use flurry::FlurryFilter;
pub use flurry::FlurryOptions;

/// What to do with a job that ran longer than its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum OverLong {
    /// Leave it as it is.
    #[default]
    Keep,
    /// Let it run to the limit, as if it had been killed there.
    Cut,
    /// Leave it out.
    Drop,
}

/// Which filters to apply. The default is the sane filter alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CleanOptions {
    /// Leave out jobs without submit time, without processors or with a run time that is not positive.
    pub drop_not_sane: bool,
    /// Leave out jobs wider than this machine.
    pub drop_wider_than: Option<Machine>,
    /// Leave out jobs whose requested time is not known or not positive.
    pub drop_without_limit: bool,
    /// What to do with jobs that ran longer than their limit.
    pub over_long: OverLong,
    /// Leave out flurries; the jobs must then come in order of submission.
    pub drop_flurries: Option<FlurryOptions>,
}

impl Default for CleanOptions {
    fn default() -> Self {
        Self {
            drop_not_sane: true,
            drop_wider_than: None,
            drop_without_limit: false,
            over_long: OverLong::Keep,
            drop_flurries: None,
        }
    }
}

impl CleanOptions {
    /// The recipe by which the golden inputs were made: only sane jobs that fit the machine and have a limit, with
    /// run times cut at it.
    pub fn for_replay(machine: Machine) -> Self {
        Self { drop_wider_than: Some(machine), drop_without_limit: true, over_long: OverLong::Cut, ..Self::default() }
    }
}

/// How many jobs each filter took out. A job counts with the first filter that it meets, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CleanReport {
    /// Jobs that came in.
    pub read: u64,
    /// Not sane: the submit time is not known.
    pub dropped_no_submit_time: u64,
    /// Not sane: processors are neither requested nor allocated.
    pub dropped_no_processors: u64,
    /// Not sane: the run time is not positive.
    pub dropped_no_run_time: u64,
    /// Wider than the machine.
    pub dropped_over_wide: u64,
    /// Without a limit.
    pub dropped_no_limit: u64,
    /// Ran longer than the limit and left out for it.
    pub dropped_over_long: u64,
    /// Part of a flurry.
    pub dropped_flurry: u64,
    /// Jobs that came out.
    pub kept: u64,
    /// Of all jobs, those whose run time was cut at the limit.
    pub cut_over_long: u64,
}

/// Takes jobs in and gives those worth keeping out, in the same order; with flurries, as late as the filter must
/// look ahead.
#[derive(Debug)]
pub struct Cleaner {
    options: CleanOptions,
    report: CleanReport,
    flurry_filter: Option<FlurryFilter>,
    kept: VecDeque<SwfRecord>,
}

impl Cleaner {
    /// A cleaner with these filters.
    pub fn new(options: CleanOptions) -> Self {
        let flurry_filter = options.drop_flurries.map(FlurryFilter::new);
        Self { options, report: CleanReport::default(), flurry_filter, kept: VecDeque::new() }
    }

    /// Takes the next job in.
    pub fn push(&mut self, mut record: SwfRecord) {
        self.report.read += 1;
        if let Some(count) = self.objection(&record) {
            *count += 1;
            return;
        }
        if self.options.over_long == OverLong::Cut && is_over_long(&record) {
            record.run_time = record.requested_time;
            self.report.cut_over_long += 1;
        }
        match &mut self.flurry_filter {
            Some(filter) => filter.push(record, &mut self.kept),
            None => self.kept.push_back(record),
        }
    }

    /// Says that no more jobs come: what was held back is decided.
    pub fn finish(&mut self) {
        if let Some(filter) = &mut self.flurry_filter {
            filter.finish(&mut self.kept);
        }
    }

    /// The next job that is kept, if one is decided.
    pub fn pop(&mut self) -> Option<SwfRecord> {
        let record = self.kept.pop_front()?;
        self.report.kept += 1;
        Some(record)
    }

    /// The counts so far; final once the cleaner is finished and empty.
    pub fn report(&self) -> CleanReport {
        let dropped_flurry = self.flurry_filter.as_ref().map_or(0, FlurryFilter::dropped);
        CleanReport { dropped_flurry, ..self.report }
    }

    /// The count to raise if a filter other than that of flurries objects to the job.
    fn objection(&mut self, record: &SwfRecord) -> Option<&mut u64> {
        let options = &self.options;
        let report = &mut self.report;
        if options.drop_not_sane {
            if record.submit_time < 0 {
                return Some(&mut report.dropped_no_submit_time);
            }
            if record.processors().is_none() {
                return Some(&mut report.dropped_no_processors);
            }
            if record.run_time <= 0 {
                return Some(&mut report.dropped_no_run_time);
            }
        }
        let width = record.processors().unwrap_or_default();
        if options.drop_wider_than.is_some_and(|machine| width > i64::from(machine.processors)) {
            return Some(&mut report.dropped_over_wide);
        }
        if options.drop_without_limit && record.requested_time <= 0 {
            return Some(&mut report.dropped_no_limit);
        }
        if options.over_long == OverLong::Drop && is_over_long(record) {
            return Some(&mut report.dropped_over_long);
        }
        None
    }
}

/// Cleans a whole log at once.
pub fn clean(records: impl IntoIterator<Item = SwfRecord>, options: CleanOptions) -> (Vec<SwfRecord>, CleanReport) {
    let mut cleaner = Cleaner::new(options);
    records.into_iter().for_each(|record| cleaner.push(record));
    cleaner.finish();
    let kept = std::iter::from_fn(|| cleaner.pop()).collect();
    (kept, cleaner.report())
}

fn is_over_long(record: &SwfRecord) -> bool {
    record.requested_time > 0 && record.run_time > record.requested_time
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: SwfRecord = SwfRecord {
        job_number: 1,
        submit_time: 0,
        run_time: 50,
        requested_processors: 4,
        requested_time: 60,
        ..SwfRecord::UNKNOWN
    };
    const EXACT: SwfRecord = SwfRecord { run_time: 60, ..GOOD };
    const LONG: SwfRecord = SwfRecord { run_time: 61, ..GOOD };

    fn everything() -> Vec<SwfRecord> {
        vec![
            GOOD,
            SwfRecord { submit_time: -1, ..GOOD },
            SwfRecord { requested_processors: -1, ..GOOD },
            SwfRecord { run_time: 0, ..GOOD },
            SwfRecord { requested_processors: 9, ..GOOD },
            SwfRecord { requested_time: 0, run_time: 1000, ..GOOD },
            LONG,
        ]
    }

    #[test]
    fn each_filter_counts_its_own() {
        let (kept, report) = clean(everything(), CleanOptions::for_replay(Machine { processors: 8 }));
        assert_eq!(kept, [GOOD, SwfRecord { run_time: 60, ..LONG }]);
        let expected = CleanReport {
            read: 7,
            dropped_no_submit_time: 1,
            dropped_no_processors: 1,
            dropped_no_run_time: 1,
            dropped_over_wide: 1,
            dropped_no_limit: 1,
            kept: 2,
            cut_over_long: 1,
            ..CleanReport::default()
        };
        assert_eq!(report, expected);
    }

    #[test]
    fn over_long_jobs_stay_are_cut_or_go() {
        for (over_long, expected) in [
            (OverLong::Keep, vec![GOOD, EXACT, LONG]),
            (OverLong::Cut, vec![GOOD, EXACT, EXACT]),
            (OverLong::Drop, vec![GOOD, EXACT]),
        ] {
            let (kept, report) = clean([GOOD, EXACT, LONG], CleanOptions { over_long, ..CleanOptions::default() });
            assert_eq!(kept, expected, "{over_long:?}");
            assert_eq!(report.kept + report.dropped_over_long, 3);
            assert_eq!(report.cut_over_long, u64::from(over_long == OverLong::Cut));
        }
    }

    #[test]
    fn with_no_filter_everything_stays() {
        let options = CleanOptions { drop_not_sane: false, ..CleanOptions::default() };
        let (kept, report) = clean(everything(), options);
        assert_eq!(kept, everything());
        assert_eq!((report.read, report.kept), (7, 7));
    }
}
