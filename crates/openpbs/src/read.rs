//! The reader: any bytes in; attempts at jobs and reports of bad lines out.
//!
//! For: putting the records of one job together. An attempt is given out when it is over, and those that are not when the log is.
//!
//! Not for: how a file is packed (`queuecast_workload::files`); which jobs matter (`queuecast_records::history`).

use std::fmt;
use std::io::{self, BufRead};

use queuecast_records::log::{LeftOut, RecordEntry, RecordLog};
use queuecast_records::{JobRecord, JobState};
use queuecast_workload::Time;
use queuecast_workload::lines::Lines;

use crate::attributes::Attributes;
use crate::bad_line::{BadLine, Problem, Reason};
use crate::job;
use crate::line::{JobName, Kind, Line};
use crate::open_jobs::{OpenJob, OpenJobs};

/// Longer lines are reported and skipped. A job on ten thousand nodes needs half of it.
pub const LINE_BYTES_MAX: usize = 1024 * 1024;

/// All zones are whole quarters of an hour from UTC, and a record is written in the second in which it happens, or the next.
const ZONE_STEP_SECONDS: i64 = 15 * 60;
const WRITING_SECONDS_MAX: i64 = 2;
const ZONE_SECONDS_MAX: i64 = 14 * 3600;

/// Accounting being read.
#[derive(Debug)]
pub struct AccountingLog<R> {
    lines: Lines<R>,
    line: Vec<u8>,
    jobs: Jobs,
    /// At the end of the log, those that are not over.
    rest: Option<std::vec::IntoIter<JobRecord>>,
}

/// What has been read so far.
#[derive(Debug)]
struct Jobs {
    open: OpenJobs,
    utc_offset_seconds: Option<i64>,
    deleted_unknown: u64,
}

impl<R: BufRead> AccountingLog<R> {
    /// Local times are this far ahead of UTC until the log itself shows how far.
    pub fn new(source: R, utc_offset_seconds: Option<i64>) -> Self {
        let jobs = Jobs { open: OpenJobs::default(), utc_offset_seconds, deleted_unknown: 0 };
        Self { lines: Lines::new(source, LINE_BYTES_MAX), line: Vec::new(), jobs, rest: None }
    }

    /// Tells what the line read last tells.
    fn entry(&mut self) -> Option<RecordEntry> {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        let told = if line.len() > LINE_BYTES_MAX {
            Err(Problem::new(None, Reason::TooLong, line))
        } else if self.lines.is_cut_short {
            Err(Problem::new(None, Reason::CutShort, line))
        } else if line.is_empty() {
            Ok(None)
        } else {
            self.jobs.take(line)
        };
        match told {
            Ok(job) => job.map(|job| RecordEntry::Job(Box::new(job))),
            Err(problem) => Some(RecordEntry::Bad(Box::new(BadLine { line: self.lines.count, problem }))),
        }
    }
}

impl Jobs {
    /// The attempt that is over with this line, if one is.
    fn take(&mut self, line: &[u8]) -> Result<Option<JobRecord>, Problem> {
        let line = Line::parse(line)?;
        if line.kind == Kind::Other {
            return Ok(None);
        }
        let Some(name) = JobName::parse(line.job)? else { return Ok(None) };
        match line.kind {
            Kind::Other => Ok(None),
            Kind::Suspended => {
                if let Some(job) = self.open.get_mut(line.job) {
                    job.so_far.was_suspended = true;
                }
                Ok(None)
            }
            Kind::Deleted | Kind::Moved => Ok(self.taken_away(&line)),
            Kind::Queued | Kind::Started => self.opened(&line, name).map(|()| None),
            Kind::Ended | Kind::Requeued => self.over(&line, name).map(Some),
        }
    }

    /// A job waits or runs. Older servers say only the queue of one that comes: it is known from its start on.
    fn opened(&mut self, line: &Line<'_>, name: JobName) -> Result<(), Problem> {
        let said = Attributes::parse(line.text)?;
        if line.kind == Kind::Started && said.started.is_none() {
            return Err(Problem::missing("start"));
        }
        let mut so_far = self.open.so_far(line.job);
        so_far.was_suspended = false;
        let Some(record) = job::record(name, line.kind, &said, so_far) else {
            return if line.kind == Kind::Queued { Ok(()) } else { Err(Problem::missing("ctime")) };
        };
        if line.kind == Kind::Queued {
            self.learn_zone(line.local_seconds, said.queued);
        }
        self.open.put(line.job, OpenJob { record, so_far })
    }

    fn over(&mut self, line: &Line<'_>, name: JobName) -> Result<JobRecord, Problem> {
        let said = Attributes::parse(line.text)?;
        let ended = said.ended.ok_or_else(|| Problem::missing("end"))?;
        let so_far = self.open.so_far(line.job);
        let record = job::record(name, line.kind, &said, so_far).ok_or_else(|| Problem::missing("ctime"))?;
        self.learn_zone(line.local_seconds, said.ended);
        if line.kind == Kind::Requeued {
            self.open.put(line.job, OpenJob::requeued(record.clone(), ended))?;
        } else {
            self.open.take(line.job);
        }
        Ok(record)
    }

    /// Somebody took a job away. One that runs will be heard of when it ends.
    fn taken_away(&mut self, line: &Line<'_>) -> Option<JobRecord> {
        let Some(job) = self.open.get_mut(line.job) else {
            self.deleted_unknown += u64::from(line.kind == Kind::Deleted);
            return None;
        };
        if job.is_running() {
            job.so_far.is_deleted = true;
            return None;
        }
        let mut record = self.open.take(line.job)?.record;
        let word = if line.kind == Kind::Moved { "REVOKED" } else { "CANCELLED" };
        record.state = JobState::from_words([word]);
        record.ended =
            self.utc_offset_seconds.map(|offset| Time(line.local_seconds - offset).max(record.key.submitted));
        Some(record)
    }

    /// A record that says when it was written in both ways shows how far local time is ahead.
    fn learn_zone(&mut self, local_seconds: i64, written: Option<Time>) {
        let Some(written) = written else { return };
        let ahead = local_seconds - written.0;
        let offset = (ahead + ZONE_STEP_SECONDS / 2).div_euclid(ZONE_STEP_SECONDS) * ZONE_STEP_SECONDS;
        if (ahead - offset).abs() <= WRITING_SECONDS_MAX && offset.abs() <= ZONE_SECONDS_MAX {
            self.utc_offset_seconds = Some(offset);
        }
    }
}

impl<R: BufRead + fmt::Debug + Send> RecordLog for AccountingLog<R> {
    fn next_entry(&mut self) -> io::Result<Option<RecordEntry>> {
        while self.rest.is_none() {
            if !self.lines.read_into(&mut self.line)? {
                let open = std::mem::take(&mut self.jobs.open);
                self.rest = Some(open.into_records().into_iter());
            } else if let Some(entry) = self.entry() {
                return Ok(Some(entry));
            }
        }
        let next = self.rest.as_mut().and_then(Iterator::next);
        Ok(next.map(|job| RecordEntry::Job(Box::new(job))))
    }

    fn format(&self) -> &'static str {
        "jobs in the format of OpenPBS accounting"
    }

    fn note(&self) -> &'static str {
        "from accounting logs of OpenPBS, one line an attempt, processors as allocated"
    }

    fn left_out(&self) -> Vec<LeftOut> {
        let what = "deletion records left out: the job's submission is not in the log";
        vec![LeftOut { count: self.jobs.deleted_unknown, what }]
    }
}
