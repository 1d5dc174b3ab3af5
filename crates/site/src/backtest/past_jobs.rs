//! A history: jobs in the order in which they came, from Slurm's records or a log's.

use std::collections::HashMap;

use queuecast_records::history::History;
use queuecast_records::{BaseState, JobRecord, NodeList, Tres};
use queuecast_workload::swf::SwfRecord;
use queuecast_workload::{Status, Time};
use serde::Serialize;

use super::past_job::{Fate, PastJob, Resources};

/// Records that are no jobs of a history, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Of a federation's sibling that ran elsewhere.
    pub revoked: u64,
    /// Nobody knows how many processors they asked for or had.
    pub no_processors: u64,
    /// Nobody knows when they came, or when they left.
    pub no_times: u64,
}

/// A history.
#[derive(Clone, Debug, Default)]
pub struct PastJobs {
    /// In the order in which they came.
    pub jobs: Vec<PastJob>,
    /// Names of partitions; the first is of number 1.
    pub partitions: Vec<String>,
    /// By partition's number: the lowest number of those that it shares nodes with, its own if none.
    pub sharing: Vec<u32>,
    /// What was left out.
    pub left_out: LeftOut,
}

impl PastJobs {
    /// The name of a job's partition; empty if it has none.
    pub fn partition(&self, job: &PastJob) -> &str {
        let place = (job.partition as usize).checked_sub(1);
        place.and_then(|place| self.partitions.get(place)).map_or("", String::as_str)
    }
}

/// Takes records in one by one, in any order.
#[derive(Debug, Default)]
pub struct PastJobsBuilder {
    history: History,
    past: PastJobs,
    /// By node: the first partition seen on it. Users do not choose these names, but the hash is one they could not steer.
    partition_of_node: HashMap<String, u32>,
}

impl PastJobsBuilder {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self { past: PastJobs { sharing: vec![0], ..PastJobs::default() }, ..Self::default() }
    }

    /// A record of Slurm's accounting.
    pub fn add_record(&mut self, record: &JobRecord) {
        let Some(attempt) = self.history.attempt(record) else {
            self.past.left_out.revoked += 1;
            return;
        };
        let asked = resources(&record.requested, &record.allocated);
        if asked.processors == 0 {
            self.past.left_out.no_processors += 1;
            return;
        }
        let fate = fate(record, attempt.run.is_some());
        let left = match fate {
            Some(Fate::Ended | Fate::RunsOn) => attempt.wait.map(|wait| attempt.submitted + wait),
            Some(Fate::Withdrawn) => record.ended,
            Some(Fate::WaitsOn) => Some(Time::MAX),
            None => None,
        };
        let (Some(fate), Some(left)) = (fate, left) else {
            self.past.left_out.no_times += 1;
            return;
        };
        let arrived = record.eligible.map_or(attempt.submitted, |eligible| eligible.max(attempt.submitted)).min(left);
        let partition = attempt.partition.map_or(0, |partition| partition.0);
        if let Some(name) = record.partitions.first() {
            self.name_partition(partition, name);
        }
        if let Some(node) = first_node(&record.nodes) {
            self.saw(node, partition);
        }
        self.past.jobs.push(PastJob {
            number: attempt.number,
            arrived,
            wait_seconds: seconds((left - arrived).0),
            run_seconds: attempt.run.map_or(0, |run| seconds(run.0)),
            limit_seconds: attempt.limit.map_or(0, |limit| seconds(limit.0)),
            priority: record.priority.map_or(0, |priority| u32::try_from(priority).unwrap_or(u32::MAX)),
            asked,
            held: resources(&record.allocated, &record.requested),
            user: attempt.user.map_or(0, |user| user.0),
            group: attempt.group.map_or(0, |group| group.0),
            program: attempt.program.map_or(0, |program| program.0),
            queue: attempt.queue.map_or(0, |queue| queue.0),
            partition,
            fate,
            status: attempt.status,
        });
    }

    /// A line of a log: one pool of processors, whoever came first is first. Without a wait it started at once.
    pub fn add_line(&mut self, line: &SwfRecord) {
        let number = |value: i64| u32::try_from(value).unwrap_or(0);
        let processors = line.processors().map_or(0, number);
        if processors == 0 {
            self.past.left_out.no_processors += 1;
            return;
        }
        if line.submit_time < 0 || (line.run_time < 0 && line.wait_time < 0) {
            self.past.left_out.no_times += 1;
            return;
        }
        // Numbers of users and the like may begin with zero.
        let label = |value: i64| if value < 0 { 0 } else { number(value).saturating_add(1) };
        let partition = if line.partition < 0 { 0 } else { self.line_partition(line.partition) };
        let resources = Resources { nodes: 0, processors, gpus: 0 };
        self.past.jobs.push(PastJob {
            number: line.job_number,
            arrived: Time(line.submit_time),
            wait_seconds: seconds(line.wait_time.max(0)),
            run_seconds: seconds(line.run_time.max(0)),
            limit_seconds: seconds(line.requested_time.max(0)),
            priority: 0,
            asked: resources,
            held: resources,
            user: label(line.user),
            group: label(line.group),
            program: label(line.executable),
            queue: label(line.queue),
            partition,
            fate: if line.run_time > 0 { Fate::Ended } else { Fate::Withdrawn },
            status: match line.status {
                0 => Status::Failed,
                1 => Status::Completed,
                2..=4 => Status::Partial,
                5 => Status::Cancelled,
                _ => Status::Unknown,
            },
        });
    }

    /// All of them, in order.
    pub fn finish(mut self) -> PastJobs {
        let PastJobs { jobs, sharing, partitions, .. } = &mut self.past;
        jobs.sort_unstable_by_key(|job| (job.arrived, job.number, job.started()));
        sharing.resize(partitions.len() + 1, 0);
        for partition in 0..sharing.len() {
            sharing[partition] = lowest(sharing, partition);
        }
        self.past
    }

    fn name_partition(&mut self, number: u32, name: &str) {
        if number as usize == self.past.partitions.len() + 1 {
            self.past.partitions.push(name.to_owned());
            self.past.sharing.push(number);
        }
    }

    /// The partitions of a log share one machine.
    fn line_partition(&mut self, label: i64) -> u32 {
        let name = label.to_string();
        let place = self.past.partitions.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.past.partitions.push(name);
            self.past.sharing.push(0);
            self.past.partitions.len() - 1
        });
        u32::try_from(place + 1).unwrap_or(0)
    }

    /// A job of a partition was on this node.
    fn saw(&mut self, node: String, partition: u32) {
        let other = *self.partition_of_node.entry(node).or_insert(partition);
        if other != partition {
            let sharing = &mut self.past.sharing;
            let [one, two] = [other, partition].map(|number| lowest(sharing, number as usize));
            sharing[one.max(two) as usize] = one.min(two);
        }
    }
}

/// The lowest number of those that share nodes with this one.
fn lowest(sharing: &[u32], mut partition: usize) -> u32 {
    while sharing[partition] as usize != partition {
        partition = sharing[partition] as usize;
    }
    u32::try_from(partition).unwrap_or(0)
}

/// One node is enough to learn whose nodes they are; most lists are one word, and the others are cut before their second.
fn first_node(nodes: &str) -> Option<String> {
    if nodes.is_empty() || nodes.contains(' ') || nodes == "(null)" {
        return None;
    }
    if !nodes.contains(['[', ',']) {
        return Some(nodes.to_owned());
    }
    NodeList::parse(nodes).ok()?.names().next()
}

fn resources(said: &Tres, otherwise: &Tres) -> Resources {
    let number = |said: Option<u64>, otherwise: Option<u64>| {
        let number = said.filter(|number| *number > 0).or(otherwise).unwrap_or(0);
        u32::try_from(number).unwrap_or(u32::MAX)
    };
    Resources {
        nodes: number(said.nodes, otherwise.nodes),
        processors: number(said.cpus, otherwise.cpus),
        gpus: number(said.gpus, otherwise.gpus),
    }
}

fn fate(record: &JobRecord, has_run: bool) -> Option<Fate> {
    if has_run {
        return Some(Fate::Ended);
    }
    match record.state.base {
        _ if record.state.has_ended() => Some(Fate::Withdrawn),
        BaseState::Pending => Some(Fate::WaitsOn),
        BaseState::Running | BaseState::Suspended => Some(Fate::RunsOn),
        _ => None,
    }
}

/// Up to 136 years.
fn seconds(seconds: i64) -> u32 {
    u32::try_from(seconds.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use queuecast_slurm::text::{Entry, SacctReader};

    use super::*;

    fn read(lines: &str) -> PastJobs {
        let header = "JobIDRaw|User|Partition|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|ReqNodes|AllocCPUS|\
                      AllocNodes|NodeList|Priority|ExitCode\n";
        let text = format!("{header}{lines}");
        let mut reader = SacctReader::new(text.as_bytes(), None).expect("a header");
        let mut builder = PastJobsBuilder::new();
        while let Some(entry) = reader.next_entry().expect("bytes") {
            let Entry::Job(job) = entry else { panic!("{entry:?}") };
            builder.add_record(&job);
        }
        builder.finish()
    }

    #[test]
    fn jobs_are_there_from_when_they_could_start_and_each_has_its_fate() {
        let past = read(
            "4|a|x|PENDING|900|900|Unknown|Unknown|0|60|2|1|0|0||7|0:0\n\
             3|a|x|RUNNING|300|300|350|Unknown|50|60|2|1|2|1|n1|7|0:0\n\
             2|a|x|CANCELLED by 5|200|200|Unknown|260|0|60|2|1|0|0||7|0:0\n\
             1|a|x|COMPLETED|100|150|170|200|30|60|2|1|64|1|n1|9|0:0\n",
        );
        let told: Vec<_> =
            past.jobs.iter().map(|job| (job.number, job.arrived.0, job.wait_seconds, job.fate)).collect();
        assert_eq!(told[..3], [(1, 150, 20, Fate::Ended), (2, 200, 60, Fate::Withdrawn), (3, 300, 50, Fate::RunsOn)]);
        assert_eq!((told[3].0, told[3].3), (4, Fate::WaitsOn));
        let first = past.jobs[0];
        assert_eq!((first.asked.processors, first.held.processors, first.limit_seconds), (2, 64, 3_600));
        assert_eq!((first.priority, past.partition(&first)), (9, "x"));
    }

    #[test]
    fn partitions_that_were_on_one_node_share_theirs() {
        let job = |number: u32, partition: &str, nodes: &str| {
            format!("{number}|a|{partition}|COMPLETED|{number}|{number}|{number}|90|9|60|2|1|2|1|{nodes}|7|0:0\n")
        };
        let lines: String = [("a", "n1"), ("b", "n2"), ("c", "m1"), ("d", "n[2-3]"), ("b", "n1"), ("c", "m[1-9]")]
            .iter()
            .zip(1..)
            .map(|((partition, nodes), number)| job(number, partition, nodes))
            .collect();
        let past = read(&lines);
        assert_eq!(past.partitions, ["a", "b", "c", "d"]);
        assert_eq!(past.sharing, [0, 1, 1, 3, 1]);
    }
}
