//! `squeue --format`: the queue of versions before 21.08, which have no JSON.
//!
//! For: records that no name can drop, shift or forge. Nothing is quoted in this output, and a job's name may hold
//! any bytes but zero: it is asked for last, and behind it stands a [`Mark`] that is drawn anew for every question,
//! so whoever chose the name could not know it.
//!
//! Not for: when a job became eligible, its least time, its restarts, its exit code and its resources as a list, for
//! which `--format` has no letter; how it is to be laid out (`squeue_layout`, a question of its own); its
//! comment, which would be a second free text. `--Format` has names for more, but pads values to a width (squeue(1)),
//! and a name may end in blanks.
//!
//! Source: squeue(1) of 22.05 and 22.05.8 in our lab: `SLURM_TIME_FORMAT=%s` works for all its times; control
//! characters and bytes that are not UTF-8 are printed as they are; what is not there is `N/A`, `(null)` or nothing.
//! Older versions were not at hand. The reason may be a sentence (`Nodes required for job are DOWN, ...`) where JSON
//! has the word for it (`Resources`).

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use memchr::memmem;
use queuecast_workload::{Seconds, Time};

use super::listing::{Listing, Wrong};
use super::value::{self, WrittenTime};
use queuecast_records::{self, BaseState, JobKey, JobPart, JobRecord, WrittenJobId};

/// Between columns. It may be in a name, but not in front of one.
const DELIMITER: u8 = 0x1f;

/// What is asked for, in this order: squeue's letter, and what it is called in messages.
const COLUMNS: [(char, &str); 24] = [
    ('A', "JobID"),
    ('i', "written JobID"),
    ('T', "State"),
    ('V', "SubmitTime"),
    ('S', "StartTime"),
    ('e', "EndTime"),
    ('M', "TimeUsed"),
    ('l', "TimeLimit"),
    ('U', "UserID"),
    ('C', "NumCPUs"),
    ('D', "NumNodes"),
    ('Q', "Priority"),
    ('h', "OverSubscribe"),
    ('u', "UserName"),
    ('a', "Account"),
    ('P', "Partition"),
    ('q', "QOS"),
    ('r', "Reason"),
    ('E', "Dependency"),
    ('v', "Reservation"),
    ('n', "ReqNodes"),
    ('x', "ExcNodes"),
    ('N', "NodeList"),
    ('f', "Feature"),
];

/// What stands at the end of every record of one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(String);

impl Mark {
    /// One that nobody can guess.
    pub fn drawn() -> Self {
        Self(format!("{:016x}", RandomState::new().hash_one(0_u64)))
    }

    /// This one, for answers that were kept.
    pub fn known(mark: &str) -> Self {
        Self(mark.to_owned())
    }

    /// The argument for squeue's `--format`.
    pub fn format(&self) -> String {
        let letters = COLUMNS.iter().map(|&(letter, _)| letter).chain(['j']);
        let mut format = String::new();
        for letter in letters {
            format.extend(['%', letter, char::from(DELIMITER)]);
        }
        format + &self.0
    }

    fn end_of_record(&self) -> Vec<u8> {
        format!("{}{}\n", char::from(DELIMITER), self.0).into_bytes()
    }
}

/// Reads what squeue printed for a mark's format. It does not say which cluster it is of.
pub fn squeue(bytes: &[u8], mark: &Mark, cluster: &str) -> Listing<JobRecord> {
    let mut listing = Listing::empty();
    let end = mark.end_of_record();
    let (mut begin, mut line) = (0, 1_u64);
    for place in memmem::find_iter(bytes, &end) {
        let record = &bytes[begin..place];
        listing.take(line, decode(record, cluster));
        line += memchr::memchr_iter(b'\n', record).count() as u64 + 1;
        begin = place + end.len();
    }
    if !bytes[begin..].trim_ascii().is_empty() {
        listing.take(line, Err(Wrong::missing("the end of the record", &String::from_utf8_lossy(&bytes[begin..]))));
    }
    throttle_last_tasks(&mut listing.records);
    listing
}

/// An array's throttle is printed with the rest of its tasks, and not any more with the last one. While that waits for the throttle, as
/// many run as may.
fn throttle_last_tasks(jobs: &mut [JobRecord]) {
    let mut running: HashMap<u64, u32> = HashMap::new();
    for job in jobs.iter().filter(|job| job.state.base == BaseState::Running) {
        if let JobPart::ArrayTask { array_job_id, .. } = job.key.part {
            *running.entry(array_job_id).or_default() += 1;
        }
    }
    for job in jobs.iter_mut().filter(|job| job.reason == "JobArrayTaskLimit") {
        if let JobPart::ArrayTask { array_job_id, .. } = job.key.part {
            job.throttle = job.throttle.or(running.get(&array_job_id).copied());
        }
    }
}

fn decode(record: &[u8], cluster: &str) -> Result<JobRecord, Wrong> {
    let row = Row::of(record)?;
    let job_id = row.count('A', "a job number")?;
    let part = WrittenJobId::parse(row.get('i')).ok_or_else(|| row.wrong('i', "a job number"))?.part;
    let state = value::state(row.get('T')).ok_or_else(|| row.wrong('T', "a job state"))?;
    let submitted = row.time('V')?.ok_or_else(|| row.wrong('V', TIME))?;
    let key = JobKey { cluster: cluster.to_owned(), job_id, part, submitted, sluid: None };
    let mut job = JobRecord::new(key, state);
    job.nodes = row.text('N');
    let (start, end) = (row.time('S')?, row.time('e')?);
    // As in JSON: of a job that waits these are plans, and whoever left without nodes never started.
    match state.base {
        BaseState::Pending => job.planned_start = start,
        BaseState::Running | BaseState::Suspended => job.started = start,
        _ => (job.started, job.ended) = (start.filter(|_| !job.nodes.is_empty()), end),
    }
    if job.started.is_some() {
        job.elapsed = value::duration_seconds(row.get('M')).map(Seconds);
    }
    job.limit = value::limit(row.get('l')).ok_or_else(|| row.wrong('l', "a time limit"))?;
    job.user_id = u32::try_from(row.count('U', "a user's number")?).ok();
    // What it holds once it has something, what it asks for before.
    let resources = if job.started.is_some() { &mut job.allocated } else { &mut job.requested };
    resources.cpus = Some(row.count('C', "a number of CPUs")?);
    resources.nodes = Some(row.count('D', "a number of nodes")?);
    job.priority = Some(row.count('Q', "a priority")?);
    job.exclusive = match row.get('h') {
        b"NO" => Some(true),
        b"YES" | b"OK" | b"USER" | b"MCS" => Some(false),
        _ => None,
    };
    (job.user, job.account, job.qos) = (row.text('u'), row.text('a'), row.text('q'));
    job.partitions = row.text('P').split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    (job.reason, job.dependency) = (row.text('r'), row.text('E'));
    // Nobody plans a job that may not begin yet: what is shown is when it may.
    if job.reason == "BeginTime" {
        job.eligible = job.planned_start;
    }
    (job.reservation, job.features) = (row.text('v'), row.text('f'));
    (job.required_nodes, job.excluded_nodes) = (row.text('n'), row.text('x'));
    job.throttle = job.key.part.task_limit().filter(|&tasks| tasks > 0);
    job.name = String::from_utf8_lossy(row.name).into_owned();
    Ok(job)
}

const TIME: &str = "a time in seconds since 1970";

/// A record's columns, in their order, and the name behind them.
struct Row<'a> {
    columns: Vec<&'a [u8]>,
    name: &'a [u8],
}

impl<'a> Row<'a> {
    fn of(record: &'a [u8]) -> Result<Self, Wrong> {
        let mut columns: Vec<&[u8]> = record.splitn(COLUMNS.len() + 1, |&byte| byte == DELIMITER).collect();
        match columns.pop() {
            Some(name) if columns.len() == COLUMNS.len() => Ok(Self { columns, name }),
            _ => Err(Wrong::missing("JobName", &String::from_utf8_lossy(record))),
        }
    }

    /// What stands in the column of this letter, one of [`COLUMNS`].
    fn get(&self, letter: char) -> &'a [u8] {
        place(letter).map_or(b"", |place| self.columns[place])
    }

    fn text(&self, letter: char) -> String {
        let bytes = self.get(letter);
        if bytes == b"(null)" { String::new() } else { String::from_utf8_lossy(bytes).into_owned() }
    }

    fn count(&self, letter: char, expected: &str) -> Result<u64, Wrong> {
        queuecast_records::count(self.get(letter)).ok_or_else(|| self.wrong(letter, expected))
    }

    fn time(&self, letter: char) -> Result<Option<Time>, Wrong> {
        match value::time(self.get(letter), None) {
            Some(WrittenTime::Known(time)) => Ok(Some(time)),
            Some(WrittenTime::NotKnown) => Ok(None),
            Some(WrittenTime::Local) | None => Err(self.wrong(letter, TIME)),
        }
    }

    fn wrong(&self, letter: char, expected: &str) -> Wrong {
        let name = place(letter).map_or("", |place| COLUMNS[place].1);
        Wrong::not(name, &String::from_utf8_lossy(self.get(letter)), expected)
    }
}

fn place(letter: char) -> Option<usize> {
    COLUMNS.iter().position(|&(column, _)| column == letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_records::TimeLimit;

    /// A record as 22.05.8 printed it, with this beginning and name.
    fn printed(beginning: &str, name: &str) -> String {
        let rest =
            "1:00:00|20002|1|1|0|OK|user02|project2|batch,urgent|normal|JobHeldUser|(null)|(null)|||alpha[1-2]|(null)";
        format!("{beginning}|{rest}|{name}|mark\n").replace('|', "\u{1f}")
    }

    fn read(text: &str) -> Listing<JobRecord> {
        squeue(text.as_bytes(), &Mark::known("mark"), "alpha")
    }

    #[test]
    fn a_running_a_waiting_and_an_ended_job_are_read() {
        let read = read(
            &(printed("8|8|COMPLETED|1000|1010|1030|0:20", "over")
                + &printed("9|9|RUNNING|1000|1010|4610|1:03", "runs")
                + &printed("4|4_[1-9%2]|PENDING|1000|5000|8600|0:00", "waits")),
        );
        assert_eq!(read.problems, []);
        let [over, runs, waits] = &read.records[..] else { panic!("{read:?}") };
        assert_eq!((over.started, over.ended, over.elapsed), (Some(Time(1010)), Some(Time(1030)), Some(Seconds(20))));
        assert_eq!((runs.started, runs.ended, runs.allocated.cpus), (Some(Time(1010)), None, Some(1)));
        assert_eq!((waits.started, waits.planned_start), (None, Some(Time(5000))));
        assert_eq!((waits.requested.cpus, waits.allocated.cpus, waits.array_tasks_waiting()), (Some(1), None, 9));
        assert!(matches!(waits.key.part, JobPart::ArrayRemainder { array_job_id: 4, .. }));
        assert_eq!((waits.limit, waits.partitions.len(), waits.exclusive), (TimeLimit::Minutes(60), 2, Some(false)));
        assert_eq!((waits.key.cluster.as_str(), waits.dependency.as_str()), ("alpha", ""));
    }

    #[test]
    fn it_is_known_when_a_job_may_begin_and_the_last_task_keeps_its_arrays_throttle() {
        let waits = |beginning: &str, reason: &str| printed(beginning, "waits").replace("JobHeldUser", reason);
        let text = waits("5|5|PENDING|1000|9000|12600|0:00", "BeginTime")
            + &waits("7|7_6|PENDING|1000|N/A|N/A|0:00", "JobArrayTaskLimit")
            + &printed("8|7_4|RUNNING|1000|1010|4610|1:03", "runs")
            + &printed("9|7_5|RUNNING|1000|1010|4610|1:03", "runs");
        let read = read(&text);
        let [later, last, runs, _] = &read.records[..] else { panic!("{read:?}") };
        assert_eq!(later.eligible, Some(Time(9000)));
        assert_eq!((last.throttle, runs.throttle), (Some(2), None));
    }

    #[test]
    fn no_name_drops_shifts_or_forges_a_record() {
        let forged = printed("666|666|RUNNING|1|1|1|0:01", "forged").replace("mark", "guess");
        for name in ["", "a|b||", "two\nlines\n", "\u{1f}\u{1f}\n", "\u{1f}guess\n", "100%\u{202e}", forged.as_str()] {
            let text = printed("1|1|PENDING|1000|N/A|N/A|0:00", "before")
                + &printed("2|2|PENDING|1000|N/A|N/A|0:00", "NAME").replace("NAME", name)
                + &printed("3|3|PENDING|1000|N/A|N/A|0:00", "behind");
            let read = read(&text);
            assert_eq!(read.problems, [], "{name:?}");
            let told: Vec<_> = read.records.iter().map(|job| (job.key.job_id, job.name.as_str())).collect();
            assert_eq!(told, [(1, "before"), (2, name), (3, "behind")]);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        let good = printed("1|1|PENDING|1000|N/A|N/A|0:00", "two\nlines");
        let bad = printed("2|2|PENDING|yesterday|N/A|N/A|0:00", "x");
        let read = read(&format!("{good}{bad}{good}1\u{1f}1\u{1f}PEND"));
        assert_eq!(read.records.len(), 2);
        assert_eq!(read.problems[0].to_string(), "3:SubmitTime: `yesterday` is not a time in seconds since 1970");
        assert!(read.problems[1].to_string().starts_with("6:the end of the record: missing in"), "{:?}", read.problems);
    }

    #[test]
    fn no_two_questions_have_the_same_mark() {
        assert_ne!(Mark::drawn(), Mark::drawn());
        assert!(Mark::known("m").format().ends_with("%f\u{1f}%j\u{1f}m"));
    }
}
