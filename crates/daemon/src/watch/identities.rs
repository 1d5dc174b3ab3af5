//! Which row of the store a record of Slurm's is about.

use std::collections::{HashMap, HashSet};

use queuecast_records::{JobPart, JobRecord};
use queuecast_workload::Time;

use crate::store::{Fact, OpenJob};
use queuecast_site::ledger::FactKind;
use queuecast_site::ledger::StoredJobId;

/// What tells the jobs of one cluster apart; the rest of an array is one, whatever is left of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Identity {
    job_id: u64,
    part: Option<(u64, u32)>,
    submitted: Time,
}

impl Identity {
    fn of(record: &JobRecord) -> Self {
        let part = match &record.key.part {
            JobPart::Whole => None,
            JobPart::ArrayTask { array_job_id, task } => Some((*array_job_id, *task)),
            JobPart::ArrayRemainder { array_job_id, .. } => Some((*array_job_id, u32::MAX)),
            JobPart::HetComponent { het_job_id, offset } => Some((*het_job_id, *offset)),
        };
        Self { job_id: record.key.job_id, part, submitted: record.key.submitted }
    }
}

/// Rows by record, of all who wait or run.
#[derive(Debug, Default)]
pub struct Identities(HashMap<Identity, StoredJobId>);

impl Identities {
    /// Of these.
    pub fn of(open: &[OpenJob]) -> Self {
        Self(open.iter().map(|open| (Identity::of(&open.record), open.job)).collect())
    }

    /// Takes in what became known.
    pub fn note(&mut self, fact: &Fact) {
        let identity = Identity::of(&fact.record);
        match fact.kind {
            FactKind::Arrived | FactKind::Started { .. } | FactKind::Returned => {
                self.0.insert(identity, fact.job);
            }
            FactKind::Ended { .. }
            | FactKind::Withdrawn { .. }
            | FactKind::Lost { .. }
            | FactKind::Dissolved { .. } => {
                self.0.remove(&identity);
            }
        }
    }

    /// The rows of all who wait or run.
    pub fn rows(&self) -> HashSet<StoredJobId> {
        self.0.values().copied().collect()
    }

    /// The row a record is about.
    pub fn row(&self, record: &JobRecord) -> Option<StoredJobId> {
        self.0.get(&Identity::of(record)).copied()
    }
}
