//! How many lines a second the SWF reader takes: `cargo run --release --example parse_rate -- FILE [ROUNDS]`.
//!
//! Reads the file into memory first, unpacked, so that neither disk nor packing counts. Prints the best round.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use queuecast_workload::files::Input;
use queuecast_workload::swf::{Line, SwfReader, SwfWriter};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "-".to_owned());
    let rounds = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(10);
    let mut log = Vec::new();
    Input::open(Path::new(&path))?.read_to_end(&mut log)?;

    let (mut read_rate, mut write_rate) = (0.0_f64, 0.0_f64);
    let mut lines = 0;
    for _ in 0..rounds {
        let begin = Instant::now();
        let mut reader = SwfReader::new(&log[..])?;
        while let Some(line) = reader.next_line()? {
            // The whole record must be made, not only what this program looks at.
            std::hint::black_box(&line);
        }
        lines = reader.lines_read();
        read_rate = read_rate.max(lines as f64 / begin.elapsed().as_secs_f64());

        let records: Vec<_> = SwfReader::new(&log[..])?
            .filter_map(|line| if let Ok(Line::Job(record)) = line { Some(record) } else { None })
            .collect();
        let begin = Instant::now();
        let mut writer = SwfWriter::new(io::BufWriter::new(io::sink()));
        for record in &records {
            writer.write_record(record)?;
        }
        write_rate = write_rate.max(records.len() as f64 / begin.elapsed().as_secs_f64());
    }
    writeln!(io::stdout(), "{lines} lines; read {read_rate:.0} lines/s, written {write_rate:.0} records/s")
}
