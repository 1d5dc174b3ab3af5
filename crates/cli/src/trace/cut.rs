//! `qcast trace cut`: a part of a log, by place in order of submission or by time.

use clap::{ArgGroup, Args};
use queuecast_workload::order::SubmissionOrder;
use queuecast_workload::swf::{SwfHeader, SwfRecord};

use super::sink::{SinkArgs, TraceSink};
use crate::failure::{Failure, say};
use crate::input::source::SourceArgs;
use crate::output::grouped;

/// The arguments of `qcast trace cut`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("part").required(true).multiple(true))]
pub struct CutArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    sink: SinkArgs,
    #[command(flatten)]
    part: PartArgs,
    /// Count times from the first job in the part, and move `UnixStartTime` in the header accordingly.
    #[arg(long)]
    rebase: bool,
}

/// Which part of the log.
#[derive(Clone, Copy, Debug, Args)]
struct PartArgs {
    /// First job to keep, counted from 1 in order of submission.
    #[arg(long, group = "part", value_name = "POSITION", conflicts_with_all = ["from_time", "to_time"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    from_job: Option<u64>,
    /// Last job to keep, counted from 1 in order of submission.
    #[arg(long, group = "part", value_name = "POSITION", conflicts_with_all = ["from_time", "to_time"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    to_job: Option<u64>,
    /// First submission time to keep, in seconds since the origin of the log.
    #[arg(long, alias = "from", group = "part", value_name = "SECONDS")]
    from_time: Option<i64>,
    /// End of the submission times to keep, in seconds since the origin of the log; this time is excluded.
    #[arg(long, alias = "to", group = "part", value_name = "SECONDS")]
    to_time: Option<i64>,
}

impl PartArgs {
    fn check(&self) -> Result<(), Failure> {
        let is_backward = match (self.from_job, self.to_job, self.from_time, self.to_time) {
            (Some(first), Some(last), ..) => first > last,
            (.., Some(from), Some(to)) => from >= to,
            _ => false,
        };
        if is_backward { Err(Failure::usage("the end of the part is before its beginning")) } else { Ok(()) }
    }

    fn holds(&self, place: u64, record: &SwfRecord) -> bool {
        self.from_job.is_none_or(|first| place >= first)
            && self.to_job.is_none_or(|last| place <= last)
            && self.from_time.is_none_or(|from| record.submit_time >= from)
            && self.to_time.is_none_or(|to| record.submit_time < to)
    }

    fn in_words(&self) -> String {
        let bounds = [
            self.from_job.map(|first| format!("from job {first} in order of submission")),
            self.to_job.map(|last| format!("to job {last} in order of submission")),
            self.from_time.map(|from| format!("submitted at {from} s or later")),
            self.to_time.map(|to| format!("submitted before {to} s")),
        ];
        bounds.into_iter().flatten().collect::<Vec<String>>().join(", ")
    }
}

/// Runs the subcommand.
pub fn run(arguments: &CutArgs) -> Result<(), Failure> {
    let part = arguments.part;
    part.check()?;
    let source = arguments.source.open()?;
    let mut header = source.header().clone();
    header.add_note(&format!("cut by qcast {}: jobs {}", env!("CARGO_PKG_VERSION"), part.in_words()));
    let mut target = Target { sink: arguments.sink.create()?, header, rebase: arguments.rebase, origin: None };

    let mut order = SubmissionOrder::new(source);
    let mut chunk = Vec::new();
    let (mut place, mut without_submit_time) = (0, 0_u64);
    while order.next_chunk(&mut chunk)? {
        target.header.comments.append(&mut order.source_mut().take_comments());
        for record in &chunk {
            if record.submit_time < 0 {
                without_submit_time += 1;
                continue;
            }
            place += 1;
            if part.holds(place, record) {
                target.write(record)?;
            }
        }
    }
    if without_submit_time > 0 {
        let count = grouped(without_submit_time);
        say(format_args!("warning: {}: {count} jobs without a submit time left out", order.source().name()));
    }
    target.finish()
}

/// The cut log. Its header waits for the first job, which is where times are counted from.
struct Target {
    sink: TraceSink,
    header: SwfHeader,
    rebase: bool,
    /// What is taken off submit times, once a job has been written.
    origin: Option<i64>,
}

impl Target {
    fn write(&mut self, record: &SwfRecord) -> Result<(), Failure> {
        let origin = match self.origin {
            Some(origin) => origin,
            None => self.begin(if self.rebase { record.submit_time } else { 0 })?,
        };
        self.sink.write_record(&SwfRecord { submit_time: record.submit_time - origin, ..*record })
    }

    fn begin(&mut self, origin: i64) -> Result<i64, Failure> {
        if origin != 0 {
            self.header.add_note(&format!("submit times counted from {origin} s of the original log"));
            if let Some(start) = self.header.unix_start_time() {
                self.header.set_directive("UnixStartTime", &start.saturating_add(origin).to_string());
            }
        }
        self.sink.write_header(&self.header)?;
        self.origin = Some(origin);
        Ok(origin)
    }

    fn finish(mut self) -> Result<(), Failure> {
        if self.origin.is_none() {
            self.begin(0)?;
            say("warning: no jobs in this part; the written log contains only a header");
        }
        self.sink.finish()
    }
}
