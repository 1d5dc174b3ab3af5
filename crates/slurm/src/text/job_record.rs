//! A record's columns, from bytes to a [`JobRecord`].
//!
//! For: one arm a column, and what wins where two columns say the same thing in two ways.
//!
//! Not for: finding the columns (`read`, `cut`).

use queuecast_workload::{Seconds, Time};

use super::bad_record::{BadRecord, Reason};
use super::column::Column;
use super::header::Header;
use super::read::Entry;
use super::value::{self, UtcOffset, WrittenTime};
use queuecast_records::{self, JobKey, JobPart, JobRecord, JobState, TimeLimit, Tres, WrittenJobId};

/// Names of jobs, users and the like are cut off here: Slurm stores at most 1024 bytes of a name.
pub const NAME_BYTES_MAX: usize = 1024;

/// A record and where its columns are.
pub(super) struct Columns<'a> {
    pub header: &'a Header,
    pub record: &'a [u8],
    /// The number of its first line.
    pub line: u64,
    /// Where the record has delimiters.
    pub delimiters: &'a [usize],
    /// The piece between delimiters that each column begins with; none if every piece is a column.
    pub first_pieces: Option<&'a [usize]>,
    pub utc_offset: Option<UtcOffset>,
}

/// What is put together before there is a job.
#[derive(Default)]
struct Identity {
    written: Option<WrittenJobId>,
    raw: Option<WrittenJobId>,
    submitted: Option<Time>,
}

impl Columns<'_> {
    fn text_of(&self, column: usize) -> &[u8] {
        let delimiters = self.delimiters;
        let first_piece = |column: usize| self.first_pieces.map_or(column, |pieces| pieces[column]);
        let begin = match first_piece(column) {
            0 => 0,
            piece => delimiters[piece - 1] + 1,
        };
        let end = if column + 1 == self.header.places.len() {
            self.record.len()
        } else {
            delimiters[first_piece(column + 1) - 1]
        };
        &self.record[begin..end]
    }

    /// The job the record tells of, or that it is a step.
    pub fn job(&self) -> Result<Entry, Box<BadRecord>> {
        let key = JobKey { cluster: String::new(), job_id: 0, part: JobPart::Whole, submitted: Time(0), sluid: None };
        let mut job = JobRecord::new(key, JobState::default());
        let mut identity = Identity::default();
        for (index, place) in self.header.places.iter().enumerate() {
            let text = self.text_of(index);
            let reason = match place.column {
                Some(column) => self.fill(&mut job, &mut identity, column, text).err(),
                None => (!place.form.admits(text)).then_some(Reason::NotA("empty")),
            };
            if let Some(reason) = reason {
                return Err(BadRecord::new(self.line, Some(&place.name), reason, text));
            }
        }
        let is_step = |id: &Option<WrittenJobId>| id.as_ref().is_some_and(|id| id.is_step);
        if is_step(&identity.written) || is_step(&identity.raw) {
            return Ok(Entry::Step);
        }
        if let Some(submitted) = identity.submitted {
            job.key.submitted = submitted;
        } else {
            let name = Some(Column::Submit.name());
            return Err(BadRecord::new(self.line, name, Reason::NoSubmitTime, self.record));
        }
        if let Some(id) = identity.written {
            (job.key.job_id, job.key.part) = (id.job_id, id.part);
        }
        if let Some(raw) = identity.raw {
            job.key.job_id = raw.job_id;
        }
        Ok(Entry::Job(Box::new(job)))
    }

    fn fill(&self, job: &mut JobRecord, identity: &mut Identity, column: Column, text: &[u8]) -> Result<(), Reason> {
        use Column as C;
        match column {
            C::JobId => identity.written = Some(job_id(text)?),
            C::JobIdRaw => identity.raw = Some(job_id(text)?),
            C::JobName => job.name = name(text),
            C::User => job.user = word(text)?,
            C::UserId => job.user_id = small_count(text)?,
            C::Account => job.account = word(text)?,
            C::Cluster => job.key.cluster = word(text)?,
            C::Partition => job.partitions = words(text)?,
            C::Qos => job.qos = word(text)?,
            C::State => {
                job.state = value::state(text).ok_or(Reason::NotA("a job state"))?;
            }
            C::ExitCode if text.is_empty() => {}
            C::ExitCode => {
                job.exit_code = Some(value::exit_code(text).ok_or(Reason::NotA("an exit code such as 0:0"))?);
            }
            C::Submit => identity.submitted = self.time(text)?,
            C::Eligible => job.eligible = self.time(text)?,
            C::Start => job.started = self.time(text)?,
            C::End => job.ended = self.time(text)?,
            C::Elapsed => job.elapsed = job.elapsed.or(duration(text)?),
            // More exact than the other way to say it, so it wins.
            C::ElapsedRaw => job.elapsed = count(text)?.map(Seconds).or(job.elapsed),
            C::TimelimitRaw => {
                let raw = limit(text)?;
                job.limit = if raw == TimeLimit::NotKnown { job.limit } else { raw };
            }
            C::Timelimit => {
                let written = limit(text)?;
                job.limit = if job.limit == TimeLimit::NotKnown { written } else { job.limit };
            }
            C::Suspended => job.suspended = duration(text)?,
            C::ReqCpus => set(&mut job.requested.cpus, count(text)?),
            C::ReqNodes => set(&mut job.requested.nodes, count(text)?),
            C::ReqMem => {
                // In versions before 21.08 and in odd settings this is not a size; what ReqTRES says is better anyway.
                job.requested.memory_mebibytes = job.requested.memory_mebibytes.or(queuecast_records::mebibytes(text));
            }
            C::ReqTres => merge(&mut job.requested, tres(text)?),
            C::AllocCpus | C::Ncpus => set(&mut job.allocated.cpus, count(text)?),
            C::AllocNodes | C::Nnodes => set(&mut job.allocated.nodes, count(text)?),
            C::AllocTres => merge(&mut job.allocated, tres(text)?),
            C::NodeList => job.nodes = long_word(text)?,
            C::Priority => job.priority = count(text)?.and_then(|priority| u64::try_from(priority).ok()),
            C::Constraints => job.features = lossy(text),
            C::Reservation => job.reservation = word(text)?,
            // From 26.05 on, and only its JSON was recorded: `NODE` is whole nodes there.
            C::Exclusive => job.exclusive = (!text.is_empty()).then_some(text == b"NODE"),
            C::Reason => job.reason = word(text)?,
            C::Flags => job.flags = word(text)?,
            C::AdminComment => job.admin_comment = lossy(text),
            C::Comment => job.comment = lossy(text),
            C::SubmitLine => job.submit_line = lossy(text),
            C::Restarts => job.restarts = small_count(text)?,
            C::Sluid => job.key.sluid = Some(word(text)?).filter(|sluid| !sluid.is_empty()),
            C::Group
            | C::Gid
            | C::Planned
            | C::Reserved
            | C::QosRequested
            | C::CpuTimeRaw
            | C::CpuTime
            | C::DbIndex
            | C::DerivedExitCode => {
                if !column.form().admits(text) {
                    return Err(Reason::NotA("what this column holds"));
                }
            }
        }
        Ok(())
    }

    fn time(&self, text: &[u8]) -> Result<Option<Time>, Reason> {
        match value::time(text, self.utc_offset) {
            Some(WrittenTime::Known(time)) => Ok(Some(time)),
            Some(WrittenTime::NotKnown) => Ok(None),
            Some(WrittenTime::Local) => Err(Reason::LocalTime),
            None => Err(Reason::NotA("a time")),
        }
    }
}

fn job_id(text: &[u8]) -> Result<WrittenJobId, Reason> {
    WrittenJobId::parse(text).ok_or(Reason::NotA("a job number"))
}

fn count(text: &[u8]) -> Result<Option<i64>, Reason> {
    if text.is_empty() {
        Ok(None)
    } else {
        value::digits(text).map(Some).ok_or(Reason::NotA("a whole number up to 10^12"))
    }
}

fn small_count(text: &[u8]) -> Result<Option<u32>, Reason> {
    let number = count(text)?;
    number.map(|number| u32::try_from(number).map_err(|_| Reason::NotA("a number up to 4,294,967,295"))).transpose()
}

fn duration(text: &[u8]) -> Result<Option<Seconds>, Reason> {
    if text.is_empty() {
        return Ok(None);
    }
    value::duration_seconds(text)
        .map(|seconds| Some(Seconds(seconds)))
        .ok_or(Reason::NotA("a duration such as 1-02:03:04"))
}

fn limit(text: &[u8]) -> Result<TimeLimit, Reason> {
    value::limit(text).ok_or(Reason::NotA("a time limit"))
}

fn tres(text: &[u8]) -> Result<Tres, Reason> {
    Tres::parse(text).ok_or(Reason::NotA("a list of resources such as cpu=1,mem=2G"))
}

/// A zero says nothing where another column says more: a job that never started has 0 in `AllocCPUS`.
fn set(field: &mut Option<u64>, number: Option<i64>) {
    let number = number.and_then(|number| u64::try_from(number).ok());
    if field.is_none_or(|known| known == 0) {
        *field = number.or(*field);
    }
}

fn merge(known: &mut Tres, said: Tres) {
    let or = |said: Option<u64>, known: Option<u64>| said.or(known);
    *known = Tres {
        cpus: or(known.cpus.filter(|&cpus| cpus > 0), said.cpus).or(known.cpus),
        memory_mebibytes: or(said.memory_mebibytes, known.memory_mebibytes),
        nodes: or(known.nodes.filter(|&nodes| nodes > 0), said.nodes).or(known.nodes),
        gpus: or(said.gpus, known.gpus),
        billing: or(said.billing, known.billing),
    };
}

/// Bytes that are not UTF-8 are replaced.
fn lossy(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(text).into_owned(),
    }
}

fn name(text: &[u8]) -> String {
    let mut name = lossy(text);
    if name.len() > NAME_BYTES_MAX {
        name.truncate(name.floor_char_boundary(NAME_BYTES_MAX));
    }
    name
}

fn word(text: &[u8]) -> Result<String, Reason> {
    is_plain(text).map(|()| name(text))
}

fn long_word(text: &[u8]) -> Result<String, Reason> {
    is_plain(text).map(|()| lossy(text))
}

fn words(text: &[u8]) -> Result<Vec<String>, Reason> {
    is_plain(text)?;
    if text.is_empty() {
        return Ok(Vec::new());
    }
    Ok(text.split(|&byte| byte == b',').map(name).collect())
}

fn is_plain(text: &[u8]) -> Result<(), Reason> {
    // Without a way out in the middle, this is done many bytes at a time.
    let controls = text.iter().filter(|&&byte| byte < 0x20).count();
    if controls == 0 { Ok(()) } else { Err(Reason::NotA("text on one line")) }
}
