//! Slurm as it answered in a recording. What accounting was told later is not told before.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use queuecast_daemon::clock::WatchClock;
use queuecast_records::source::{Period, Reading, Source, SourceError};
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};
use queuecast_slurm::text::{self, Entry, Listing, Mark, SacctReader};
use queuecast_workload::Time;
use serde::Deserialize;

use super::clock::RecordedClock;

/// What stands at the end of every record of `squeue.txt` (`tests/slurm-lab/examples/site_stretch/questions.rs`).
const MARK: &str = "recorded";

/// A recording that can be asked.
#[derive(Clone)]
pub struct RecordedSource(Arc<Recorded>);

struct Recorded {
    folder: PathBuf,
    /// When the queue was read.
    moments: Vec<Time>,
    /// Where what was read then is.
    readings: Vec<PathBuf>,
    /// Every attempt that ended.
    ended: Vec<JobRecord>,
}

#[derive(Deserialize)]
struct ReadingLine {
    offset_seconds: u64,
    read_to: i64,
}

impl RecordedSource {
    /// Opens one.
    pub fn open(folder: &Path) -> Result<Self> {
        let lines = BufReader::new(File::open(folder.join("readings.jsonl"))?).lines();
        let lines: Vec<ReadingLine> =
            lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect::<Result<_>>().context("readings.jsonl")?;
        let place = |line: &ReadingLine| folder.join(format!("readings/{:06}", line.offset_seconds));
        let lines: Vec<ReadingLine> =
            lines.into_iter().filter(|line| place(line).join("squeue.txt").exists()).collect();
        let mut reader = SacctReader::new(BufReader::new(File::open(folder.join("sacct.txt"))?), None)?;
        let mut ended = Vec::new();
        while let Some(entry) = reader.next_entry()? {
            if let Entry::Job(record) = entry
                && record.ended.is_some()
            {
                ended.push(*record);
            }
        }
        Ok(Self(Arc::new(Recorded {
            folder: folder.to_owned(),
            moments: lines.iter().map(|line| Time(line.read_to)).collect(),
            readings: lines.iter().map(place).collect(),
            ended,
        })))
    }

    /// When the queue was read.
    pub fn moments(&self) -> &[Time] {
        &self.0.moments
    }

    /// A way to ask it what it said at the clock's time.
    pub fn at(&self, clock: RecordedClock) -> Asked {
        Asked { recorded: Arc::clone(&self.0), clock }
    }
}

/// A recording asked at one moment after another.
pub struct Asked {
    recorded: Arc<Recorded>,
    clock: RecordedClock,
}

impl Asked {
    fn begin(&self, file: &str) -> Result<Vec<u8>, SourceError> {
        read(&self.recorded.folder.join("begin").join(file))
    }

    fn lately(&self, file: &str) -> Result<Vec<u8>, SourceError> {
        let now = self.clock.now();
        let place = self.recorded.moments.partition_point(|moment| *moment <= now).saturating_sub(1);
        // What was not asked at one reading was asked at one before.
        let known =
            self.recorded.readings[..=place].iter().rev().map(|reading| reading.join(file)).find(|path| path.exists());
        known.map_or_else(|| self.begin(file), |path| read(&path))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SourceError> {
    fs::read(path).map_err(|error| SourceError::NotRun { program: path.display().to_string(), error })
}

fn listed<T>(listing: Listing<T>) -> Reading<T> {
    Reading { records: listing.records, problems: listing.problems.iter().map(ToString::to_string).collect() }
}

fn not_understood(error: impl Display) -> SourceError {
    SourceError::NotUnderstood { program: "recording".to_owned(), error: error.to_string().into() }
}

impl Source for Asked {
    fn queue(&self) -> Result<Reading<JobRecord>, SourceError> {
        let cluster = self.configuration()?.cluster_name;
        let mut jobs = listed(text::squeue(&self.lately("squeue.txt")?, &Mark::known(MARK), &cluster));
        text::lay_out(&mut jobs.records, text::layouts(&self.lately("layouts.txt")?).records);
        Ok(jobs)
    }

    fn accounting(&self, period: Period) -> Result<Reading<JobRecord>, SourceError> {
        let now = self.clock.now();
        let is_told = |job: &&JobRecord| job.ended.is_some_and(|ended| ended <= now && ended >= period.from);
        Ok(Reading { records: self.recorded.ended.iter().filter(is_told).cloned().collect(), problems: Vec::new() })
    }

    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        Ok(listed(text::nodes(&self.lately("nodes.txt")?)))
    }

    fn partitions(&self) -> Result<Reading<PartitionRecord>, SourceError> {
        Ok(listed(text::partitions(&self.begin("partitions.txt")?)))
    }

    fn reservations(&self) -> Result<Reading<ReservationRecord>, SourceError> {
        Ok(listed(text::reservations(&self.lately("reservations.txt")?)))
    }

    fn configuration(&self) -> Result<ClusterConfiguration, SourceError> {
        text::configuration(&self.begin("config.txt")?).map_err(not_understood)
    }

    fn qos(&self) -> Result<Reading<QosRecord>, SourceError> {
        Ok(listed(text::qos(&self.begin("qos.txt")?)))
    }

    fn associations(&self) -> Result<Reading<AssociationRecord>, SourceError> {
        Ok(listed(text::associations(&self.begin("associations.txt")?)))
    }

    fn shares(&self) -> Result<Reading<ShareRecord>, SourceError> {
        Ok(listed(text::shares(&self.lately("sshare.txt")?)))
    }

    fn users(&self) -> Result<Reading<UserRecord>, SourceError> {
        Ok(Reading { records: Vec::new(), problems: Vec::new() })
    }

    fn diagnostics(&self) -> Result<Diagnostics, SourceError> {
        Ok(Diagnostics::default())
    }
}
