//! The processes a lab has started: recorded by number, ended by number.
//!
//! Not for: the processes of jobs, which Slurm starts (`leftovers.rs`).
//!
//! A number alone is no name: it is given out again after its process has ended. Beside it stands when the process
//! began, in the clock ticks of `/proc`, so that a stranger is never taken for a daemon of ours.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::folder::Folder;
use crate::wait::wait_until;

/// A process that was started.
#[derive(Debug)]
pub struct Process {
    name: String,
    number: u32,
    begun_ticks: u64,
    /// Present in the process that started it, which must collect it when it has ended.
    child: Option<Child>,
}

impl Process {
    /// Whether it still runs (one that has ended but was not collected does not).
    pub fn is_alive(&self) -> bool {
        begun_ticks(self.number) == Some(self.begun_ticks)
    }

    /// Sends a signal by the name `kill` knows; to a process that has ended, nothing.
    pub fn signal(&self, signal: &str) -> Result<()> {
        if self.is_alive() { kill(signal, &[self.number]) } else { Ok(()) }
    }

    /// Ends it at once and collects it.
    pub fn end(&mut self) -> Result<()> {
        self.signal("KILL")?;
        self.collect()
    }

    /// Asks it to end, and collects it; after the deadline it is made to.
    pub fn end_politely(&mut self, deadline: Duration) -> Result<()> {
        self.signal("TERM")?;
        // A stopped process would sleep through the request.
        self.signal("CONT")?;
        if wait_until(&self.name, deadline, || Ok(!self.is_alive())).is_err() {
            self.signal("KILL")?;
        }
        self.collect()
    }

    fn collect(&mut self) -> Result<()> {
        match &mut self.child {
            Some(child) => drop(child.wait()?),
            None => wait_until(&self.name, Duration::from_secs(10), || Ok(!self.is_alive()))?,
        }
        Ok(())
    }

    /// What it is called in the lab.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its number.
    pub fn number(&self) -> u32 {
        self.number
    }
}

/// The processes of one lab, in the order in which they were started.
#[derive(Debug)]
pub struct Processes {
    folder: Folder,
    started: Vec<Process>,
}

impl Processes {
    /// None yet.
    pub fn of(folder: &Folder) -> Self {
        Self { folder: folder.clone(), started: Vec::new() }
    }

    /// Those another process has started in this folder.
    pub fn recorded(folder: &Folder) -> Result<Self> {
        let record = fs::read_to_string(folder.running("processes"))?;
        let started = record.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, number, ticks) = (words.next()?, words.next()?, words.next()?);
            Some(Process {
                name: name.to_owned(),
                number: number.parse().ok()?,
                begun_ticks: ticks.parse().ok()?,
                child: None,
            })
        });
        Ok(Self { folder: folder.clone(), started: started.collect() })
    }

    /// Starts a process in a group of its own, so that Ctrl-C at a terminal does not reach it, and records it.
    pub fn start(&mut self, name: &str, command: &mut Command) -> Result<()> {
        let said = File::options().create(true).append(true).open(self.folder.log(&format!("{name}.out")))?;
        let child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(said.try_clone()?)
            .stderr(said)
            .spawn()
            .with_context(|| format!("starting {name}"))?;
        let number = child.id();
        let begun_ticks = begun_ticks(number).unwrap_or(0);
        let mut record = OpenOptions::new().create(true).append(true).open(self.folder.running("processes"))?;
        writeln!(record, "{name} {number} {begun_ticks}")?;
        self.started.retain(|process| process.name != name);
        self.started.push(Process { name: name.to_owned(), number, begun_ticks, child: Some(child) });
        Ok(())
    }

    /// The process of this name.
    pub fn named(&mut self, name: &str) -> Result<&mut Process> {
        let found = self.started.iter_mut().rfind(|process| process.name == name);
        found.with_context(|| format!("the lab has no process {name}"))
    }

    /// All of them.
    pub fn all(&self) -> &[Process] {
        &self.started
    }

    /// Ends all at once, by one call of `kill`, and collects them.
    pub fn end_all(&mut self) -> Result<()> {
        let alive: Vec<u32> = self.started.iter().filter(|process| process.is_alive()).map(|p| p.number).collect();
        if !alive.is_empty() {
            // A process may end between the look and the kill; whether all are gone is seen right below.
            drop(kill("KILL", &alive));
        }
        self.started.iter_mut().try_for_each(Process::collect)
    }
}

/// Sends a signal to processes by number. By the command, because std has no signals and this crate no unsafe code.
pub fn kill(signal: &str, numbers: &[u32]) -> Result<()> {
    let mut command = Command::new("kill");
    command.arg(format!("-{signal}")).args(numbers.iter().map(u32::to_string));
    let output = command.output()?;
    if !output.status.success() {
        bail!("kill -{signal}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// When a process began, in clock ticks since the machine started; nothing if it has ended, collected or not.
fn begun_ticks(number: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The second field is the name in brackets and may hold anything; counting starts behind it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if state == "Z" || state == "X" { None } else { fields.nth(18)?.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> (tempfile::TempDir, Folder) {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Folder::at(scratch.path());
        for part in ["run", "log"] {
            fs::create_dir(scratch.path().join(part)).unwrap();
        }
        (scratch, folder)
    }

    #[test]
    fn a_started_process_is_recorded_and_ended_by_its_number() {
        let (_scratch, folder) = scratch();
        let mut processes = Processes::of(&folder);
        processes.start("sleeper", Command::new("sleep").arg("60")).unwrap();
        let recorded = Processes::recorded(&folder).unwrap();
        assert!(recorded.all()[0].is_alive());
        processes.end_all().unwrap();
        assert!(!recorded.all()[0].is_alive());
    }

    #[test]
    fn a_number_that_began_at_another_time_is_a_stranger() {
        let stranger = Process { name: "stranger".to_owned(), number: std::process::id(), begun_ticks: 1, child: None };
        assert!(!stranger.is_alive());
        stranger.signal("KILL").unwrap();
    }
}
