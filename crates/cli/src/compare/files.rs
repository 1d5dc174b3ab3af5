//! `--details` and `--replicate-values` of `qcast compare`: what its figures are made of.

use queuecast_evaluate::{Comparison, FIGURES};

use super::contest::Contest;
use super::trace::LoadedTrace;
use crate::details::{Column, Details, JOB_COLUMNS, JobRows, Kind};
use crate::failure::Failure;
use crate::provenance::Provenance;

/// Which replay a row is of.
const OF_REPLAY: [Column; 2] = [("trace", Kind::Text), ("run", Kind::Text)];

/// The columns of `--replicate-values`.
pub const REPLICATE_COLUMNS: [Column; 5] = [
    ("trace", Kind::Text),
    ("run", Kind::Text),
    ("replicate", Kind::Integer),
    ("figure", Kind::Text),
    ("value", Kind::Number),
];

/// The columns of `--details`.
pub fn job_columns() -> Vec<Column> {
    OF_REPLAY.into_iter().chain(JOB_COLUMNS).collect()
}

/// The files, as far as they are asked for.
pub struct Files {
    pub details: Option<Details>,
    pub replicate_values: Option<Details>,
}

impl Files {
    /// What was compared on one log. Jobs are of the log as it is, which is replayed once more for them.
    pub fn add(&mut self, trace: &LoadedTrace, comparison: &Comparison, contest: &Contest) {
        for (compared, name) in comparison.compared().iter().zip(contest.names()) {
            if let Some(details) = &mut self.details {
                let configuration = &compared.configuration;
                let leading = vec![trace.name.as_str().into(), name.into()];
                let mut rows = JobRows::new(details, leading, configuration.slowdown_threshold);
                configuration.simulate(trace.jobs.iter().copied(), &mut rows);
            }
            let Some(values) = &mut self.replicate_values else { continue };
            for figure in FIGURES {
                for (replicate, value) in (1_u32..).zip(compared.shaken.of(figure).values()) {
                    let trace = trace.name.as_str();
                    values.add(&[trace.into(), name.into(), replicate.into(), figure.into(), (*value).into()]);
                }
            }
        }
    }

    /// Completes them.
    pub fn finish(self, provenance: &Provenance) -> Result<(), Failure> {
        let files = [self.details, self.replicate_values];
        files.into_iter().flatten().try_for_each(|file| file.finish(provenance))
    }
}
