//! The promise the reader makes on any bytes, as a function: the fuzzer and the corpus test both run it.

use queuecast_workload::swf::{Line, SwfHeader, SwfReader, SwfWriter};

/// Reads the bytes as a log, writes all that is good in it and reads that again.
///
/// # Panics
///
/// If the reader or writer fails, or what was written is not what was read. It also panics where they do.
pub fn read_write_read(bytes: &[u8]) {
    let (header, lines) = read(bytes);
    let good: Vec<Line> = lines.into_iter().filter(|line| !matches!(line, Line::Bad(_))).collect();
    let written = write(&header, &good);
    let (header_again, lines_again) = read(&written);
    // Without the bad lines between them, comments may have moved up into the header: the sequence must be the same.
    assert_eq!(sequence(&header, &good), sequence(&header_again, &lines_again));
    assert_eq!(write(&header_again, &lines_again), written);
}

fn read(bytes: &[u8]) -> (SwfHeader, Vec<Line>) {
    let reader = SwfReader::new(bytes).expect("memory reads");
    let header = reader.header().clone();
    (header, reader.map(|line| line.expect("memory reads")).collect())
}

fn write(header: &SwfHeader, lines: &[Line]) -> Vec<u8> {
    let mut writer = SwfWriter::new(Vec::new());
    writer.write_header(header).expect("memory writes");
    for line in lines {
        match line {
            Line::Job(record) => writer.write_record(record).expect("what was read can be written"),
            Line::Comment(comment) => writer.write_comment(comment).expect("memory writes"),
            Line::Bad(bad) => panic!("a bad line in what was written: {bad}"),
        }
    }
    writer.into_inner()
}

fn sequence(header: &SwfHeader, lines: &[Line]) -> Vec<Line> {
    header.comments.iter().cloned().map(Line::Comment).chain(lines.iter().cloned()).collect()
}
