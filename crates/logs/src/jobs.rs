//! The jobs of a log as a replay takes them: what cannot be replayed is counted, and a log too long for memory
//! comes in chunks whose reading is timed apart.

use std::time::{Duration, Instant};

use queuecast_workload::TracedJob;
use queuecast_workload::order::SubmissionOrder;
use queuecast_workload::swf::Unusable;

use crate::error::LogError;
use crate::trace::TraceSource;

/// The log's jobs without those that lack what every replay needs.
#[derive(Debug)]
pub struct ReplayableJobs {
    source: TraceSource,
    pub(crate) no_submit_time: u64,
    pub(crate) no_processors: u64,
    pub(crate) no_run_time: u64,
    pub(crate) out_of_range: u64,
}

impl ReplayableJobs {
    /// Those of this log.
    pub fn new(source: TraceSource) -> Self {
        Self { source, no_submit_time: 0, no_processors: 0, no_run_time: 0, out_of_range: 0 }
    }

    /// The log.
    pub fn source(&self) -> &TraceSource {
        &self.source
    }
}

impl Iterator for ReplayableJobs {
    type Item = Result<TracedJob, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let record = match self.source.next()? {
                Ok(record) => record,
                Err(failure) => return Some(Err(failure)),
            };
            match record.to_traced() {
                Ok(job) => return Some(Ok(job)),
                Err(Unusable::NoSubmitTime) => self.no_submit_time += 1,
                Err(Unusable::NoProcessors) => self.no_processors += 1,
                Err(Unusable::NoRunTime) => self.no_run_time += 1,
                Err(Unusable::OutOfRange(_)) => self.out_of_range += 1,
            }
        }
    }
}

/// A log's jobs chunk by chunk. A failure ends the stream and is told at the end.
#[derive(Debug)]
pub struct StreamedJobs {
    order: SubmissionOrder<ReplayableJobs, TracedJob>,
    chunk: Vec<TracedJob>,
    next: usize,
    parse: ParseTime,
    failure: Option<LogError>,
}

/// How long reading took.
#[derive(Clone, Copy, Debug)]
pub struct ParseTime {
    /// All of it.
    pub total: Duration,
    /// The part of it that fell into the replay's own time.
    pub while_replaying: Duration,
}

impl StreamedJobs {
    /// `parse` is what reading has taken so far.
    pub fn new(order: SubmissionOrder<ReplayableJobs, TracedJob>, parse: Duration) -> Self {
        let parse = ParseTime { total: parse, while_replaying: Duration::ZERO };
        Self { order, chunk: Vec::new(), next: 0, parse, failure: None }
    }

    /// The source, and how long reading it took; or why it ended early.
    pub fn conclude(self) -> Result<(ReplayableJobs, ParseTime), LogError> {
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok((self.order.into_source(), self.parse)),
        }
    }

    fn refill(&mut self) {
        let begun = Instant::now();
        self.next = 0;
        if let Err(failure) = self.order.next_chunk(&mut self.chunk) {
            self.chunk.clear();
            self.failure = Some(failure.into());
        }
        let took = begun.elapsed();
        self.parse.total += took;
        self.parse.while_replaying += took;
    }
}

impl Iterator for StreamedJobs {
    type Item = TracedJob;

    fn next(&mut self) -> Option<TracedJob> {
        if self.next == self.chunk.len() && self.failure.is_none() {
            self.refill();
        }
        let job = self.chunk.get(self.next).copied()?;
        self.next += 1;
        Some(job)
    }
}
