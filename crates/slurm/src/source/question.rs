//! One question to a command: within a time, and within a size.
//!
//! Not for: what a command begins in its turn (`queuecast-processes`).
//!
//! Slurm's commands have no deadline of their own that one could rely on: without a controller `squeue` waits for minutes.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use queuecast_processes::Group;
use queuecast_records::source::{AnswerLimits, SourceError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// What a command prints. Standard error is read along, so that nobody waits for a full pipe, and told if it fails. No thread reads
/// them: whoever holds the other end for ever holds nobody up.
pub(super) fn answer(mut command: Command, limits: AnswerLimits) -> Result<Vec<u8>, SourceError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let not_run = |error| SourceError::NotRun { program: program.clone(), error };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let deadline = Instant::now() + limits.patience;
    // Whatever happens from here on, it ends with all that it has begun when this goes out of scope.
    let mut group = Group::begin(&mut command).map_err(not_run)?;
    let child = group.child();
    let Some((stdout, stderr)) = child.and_then(|child| child.stdout.take().zip(child.stderr.take())) else {
        return Err(not_run(io::Error::other("no pipe")));
    };
    let mut said = Pipe::new(stdout, limits.bytes).map_err(not_run)?;
    let mut complaint = Pipe::new(stderr, COMPLAINT_BYTES).map_err(not_run)?;
    loop {
        said.read().map_err(not_run)?;
        complaint.read().map_err(not_run)?;
        if said.is_cut {
            return Err(SourceError::TooMuch { program, bytes: limits.bytes });
        }
        if said.source.is_none() && group.has_ended().map_err(not_run)? {
            break;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(SourceError::TooLate { program, patience: limits.patience });
        }
        wait_for(&said, &complaint, left).map_err(not_run)?;
    }
    // Said before it ended, and perhaps since it was last looked at.
    complaint.read().map_err(not_run)?;
    let status = group.over().map_err(not_run)?;
    if status.success() {
        return Ok(said.bytes);
    }
    let complaint = String::from_utf8_lossy(&complaint.bytes);
    let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message on standard error");
    Err(SourceError::Refused { program, said: last.trim().to_owned() })
}

/// More of a complaint is not kept.
const COMPLAINT_BYTES: u64 = 64 * 1024;
/// So often it is looked whether it has ended, once its output is closed: at once, for all but the strangest.
const AT_THE_END: Duration = Duration::from_millis(2);
/// So much is read at once, and so often before the other pipe and the clock are looked at.
const PIECE: (usize, u32) = (64 * 1024, 16);

/// One end of a pipe, and what came out of it so far.
struct Pipe<S> {
    /// Gone at its end.
    source: Option<S>,
    bytes: Vec<u8>,
    most: u64,
    /// Whether there was more.
    is_cut: bool,
}

impl<S: Read + AsFd> Pipe<S> {
    fn new(source: S, most: u64) -> io::Result<Self> {
        fcntl_setfl(&source, fcntl_getfl(&source)? | OFlags::NONBLOCK)?;
        Ok(Self { source: Some(source), bytes: Vec::new(), most, is_cut: false })
    }

    /// Takes what is there. What is more than is kept is taken all the same.
    fn read(&mut self) -> io::Result<()> {
        let Some(source) = &mut self.source else { return Ok(()) };
        let mut piece = vec![0; PIECE.0];
        for _ in 0..PIECE.1 {
            match source.read(&mut piece) {
                Ok(0) => {
                    self.source = None;
                    return Ok(());
                }
                Ok(length) => {
                    let room = usize::try_from(self.most).unwrap_or(usize::MAX) - self.bytes.len();
                    self.bytes.extend_from_slice(&piece[..length.min(room)]);
                    self.is_cut |= length > room;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Waits until there is something to read, but not for longer than this.
fn wait_for(said: &Pipe<impl AsFd>, complaint: &Pipe<impl AsFd>, left: Duration) -> io::Result<()> {
    let left = if said.source.is_some() { left } else { left.min(AT_THE_END) };
    let said = said.source.as_ref().map(|source| PollFd::new(source, PollFlags::IN));
    let complaint = complaint.source.as_ref().map(|source| PollFd::new(source, PollFlags::IN));
    let mut pipes: Vec<PollFd<'_>> = said.into_iter().chain(complaint).collect();
    match poll(&mut pipes, Timespec::try_from(left).ok().as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
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

    /// How many processes there are whose environment has this in it.
    fn living(mark: &str) -> usize {
        let processes = std::fs::read_dir("/proc").expect("a system with /proc").flatten();
        let bears = |environment: Vec<u8>| environment.windows(mark.len()).any(|part| part == mark.as_bytes());
        processes.filter(|process| std::fs::read(process.path().join("environ")).is_ok_and(bears)).count()
    }

    fn threads_and_descriptors() -> (usize, usize) {
        let count = |folder: &str| std::fs::read_dir(folder).expect("a system with /proc").count();
        (count("/proc/self/task"), count("/proc/self/fd"))
    }

    #[test]
    fn a_wrapper_that_hangs_is_ended_with_all_it_has_begun_and_leaves_no_thread_and_no_descriptor() {
        let before = threads_and_descriptors();
        for (place, script) in
            ["sleep 1000", "sleep 1000 & sleep 1000", "echo said; sleep 1000 >/dev/null & wait"].iter().enumerate()
        {
            let mark = format!("QCAST_TEST_MARK={}-{place}", std::process::id());
            let (name, value) = mark.split_once('=').expect("a variable");
            let mut command = shell(&format!("{script}; true"));
            command.env(name, value);
            let error = answer(command, limits(1, 100)).expect_err("it hangs");
            assert!(matches!(error, SourceError::TooLate { .. }), "{error}");
            let patience = Instant::now() + Duration::from_secs(10);
            while living(&mark) > 0 {
                assert!(Instant::now() < patience, "{script}: {} processes live on", living(&mark));
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let after = threads_and_descriptors();
        assert!(after <= before, "{before:?} became {after:?}");
    }

    #[test]
    fn who_leaves_the_group_and_keeps_our_pipe_holds_nobody_up() {
        let before = threads_and_descriptors();
        let begun = Instant::now();
        let error = answer(shell("setsid sleep 5 & true"), limits(1, 100)).expect_err("its output stays open");
        assert!(matches!(error, SourceError::TooLate { .. }) && begun.elapsed() < Duration::from_secs(4), "{error}");
        assert!(threads_and_descriptors() <= before);
    }

    #[test]
    fn who_answers_and_leaves_somebody_behind_has_answered_and_nobody_stays() {
        let mark = format!("QCAST_TEST_LEFT={}", std::process::id());
        let (name, value) = mark.split_once('=').expect("a variable");
        let mut command = shell("sleep 1000 >/dev/null 2>&1 & echo said");
        command.env(name, value);
        assert_eq!(answer(command, limits(30, 100)).expect("an answer"), b"said\n");
        let patience = Instant::now() + Duration::from_secs(10);
        while living(&mark) > 0 {
            assert!(Instant::now() < patience, "somebody lives on");
            std::thread::sleep(Duration::from_millis(10));
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
        assert!(error.to_string().contains("/no/such/squeue") && error.to_string().contains("in PATH"), "{error}");
    }

    #[test]
    fn complaints_without_end_do_not_stop_the_answer() {
        let script = "head -c 300000 /dev/zero >&2; echo said";
        assert_eq!(answer(shell(script), limits(30, 100)).expect("it works"), b"said\n");
    }
}
