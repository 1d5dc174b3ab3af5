//! `squeue --Format`: how jobs want their resources laid out, for versions without JSON.
//!
//! For: numbers and lists of resources by a job's number. `--format`, which [`super::squeue()`] reads, has no letter for most of
//! them. Columns here are padded to a width and delimited; nothing among them is written by users but the names of licences,
//! which an administrator has chosen, so a bar cannot be forged.
//!
//! Not for: a job's name or reason; tasks on a node, which `--Format` does not know.
//!
//! Source: squeue(1) of 22.05 and 22.05.8 in our lab. A column that a version does not know is empty there (tried). A value that
//! fills its column may have been cut, and is not taken. Memory is printed without saying whether it is a CPU's or a node's:
//! the sum beside it tells.

use std::collections::HashMap;

use queuecast_workload::Time;

use super::listing::{Listing, Wrong};
use super::value::{self, WrittenTime};
use queuecast_records::{GresAsked, GresPer, JobLayout, JobRecord, MemoryAsked, Tres, count, mebibytes};

/// What is asked for, in this order, and how wide each is.
const COLUMNS: [(&str, usize); 17] = [
    ("JobID", 20),
    ("NumTasks", 20),
    ("cpus-per-task", 20),
    ("MinCpus", 20),
    ("MinMemory", 20),
    ("NumCPUs", 20),
    ("NumNodes", 20),
    ("MaxNodes", 20),
    ("tres-alloc", 400),
    ("tres-per-job", 400),
    ("tres-per-node", 400),
    ("tres-per-socket", 400),
    ("tres-per-task", 400),
    ("Deadline", 24),
    ("Nice", 20),
    ("sct", 40),
    ("Licenses", 400),
];

/// A column that is 0 or 1, and one that is a word.
const FLAGS: [(&str, usize); 2] = [("Contiguous", 8), ("OverSubscribe", 12)];

/// The argument for squeue's `--Format`.
pub fn layout_format() -> String {
    let columns = FLAGS.iter().chain(&COLUMNS).map(|(name, width)| format!("{name}:{width}|"));
    columns.collect::<Vec<_>>().join(",")
}

/// What Slurm writes for a number that is not set.
const NO_VALUE: u64 = 4_294_967_294;
/// Likewise where the number is short.
const NO_VALUE_OF_16_BITS: u64 = 65_534;

/// What it says of one job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobLayoutLine {
    job_id: u64,
    layout: JobLayout,
    /// What it holds in all, or asks for.
    total: Tres,
    licenses: String,
    nice: Option<i64>,
    deadline: Option<Time>,
}

/// Reads what squeue printed for [`layout_format`].
pub fn layouts(bytes: &[u8]) -> Listing<JobLayoutLine> {
    super::accounting_list::lines(bytes, decode)
}

/// Gives every job its layout. A job that came or left between the two questions has none.
pub fn lay_out(jobs: &mut [JobRecord], layouts: Vec<JobLayoutLine>) {
    let mut known: HashMap<u64, JobLayoutLine> = layouts.into_iter().map(|line| (line.job_id, line)).collect();
    for job in jobs {
        if let Some(line) = known.remove(&job.key.job_id) {
            job.layout = line.layout;
            // Without it nobody would know of the memory and the GPUs that are taken. Of a job that waits and did not say how many nodes
            // squeue prints how many it would take at the most; the sum has one.
            if job.started.is_some() {
                job.allocated = Tres { cpus: job.allocated.cpus, nodes: job.allocated.nodes, ..line.total };
            } else {
                let nodes = line.total.nodes.or(job.requested.nodes);
                job.requested = Tres { cpus: job.requested.cpus, nodes, ..line.total };
            }
            (job.licenses, job.nice, job.deadline) = (line.licenses, line.nice, line.deadline);
        }
    }
}

fn decode(line: &str) -> Result<JobLayoutLine, Wrong> {
    let row = Row::of(line)?;
    let (cpus, nodes) = (row.count("NumCPUs")?, row.count("NumNodes")?);
    let total = row.text("tres-alloc");
    let total = Tres::parse(total.as_bytes()).ok_or_else(|| Wrong::not("tres-alloc", &total, "a list of resources"))?;
    let mut gres = Vec::new();
    for (name, per) in [
        ("tres-per-job", GresPer::Job),
        ("tres-per-node", GresPer::Node),
        ("tres-per-socket", GresPer::Socket),
        ("tres-per-task", GresPer::Task),
    ] {
        let text = row.text(name);
        let asked = GresAsked::list(&text, per);
        gres.extend(asked.ok_or_else(|| Wrong::not(name, &text, "a list of generic resources"))?);
    }
    let nodes_min = row.small("NumNodes")?;
    let [sockets_per_node, cores_per_socket, threads_per_core] = row.places()?;
    let layout = JobLayout {
        nodes_min,
        nodes_max: row.nodes_max(nodes_min, total.nodes)?,
        tasks: row.small("NumTasks")?,
        tasks_per_node: None,
        cpus_per_task: row.small("cpus-per-task")?,
        cpus_per_node_min: row.small("MinCpus")?,
        memory: row.memory(total.memory_mebibytes, cpus, nodes)?,
        gres,
        sockets_per_node,
        cores_per_socket,
        threads_per_core,
        contiguous: row.text("Contiguous") == "1",
        oversubscribe: row.text("OverSubscribe") == "YES",
        exclusive_user: row.text("OverSubscribe") == "USER",
    };
    Ok(JobLayoutLine {
        job_id: row.count("JobID")?.ok_or_else(|| Wrong::missing("JobID", line))?,
        layout,
        total,
        licenses: row.text("Licenses"),
        nice: row.nice()?,
        deadline: row.deadline()?,
    })
}

struct Row<'a>(Vec<&'a str>);

impl<'a> Row<'a> {
    fn of(line: &'a str) -> Result<Self, Wrong> {
        let values: Vec<&str> = line.split('|').collect();
        // Behind the last delimiter there is nothing.
        if values.len() != FLAGS.len() + COLUMNS.len() + 1 {
            return Err(Wrong::missing("Licenses", line));
        }
        let widths = FLAGS.iter().chain(&COLUMNS);
        for (&(name, width), value) in widths.zip(&values) {
            if value.trim_end().chars().count() >= width {
                return Err(Wrong::not(name, value, "a value that was surely not cut"));
            }
        }
        Ok(Self(values))
    }

    fn get(&self, name: &str) -> &'a str {
        let place = FLAGS.iter().chain(&COLUMNS).position(|&(known, _)| known == name);
        let value = place.map_or("", |place| self.0[place]).trim();
        if matches!(value, "N/A" | "(null)" | "*") { "" } else { value }
    }

    fn text(&self, name: &str) -> String {
        self.get(name).to_owned()
    }

    fn count(&self, name: &'static str) -> Result<Option<u64>, Wrong> {
        match self.get(name) {
            "" => Ok(None),
            value => count(value.as_bytes()).map(Some).ok_or_else(|| Wrong::not(name, value, "a whole number")),
        }
    }

    /// Zero is what a job did not ask for; of a job that has ended `NO_VAL` is printed as the number it is (tried).
    fn small(&self, name: &'static str) -> Result<Option<u32>, Wrong> {
        let count = self.count(name)?.filter(|&count| !matches!(count, 0 | NO_VALUE | NO_VALUE_OF_16_BITS));
        let small =
            count.map(|count| u32::try_from(count).map_err(|_| Wrong::not(name, self.get(name), "a small number")));
        small.transpose()
    }

    /// The most nodes it may have. Of a job that said nothing of nodes as many are printed as it would need at the least: the sum of its
    /// resources has one node then. For one node that cannot be told apart; it is taken to have asked for it, as most do.
    fn nodes_max(&self, least: Option<u32>, summed: Option<u64>) -> Result<Option<u32>, Wrong> {
        let is_asked_for = |most: &u32| least.is_some_and(|least| *most > least || summed == Some(u64::from(*most)));
        Ok(self.small("MaxNodes")?.filter(is_asked_for))
    }

    /// `2:3:1`, with stars for what was not asked for.
    fn places(&self) -> Result<[Option<u32>; 3], Wrong> {
        let mut places = [None; 3];
        let written = self.get("sct");
        for (place, word) in places.iter_mut().zip(written.split(':')) {
            if !matches!(word, "*" | "") {
                let number: Option<u32> = word.parse().ok();
                *place = Some(number.ok_or_else(|| Wrong::not("sct", written, "sockets, cores and threads"))?);
            }
        }
        Ok(places)
    }

    /// For each CPU if the sum is that by the CPUs, of each node if it is that by the nodes; nothing if it is neither. Where a job
    /// has as many CPUs as nodes the two are one.
    fn memory(&self, total: Option<u64>, cpus: Option<u64>, nodes: Option<u64>) -> Result<Option<MemoryAsked>, Wrong> {
        let written = self.get("MinMemory");
        if written.is_empty() || written == "0" {
            return Ok(None);
        }
        let each = mebibytes(written.as_bytes()).ok_or_else(|| Wrong::not("MinMemory", written, "a size of memory"))?;
        let is_sum_by = |count: Option<u64>| count.is_some() && count.map(|count| each.saturating_mul(count)) == total;
        if is_sum_by(cpus) {
            return Ok(Some(MemoryAsked::PerCpu(each)));
        }
        Ok(is_sum_by(nodes).then_some(MemoryAsked::PerNode(each)))
    }

    fn nice(&self) -> Result<Option<i64>, Wrong> {
        match self.get("Nice") {
            "" => Ok(None),
            value => value.parse().map(Some).map_err(|_| Wrong::not("Nice", value, "a whole number")),
        }
    }

    fn deadline(&self) -> Result<Option<Time>, Wrong> {
        let value = self.get("Deadline");
        match value::time(value.as_bytes(), None) {
            Some(WrittenTime::Known(time)) => Ok(Some(time)),
            Some(WrittenTime::NotKnown) => Ok(None),
            Some(WrittenTime::Local) | None => Err(Wrong::not("Deadline", value, "a time in seconds since 1970")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records as 22.05.8 printed them in our lab, blanks taken out: `-N2-3 --ntasks-per-node=4 -c2 --mem-per-cpu=300
    /// --gpus-per-node=a100:1 -L matlab:2 --nice=7 --deadline=now+2days --contiguous`, `-n6 --mem=2G --gpus=2 -s -B 2:3:1
    /// --mincpus=5`, and a job that asked for nothing.
    const PRINTED: &str = "1 |OK |2 |8 |2 |8 |300M |16 |2 |3 |cpu=16,mem=4800M,node=2,billing=16,gres/gpu=2 |N/A |gres:gpu:a100:1 |N/A |N/A |1795001557 |7 |*:*:* |matlab:2 |
0 |YES |3 |6 |1 |5 |2G |6 |1 |1 |cpu=6,mem=2G,node=1,billing=6,gres/gpu=2 |gres:gpu:2 |N/A |N/A |N/A |N/A |0 |2:3:1 |(null) |
0 |USER |5 |2 |1 |1 |100M |2 |1 |1 |cpu=2,mem=200M,node=1,billing=2,gres/gpu=2 |N/A |N/A |N/A |gres:gpu:h100:1 |N/A |0 |1:*:* |(null) |
";

    #[test]
    fn layouts_are_read() {
        let read = layouts(PRINTED.as_bytes());
        assert_eq!(read.problems, []);
        let [wide, shared, per_task] = &read.records[..] else { panic!("{read:?}") };
        assert_eq!((wide.job_id, wide.nice, wide.deadline), (2, Some(7), Some(Time(1_795_001_557))));
        assert_eq!((wide.layout.nodes_min, wide.layout.nodes_max, wide.layout.tasks), (Some(2), Some(3), Some(8)));
        assert_eq!((wide.layout.cpus_per_task, wide.layout.cpus_per_node_min), (Some(2), Some(8)));
        assert_eq!((wide.layout.memory, wide.licenses.as_str()), (Some(MemoryAsked::PerCpu(300)), "matlab:2"));
        assert!(wide.layout.contiguous && !wide.layout.oversubscribe && wide.layout.sockets_per_node.is_none());
        assert_eq!((wide.layout.gres[0].model.as_str(), wide.layout.gres[0].per), ("a100", GresPer::Node));
        assert_eq!((shared.layout.memory, shared.layout.nodes_max), (Some(MemoryAsked::PerNode(2048)), Some(1)));
        assert_eq!((shared.layout.sockets_per_node, shared.layout.cores_per_socket), (Some(2), Some(3)));
        assert_eq!((shared.layout.gres[0].per, shared.layout.gres[0].count), (GresPer::Job, 2));
        assert!(shared.layout.oversubscribe && shared.licenses.is_empty() && shared.deadline.is_none());
        assert!(per_task.layout.exclusive_user && per_task.layout.cores_per_socket.is_none());
        let ended = PRINTED.replacen("|2 |8 |2 |8 |", "|2 |4294967294 |65534 |8 |", 1);
        let ended = &layouts(ended.as_bytes()).records[0].layout;
        assert_eq!((ended.tasks, ended.cpus_per_task, ended.cpus_per_node_min), (None, None, Some(8)));
        assert_eq!((per_task.layout.sockets_per_node, per_task.layout.gres[0].per), (Some(1), GresPer::Task));
    }

    #[test]
    fn a_job_is_given_its_own_layout_and_none_if_it_came_later() {
        let key = |job_id| queuecast_records::JobKey {
            cluster: String::new(),
            job_id,
            part: queuecast_records::JobPart::Whole,
            submitted: Time(1),
            sluid: None,
        };
        let mut jobs = [3, 4].map(|id| JobRecord::new(key(id), queuecast_records::JobState::default()));
        (jobs[0].started, jobs[0].allocated.cpus) = (Some(Time(5)), Some(6));
        lay_out(&mut jobs, layouts(PRINTED.as_bytes()).records);
        assert_eq!((jobs[0].layout.tasks, jobs[0].nice), (Some(6), Some(0)));
        let held = jobs[0].allocated;
        assert_eq!((held.cpus, held.gpus.is_some(), jobs[0].requested.gpus), (Some(6), true, None), "what it holds");
        assert_eq!((&jobs[1].layout, jobs[1].nice), (&JobLayout::default(), None));
    }

    #[test]
    fn what_was_cut_or_is_damaged_is_named() {
        let long = PRINTED.replace("gres:gpu:a100:1", &"gres:gpu:a100:1,".repeat(30)[..400]);
        assert_eq!(layouts(long.as_bytes()).problems[0].name, "tres-per-node");
        for (good, bad, name) in [
            ("|2 |8 |2 |", "|x |8 |2 |", "JobID"),
            ("|300M |", "|much |", "MinMemory"),
            ("|*:*:* |", "|a:b:c |", "sct"),
            ("|matlab:2 |", "|", "Licenses"),
            ("|1795001557 |", "|soon |", "Deadline"),
            ("mem=4800M", "mem=?", "tres-alloc"),
        ] {
            let read = layouts(PRINTED.replacen(good, bad, 1).as_bytes());
            assert_eq!((read.records.len(), read.problems[0].name.as_str()), (2, name));
        }
    }
}
