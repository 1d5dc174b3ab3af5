//! The reader: any bytes in; jobs, steps and reports of bad records out, in the order of the file.
//!
//! For: putting lines together to records and finding where their columns begin.
//!
//! Not for: what is in the columns (`columns`); how a file is packed (`queuecast_workload::files`); which jobs matter
//! ([`queuecast_records::history`]).
//!
//! Blank lines between records and repetitions of the header (exports put one behind the other) are passed over.

use std::io::{self, BufRead};

use memchr::memchr_iter;

use super::bad_record::{BadRecord, HeaderError, Reason};
use super::cut::{Cut, cut};
use super::header::Header;
use super::job_record::Columns;
use super::value::UtcOffset;
use queuecast_records::JobRecord;
use queuecast_workload::lines::Lines;

/// Longer records are reported and skipped.
pub const RECORD_BYTES_MAX: usize = 1024 * 1024;

/// A record of more lines ends there: every line costs a look at the whole.
const RECORD_LINES_MAX: usize = 200;

/// What a record of the file turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A job.
    Job(Box<JobRecord>),
    /// A step of a job: sacct was not given `-X`.
    Step,
    /// Something else.
    Bad(Box<BadRecord>),
}

/// An export being read.
#[derive(Debug)]
pub struct SacctReader<R> {
    lines: Lines<R>,
    header: Header,
    utc_offset: Option<UtcOffset>,
    /// Line breaks and all, the record that the next line may continue; empty if there is none.
    record: Vec<u8>,
    record_line: u64,
    grown: Grown,
    /// The line read last, which did not belong to the record before it.
    next: Vec<u8>,
    next_line: u64,
    has_ended: bool,
    uncertain_texts: u64,
    delimiters: Vec<usize>,
}

/// What is known of a record while lines are added to it.
#[derive(Debug, Default)]
struct Grown {
    lines: usize,
    delimiters: Option<usize>,
    fits: Option<bool>,
}

impl<R: BufRead> SacctReader<R> {
    /// Reads the header. Local times are taken to be this far ahead of UTC; without an offset they are refused.
    pub fn new(source: R, utc_offset: Option<UtcOffset>) -> Result<Self, HeaderError> {
        let mut lines = Lines::new(source, RECORD_BYTES_MAX);
        let mut line = Vec::new();
        lines.read_into(&mut line)?;
        let header = Header::parse(&line)?;
        Ok(Self {
            lines,
            header,
            utc_offset,
            record: Vec::new(),
            record_line: 0,
            grown: Grown::default(),
            next: Vec::new(),
            next_line: 0,
            has_ended: false,
            uncertain_texts: 0,
            delimiters: Vec::new(),
        })
    }

    /// The columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Records so far in which the cut between texts that stand side by side is not certain; their numbers are.
    pub fn uncertain_texts(&self) -> u64 {
        self.uncertain_texts
    }

    /// The next record; `None` at the end of the file. An error is the source's own.
    pub fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        if !self.take_record()? {
            return Ok(None);
        }
        let entry = self.decode();
        Ok(Some(match entry {
            Ok(entry) => entry,
            Err(bad) => Entry::Bad(bad),
        }))
    }

    /// Puts the next record together from its lines; false at the end.
    fn take_record(&mut self) -> io::Result<bool> {
        self.record.clear();
        std::mem::swap(&mut self.record, &mut self.next);
        self.record_line = self.next_line;
        self.grown = Grown::default();
        while !self.has_ended {
            if !self.read_next()? {
                self.has_ended = true;
                self.next.clear();
                break;
            }
            if self.next == self.header.line {
                self.next.clear();
                if self.record.is_empty() {
                    continue;
                }
                return Ok(true);
            }
            if self.record.is_empty() {
                std::mem::swap(&mut self.record, &mut self.next);
                self.record_line = self.next_line;
                continue;
            }
            if !self.continues_record() {
                return Ok(true);
            }
            let room = (RECORD_BYTES_MAX + 1).saturating_sub(self.record.len() + 1);
            self.grown.lines += 1;
            self.record.push(b'\n');
            self.record.extend_from_slice(&self.next[..self.next.len().min(room)]);
            self.next.clear();
        }
        Ok(!self.record.is_empty())
    }

    fn read_next(&mut self) -> io::Result<bool> {
        if !self.lines.read_into(&mut self.next)? {
            return Ok(false);
        }
        self.next_line = self.lines.count;
        if self.header.has_carriage_returns && self.next.last() == Some(&b'\r') {
            self.next.pop();
        }
        Ok(true)
    }

    /// Whether the line read last belongs to the record before it: that has a line break in one of its texts.
    fn continues_record(&mut self) -> bool {
        let is_full = self.record.len() > RECORD_BYTES_MAX || self.grown.lines >= RECORD_LINES_MAX;
        if self.header.leading == 0 || is_full || self.starts_record(&self.next) {
            return false;
        }
        let needed = self.header.places.len() - 1;
        let delimiters_in = |bytes: &[u8]| memchr_iter(self.header.delimiter, bytes).count();
        let held = self.grown.delimiters.unwrap_or_else(|| delimiters_in(&self.record));
        let more = delimiters_in(&self.next);
        let is_whole = held >= needed && self.grown.fits.unwrap_or_else(|| self.fits(&self.record));
        // A whole record goes on in its last text only, and not at the price of what it says. One that is not whole goes on until it is, or
        // until another begins.
        let continues =
            !is_whole || (self.ends_in_text() && (more == 0 || (more < needed && self.fits(&self.joined()))));
        self.grown.delimiters = Some(held + more);
        // More of its last text changes nothing about a record that is whole.
        self.grown.fits = (is_whole && more == 0).then_some(true);
        continues
    }

    fn ends_in_text(&self) -> bool {
        self.header.places.last().is_some_and(|place| place.form.is_text())
    }

    fn joined(&self) -> Vec<u8> {
        [&self.record[..], &self.next[..]].join(&b'\n')
    }

    fn fits(&self, record: &[u8]) -> bool {
        let pieces: Vec<&[u8]> = record.split(|&byte| byte == self.header.delimiter).collect();
        matches!(cut(&pieces, &self.header.places), Cut::At { .. })
    }

    /// Whether the columns up to the first text are what they should be.
    fn starts_record(&self, line: &[u8]) -> bool {
        let mut pieces = line.split(|&byte| byte == self.header.delimiter);
        let mut leading = self.header.places.iter().take(self.header.leading);
        leading.all(|place| pieces.next().is_some_and(|piece| place.form.admits(piece)))
    }

    fn decode(&mut self) -> Result<Entry, Box<BadRecord>> {
        // Blank lines behind a record were taken for a part of its last text.
        while self.record.last() == Some(&b'\n') && self.ends_in_text() {
            self.record.pop();
        }
        let bad = |reason| BadRecord::new(self.record_line, None, reason, &self.record);
        if self.record.len() > RECORD_BYTES_MAX {
            return Err(bad(Reason::TooLong));
        }
        self.delimiters.clear();
        self.delimiters.extend(memchr_iter(self.header.delimiter, &self.record));
        let (found, expected) = (self.delimiters.len() + 1, self.header.places.len());
        if found < expected {
            return Err(bad(Reason::TooFewColumns { found, expected }));
        }
        let first_pieces = if found == expected {
            None
        } else {
            let pieces: Vec<&[u8]> = self.record.split(|&byte| byte == self.header.delimiter).collect();
            match cut(&pieces, &self.header.places) {
                Cut::At { first_pieces, texts_are_certain } => {
                    self.uncertain_texts += u64::from(!texts_are_certain);
                    Some(first_pieces)
                }
                Cut::None => return Err(bad(Reason::DoesNotFit { found, expected })),
                Cut::Several => return Err(bad(Reason::Ambiguous)),
            }
        };
        let columns = Columns {
            header: &self.header,
            record: &self.record,
            line: self.record_line,
            delimiters: &self.delimiters,
            first_pieces: first_pieces.as_deref(),
            utc_offset: self.utc_offset,
        };
        columns.job()
    }
}

impl<R: BufRead> Iterator for SacctReader<R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.next_entry().transpose();
        if matches!(entry, Some(Err(_))) {
            self.has_ended = true;
            self.record.clear();
            self.next.clear();
        }
        entry
    }
}
