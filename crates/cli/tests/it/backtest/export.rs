//! A made-up site: two partitions on the same sixteen nodes and one on its own, first come first served, as sacct would tell it.

use std::fmt::Write as _;
use std::path::Path;

use queuecast_daemon::store::{KeptForecast, ReadingKind, Store};
use queuecast_records::JobRecord;
use queuecast_records::source::Period;
use queuecast_slurm::text::{Entry, SacctReader};
use queuecast_workload::Time;

const HEADER: &str = "JobIDRaw|User|UID|Account|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|\
                      ReqNodes|AllocCPUS|AllocNodes|NodeList|Priority|ExitCode\n";

/// A job, as it was.
#[derive(Clone, Debug)]
pub struct Job {
    pub number: u64,
    pub user: u64,
    pub partition: &'static str,
    pub submitted: i64,
    pub started: Option<i64>,
    pub ended: i64,
    pub limit_minutes: i64,
    pub nodes: i64,
}

/// Four processors each.
const PROCESSORS: i64 = 4;

impl Job {
    pub fn processors(&self) -> i64 {
        PROCESSORS * self.nodes
    }
}

/// Numbers that look random.
struct Luck(u64);

impl Luck {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// So many jobs, in the order in which they came, no two in one second.
pub fn jobs(count: u64) -> Vec<Job> {
    let luck = &mut Luck(3);
    let mut now = 1_700_000_000;
    // When each node of either kind is free.
    let mut free = [vec![0_i64; 16], vec![0_i64; 4]];
    let mut last_start = [0_i64; 2];
    let mut jobs = Vec::new();
    for number in 1..=count {
        now += 1 + i64::try_from(luck.below(4_600)).expect("small");
        let partition = ["batch", "batch", "short", "gpu"][usize::try_from(luck.below(4)).expect("small")];
        let pool = usize::from(partition == "gpu");
        let nodes = 1 + i64::try_from(luck.below(if pool == 1 { 4 } else { 10 })).expect("small");
        let limit_minutes = [30_i64, 240, 720][usize::try_from(luck.below(3)).expect("small")];
        let user = luck.below(12);
        let run = 1 + i64::try_from(luck.below(60 * limit_minutes.unsigned_abs() * (1 + user % 3) / 3)).expect("small");
        let mut job =
            Job { number, user, partition, submitted: now, started: None, ended: now + 500, limit_minutes, nodes };
        if luck.below(20) > 0 {
            free[pool].sort_unstable();
            let wanted = usize::try_from(nodes).expect("small");
            let start = now.max(free[pool][wanted - 1]).max(last_start[pool]);
            free[pool][..wanted].fill(start + run);
            last_start[pool] = start;
            (job.started, job.ended) = (Some(start), start + run);
        }
        jobs.push(job);
    }
    jobs
}

fn line(job: &Job, state: &str, started: Option<i64>, ended: Option<i64>) -> String {
    let time = |time: Option<i64>| time.map_or_else(|| "Unknown".to_owned(), |time| time.to_string());
    let Job { number, user, partition, submitted, limit_minutes, nodes, .. } = job;
    let (kind, most) = if *partition == "gpu" { ("g", 4) } else { ("n", 16) };
    let (held, held_nodes) = if started.is_some() { (job.processors(), *nodes) } else { (0, 0) };
    // Nodes are not placed; the first is always there, so that it is known who shares them.
    let list = if started.is_some() { format!("{kind}[1-{}]", (*nodes).min(most)) } else { String::new() };
    let elapsed = started.zip(ended).map_or(0, |(started, ended)| ended - started);
    let asked = job.processors();
    format!(
        "{number}|user{user}|{user}|acc{}|{partition}|normal|{state}|{submitted}|{submitted}|{}|{}|{elapsed}|{limit_minutes}|{asked}|{nodes}|\
         {held}|{held_nodes}|{list}|1|0:0\n",
        user % 3,
        time(started),
        time(ended),
    )
}

/// The export.
pub fn text(jobs: &[Job]) -> String {
    let mut text = HEADER.to_owned();
    for job in jobs {
        let outcome = if job.started.is_some() { "COMPLETED" } else { "CANCELLED by 7" };
        let _ = write!(text, "{}", line(job, outcome, job.started, Some(job.ended)));
    }
    text
}

fn records(lines: &str) -> Vec<JobRecord> {
    let text = format!("{HEADER}{lines}");
    let mut reader = SacctReader::new(text.as_bytes(), None).expect("a header");
    let mut records = Vec::new();
    while let Some(entry) = reader.next_entry().expect("bytes") {
        let Entry::Job(job) = entry else { panic!("{entry:?}") };
        records.push(*job);
    }
    records
}

/// A store with these jobs, and one more of which a forecast was kept that was 40 s off, and Slurm's plan 100 s.
pub fn store(path: &Path, jobs: &[Job]) {
    let mut store = Store::open(path).expect("a store");
    let last = jobs.iter().map(|job| job.ended).max().expect("jobs");
    let lines: String = jobs
        .iter()
        .filter(|job| job.started.is_some())
        .map(|job| line(job, "COMPLETED", job.started, Some(job.ended)))
        .collect();
    let period = ReadingKind::Accounting(Period { from: Time(0), to: Time(last) });
    store.take_in(&records(&lines), period, Time(last)).expect("taken in");
    let extra = Job { number: 999_999, submitted: last + 10, ..jobs[0].clone() };
    let facts = store.take_in(&records(&line(&extra, "PENDING", None, None)), ReadingKind::Queue, Time(last + 20));
    let forecast = KeptForecast {
        job: facts.expect("taken in")[0].job,
        made: Time(last + 20),
        start: [Time(last + 1_040); 9],
        raw: [Time(last + 1_040); 9],
        run_median: None,
        completion_median: None,
        slurm_estimate: Some(Time(last + 1_100)),
        experts: [Time(0); 6],
    };
    store.give(&[forecast]).expect("kept");
    let running = records(&line(&extra, "RUNNING", Some(last + 1_000), None));
    store.take_in(&running, ReadingKind::Queue, Time(last + 1_010)).expect("taken in");
}
