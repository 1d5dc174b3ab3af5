//! Whoever reads standard output may stop at any time (`| head -1`): that is never an error, whatever is printed and
//! however.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{scratch, written};

/// A log that gives every subcommand something to print.
fn log(folder: &Path) -> PathBuf {
    let mut log = "; MaxProcs: 4\n".to_owned();
    for job in 0..300_i64 {
        let (submit, run, wide) = (job * 37, 1 + job * 7919 % 900, 1 + job % 4);
        let limit = run * 3;
        writeln!(log, "{job} {submit} 7 {run} {wide} -1 -1 {wide} {limit} -1 1 {} 1 -1 -1 -1 -1 -1", job % 7)
            .expect("a string takes everything");
    }
    written(folder, "log.swf", &log)
}

/// What prints a result, in every format. The comparison is long enough in each for more than one write.
const RESULTS: [&[&str]; 8] = [
    &["simulate", "LOG", "--shake", "2"],
    &["compare", "LOG", "--shake", "2"],
    &["predict", "LOG"],
    &["wait", "LOG", "--method", "recent"],
    &["search", "LOG", "--method", "greedy"],
    &["meta", "LOG", "--shake", "2"],
    &["allocate", "LOG", "--shake", "2"],
    &["trace", "info", "LOG"],
];

/// What prints something else.
const OTHERS: [&[&str]; 9] = [
    &["simulate", "LOG", "--schedule", "-"],
    &["trace", "convert", "LOG", "--output", "-"],
    &["trace", "clean", "LOG", "--output", "-"],
    &["generate", "estimates", "LOG", "--maximum", "64800", "--output", "-"],
    &["generate", "lublin", "--jobs", "20000", "--output", "-"],
    &["completions", "bash"],
    &["man"],
    &["--help"],
    &["--version"],
];

fn qcast(arguments: &[&str], log: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qcast"));
    for &argument in arguments {
        if argument == "LOG" {
            command.arg(log)
        } else {
            command.arg(argument)
        };
    }
    command
}

/// Nobody reads from the beginning.
fn with_a_closed_pipe(arguments: &[&str], log: &Path) {
    let (reader, writer) = io::pipe().expect("a pipe can be made");
    drop(reader);
    let output = qcast(arguments, log).stdout(writer).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("error"), "{arguments:?}: {} {said}", output.status);
}

/// One line is read, as by `head -1`, and the pipe closed while the rest is still coming.
fn with_a_reader_of_one_line(arguments: &[&str], log: &Path) {
    let child = qcast(arguments, log).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the binary runs");
    let mut line = Vec::new();
    let pipe = child.stdout.take().expect("a pipe was asked for");
    BufReader::with_capacity(16, pipe).read_until(b'\n', &mut line).expect("it prints");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("error"), "{arguments:?}: {} {said}", output.status);
}

#[test]
fn a_result_that_nobody_reads_is_no_error_in_any_format() {
    let folder = scratch();
    let log = log(folder.path());
    for arguments in RESULTS {
        for format in ["table", "json", "csv"] {
            let arguments = [arguments, &["--format", format]].concat();
            with_a_closed_pipe(&arguments, &log);
            (0..3).for_each(|_| with_a_reader_of_one_line(&arguments, &log));
        }
    }
}

#[test]
fn a_log_or_a_page_that_nobody_reads_is_no_error() {
    let folder = scratch();
    let log = log(folder.path());
    for arguments in OTHERS {
        with_a_closed_pipe(arguments, &log);
        (0..3).for_each(|_| with_a_reader_of_one_line(arguments, &log));
    }
}

/// As it was found: in two of thirty runs.
#[test]
fn thirty_readers_of_one_line_in_a_row_see_no_error() {
    let folder = scratch();
    let log = log(folder.path());
    for format in ["table", "json", "csv"] {
        let arguments = ["compare", "LOG", "--shake", "2", "--format", format];
        (0..30).for_each(|_| with_a_reader_of_one_line(&arguments, &log));
    }
}
