//! The writer: fields separated by one blank, numbers in their shortest form, comments byte for byte.
//!
//! What it writes the reader reads back as the same header, comments and records; a value the reader would
//! refuse is refused here.

use std::io::{self, Write};

use super::header::{Comment, SwfHeader};
use super::number::is_readable;
use super::record::{Field, SwfRecord};

/// A log being written. Does its own buffering of a line, not of the file: give it a buffered sink.
#[derive(Debug)]
pub struct SwfWriter<W> {
    sink: W,
    line: Vec<u8>,
}

impl<W: Write> SwfWriter<W> {
    /// Writes to the sink, nothing at first.
    pub fn new(sink: W) -> Self {
        Self { sink, line: Vec::with_capacity(256) }
    }

    /// Writes the header's lines.
    pub fn write_header(&mut self, header: &SwfHeader) -> io::Result<()> {
        header.comments.iter().try_for_each(|comment| self.write_comment(comment))
    }

    /// Writes one comment line.
    pub fn write_comment(&mut self, comment: &Comment) -> io::Result<()> {
        self.sink.write_all(comment.as_bytes())?;
        self.sink.write_all(b"\n")
    }

    /// Writes one job line. Fails with [`io::ErrorKind::InvalidInput`] where a value is one that no reader of
    /// this crate takes: beyond 10^12 in magnitude, or not a number.
    pub fn write_record(&mut self, record: &SwfRecord) -> io::Result<()> {
        self.line.clear();
        for field in Field::ALL {
            if !is_readable(record, field) {
                let message =
                    format!("job {}: {field} is out of range (at most 10^12 in magnitude)", record.job_number);
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            match record.integer(field) {
                Some(value) => push_integer(&mut self.line, value),
                None => write!(self.line, "{}", record.average_cpu_time)?,
            }
            self.line.push(b' ');
        }
        if let Some(last) = self.line.last_mut() {
            *last = b'\n';
        }
        self.sink.write_all(&self.line)
    }

    /// The sink, with everything written passed on to it.
    pub fn into_inner(self) -> W {
        self.sink
    }
}

/// As `write!` would, at a fifth of its time; most values are `-1` or have few digits.
fn push_integer(line: &mut Vec<u8>, value: i64) {
    if value < 0 {
        line.push(b'-');
    }
    let mut digits = [0; 20];
    let mut first = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        first -= 1;
        digits[first] = b"0123456789"[usize::try_from(rest % 10).unwrap_or_default()];
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::swf::{Line, SwfReader};

    const LARGEST: i64 = 1_000_000_000_000;

    fn any_integer() -> impl Strategy<Value = i64> {
        prop_oneof![Just(-1), 0..1000_i64, -LARGEST..=LARGEST]
    }

    fn any_decimal() -> impl Strategy<Value = f64> {
        let anything = any::<f64>().prop_map(|value| if value.abs() <= 1e12 { value } else { 1.0 / value });
        prop_oneof![
            Just(-1.0),
            (0..100_000_i32).prop_map(|hundredths| f64::from(hundredths) / 100.0),
            anything.prop_filter("not a number is not written", |value| value.is_finite()),
        ]
    }

    prop_compose! {
        fn any_record()(i in proptest::array::uniform17(any_integer()), average_cpu_time in any_decimal()) -> SwfRecord {
            SwfRecord {
                job_number: i[0], submit_time: i[1], wait_time: i[2], run_time: i[3], allocated_processors: i[4],
                average_cpu_time, used_memory: i[5], requested_processors: i[6], requested_time: i[7],
                requested_memory: i[8], status: i[9], user: i[10], group: i[11], executable: i[12], queue: i[13],
                partition: i[14], preceding_job: i[15], think_time: i[16],
            }
        }
    }

    fn any_comment() -> impl Strategy<Value = Comment> {
        let indent = "[ \t]{0,3}";
        (indent, proptest::collection::vec(any::<u8>(), 0..60)).prop_map(|(indent, mut bytes)| {
            bytes.retain(|&byte| byte != b'\n');
            let line = [indent.as_bytes(), b";", &bytes].concat();
            Comment::from_line(&line).expect("a comment line")
        })
    }

    fn any_line() -> impl Strategy<Value = Line> {
        prop_oneof![4 => any_record().prop_map(Line::Job), 1 => any_comment().prop_map(Line::Comment)]
    }

    fn write_log(header: &SwfHeader, lines: &[Line]) -> Vec<u8> {
        let mut writer = SwfWriter::new(Vec::new());
        writer.write_header(header).expect("memory writes");
        for line in lines {
            match line {
                Line::Job(record) => writer.write_record(record).expect("a readable record"),
                Line::Comment(comment) => writer.write_comment(comment).expect("memory writes"),
                Line::Bad(bad) => panic!("{bad}"),
            }
        }
        writer.into_inner()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            comments in proptest::collection::vec(any_comment(), 0..5),
            first in any_record(),
            rest in proptest::collection::vec(any_line(), 0..20),
        ) {
            let header = SwfHeader { comments };
            let lines: Vec<Line> = std::iter::once(Line::Job(first)).chain(rest).collect();
            let bytes = write_log(&header, &lines);

            let mut reader = SwfReader::new(&bytes[..]).expect("memory reads");
            prop_assert_eq!(reader.header(), &header);
            let read: Vec<Line> = reader.by_ref().map(|line| line.expect("memory reads")).collect();
            prop_assert_eq!(&read, &lines);
            prop_assert_eq!(write_log(reader.header(), &read), bytes);
        }

        #[test]
        fn integers_are_written_as_the_standard_library_does(value: i64) {
            let mut line = Vec::new();
            push_integer(&mut line, value);
            prop_assert_eq!(line, value.to_string().into_bytes());
        }
    }

    #[test]
    fn values_no_reader_takes_are_refused() {
        let mut writer = SwfWriter::new(Vec::new());
        for record in [
            SwfRecord { run_time: LARGEST + 1, ..SwfRecord::UNKNOWN },
            SwfRecord { user: i64::MIN, ..SwfRecord::UNKNOWN },
            SwfRecord { average_cpu_time: f64::NAN, ..SwfRecord::UNKNOWN },
            SwfRecord { average_cpu_time: f64::NEG_INFINITY, ..SwfRecord::UNKNOWN },
        ] {
            let error = writer.write_record(&record).expect_err("out of range");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
        assert!(writer.into_inner().is_empty(), "nothing half written");
    }

    #[test]
    fn canonical_form_is_one_blank_and_shortest_numbers() {
        let record = SwfRecord { job_number: 12, average_cpu_time: 142.0, user: 0, ..SwfRecord::UNKNOWN };
        let mut writer = SwfWriter::new(Vec::new());
        writer.write_record(&record).expect("memory writes");
        assert_eq!(writer.into_inner(), b"12 -1 -1 -1 -1 142 -1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 -1\n");
    }
}
