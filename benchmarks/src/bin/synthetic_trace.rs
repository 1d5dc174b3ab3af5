//! Writes a synthetic trace to standard output: `synthetic_trace JOBS [LOAD] [SEED]`.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use queuecast_benchmarks::SyntheticJobs;
use queuecast_workload::swf::{SwfRecord, SwfWriter};
use queuecast_workload::{Machine, Seconds};

fn main() -> ExitCode {
    let arguments: Vec<f64> = std::env::args().skip(1).map_while(|argument| argument.parse().ok()).collect();
    let Some(&jobs) = arguments.first() else {
        eprintln!("usage: synthetic_trace JOBS [LOAD] [SEED]");
        return ExitCode::from(2);
    };
    let load = arguments.get(1).copied().unwrap_or(0.9);
    let seed = arguments.get(2).copied().unwrap_or(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts a person types")]
    let written = write(jobs as usize, load, seed as u64);
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(jobs: usize, load: f64, seed: u64) -> io::Result<()> {
    let machine = Machine { processors: 4_096 };
    let mut sink = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    writeln!(sink, "; Computer: synthetic_trace {jobs} {load} {seed}\n; MaxProcs: {}", machine.processors)?;
    let mut writer = SwfWriter::new(sink);
    for job in SyntheticJobs::new(machine, load, seed).take(jobs) {
        writer.write_record(&SwfRecord::from_traced(&job, Seconds(-1)))?;
    }
    writer.into_inner().flush()
}
