//! One question to a command: within a time, and within a size.
//!
//! Slurm's commands have no deadline of their own that one could rely on: without a controller `squeue` waits for minutes.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use queuecast_records::source::{AnswerLimits, SourceError};

/// What a command prints. Standard error is read along, so that nobody waits for a full pipe, and told if it fails.
pub(super) fn answer(mut command: Command, limits: AnswerLimits) -> Result<Vec<u8>, SourceError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let not_run = |error| SourceError::NotRun { program: program.clone(), error };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let deadline = Instant::now() + limits.patience;
    let mut child = command.spawn().map_err(not_run)?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(not_run(io::Error::other("no pipe")));
    };
    let (sender, receiver) = mpsc::channel();
    let complaints = in_background(stderr, COMPLAINT_BYTES);
    let read = thread::spawn(move || {
        let mut said = Vec::new();
        let result = stdout.take(limits.bytes + 1).read_to_end(&mut said).map(|_| said);
        // Whoever asked may have stopped waiting.
        let _ = sender.send(result);
    });
    let Ok(said) = receiver.recv_timeout(limits.patience) else {
        end(child);
        return Err(SourceError::TooLate { program, patience: limits.patience });
    };
    let said = said.map_err(not_run)?;
    if said.len() as u64 > limits.bytes {
        end(child);
        return Err(SourceError::TooMuch { program, bytes: limits.bytes });
    }
    let _ = read.join();
    let Some(status) = ended_by(&mut child, deadline).map_err(not_run)? else {
        end(child);
        return Err(SourceError::TooLate { program, patience: limits.patience });
    };
    if status.success() {
        return Ok(said);
    }
    let complaint = complaints.recv_timeout(limits.patience).unwrap_or_default();
    let complaint = String::from_utf8_lossy(&complaint);
    let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it failed without a word");
    Err(SourceError::Refused { program, said: last.trim().to_owned() })
}

/// How it ended, once it has closed its output, which is at once for all but the strangest; nothing if not by then.
fn ended_by(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// More of a complaint is not kept.
const COMPLAINT_BYTES: u64 = 64 * 1024;

/// Reads all of it and hands over the beginning.
fn in_background(mut source: impl Read + Send + 'static, keep_bytes: u64) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        let _ = source.by_ref().take(keep_bytes).read_to_end(&mut said);
        let _ = sender.send(said);
        let _ = io::copy(&mut source, &mut io::sink());
    });
    receiver
}

/// Ends it. It is waited for elsewhere: one that cannot be ended, hanging in the kernel, must not hold the asker up.
fn end(mut child: Child) {
    let _ = child.kill();
    thread::spawn(move || child.wait());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn limits(seconds: u64, bytes: u64) -> AnswerLimits {
        AnswerLimits { patience: Duration::from_secs(seconds), bytes }
    }

    #[test]
    fn what_is_printed_is_the_answer() {
        assert_eq!(answer(shell("echo said; echo aside >&2"), AnswerLimits::default()).expect("it works"), b"said\n");
    }

    #[test]
    fn who_hangs_is_ended_even_with_its_output_closed() {
        for script in ["exec sleep 60", "echo said; exec sleep 60 >/dev/null"] {
            let begun = Instant::now();
            let error = answer(shell(script), limits(1, 100)).expect_err("it hangs");
            assert!(matches!(error, SourceError::TooLate { .. }), "{error}");
            assert!(begun.elapsed() < Duration::from_secs(20), "{script}");
        }
    }

    #[test]
    fn who_says_too_much_is_ended() {
        let error = answer(shell("exec yes"), limits(30, 1_000)).expect_err("it goes on for ever");
        assert!(matches!(error, SourceError::TooMuch { bytes: 1_000, .. }), "{error}");
    }

    #[test]
    fn a_failure_is_told_in_the_commands_own_words() {
        let error = answer(shell("echo first >&2; echo no such cluster >&2; exit 3"), limits(30, 100));
        assert_eq!(error.expect_err("it fails").to_string(), "sh: no such cluster");
        let error = answer(Command::new("/no/such/squeue"), limits(30, 100)).expect_err("it is not there");
        assert!(error.to_string().contains("/no/such/squeue") && error.to_string().contains("on the path"), "{error}");
    }

    #[test]
    fn complaints_without_end_do_not_stop_the_answer() {
        let script = "head -c 300000 /dev/zero >&2; echo said";
        assert_eq!(answer(shell(script), limits(30, 100)).expect("it works"), b"said\n");
    }
}
