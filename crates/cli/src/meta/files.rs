//! `--details` and `--replicate-values` of `qcast meta`: where every job went, and the figures of every replicate.

use queuecast_evaluate::sites::{SiteSpecification, SitesSummary};
use queuecast_simulate::{FinishedJob, RoamingJob, SitesObserver};

use crate::details::{Column, Details, Kind};

/// A row is a job of one strategy in one replicate.
pub const JOB_COLUMNS: [Column; 10] = [
    ("strategy", Kind::Text),
    ("replicate", Kind::Integer),
    ("home", Kind::Text),
    ("job", Kind::Integer),
    ("submitted", Kind::Integer),
    ("processors", Kind::Integer),
    ("limit_seconds", Kind::Integer),
    ("site", Kind::Text),
    ("wait_seconds", Kind::Integer),
    ("run_seconds", Kind::Integer),
];

/// A row is a figure of one strategy in one replicate.
pub const REPLICATE_COLUMNS: [Column; 4] =
    [("strategy", Kind::Text), ("replicate", Kind::Integer), ("figure", Kind::Text), ("value", Kind::Number)];

/// What became of the jobs of one replicate under one strategy, in order of ends. Empty unless somebody wants to know.
pub struct Journal {
    is_kept: bool,
    ends: Vec<End>,
}

struct End {
    home: usize,
    site: usize,
    job: i64,
    submitted: i64,
    processors: u32,
    limit_seconds: Option<i64>,
    wait_seconds: i64,
    run_seconds: i64,
}

impl Journal {
    /// One that is written, or not.
    pub fn new(is_kept: bool) -> Self {
        Self { is_kept, ends: Vec::new() }
    }

    /// Who tells it what ends, where handles are places among these jobs.
    pub fn writer<'a>(&'a mut self, jobs: &'a [RoamingJob]) -> JournalWriter<'a> {
        JournalWriter { journal: self, jobs }
    }

    /// Writes its rows.
    pub fn add_to(&self, details: &mut Details, strategy: &str, replicate: u32, sites: &[SiteSpecification]) {
        for end in &self.ends {
            details.add(&[
                strategy.into(),
                replicate.into(),
                sites[end.home].name.as_str().into(),
                end.job.into(),
                end.submitted.into(),
                end.processors.into(),
                end.limit_seconds.into(),
                sites[end.site].name.as_str().into(),
                end.wait_seconds.into(),
                end.run_seconds.into(),
            ]);
        }
    }
}

/// Writes a journal.
pub struct JournalWriter<'a> {
    journal: &'a mut Journal,
    jobs: &'a [RoamingJob],
}

impl SitesObserver for JournalWriter<'_> {
    fn finished(&mut self, site: usize, job: &FinishedJob<'_>) {
        if !self.journal.is_kept {
            return;
        }
        let roaming = usize::try_from(job.submission.job.0).ok().and_then(|place| self.jobs.get(place));
        self.journal.ends.push(End {
            home: roaming.map_or(site, |roaming| roaming.home),
            site,
            job: job.number,
            submitted: job.submission.submitted.0,
            processors: job.submission.request.processors,
            limit_seconds: job.submission.limit.map(|limit| limit.0),
            wait_seconds: job.wait().0,
            run_seconds: job.outcome.run().0,
        });
    }
}

/// Writes the figures of one replicate.
pub fn add_figures(values: &mut Details, strategy: &str, replicate: u32, summary: &SitesSummary) {
    let SitesSummary { wait_seconds, turnaround_seconds, bounded_slowdown, within_1_hour, over_1_day, .. } = *summary;
    for (figure, value) in [
        ("wait_seconds", wait_seconds),
        ("turnaround_seconds", turnaround_seconds),
        ("bounded_slowdown", bounded_slowdown),
        ("within_1_hour", within_1_hour),
        ("over_1_day", over_1_day),
    ] {
        values.add(&[strategy.into(), replicate.into(), figure.into(), value.into()]);
    }
}
