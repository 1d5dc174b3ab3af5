//! A recorded stretch, read with the product's own readers, as a model of Slurm takes it.
//!
//! Not for: what was forecast meanwhile (`told.rs`), all starts of a job that began anew (`starts.rs`).

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, JobPart, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord,
};
use queuecast_site::cluster::{ClusterReading, Reach};
use queuecast_site::twin::TrueJob;
use queuecast_slurm::json::Document;
use queuecast_slurm::text;
use queuecast_workload::{Seconds, Time};
use serde::Deserialize;

use crate::starts::Starts;

/// A job or a task of one, by its place among the submissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Which {
    /// Its place in the stretch.
    pub index: usize,
    /// The task; 0 of a job by itself.
    pub task: u32,
}

/// One job or task as it was submitted.
#[derive(Debug)]
pub struct Submitted {
    /// Which.
    pub which: Which,
    /// What sbatch was told.
    pub arguments: Vec<String>,
    partition: String,
    job: TrueJob,
}

/// What a recording holds.
#[derive(Debug)]
pub struct Recording {
    /// When the first job was submitted, by the lab's clock.
    pub began: Time,
    /// Everybody whom Slurm took.
    pub submitted: Vec<Submitted>,
    configuration: ClusterConfiguration,
    partitions: Vec<PartitionRecord>,
    nodes: Vec<NodeRecord>,
    qos: Vec<QosRecord>,
    associations: Vec<AssociationRecord>,
    shares: Vec<ShareRecord>,
    reservations: Vec<ReservationRecord>,
    reach: Reach,
    starts: BTreeMap<Which, Time>,
}

#[derive(Deserialize)]
struct Line {
    index: usize,
    job_id: Option<u64>,
    depends_on_job_id: Option<u64>,
    partition: String,
    name: String,
    run_seconds: Vec<i64>,
    array: Option<Array>,
    dependency: Option<Dependency>,
    arguments: Vec<String>,
}

#[derive(Deserialize)]
struct Array {
    throttle: Option<u32>,
}

#[derive(Deserialize)]
struct Dependency {
    kind: String,
}

#[derive(Deserialize)]
struct Stretch {
    began: i64,
}

impl Recording {
    /// Reads one.
    pub fn read(folder: &Path) -> Result<Self> {
        let begin = |file: &str| {
            let path = folder.join("begin").join(file);
            fs::read(&path).with_context(|| path.display().to_string())
        };
        let lines: Vec<Line> = fs::read_to_string(folder.join("submissions.jsonl"))
            .with_context(|| format!("{} holds no recording", folder.display()))?
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        let known = first_records(folder)?;
        let mut recording = Self {
            began: began(folder)?,
            submitted: Vec::new(),
            configuration: text::configuration(&begin("config.txt")?)?,
            partitions: text::partitions(&begin("partitions.txt")?).records,
            nodes: text::nodes(&begin("nodes.txt")?).records,
            qos: text::qos(&begin("qos.txt")?).records,
            associations: text::associations(&begin("associations.txt")?).records,
            shares: text::shares(&begin("sshare.txt")?).records,
            reservations: text::reservations(&begin("reservations.txt")?).records,
            reach: Reach::default(),
            starts: BTreeMap::new(),
        };
        for line in &lines {
            recording.add(line, &known);
        }
        recording.starts = first_starts(&Starts::read(folder)?, &recording.submitted, &lines);
        Ok(recording)
    }

    /// What there was at the beginning.
    pub fn reading(&self) -> ClusterReading<'_> {
        ClusterReading {
            now: self.began,
            jobs: &[],
            nodes: &self.nodes,
            partitions: &self.partitions,
            reservations: &self.reservations,
            qos: &self.qos,
            associations: &self.associations,
            shares: &self.shares,
            configuration: Some(&self.configuration),
            reach: &self.reach,
        }
    }

    /// Everybody, as the model takes them.
    pub fn jobs(&self) -> Vec<TrueJob> {
        self.submitted.iter().map(|submitted| submitted.job.clone()).collect()
    }

    /// How long everybody waited, in seconds.
    pub fn waits(&self) -> BTreeMap<Which, f64> {
        let offsets = self.starts.iter().map(|(which, start)| (*which, (*start - self.began).as_f64())).collect();
        self.waits_of(&offsets)
    }

    /// Starts since the beginning, made waits: two recordings begin at different times, and submit a little apart.
    pub fn waits_of(&self, starts: &BTreeMap<Which, f64>) -> BTreeMap<Which, f64> {
        let submitted: BTreeMap<Which, f64> = (self.submitted.iter())
            .map(|job| (job.which, (job.job.record.key.submitted - self.began).as_f64()))
            .collect();
        starts.iter().filter_map(|(which, start)| Some((*which, start - submitted.get(which)?))).collect()
    }

    /// Some of everybody, by partition.
    pub fn by_partition(&self, all: &BTreeMap<Which, f64>) -> BTreeMap<String, BTreeMap<Which, f64>> {
        let mut found: BTreeMap<String, BTreeMap<Which, f64>> = BTreeMap::new();
        for job in &self.submitted {
            if let Some(wait) = all.get(&job.which) {
                found.entry(job.partition.clone()).or_default().insert(job.which, *wait);
            }
        }
        found
    }

    fn add(&mut self, line: &Line, known: &BTreeMap<u64, JobRecord>) {
        let Some(record) = line.job_id.and_then(|number| known.get(&number)) else { return };
        let mut record = record.clone();
        record.name.clone_from(&line.name);
        record.dependency = match (&line.dependency, line.depends_on_job_id) {
            (Some(dependency), _) if dependency.kind == "singleton" => "singleton".to_owned(),
            (Some(dependency), Some(number)) => format!("{}:{number}", dependency.kind),
            _ => String::new(),
        };
        for (task, run) in (0_u32..).zip(&line.run_seconds) {
            let mut record = record.clone();
            if let (Some(array), Some(number)) = (&line.array, line.job_id) {
                record.key.part = JobPart::ArrayTask { array_job_id: number, task };
                record.throttle = array.throttle;
                // A task has a number of its own; nobody else's will do.
                record.key.job_id = 1_000_000_000 + number * 1_000 + u64::from(task);
            }
            self.submitted.push(Submitted {
                which: Which { index: line.index, task },
                arguments: line.arguments.clone(),
                partition: line.partition.clone(),
                job: TrueJob { record, run: Seconds((*run).max(1)) },
            });
        }
    }
}

/// What was known of each job when it was first seen, by number; of an array under the array's.
fn first_records(folder: &Path) -> Result<BTreeMap<u64, JobRecord>> {
    let mut readings: Vec<_> = fs::read_dir(folder.join("readings"))?.collect::<Result<_, _>>()?;
    readings.sort_by_key(fs::DirEntry::file_name);
    let mut known = BTreeMap::new();
    for reading in readings {
        let Ok(packed) = fs::File::open(reading.path().join("squeue.json.gz")) else { continue };
        let mut bytes = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut bytes)?;
        for record in Document::parse(&bytes)?.jobs()?.records {
            let number = match &record.key.part {
                JobPart::ArrayTask { array_job_id, .. } | JobPart::ArrayRemainder { array_job_id, .. } => *array_job_id,
                JobPart::HetComponent { het_job_id, offset } if *offset == 0 => *het_job_id,
                JobPart::HetComponent { .. } => continue,
                JobPart::Whole => record.key.job_id,
            };
            known.entry(number).or_insert(record);
        }
    }
    Ok(known)
}

/// When everybody started first.
fn first_starts(starts: &Starts, submitted: &[Submitted], lines: &[Line]) -> BTreeMap<Which, Time> {
    let of_index: BTreeMap<usize, &Line> = lines.iter().map(|line| (line.index, line)).collect();
    let first = |job: &Submitted| {
        let line = of_index.get(&job.which.index)?;
        let task = line.array.is_some().then_some(job.which.task);
        Some((job.which, starts.first(line.job_id?, task)?.at))
    };
    submitted.iter().filter_map(first).collect()
}

/// When a stretch began, by the lab's clock.
pub fn began(folder: &Path) -> Result<Time> {
    let path = folder.join("stretch.json");
    let stretch: Stretch =
        serde_json::from_slice(&fs::read(&path)?).with_context(|| format!("{}: not understood", path.display()))?;
    Ok(Time(stretch.began))
}
