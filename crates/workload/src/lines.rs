//! Lines of a source, of bounded length.
//!
//! For: never holding more of a line than a record may have, whatever the source sends.
//!
//! Not for: what a line means.

use std::io::{self, BufRead};

use memchr::memchr;

/// A source read line by line.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    /// Lines read so far.
    pub count: u64,
    /// Whether the line read last is the source's last and has no end.
    pub is_cut_short: bool,
    bytes_max: usize,
}

impl<R: BufRead> Lines<R> {
    /// Lines are cut off one byte behind `bytes_max`, so that one that is too long can be told.
    pub fn new(source: R, bytes_max: usize) -> Self {
        Self { source, count: 0, is_cut_short: false, bytes_max }
    }

    /// Reads a line without its end into the buffer, which is emptied first; false at the end of the source.
    pub fn read_into(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        let mut has_begun = false;
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if buffer.is_empty() {
                self.count += u64::from(has_begun);
                self.is_cut_short = has_begun;
                return Ok(has_begun);
            }
            has_begun = true;
            let end = memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = (self.bytes_max + 1).saturating_sub(line.len());
            line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.source.consume(used);
            if end.is_some() {
                self.count += 1;
                return Ok(true);
            }
        }
    }
}
