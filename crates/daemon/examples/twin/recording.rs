//! A recorded stretch, read with the product's own readers.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::GzDecoder;
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, JobPart, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord,
};
use queuecast_site::cluster::{ClusterReading, Reach};
use queuecast_site::twin::TrueJob;
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{self, Entry, SacctReader};
use queuecast_workload::{Seconds, Time};
use serde::Deserialize;

/// A job or a task of one, by its place among the submissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Which {
    pub index: usize,
    pub task: u32,
}

/// One job or task as it was submitted.
pub struct Submitted {
    pub which: Which,
    pub arguments: Vec<String>,
    partition: String,
    job: TrueJob,
}

/// What a recording holds.
pub struct Recording {
    pub began: Time,
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
    pub fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let begin = |file: &str| fs::read(folder.join("begin").join(file));
        let stretch: Stretch = serde_json::from_slice(&fs::read(folder.join("stretch.json"))?)?;
        let lines: Vec<Line> = fs::read_to_string(folder.join("submissions.jsonl"))?
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        let known = first_records(folder)?;
        let mut recording = Self {
            began: Time(stretch.began),
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
        recording.starts = starts(folder, &lines)?;
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
fn first_records(folder: &Path) -> Result<BTreeMap<u64, JobRecord>, Box<dyn Error>> {
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
fn starts(folder: &Path, lines: &[Line]) -> Result<BTreeMap<Which, Time>, Box<dyn Error>> {
    let index_of: BTreeMap<u64, usize> = lines.iter().filter_map(|line| Some((line.job_id?, line.index))).collect();
    let mut reader = SacctReader::new(BufReader::new(fs::File::open(folder.join("sacct.txt"))?), None)?;
    let mut starts: BTreeMap<Which, Time> = BTreeMap::new();
    while let Some(entry) = reader.next_entry()? {
        let Entry::Job(record) = entry else { continue };
        let Some(started) = record.started else { continue };
        let (number, task) = match &record.key.part {
            JobPart::ArrayTask { array_job_id, task } => (*array_job_id, *task),
            JobPart::HetComponent { het_job_id, offset: 0 } => (*het_job_id, 0),
            JobPart::Whole => (record.key.job_id, 0),
            _ => continue,
        };
        let Some(&index) = index_of.get(&number) else { continue };
        let first = starts.entry(Which { index, task }).or_insert(started);
        *first = (*first).min(started);
    }
    Ok(starts)
}
