//! Jobs in order of submission, from a log in nearly that order or, if it fits in memory, in any.
//!
//! For: feeding a replay, which must not see a job late. Logs are written in order of submission, of start or of
//! termination; ties are broken by the job's number, as the golden schedules do.
//!
//! Not for: giving jobs their handles, or reading files.
//!
//! A window slides over the log: up to twice its width is read and sorted, the first width is handed out, and so
//! on. A log of up to two widths is therefore sorted whole; a longer one streams in bounded memory as long as no
//! job stands more than one width behind its place.
//!
//! ```
//! use queuecast_workload::order::SubmissionOrder;
//! use queuecast_workload::swf::SwfRecord;
//!
//! let job = |submit_time| Ok::<_, std::io::Error>(SwfRecord { submit_time, ..SwfRecord::UNKNOWN });
//! let mut order = SubmissionOrder::new([job(20), job(10)].into_iter());
//! let mut chunk = Vec::new();
//! while order.next_chunk(&mut chunk)? {
//!     assert_eq!(chunk.iter().map(|job| job.submit_time).collect::<Vec<i64>>(), [10, 20]);
//! }
//! # Ok::<(), queuecast_workload::order::OrderError<std::io::Error>>(())
//! ```

use thiserror::Error;

use crate::TracedJob;
use crate::swf::SwfRecord;

/// The window's width unless told otherwise: two million jobs are sorted whole, in about 300 MB.
pub const WINDOW_DEFAULT: usize = 1_000_000;

/// Something with a place in order of submission.
pub trait Submitted {
    /// When it was submitted, in seconds since the log's origin.
    fn submit_seconds(&self) -> i64;
    /// The log's number for it, which decides among jobs of the same second.
    fn number(&self) -> i64;
}

impl Submitted for TracedJob {
    fn submit_seconds(&self) -> i64 {
        self.submission.submitted.0
    }
    fn number(&self) -> i64 {
        self.number
    }
}

impl Submitted for SwfRecord {
    fn submit_seconds(&self) -> i64 {
        self.submit_time
    }
    fn number(&self) -> i64 {
        self.job_number
    }
}

/// Why jobs could not be put in order.
#[derive(Debug, Error)]
pub enum OrderError<E> {
    /// The source of the jobs failed.
    #[error(transparent)]
    Source(#[from] E),
    /// A job came after later ones had been handed out.
    #[error(transparent)]
    TooLate(TooLate),
}

/// A job that came after later ones had been handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "job {number} (submitted at {submitted}) is more than {window} positions out of submission order; \
     sort the log by submit time first, or increase the window"
)]
pub struct TooLate {
    /// The job's number in the log.
    pub number: i64,
    /// Its submit time.
    pub submitted: i64,
    /// The width of the window.
    pub window: usize,
}

/// Puts the jobs of a source in order of submission; see the module for the window.
#[derive(Debug)]
pub struct SubmissionOrder<I, T> {
    source: I,
    /// Read and not yet handed out.
    held: Vec<T>,
    window: usize,
    exhausted: bool,
    last_handed_out: Option<(i64, i64)>,
}

impl<I, T, E> SubmissionOrder<I, T>
where
    I: Iterator<Item = Result<T, E>>,
    T: Submitted,
{
    /// Orders the source's jobs in the default window.
    pub fn new(source: I) -> Self {
        Self::with_window(source, WINDOW_DEFAULT)
    }

    /// Orders the source's jobs in a window of this width, at least 1.
    pub fn with_window(source: I, window: usize) -> Self {
        Self { source, held: Vec::new(), window: window.max(1), exhausted: false, last_handed_out: None }
    }

    /// The source, for what it knows besides its jobs.
    pub fn source(&self) -> &I {
        &self.source
    }

    /// The source, to take from it what it gathered while jobs were read.
    pub fn source_mut(&mut self) -> &mut I {
        &mut self.source
    }

    /// The source, with whatever was read from it and not handed out lost.
    pub fn into_source(self) -> I {
        self.source
    }

    /// Puts the next jobs into `chunk`, in order, in place of what was there. False, with the chunk empty, at
    /// the end. All reading and sorting happens in this call, so that its time can be told from the consumer's.
    pub fn next_chunk(&mut self, chunk: &mut Vec<T>) -> Result<bool, OrderError<E>> {
        chunk.clear();
        self.refill()?;
        let count = if self.exhausted { self.held.len() } else { self.window };
        chunk.extend(self.held.drain(..count));
        if let (Some(first), Some(last)) = (chunk.first(), self.last_handed_out)
            && place(first) < last
        {
            let (submitted, number) = place(first);
            return Err(OrderError::TooLate(TooLate { number, submitted, window: self.window }));
        }
        self.last_handed_out = chunk.last().map(place).or(self.last_handed_out);
        Ok(!chunk.is_empty())
    }

    /// All the jobs, if the source ends within twice the window; otherwise `None`, and the jobs come by
    /// [`SubmissionOrder::next_chunk`] as if this had not been asked.
    pub fn load_whole(&mut self) -> Result<Option<Vec<T>>, OrderError<E>> {
        self.refill()?;
        if !self.exhausted {
            return Ok(None);
        }
        self.last_handed_out = self.held.last().map(place).or(self.last_handed_out);
        Ok(Some(std::mem::take(&mut self.held)))
    }

    /// Reads until twice the window is held or the source ends, and sorts. Most logs are in order already; in others
    /// the places are sorted apart from the jobs, which are many times larger. The sort is stable.
    fn refill(&mut self) -> Result<(), E> {
        let held_max = self.window.saturating_mul(2);
        // One job more than fits is looked for, so that a source of exactly two windows is seen to end.
        while !self.exhausted && self.held.len() <= held_max {
            match self.source.next() {
                Some(job) => self.held.push(job?),
                None => self.exhausted = true,
            }
        }
        if !self.held.is_sorted_by_key(place) {
            self.held.sort_by_cached_key(place);
        }
        Ok(())
    }
}

impl<I, T, E> IntoIterator for SubmissionOrder<I, T>
where
    I: Iterator<Item = Result<T, E>>,
    T: Submitted,
{
    type Item = Result<T, OrderError<E>>;
    type IntoIter = InSubmissionOrder<I, T>;

    fn into_iter(self) -> Self::IntoIter {
        InSubmissionOrder { order: self, chunk: Vec::new().into_iter(), ended: false }
    }
}

/// The jobs of a [`SubmissionOrder`], one by one; ends after an error.
#[derive(Debug)]
pub struct InSubmissionOrder<I, T> {
    order: SubmissionOrder<I, T>,
    chunk: std::vec::IntoIter<T>,
    ended: bool,
}

impl<I, T, E> Iterator for InSubmissionOrder<I, T>
where
    I: Iterator<Item = Result<T, E>>,
    T: Submitted,
{
    type Item = Result<T, OrderError<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(job) = self.chunk.next() {
            return Some(Ok(job));
        }
        if self.ended {
            return None;
        }
        let mut chunk = Vec::new();
        match self.order.next_chunk(&mut chunk) {
            Ok(more) => self.ended = !more,
            Err(error) => {
                self.ended = true;
                return Some(Err(error));
            }
        }
        self.chunk = chunk.into_iter();
        self.chunk.next().map(Ok)
    }
}

fn place<T: Submitted>(job: &T) -> (i64, i64) {
    (job.submit_seconds(), job.number())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io;

    use proptest::prelude::*;

    use super::*;

    fn job(submit_time: i64, job_number: i64) -> SwfRecord {
        SwfRecord { job_number, submit_time, ..SwfRecord::UNKNOWN }
    }

    fn places(jobs: &[SwfRecord]) -> Vec<(i64, i64)> {
        jobs.iter().map(place).collect()
    }

    fn source(jobs: &[SwfRecord]) -> impl Iterator<Item = Result<SwfRecord, Infallible>> {
        jobs.iter().map(|&job| Ok(job))
    }

    fn any_jobs() -> impl Strategy<Value = Vec<SwfRecord>> {
        proptest::collection::vec((0..50_i64, 0..10_i64).prop_map(|(submit, number)| job(submit, number)), 0..60)
    }

    proptest! {
        #[test]
        fn a_log_within_two_windows_is_sorted_whole(jobs in any_jobs(), slack in 0..3_usize) {
            let window = jobs.len().div_ceil(2) + slack;
            let mut expected = jobs.clone();
            expected.sort_by_key(place);

            let whole = SubmissionOrder::with_window(source(&jobs), window).load_whole().expect("in order");
            prop_assert_eq!(places(&whole.expect("fits")), places(&expected));
            let iterated: Result<Vec<_>, _> = SubmissionOrder::with_window(source(&jobs), window).into_iter().collect();
            prop_assert_eq!(places(&iterated.expect("in order")), places(&expected));
        }

        #[test]
        fn a_longer_log_is_sorted_in_chunks_if_no_job_is_a_window_late(
            delays in proptest::collection::vec(0..8_i64, 0..200),
            window in 8..20_usize,
        ) {
            // Each job moves back by its delay of places, so that it stands at most 7 places late.
            let mut moved: Vec<(i64, i64)> = (0..).zip(&delays).map(|(place, delay)| (place + delay, place)).collect();
            moved.sort_by_key(|&(place, _)| place);
            let jobs: Vec<SwfRecord> = moved.iter().map(|&(_, submit)| job(submit, submit)).collect();

            let mut order = SubmissionOrder::with_window(source(&jobs), window);
            let (mut chunk, mut all) = (Vec::new(), Vec::new());
            while order.next_chunk(&mut chunk).expect("in order") {
                prop_assert!(chunk.len() <= 2 * window);
                all.append(&mut chunk);
            }
            prop_assert!(chunk.is_empty());
            prop_assert_eq!(all.len(), jobs.len());
            prop_assert!(all.is_sorted_by_key(place));
        }

        #[test]
        fn whatever_is_handed_out_is_in_order(jobs in any_jobs(), window in 1..10_usize) {
            let handed_out: Vec<SwfRecord> =
                SubmissionOrder::with_window(source(&jobs), window).into_iter().map_while(Result::ok).collect();
            prop_assert!(handed_out.is_sorted_by_key(place));
        }
    }

    #[test]
    fn a_job_too_late_is_named_with_what_to_do() {
        let mut jobs: Vec<SwfRecord> = (1..=10).map(|number| job(number * 10, number)).collect();
        jobs.push(job(5, 99));
        let outcome: Result<Vec<_>, _> = SubmissionOrder::with_window(source(&jobs), 2).into_iter().collect();
        let message = outcome.expect_err("job 99 is late").to_string();
        assert!(message.contains("job 99 (submitted at 5)") && message.contains("sort the log"), "{message}");
    }

    #[test]
    fn a_log_too_long_to_load_whole_still_comes_in_chunks() {
        let jobs: Vec<SwfRecord> = (0..7).map(|number| job(number, number)).collect();
        let mut order = SubmissionOrder::with_window(source(&jobs), 3);
        assert!(order.load_whole().expect("reads").is_none());
        let iterated: Result<Vec<_>, _> = order.into_iter().collect();
        assert_eq!(places(&iterated.expect("in order")), places(&jobs));
    }

    #[test]
    fn an_error_of_the_source_comes_through_once() {
        let jobs = [Ok(job(1, 1)), Err(io::Error::other("disk gone")), Ok(job(2, 2))];
        let outcomes: Vec<_> = SubmissionOrder::new(jobs.into_iter()).into_iter().collect();
        assert!(matches!(&outcomes[..], [Err(OrderError::Source(error))] if error.to_string() == "disk gone"));
    }

    #[test]
    fn equal_places_keep_the_order_of_the_log() {
        let twins = [SwfRecord { user: 1, ..job(5, 5) }, SwfRecord { user: 2, ..job(5, 5) }];
        let whole = SubmissionOrder::new(source(&twins)).load_whole().expect("reads").expect("fits");
        assert_eq!(whole, twins);
    }
}
