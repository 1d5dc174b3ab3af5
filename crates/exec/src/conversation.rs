//! A program that runs and is spoken to: lines to its standard input, one line back for each question.
//!
//! For: speed and patience. What needs no answer is kept until something is asked, so that a program is woken once a question. Whatever it
//! does, nobody here waits for longer than its patience: no pipe is read or written that would block, and all three are looked after
//! together, so that a program that complains at length does not stand still.
//!
//! Not for: what the lines mean (`message`); ending what a program has begun (`queuecast-processes`).

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use queuecast_processes::Group;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use crate::failure::{ExecFailure, Fault};
use crate::message::{Answer, Event, Kind, Line, PROTOCOL, Ready};
use crate::program::Program;

/// The longest line of a program.
const LINE_BYTES: usize = 1024 * 1024;
/// More than this is sent although nothing is asked.
const UNSENT_BYTES: usize = 256 * 1024;
/// So much of its complaints is kept: the end.
const LAST_WORDS_BYTES: usize = 4 * 1024;
/// So much of a line is told again.
const TOLD_CHARACTERS: usize = 300;
/// So long a program that is told nothing more may take to end by itself.
const AT_THE_END: Duration = Duration::from_secs(5);
/// So often it is looked whether it has.
const LOOKED_EVERY: Duration = Duration::from_millis(2);
/// So much is read at once.
const PIECE: usize = 8 * 1024;

/// A program that runs. Dropped, it is ended with all that it has begun.
#[derive(Debug)]
pub struct Conversation {
    program: String,
    patience: Duration,
    /// Gone once it was waited for.
    group: Option<Group>,
    /// Gone once it is closed, by either side.
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    unsent: Vec<u8>,
    /// What it said and nobody has read as a line yet.
    said: Vec<u8>,
    last_words: Vec<u8>,
    questions: u64,
    has_failed: bool,
}

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Sent,
    Answered,
}

impl Conversation {
    /// Starts a program and agrees on the protocol with it.
    pub fn begin(program: &Program, kind: Kind, processors: Option<u32>) -> Result<Self, Box<ExecFailure>> {
        let mut command = program.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let begun = Group::begin(&mut command).and_then(|mut group| {
            let child = group.child().ok_or_else(|| io::Error::other("no process"))?;
            let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { return Err(io::Error::other("no pipe")) };
            never_block(&stdin)?;
            never_block(&stdout)?;
            never_block(&stderr)?;
            Ok((group, stdin, stdout, stderr))
        });
        let (group, stdin, stdout, stderr) = begun.map_err(|error| {
            Box::new(ExecFailure {
                program: program.said().to_owned(),
                fault: Fault::NotStarted(error),
                question: None,
                expected: String::new(),
                last_words: String::new(),
            })
        })?;
        let mut conversation = Self {
            program: program.said().to_owned(),
            patience: program.patience(),
            group: Some(group),
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            unsent: Vec::new(),
            said: Vec::new(),
            last_words: Vec::new(),
            questions: 0,
            has_failed: false,
        };
        conversation.ask(&Event::Begin { protocol: PROTOCOL, kind, processors }, |ready: Ready| {
            let is_ours = ready.protocol == PROTOCOL;
            is_ours
                .then_some(())
                .ok_or_else(|| format!("qcast uses protocol {PROTOCOL}, the program uses {}", ready.protocol))
        })?;
        Ok(conversation)
    }

    /// Tells what needs no answer. It is sent with the next question.
    pub fn tell(&mut self, event: &Event) -> Result<(), Box<ExecFailure>> {
        self.write(event, None);
        if self.unsent.len() > UNSENT_BYTES { self.exchange(Until::Sent) } else { Ok(()) }
    }

    /// Asks, and lets `meant` say what the answer means or what is wrong with it.
    pub fn ask<A: Answer, T>(
        &mut self,
        event: &Event,
        meant: impl FnOnce(A) -> Result<T, String>,
    ) -> Result<T, Box<ExecFailure>> {
        self.hear_nothing()?;
        self.questions += 1;
        let question = self.questions;
        let begins = self.unsent.len();
        self.write(event, Some(question));
        // Told only if something goes wrong, but by then the line is gone.
        let line = self.unsent[begins..].trim_ascii_end().to_vec();
        self.exchange(Until::Answered).map_err(|failure| failure.asked::<A>(&line, question))?;
        let answered = self.take_line().and_then(|said| {
            let understood = serde_json::from_slice(&said).map_err(|error| error.to_string()).and_then(|answer: A| {
                let number = answer.question();
                let is_this = number == question;
                is_this
                    .then_some(answer)
                    .ok_or_else(|| format!("the answer is for question {number}; expected {question}"))
            });
            understood
                .and_then(meant)
                .map_err(|why| self.failure(Fault::NotUnderstood { line: question, said: shown(&said), why }))
        });
        answered.map_err(|failure| failure.asked::<A>(&line, question))
    }

    fn write(&mut self, event: &Event, question: Option<u64>) {
        serde_json::to_writer(&mut self.unsent, &Line { event, question }).expect("numbers and words can be written");
        self.unsent.push(b'\n');
    }

    /// The line that was said, which must be all that was.
    fn take_line(&mut self) -> Result<Vec<u8>, Box<ExecFailure>> {
        let end = self.said.iter().position(|byte| *byte == b'\n').unwrap_or(self.said.len());
        let more = self.said.split_off((end + 1).min(self.said.len()));
        let mut line = std::mem::replace(&mut self.said, more);
        line.truncate(end);
        self.nothing_more()?;
        Ok(line)
    }

    /// Whoever answers before it is asked has not heard what it answers.
    fn hear_nothing(&mut self) -> Result<(), Box<ExecFailure>> {
        self.read_answers().map_err(|error| self.failure(Fault::Pipe(error)))?;
        self.nothing_more()
    }

    fn nothing_more(&mut self) -> Result<(), Box<ExecFailure>> {
        if self.said.is_empty() {
            return Ok(());
        }
        let said = shown(self.said.split(|byte| *byte == b'\n').next().unwrap_or_default());
        Err(self.failure(Fault::Unasked { said }))
    }

    /// Sends what is unsent and reads what is said, until the one or the other is done.
    fn exchange(&mut self, until: Until) -> Result<(), Box<ExecFailure>> {
        let deadline = Instant::now() + self.patience;
        let mut looked_to = 0;
        loop {
            self.send().map_err(|error| self.failure(Fault::Pipe(error)))?;
            if until == Until::Sent {
                self.hear_nothing()?;
                if self.unsent.is_empty() {
                    return Ok(());
                }
            }
            if until == Until::Answered && self.said[looked_to..].contains(&b'\n') {
                return Ok(());
            }
            looked_to = self.said.len();
            if looked_to > LINE_BYTES {
                return Err(self.failure(Fault::TooLong { line: self.questions, bytes: LINE_BYTES }));
            }
            if self.stdout.is_none() {
                let status = self.how_it_ended();
                return Err(self.failure(Fault::Ended { status }));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.too_late());
            }
            self.wait(left).map_err(|error| self.failure(Fault::Pipe(error)))?;
        }
    }

    fn too_late(&mut self) -> Box<ExecFailure> {
        let patience = self.patience;
        let has_ended = self.group.as_ref().is_some_and(|group| group.has_ended().unwrap_or(false));
        if has_ended {
            // Somebody it has left behind holds its pipes.
            let status = self.how_it_ended();
            return self.failure(Fault::Ended { status });
        }
        let is_deaf = !self.unsent.is_empty() && self.stdin.is_some();
        self.failure(if is_deaf { Fault::Deaf { patience } } else { Fault::Silent { patience } })
    }

    /// As much as goes. Who has closed its input may still have answered, and is not at fault for that alone.
    fn send(&mut self) -> io::Result<()> {
        let mut sent = 0;
        while let (Some(stdin), true) = (&mut self.stdin, sent < self.unsent.len()) {
            match stdin.write(&self.unsent[sent..]) {
                Ok(length) => sent += length,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.stdin = None,
                Err(error) => return Err(error),
            }
        }
        if self.stdin.is_none() {
            sent = self.unsent.len();
        }
        self.unsent.drain(..sent);
        Ok(())
    }

    /// Waits until something can be read or sent, and reads it; not for longer than this.
    fn wait(&mut self, left: Duration) -> io::Result<()> {
        let mut pipes = Vec::with_capacity(3);
        let stdout = self.stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN));
        let stderr = self.stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN));
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let has_stderr = stderr.is_some();
        pipes.extend(stderr);
        pipes.extend(stdout);
        pipes.extend(stdin.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        match poll(&mut pipes, Timespec::try_from(left).ok().as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let complains = has_stderr && !pipes[0].revents().is_empty();
        drop(pipes);
        if complains {
            self.read_complaints();
        }
        self.read_answers()
    }

    /// A piece of what it said; more than a line's length is nobody's answer, and is left where it is.
    fn read_answers(&mut self) -> io::Result<()> {
        let Some(stdout) = &mut self.stdout else { return Ok(()) };
        if self.said.len() > LINE_BYTES {
            return Ok(());
        }
        if read_into(stdout, &mut self.said)? == Some(0) {
            self.stdout = None;
        }
        Ok(())
    }

    fn read_complaints(&mut self) {
        let Some(stderr) = &mut self.stderr else { return };
        // That its complaints cannot be read is no reason to stop.
        if matches!(read_into(stderr, &mut self.last_words), Ok(Some(0)) | Err(_)) {
            self.stderr = None;
        }
        let before = self.last_words.len().saturating_sub(LAST_WORDS_BYTES);
        self.last_words.drain(..before);
    }

    /// How it ended, if it has or does so at once.
    fn how_it_ended(&mut self) -> Option<ExitStatus> {
        self.wait_for_its_end(AT_THE_END.min(self.patience));
        let group = self.group.take()?;
        if group.has_ended().unwrap_or(false) {
            return group.over().ok();
        }
        self.group = Some(group);
        None
    }

    fn wait_for_its_end(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while let Some(group) = &self.group {
            if group.has_ended().unwrap_or(true) || Instant::now() >= deadline {
                return;
            }
            self.read_complaints();
            std::thread::sleep(LOOKED_EVERY);
        }
    }

    fn failure(&mut self, fault: Fault) -> Box<ExecFailure> {
        self.has_failed = true;
        // Said before it failed, and perhaps not looked at since.
        for _ in 0..LAST_WORDS_BYTES {
            let before = self.last_words.len();
            self.read_complaints();
            if self.stderr.is_none() || self.last_words.len() == before {
                break;
            }
        }
        let words = String::from_utf8_lossy(&self.last_words);
        let last = words.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        let last_words = if last.is_empty() { String::new() } else { shown(last.trim().as_bytes()) };
        let (program, expected) = (self.program.clone(), String::new());
        Box::new(ExecFailure { program, fault, question: None, expected, last_words })
    }
}

impl ExecFailure {
    fn asked<A: Answer>(mut self: Box<Self>, line: &[u8], question: u64) -> Box<Self> {
        self.question = Some(String::from_utf8_lossy(line).into_owned());
        self.expected = format!("{{\"answer\":{question},{}}}", A::EXPECTED);
        self
    }
}

/// A program that did nothing wrong hears the last events and that there are no more, and may end by itself.
impl Drop for Conversation {
    fn drop(&mut self) {
        if self.has_failed || std::thread::panicking() {
            return;
        }
        let deadline = Instant::now() + AT_THE_END;
        while self.stdin.is_some() && !self.unsent.is_empty() && Instant::now() < deadline {
            self.said.clear();
            if self.send().is_err() || self.wait(LOOKED_EVERY).is_err() {
                break;
            }
        }
        self.stdin = None;
        self.wait_for_its_end(deadline.saturating_duration_since(Instant::now()));
    }
}

fn never_block(pipe: impl AsFd) -> io::Result<()> {
    fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
    Ok(())
}

/// How much was read: nothing at the end, `None` if there is nothing yet.
fn read_into(source: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<Option<usize>> {
    let before = bytes.len();
    bytes.resize(before + PIECE, 0);
    let read = loop {
        match source.read(&mut bytes[before..]) {
            Ok(length) => break Ok(Some(length)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break Ok(None),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    bytes.truncate(before + read.as_ref().map_or(0, |length| length.unwrap_or(0)));
    read
}

/// What a program said, short and such that it does nothing to a terminal.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let more = if text.chars().nth(TOLD_CHARACTERS).is_some() { "..." } else { "" };
    let begins: String = text.chars().take(TOLD_CHARACTERS).collect();
    format!("{begins:?}{more}")
}
