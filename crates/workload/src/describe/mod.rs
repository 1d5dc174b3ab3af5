//! What a log is like: how much, how long, how wide, how full, and which fields it knows.
//!
//! For: one look at a log before anything is done with it, and the table of logs in a report.
//!
//! Not for: judging jobs: everything in the log is counted, also what [`crate::clean`] would drop; a distribution is
//! over the jobs for which the field is known.
//!
//! Source: the measures are those by which the Parallel Workloads Archive describes its logs; modality of estimates
//! after Tsafrir, Etsion and Feitelson, "Modeling user runtime estimates" (JSSPP 2005). Memory grows with the
//! number of distinct values, not of jobs.
//!
//! ```
//! use queuecast_workload::Machine;
//! use queuecast_workload::describe::Describer;
//! use queuecast_workload::swf::SwfRecord;
//!
//! let mut describer = Describer::new();
//! for submit_time in [0, 100] {
//!     let job = SwfRecord { submit_time, run_time: 50, requested_processors: 4, ..SwfRecord::UNKNOWN };
//!     describer.add(&job);
//! }
//! let description = describer.describe(Some(Machine { processors: 8 }));
//! assert_eq!(description.offered_load, Some(0.5));
//! ```

mod tally;

use serde::Serialize;

use crate::swf::{Field, SwfRecord};
use crate::{Machine, Seconds};

pub use tally::Distribution;
use tally::Tally;

/// The share of jobs that the most popular estimates have to cover to be counted.
const POPULAR_SHARE: f64 = 0.9;

/// The description. Units are last in names; shares are of 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceDescription {
    /// Jobs in the log.
    pub jobs: u64,
    /// Lines that were neither jobs nor comments.
    pub bad_lines: u64,
    /// Processors of the machine, where they are known.
    pub machine_processors: Option<u32>,
    /// The first submit time, in seconds since the log's origin.
    pub first_submit_seconds: Option<i64>,
    /// The last submit time.
    pub last_submit_seconds: Option<i64>,
    /// Seconds from the first to the last submission.
    pub span_seconds: Option<i64>,
    /// Processor seconds run, over those the machine has in the span. `None` where either is not known or zero.
    pub offered_load: Option<f64>,
    /// How many there are of what.
    pub distinct: Distinct,
    /// Seconds in the queue.
    pub wait_seconds: Option<Distribution>,
    /// Seconds of run time.
    pub run_seconds: Option<Distribution>,
    /// Processors of a job: requested if known, else allocated.
    pub processors: Option<Distribution>,
    /// Of the jobs with both a run time and an estimate, the share that ran longer than estimated.
    pub over_estimate_share: Option<f64>,
    /// How few values the users' estimates take.
    pub estimates: Option<EstimateModality>,
    /// For each field of the format, the share of jobs for which it is known.
    pub fields: Vec<FieldShare>,
}

/// How many different ones the log has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Distinct {
    /// Users.
    pub users: usize,
    /// Groups.
    pub groups: usize,
    /// Executables.
    pub executables: usize,
    /// Queues.
    pub queues: usize,
    /// Partitions.
    pub partitions: usize,
}

/// How few values the users' estimates take: most users choose among a handful of round numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EstimateModality {
    /// Jobs with an estimate.
    pub jobs: u64,
    /// Different estimates.
    pub distinct: usize,
    /// How many of the most popular ones are needed for 90 % of those jobs.
    pub covering_90_percent: usize,
    /// The most popular estimate.
    pub most_popular_seconds: i64,
    /// Its share of those jobs.
    pub most_popular_share: f64,
}

/// For how many of the jobs a field is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FieldShare {
    /// The field's number in the format.
    pub number: u8,
    /// Its name.
    pub name: Field,
    /// The share of jobs for which it is not negative.
    pub known_share: f64,
}

/// Takes a log's jobs one by one.
#[derive(Debug, Default)]
pub struct Describer {
    jobs: u64,
    bad_lines: u64,
    known: [u64; Field::ALL.len()],
    submits: Option<(i64, i64)>,
    processor_seconds: f64,
    waits: Tally,
    runs: Tally,
    widths: Tally,
    estimates: Tally,
    with_run_and_estimate: u64,
    over_estimate: u64,
    users: Tally,
    groups: Tally,
    executables: Tally,
    queues: Tally,
    partitions: Tally,
}

impl Describer {
    /// One that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a job.
    pub fn add(&mut self, record: &SwfRecord) {
        self.jobs += 1;
        for (count, field) in self.known.iter_mut().zip(Field::ALL) {
            *count += u64::from(record.knows(field));
        }
        if record.submit_time >= 0 {
            let (first, last) = self.submits.unwrap_or((record.submit_time, record.submit_time));
            self.submits = Some((first.min(record.submit_time), last.max(record.submit_time)));
        }
        let width = record.processors();
        if let Some(width) = width {
            self.widths.add(width);
            self.processor_seconds += width as f64 * record.run_time.max(0) as f64;
        }
        if record.requested_time > 0 {
            self.estimates.add(record.requested_time);
            self.with_run_and_estimate += u64::from(record.run_time >= 0);
            self.over_estimate += u64::from(record.run_time > record.requested_time);
        }
        for (tally, value) in [
            (&mut self.waits, record.wait_time),
            (&mut self.runs, record.run_time),
            (&mut self.users, record.user),
            (&mut self.groups, record.group),
            (&mut self.executables, record.executable),
            (&mut self.queues, record.queue),
            (&mut self.partitions, record.partition),
        ] {
            if value >= 0 {
                tally.add(value);
            }
        }
    }

    /// Takes note of lines that were neither jobs nor comments.
    pub fn add_bad_lines(&mut self, count: u64) {
        self.bad_lines += count;
    }

    /// The description of what has been taken, on this machine if one is known.
    pub fn describe(&self, machine: Option<Machine>) -> TraceDescription {
        let span_seconds = self.submits.map(|(first, last)| last - first);
        TraceDescription {
            jobs: self.jobs,
            bad_lines: self.bad_lines,
            machine_processors: machine.map(|machine| machine.processors),
            first_submit_seconds: self.submits.map(|(first, _)| first),
            last_submit_seconds: self.submits.map(|(_, last)| last),
            span_seconds,
            offered_load: machine
                .zip(span_seconds)
                .and_then(|(machine, span)| offered_load(self.processor_seconds, machine, Seconds(span))),
            distinct: Distinct {
                users: self.users.distinct(),
                groups: self.groups.distinct(),
                executables: self.executables.distinct(),
                queues: self.queues.distinct(),
                partitions: self.partitions.distinct(),
            },
            wait_seconds: self.waits.distribution(),
            run_seconds: self.runs.distribution(),
            processors: self.widths.distribution(),
            over_estimate_share: share(self.over_estimate as f64, self.with_run_and_estimate as f64),
            estimates: self.modality(),
            fields: self.field_shares(),
        }
    }

    fn modality(&self) -> Option<EstimateModality> {
        let popular = self.estimates.by_popularity();
        let &(most_popular_seconds, most_popular_count) = popular.first()?;
        let jobs = self.estimates.count();
        let needed = POPULAR_SHARE * jobs as f64;
        let mut covered = 0;
        let falls_short = |&&(_, count): &&(i64, u64)| {
            let before = covered as f64;
            covered += count;
            before < needed
        };
        Some(EstimateModality {
            jobs,
            distinct: popular.len(),
            covering_90_percent: popular.iter().take_while(falls_short).count(),
            most_popular_seconds,
            most_popular_share: most_popular_count as f64 / jobs as f64,
        })
    }

    fn field_shares(&self) -> Vec<FieldShare> {
        let field_share = |(name, &known): (Field, &u64)| FieldShare {
            number: name.number(),
            name,
            known_share: share(known as f64, self.jobs as f64).unwrap_or_default(),
        };
        Field::ALL.into_iter().zip(&self.known).map(field_share).collect()
    }
}

/// The load that work offers to a machine: processor seconds run, over those the machine has in the span from the first
/// submission to the last. `None` where the machine or the span is nothing.
pub fn offered_load(processor_seconds: f64, machine: Machine, span: Seconds) -> Option<f64> {
    share(processor_seconds, f64::from(machine.processors) * span.as_f64())
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(submit_time: i64, run_time: i64, requested_processors: i64, requested_time: i64) -> SwfRecord {
        SwfRecord { submit_time, run_time, requested_processors, requested_time, user: 5, ..SwfRecord::UNKNOWN }
    }

    #[test]
    fn load_is_work_over_capacity_within_the_span() {
        let mut describer = Describer::new();
        describer.add(&job(100, 50, 4, 60));
        describer.add(&job(200, 100, 2, 60));
        describer.add(&job(-1, -1, 8, -1));
        let description = describer.describe(Some(Machine { processors: 8 }));
        assert_eq!(description.span_seconds, Some(100));
        // (50 s on 4 and 100 s on 2 processors) of (100 s on 8 processors).
        assert_eq!(description.offered_load, Some(0.5));
        assert_eq!(description.over_estimate_share, Some(0.5));
        assert_eq!(describer.describe(None).offered_load, None);
    }

    #[test]
    fn field_shares_count_what_is_known() {
        let mut describer = Describer::new();
        describer.add(&job(0, 50, 4, -1));
        describer.add(&job(0, -1, 4, 60));
        let description = describer.describe(None);
        let share_of =
            |field: Field| description.fields.iter().find(|share| share.name == field).map(|share| share.known_share);
        assert_eq!(share_of(Field::User), Some(1.0));
        assert_eq!(share_of(Field::RunTime), Some(0.5));
        assert_eq!(share_of(Field::Queue), Some(0.0));
        assert_eq!(description.distinct, Distinct { users: 1, ..Distinct::default() });
    }

    #[test]
    fn modality_counts_the_values_needed_for_nine_tenths() {
        let mut describer = Describer::new();
        for (estimate, count) in [(3600, 60), (60, 30), (7200, 8), (61, 1), (62, 1)] {
            (0..count).for_each(|_| describer.add(&job(0, 1, 1, estimate)));
        }
        let modality = describer.describe(None).estimates.expect("there are estimates");
        assert_eq!((modality.jobs, modality.distinct, modality.covering_90_percent), (100, 5, 2));
        assert_eq!((modality.most_popular_seconds, modality.most_popular_share), (3600, 0.6));
    }

    #[test]
    fn an_empty_log_has_a_description() {
        let description = Describer::new().describe(Some(Machine { processors: 8 }));
        assert_eq!((description.jobs, description.offered_load, description.estimates), (0, None, None));
        assert_eq!(description.run_seconds, None);
    }
}
