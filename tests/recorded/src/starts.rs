//! When every job of a recording truly started, by accounting: each time if it was preempted and began anew.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result};
use queuecast_records::{JobPart, WrittenJobId};
use queuecast_slurm::text::{Entry, SacctReader};
use queuecast_workload::Time;

/// One start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    /// When.
    pub at: Time,
    /// In which partition.
    pub partition: String,
}

/// All starts, by the number of the job or array and the task.
#[derive(Clone, Debug, Default)]
pub struct Starts(BTreeMap<(u64, Option<u32>), Vec<Start>>);

impl Starts {
    /// Reads those of a recording that is over.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("sacct.txt");
        let file = File::open(&path).with_context(|| format!("{}: the recording is not over", path.display()))?;
        let mut reader = SacctReader::new(BufReader::new(file), None)?;
        let mut starts = Self::default();
        while let Some(entry) = reader.next_entry()? {
            let Entry::Job(record) = entry else { continue };
            if let (Some(key), Some(at)) = (key(record.key.job_id, &record.key.part), record.started) {
                starts.add(key, Start { at, partition: record.partitions.first().cloned().unwrap_or_default() });
            }
        }
        Ok(starts)
    }

    /// Notes a start.
    pub(crate) fn add(&mut self, key: (u64, Option<u32>), start: Start) {
        let known = self.0.entry(key).or_default();
        known.push(start);
        known.sort();
    }

    /// The first start of a job, or of a task.
    pub fn first(&self, number: u64, task: Option<u32>) -> Option<&Start> {
        self.0.get(&(number, task))?.first()
    }

    /// The first start, not before `since`, of a job as Slurm writes it. Of an array, or of what is left of one, that of its next task.
    pub fn next(&self, written: &str, since: Time) -> Option<&Start> {
        // The store writes the rest of an array without its tasks.
        let written = written.strip_suffix("_[]").unwrap_or(written);
        let id = WrittenJobId::parse(written.as_bytes())?;
        self.next_of(id.job_id, &id.part, since)
    }

    /// The same of a job by its number and part.
    pub fn next_of(&self, number: u64, part: &JobPart, since: Time) -> Option<&Start> {
        let wanted = match part {
            JobPart::ArrayRemainder { array_job_id, .. } => (*array_job_id, None),
            JobPart::ArrayTask { array_job_id, task } => (*array_job_id, Some(*task)),
            JobPart::HetComponent { het_job_id, .. } => (*het_job_id, None),
            JobPart::Whole => (number, None),
        };
        let of_job = |key: &(u64, Option<u32>)| wanted.1.is_none() || key.1 == wanted.1;
        let range = self.0.range((wanted.0, None)..=(wanted.0, Some(u32::MAX)));
        range.filter(|(key, _)| of_job(key)).flat_map(|(_, starts)| starts).filter(|start| start.at >= since).min()
    }
}

/// Components of a heterogeneous job begin together: the first stands for all.
fn key(number: u64, part: &JobPart) -> Option<(u64, Option<u32>)> {
    match part {
        JobPart::ArrayTask { array_job_id, task } => Some((*array_job_id, Some(*task))),
        JobPart::HetComponent { het_job_id, offset: 0 } => Some((*het_job_id, None)),
        JobPart::Whole => Some((number, None)),
        JobPart::HetComponent { .. } | JobPart::ArrayRemainder { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_start_of_a_job_a_task_a_rest_and_a_component_is_found() {
        let mut starts = Starts::default();
        let at = |at| Start { at: Time(at), partition: "batch".to_owned() };
        starts.add((7, None), at(900));
        starts.add((7, None), at(100));
        for (task, start) in [(0, 50), (1, 60), (2, 300)] {
            starts.add((9, Some(task)), at(start));
        }
        starts.add((20, None), at(40));
        let next = |written, since| starts.next(written, Time(since)).map(|start| start.at.0);
        assert_eq!((next("7", 0), next("7", 101), next("7", 901)), (Some(100), Some(900), None), "it began anew");
        assert_eq!((next("9_1", 0), next("9_[2]", 61), next("9", 0)), (Some(60), Some(300), Some(50)));
        assert_eq!((next("9_[]", 51), next("20+1", 0), next("garbage", 0)), (Some(60), Some(40), None));
    }
}
