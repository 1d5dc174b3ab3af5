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
    /// When the queue had been read.
    moments: Vec<Time>,
    /// And when reading it began: what it says is of then.
    begun: Vec<Time>,
    /// Where what was read then is.
    readings: Vec<PathBuf>,
    /// Every attempt that started.
    attempts: Vec<JobRecord>,
}

#[derive(Deserialize)]
struct ReadingLine {
    offset_seconds: u64,
    read_from: i64,
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
        let mut attempts = Vec::new();
        while let Some(entry) = reader.next_entry()? {
            if let Entry::Job(record) = entry
                && record.started.is_some()
            {
                attempts.push(*record);
            }
        }
        Ok(Self(Arc::new(Recorded {
            folder: folder.to_owned(),
            moments: lines.iter().map(|line| Time(line.read_to)).collect(),
            begun: lines.iter().map(|line| Time(line.read_from)).collect(),
            readings: lines.iter().map(place).collect(),
            attempts,
        })))
    }

    /// When the queue had been read.
    pub fn moments(&self) -> &[Time] {
        &self.0.moments
    }

    /// When reading it began.
    pub fn begun(&self) -> &[Time] {
        &self.0.begun
    }

    /// Every attempt that started, of whenever, some without an end: not for anybody who forecasts.
    pub fn attempts(&self) -> &[JobRecord] {
        &self.0.attempts
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
    let problems = listing.problems.iter().map(ToString::to_string).collect();
    Reading { records: listing.records, problems, bad_records: listing.bad_records }
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
        Ok(Reading::of(self.recorded.attempts.iter().filter(is_told).cloned().collect()))
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
        Ok(Reading::of(Vec::new()))
    }

    fn diagnostics(&self) -> Result<Diagnostics, SourceError> {
        Ok(Diagnostics::default())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    const SUBMITTED: i64 = 1_794_830_000;

    /// A recording of three readings, ten minutes apart. Jobs 1, 2 and 3 end in the middle of the first interval, at the second reading
    /// and after the last; a reservation is made at the second reading, and the third did not ask for any.
    fn recording() -> Result<tempfile::TempDir> {
        let folder = tempfile::tempdir()?;
        let mut readings = String::new();
        for offset in [0, 600, 1_200] {
            let reading = folder.path().join(format!("readings/{offset:06}"));
            fs::create_dir_all(&reading)?;
            fs::write(reading.join("squeue.txt"), "")?;
            let (from, to) = (SUBMITTED + offset, SUBMITTED + offset);
            writeln!(readings, r#"{{"offset_seconds":{offset},"read_from":{from},"read_to":{to}}}"#)?;
            match offset {
                0 => fs::write(reading.join("reservations.txt"), "")?,
                600 => fs::write(
                    reading.join("reservations.txt"),
                    "ReservationName=later StartTime=1794900000 EndTime=1794910000 Nodes=a1 Flags=MAINT\n",
                )?,
                _ => {}
            }
        }
        fs::write(folder.path().join("readings.jsonl"), readings)?;
        let columns = [
            "JobID",
            "JobIDRaw",
            "JobName",
            "User",
            "UID",
            "Account",
            "Cluster",
            "Partition",
            "QOS",
            "State",
            "Submit",
            "Eligible",
            "Start",
            "End",
        ];
        let mut sacct = columns.join("\u{1f}") + "\n";
        for (number, ended) in [(1, 300), (2, 600), (3, 1_201)] {
            let values = [number.to_string(), number.to_string()]
                .into_iter()
                .chain(["name", "ann", "1000", "physics", "site", "batch", "normal", "COMPLETED"].map(str::to_owned));
            let times = [SUBMITTED, SUBMITTED, SUBMITTED, SUBMITTED + ended].map(|time| time.to_string());
            sacct += &(values.chain(times).collect::<Vec<_>>().join("\u{1f}") + "\n");
        }
        fs::write(folder.path().join("sacct.txt"), sacct)?;
        Ok(folder)
    }

    #[test]
    fn nothing_is_told_before_its_time() -> Result<()> {
        let folder = recording()?;
        let source = RecordedSource::open(folder.path())?;
        let clock = RecordedClock::at(Time(SUBMITTED));
        let asked = source.at(clock.clone());
        let told = |offset: i64, from: i64| -> Result<(Vec<u64>, usize)> {
            clock.turn_to(Time(SUBMITTED + offset));
            let period = Period { from: Time(SUBMITTED + from), to: Time(SUBMITTED + 9_999) };
            let ended = asked.accounting(period)?.records.iter().map(|job| job.key.job_id).collect();
            Ok((ended, asked.reservations()?.records.len()))
        };
        assert_eq!(told(0, 0)?, (vec![], 0));
        assert_eq!(told(299, 0)?, (vec![], 0), "job 1 has not ended, and no reservation is known");
        assert_eq!(told(599, 0)?, (vec![1], 0));
        assert_eq!(told(600, 0)?, (vec![1, 2], 1));
        assert_eq!(told(1_200, 0)?, (vec![1, 2], 1), "what was not asked is what was said before");
        assert_eq!(told(1_200, 301)?, (vec![2], 1), "and what was asked for only");
        Ok(())
    }
}
