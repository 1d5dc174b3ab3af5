//! The reader: any bytes in; jobs, comments and reports of bad lines out, in the order of the file.
//!
//! For: streaming a log of any length in bounded memory at millions of lines a second.
//!
//! Not for: opening files or unpacking them ([`crate::files`]); judging whether a job makes sense.
//!
//! Blank lines are passed over and are the one thing that is not handed out; they still count in line numbers. A
//! byte order mark before the first line is passed over too.

use std::io::{self, BufRead};

use memchr::memchr;

use super::bad_line::{BadLine, LINE_BYTES_MAX, Reason};
use super::header::{Comment, SwfHeader};
use super::number::{is_blank, parse_record};
use super::record::{Field, SwfRecord};

/// Comments beyond this many bytes at the top of a file are handed out as lines instead of being held.
const HEADER_BYTES_MAX: usize = 1024 * 1024;

/// How much of an offending text a message shows.
const EXCERPT_BYTES_MAX: usize = 40;

/// What a line of the file turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A job.
    Job(SwfRecord),
    /// A comment below the header.
    Comment(Comment),
    /// Something else.
    Bad(Box<BadLine>),
}

/// A log being read. The header is read when it is made; [`SwfReader::next_line`] gives the rest.
#[derive(Debug)]
pub struct SwfReader<R> {
    source: R,
    header: SwfHeader,
    /// The line that ended the header.
    pending: Option<Line>,
    /// The beginning of a line whose end the source has not shown yet; at most one byte over the limit.
    carry: Vec<u8>,
    /// Lines seen so far.
    lines: u64,
    /// Whether iteration has met the end or an error.
    ended: bool,
}

impl<R: BufRead> SwfReader<R> {
    /// Reads the header and stops before the first line that is not part of it.
    pub fn new(source: R) -> io::Result<Self> {
        let mut reader =
            Self { source, header: SwfHeader::default(), pending: None, carry: Vec::new(), lines: 0, ended: false };
        let mut header_bytes = 0;
        while header_bytes < HEADER_BYTES_MAX {
            match reader.read_line()? {
                Some(Line::Comment(comment)) => {
                    header_bytes += comment.as_bytes().len() + size_of::<Comment>();
                    reader.header.comments.push(comment);
                }
                other => {
                    reader.pending = other;
                    break;
                }
            }
        }
        Ok(reader)
    }

    /// The comment lines at the top of the file.
    pub fn header(&self) -> &SwfHeader {
        &self.header
    }

    /// How many lines have been read, blank ones and the header included.
    pub fn lines_read(&self) -> u64 {
        self.lines
    }

    /// The next line below the header, `None` at the end of the file. An error is the source's own; after one,
    /// what follows is undefined by the source and reading should stop.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        match self.pending.take() {
            None => self.read_line(),
            pending => Ok(pending),
        }
    }

    fn read_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let end = memchr(b'\n', buffer);
            let line = match end {
                Some(end) if self.carry.is_empty() => {
                    self.lines += 1;
                    let line = interpret(&buffer[..end], self.lines);
                    self.source.consume(end + 1);
                    line
                }
                Some(end) => {
                    carry_over(&mut self.carry, &buffer[..end]);
                    self.source.consume(end + 1);
                    self.interpret_carry()
                }
                None if buffer.is_empty() && self.carry.is_empty() => return Ok(None),
                None if buffer.is_empty() => self.interpret_carry(),
                None => {
                    let length = buffer.len();
                    carry_over(&mut self.carry, buffer);
                    self.source.consume(length);
                    None
                }
            };
            if line.is_some() {
                return Ok(line);
            }
        }
    }

    fn interpret_carry(&mut self) -> Option<Line> {
        self.lines += 1;
        let line = interpret(&self.carry, self.lines);
        self.carry.clear();
        line
    }
}

impl<R: BufRead> Iterator for SwfReader<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let line = self.next_line().transpose();
        self.ended = !matches!(line, Some(Ok(_)));
        line
    }
}

/// Keeps one byte more than the limit at most: enough to know that a line is too long.
fn carry_over(carry: &mut Vec<u8>, bytes: &[u8]) {
    let room = (LINE_BYTES_MAX + 1).saturating_sub(carry.len());
    carry.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// What a line is; `None` for a blank one.
fn interpret(line: &[u8], number: u64) -> Option<Line> {
    let line = match line.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) if number == 1 => rest,
        _ => line,
    };
    if line.len() > LINE_BYTES_MAX {
        return Some(bad(number, None, Reason::LineTooLong, line));
    }
    let first = *line.iter().find(|&&byte| !is_blank(byte))?;
    if first == b';'
        && let Some(comment) = Comment::from_line(line)
    {
        return Some(Line::Comment(comment));
    }
    Some(match parse_record(line) {
        Ok(record) => Line::Job(record),
        Err(defect) => bad(number, defect.field, defect.reason, defect.shown),
    })
}

#[cold]
fn bad(line: u64, field: Option<Field>, reason: Reason, shown: &[u8]) -> Line {
    let excerpt = match shown.get(..EXCERPT_BYTES_MAX) {
        Some(beginning) if shown.len() > EXCERPT_BYTES_MAX => format!("{}...", beginning.escape_ascii()),
        _ => shown.escape_ascii().to_string(),
    };
    Line::Bad(Box::new(BadLine { line, field, reason, excerpt }))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    const JOB: &str = "1 0 5 60 4 142.00 -1 4 120 -1 1 7 -1 -1 -1 -1 -1 -1";

    fn lines(log: &[u8]) -> Vec<Line> {
        SwfReader::new(log).expect("memory reads").map(|line| line.expect("memory reads")).collect()
    }

    fn messages(log: &[u8]) -> Vec<String> {
        let message = |line| match line {
            Line::Bad(bad) => Some(bad.in_source("log.swf").to_string()),
            _ => None,
        };
        lines(log).into_iter().filter_map(message).collect()
    }

    #[test]
    fn tabs_blanks_and_foreign_line_ends_make_no_difference() {
        let tabbed = JOB.replace(' ', "\t");
        let log = format!("{JOB}\n   {JOB}  \r\n\n \t \n{tabbed}\t\r\n{JOB}");
        let lines = lines(log.as_bytes());
        assert_eq!(lines.len(), 4);
        assert!(lines.iter().all(|line| *line == lines[0]));
        let Line::Job(record) = &lines[0] else { panic!("a job") };
        assert!((record.average_cpu_time - 142.0).abs() < f64::EPSILON);
        assert_eq!((record.job_number, record.run_time, record.user), (1, 60, 7));
    }

    #[test]
    fn header_is_the_comments_at_the_top_and_later_ones_keep_their_place() {
        let log = format!("\u{feff}; MaxProcs: 8\r\n\n;\n{JOB}\n; later\n{JOB}\n");
        let mut reader = SwfReader::new(log.as_bytes()).expect("memory reads");
        let header: Vec<&[u8]> = reader.header().comments.iter().map(Comment::as_bytes).collect();
        assert_eq!(header, [&b"; MaxProcs: 8"[..], b";"]);
        assert!(matches!(reader.next_line(), Ok(Some(Line::Job(_)))));
        assert_eq!(reader.next_line().expect("reads"), Comment::from_line(b"; later").map(Line::Comment));
        assert!(matches!(reader.next_line(), Ok(Some(Line::Job(_)))));
        assert_eq!(reader.next_line().expect("reads"), None);
        assert_eq!(reader.lines_read(), 6);
    }

    #[test]
    fn bad_lines_name_line_and_field() {
        let log = format!("; top\n{JOB}\n1 2 3\n{JOB} 99\n1 x{}\n", &JOB[3..]);
        assert_eq!(
            messages(log.as_bytes()),
            [
                "log.swf:3:run_time: missing: the line has 3 fields instead of 18",
                "log.swf:4:19: extra field `99`: the line has 19 fields instead of 18",
                "log.swf:5:submit_time: `x` is not a whole number",
            ]
        );
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        let log = [b"\x1b[31m\xff", &[b'a'; 100][..], b" 2 3\n"].concat();
        let expected = format!(
            "log.swf:1:job_number: `\\x1b[31m\\xff{}...` is not a whole number",
            "a".repeat(EXCERPT_BYTES_MAX - 6)
        );
        assert_eq!(messages(&log), [expected]);
    }

    #[test]
    fn overlong_lines_are_reported_once_and_skipped_in_bounded_memory() {
        let mut log = vec![b'7'; 10 * LINE_BYTES_MAX];
        log.push(b'\n');
        log.extend_from_slice(JOB.as_bytes());
        for buffer_bytes in [1000, 100 * LINE_BYTES_MAX] {
            let mut reader = SwfReader::new(BufReader::with_capacity(buffer_bytes, &log[..])).expect("memory reads");
            let Ok(Some(Line::Bad(bad))) = reader.next_line() else { panic!("a bad line") };
            assert_eq!((bad.line, bad.reason), (1, Reason::LineTooLong));
            assert!(matches!(reader.next_line(), Ok(Some(Line::Job(_)))));
            assert!(reader.carry.capacity() <= 4 * LINE_BYTES_MAX);
        }
    }

    #[test]
    fn lines_cut_by_the_buffer_are_put_together() {
        let log = format!("; MaxProcs: 8\n{JOB}\nbad\n; end\n{JOB}");
        let whole = lines(log.as_bytes());
        for buffer_bytes in 1..80 {
            let reader = SwfReader::new(BufReader::with_capacity(buffer_bytes, log.as_bytes())).expect("memory reads");
            let pieces: Vec<Line> = reader.map(|line| line.expect("memory reads")).collect();
            assert_eq!(pieces, whole);
        }
    }

    #[test]
    fn a_file_of_comments_only_is_not_held_whole() {
        let line = [b"; ", &[b'x'; 998][..], b"\n"].concat();
        let log = line.repeat(3000);
        let mut reader = SwfReader::new(&log[..]).expect("memory reads");
        let held = reader.header().comments.len();
        assert!(held < 1100, "{held} comments in the header");
        let rest = reader.by_ref().filter(|line| matches!(line, Ok(Line::Comment(_)))).count();
        assert_eq!(held + rest, 3000);
    }

    #[test]
    fn an_error_of_the_source_ends_the_iteration() {
        struct Failing;
        impl io::Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("disk gone"))
            }
        }
        let source = BufReader::new(io::Read::chain(JOB.as_bytes(), io::Read::chain(&b"\n"[..], Failing)));
        let outcomes: Vec<bool> =
            SwfReader::new(source).expect("the first line reads").map(|line| line.is_ok()).collect();
        assert_eq!(outcomes, [true, false]);
    }
}
