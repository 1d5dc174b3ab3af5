//! Messages by a program: the message as JSON on its standard input, and what matters most in variables.
//!
//! Not for: choosing the program. Whoever runs it says which.
//!
//! What the program says goes where our own words go.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use queuecast_processes::Group;

use super::{DEADLINE, NotDelivered};
use crate::event::Message;
use crate::words::Words;

/// Between two looks whether it has ended.
const LOOK: Duration = Duration::from_millis(10);

/// A program that is run for every message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// The job's user, for a program that serves several.
    pub user: Option<String>,
}

impl Program {
    pub(super) fn run(&self, message: &Message, words: &Words) -> Result<(), NotDelivered> {
        let body = serde_json::to_vec(message).map_err(|error| NotDelivered::for_now(error.to_string()))?;
        let mut command = Command::new(&self.path);
        command.env("QCAST_EVENT", message.event.name()).env("QCAST_TEXT", &words.text);
        command.env("QCAST_JOB", message.job_id.as_deref().unwrap_or_default());
        command.env("QCAST_USER", self.user.as_deref().unwrap_or_default());
        fed(&mut command, &body)
    }
}

/// Runs a command with this on its standard input. It is given as long as anybody else, and ended then.
pub(super) fn fed(command: &mut Command, input: &[u8]) -> Result<(), NotDelivered> {
    let name = Path::new(command.get_program()).file_name().map_or(command.get_program(), OsStr::new);
    let name = name.to_string_lossy().into_owned();
    let failed = |error: &io::Error| NotDelivered::for_now(format!("{name}: {error}"));
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut group = Group::begin(command).map_err(|error| failed(&error))?;
    if let Some(mut pipe) = group.child().and_then(|child| child.stdin.take()) {
        // A message is shorter than what a pipe holds, so this does not wait. Whoever does not want to read it need not.
        match pipe.write_all(input) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(failed(&error)),
            _ => {}
        }
    }
    let until = Instant::now() + DEADLINE;
    while !group.has_ended().map_err(|error| failed(&error))? {
        if Instant::now() >= until {
            return Err(NotDelivered::for_now(format!("{name} did not end within {} s", DEADLINE.as_secs())));
        }
        thread::sleep(LOOK);
    }
    let status = group.over().map_err(|error| failed(&error))?;
    if status.success() { Ok(()) } else { Err(NotDelivered::for_now(format!("{name} ended with {status}"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Kind;
    use crate::sample;
    use crate::words::in_words;
    use jiff::tz::TimeZone;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn ran(script: &str) -> (Result<(), NotDelivered>, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, out) = (folder.path().join("tell"), folder.path().join("out"));
        fs::write(&path, format!("#!/bin/sh\nOUT={}\n{script}\n", out.display())).expect("our folder");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let message = sample::message(Kind::Started);
        let program = Program { path, user: Some("alice".to_owned()) };
        let outcome = program.run(&message, &in_words(&message, &TimeZone::UTC));
        (outcome, fs::read_to_string(out).unwrap_or_default())
    }

    #[test]
    fn a_program_is_given_the_message_and_its_words() {
        let (outcome, out) = ran(r#"{ cat; echo; echo "$QCAST_EVENT $QCAST_JOB $QCAST_USER: $QCAST_TEXT"; } > "$OUT""#);
        assert_eq!(outcome, Ok(()));
        let (json, said) = out.split_once('\n').expect("two lines");
        let message: Message = serde_json::from_str(json).expect("the message");
        assert_eq!(message, sample::message(Kind::Started));
        assert!(said.starts_with("started 7 alice: Job 7 (name7) on alpha started"), "{said}");
    }

    #[test]
    fn one_that_does_not_read_has_taken_it_and_one_that_fails_has_not() {
        assert_eq!(ran("exec < /dev/null; true").0, Ok(()));
        assert_eq!(ran("exit 3").0.expect_err("it failed").why, "tell ended with exit status: 3");
    }
}
