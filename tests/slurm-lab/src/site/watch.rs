//! Keeping what `qcast serve` tells while a stretch is submitted: the whole queue every ten lab minutes, and some jobs just before they
//! are submitted and right after, each asked about by `qcast` as its user.
//!
//! For: judging forecasts by what came (`tests/recorded`).
//!
//! Not for: starting the daemon; judging.
//!
//! Into the recording's folder go `forecasts/SECONDS.json` (`qcast queue`, as it was printed; `SECONDS.problem` if there was no answer),
//! `probes.jsonl` (a [`Probe`] a line) and, always the last, `daemon/health.json`, `daemon/score.json` and `daemon/metrics.txt`.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::stretch::{DependencyKind, StretchJob};
use super::submission::SubmittedJob;
use crate::daemon;
use crate::users;

/// Between two readings of the queue, in lab seconds, as the recorder reads Slurm's.
const READING_SECONDS: u64 = 600;
/// So long before its submission a job is asked about, in lab seconds: `qcast` needs some of it to start.
const BEFORE_SECONDS: f64 = 45.0;
/// So often it is looked whether a job was submitted, and asked whether it is told of, in real time. A user may ask twice a second.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const ASK_EVERY: Duration = Duration::from_millis(500);
/// For so long, in real time.
const PATIENCE: Duration = Duration::from_secs(40);
/// What `qcast` ends with if it did not understand.
const NOT_UNDERSTOOD: i32 = 2;

/// The lab's clock, as `qcast serve --clock` takes it.
#[derive(Clone, Copy, Debug)]
pub struct FastClock {
    real: f64,
    shown: f64,
    speed: f64,
}

impl FastClock {
    /// Reads `REAL:SHOWN:SPEED`.
    pub fn parse(text: &str) -> Result<Self> {
        let numbers: Vec<f64> =
            text.split(':').map(str::parse).collect::<Result<_, _>>().with_context(|| text.to_owned())?;
        let [real, shown, speed] = numbers[..] else { bail!("{text} is not REAL:SHOWN:SPEED") };
        Ok(Self { real, shown, speed })
    }

    fn now(self) -> f64 {
        let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        self.shown + (real - self.real) * self.speed
    }
}

/// A question about one job, and its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskedOnce {
    /// When it was asked, in lab seconds from the beginning.
    pub asked_offset_seconds: f64,
    /// When it was answered.
    pub answered_offset_seconds: f64,
    /// The exit code.
    pub code: Option<i32>,
    /// What was printed, if it is JSON.
    pub answer: Option<Value>,
    /// What was complained.
    pub complaint: String,
    /// What `qcast when` was told.
    pub arguments: Vec<String>,
}

/// A job that was asked about before and after it was submitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Probe {
    /// Its place in the stretch.
    pub index: usize,
    /// Whose.
    pub user: String,
    /// Where it was sent.
    pub partition: String,
    /// When it was to be submitted.
    pub submit_offset_seconds: u32,
    /// Its number, if it was taken.
    pub job_id: Option<u64>,
    /// The question before.
    pub before: AskedOnce,
    /// The first answer after that knows it, else the last.
    pub after: Option<AskedOnce>,
}

/// What is watched.
#[derive(Clone, Debug)]
pub struct Watch {
    /// `qcast`, where every user may run it.
    pub qcast: PathBuf,
    /// The daemon's socket.
    pub socket: PathBuf,
    /// The folder of the recording.
    pub recording: PathBuf,
    /// The lab's clock.
    pub clock: FastClock,
    /// When the stretch began, by it.
    pub began: i64,
}

impl Watch {
    /// Keeps what is told until it is over.
    pub fn keep(&self, probes: &[&StretchJob], is_over: &AtomicBool) -> Result<()> {
        for folder in ["forecasts", "scripts", "daemon"] {
            fs::create_dir_all(self.recording.join(folder))?;
        }
        let lines = Mutex::new(File::create(self.recording.join("probes.jsonl"))?);
        thread::scope(|scope| {
            for job in probes {
                let lines = &lines;
                scope.spawn(move || match self.probe(job, is_over) {
                    Ok(Some(probe)) => {
                        let line = serde_json::to_string(&probe).expect("a probe is plain data") + "\n";
                        if let Err(error) = lines.lock().expect("no writer panics").write_all(line.as_bytes()) {
                            eprintln!("probe {}: {error}", job.index);
                        }
                    }
                    Ok(None) => {}
                    Err(error) => eprintln!("probe {}: {error:#}", job.index),
                });
            }
            for reading in 0.. {
                let offset = reading * READING_SECONDS;
                if !self.wait_until(offset as f64, is_over) {
                    return Ok(());
                }
                self.read_queue(offset)?;
            }
            Ok(())
        })
    }

    fn offset(&self) -> f64 {
        self.clock.now() - self.began as f64
    }

    /// Whether that time came before it was over.
    fn wait_until(&self, offset_seconds: f64, is_over: &AtomicBool) -> bool {
        while self.offset() < offset_seconds && !is_over.load(Ordering::Relaxed) {
            let left = ((offset_seconds - self.offset()) / self.clock.speed).max(0.0);
            thread::sleep(Duration::from_secs_f64(left).min(Duration::from_millis(50)));
        }
        !is_over.load(Ordering::Relaxed)
    }

    fn read_queue(&self, offset: u64) -> Result<()> {
        let said =
            Command::new(&self.qcast).args(["queue", "--format", "json", "--socket"]).arg(&self.socket).output()?;
        let place = self.recording.join("forecasts");
        let (bytes, kind) = if said.status.success() { (said.stdout, "json") } else { (said.stderr, "problem") };
        keep(&place.join(format!("{offset:06}.{kind}")), &bytes)?;
        for (path, file) in [("/v1/health", "health.json"), ("/v1/score", "score.json"), ("/metrics", "metrics.txt")] {
            // The last answer will do; one that fails is the daemon's trouble and shows in the readings.
            if let Ok(bytes) = daemon::get_bytes(&self.socket, path) {
                keep(&self.recording.join("daemon").join(file), &bytes)?;
            }
        }
        Ok(())
    }

    /// Asks before and after; nothing if it was over before.
    fn probe(&self, job: &StretchJob, is_over: &AtomicBool) -> Result<Option<Probe>> {
        if !self.wait_until(f64::from(job.submit_offset_seconds) - BEFORE_SECONDS, is_over) {
            return Ok(None);
        }
        let before = self.ask_before(job)?;
        let begun = std::time::Instant::now();
        let goes_on = || begun.elapsed() < PATIENCE && !is_over.load(Ordering::Relaxed);
        let mut submitted = self.submitted(job.index);
        while submitted.is_none() && goes_on() {
            thread::sleep(LOOK_EVERY);
            submitted = self.submitted(job.index);
        }
        let job_id = submitted.and_then(|submitted| submitted.job_id).map(|number| u64::from(number.0));
        let mut after = None;
        while let Some(number) = job_id {
            let asked = self.ask(&job.user, vec![number.to_string()])?;
            let is_known = asked.answer.is_some();
            after = Some(asked);
            if is_known || !goes_on() {
                break;
            }
            thread::sleep(ASK_EVERY);
        }
        let (user, partition) = (job.user.clone(), job.partition.clone());
        let submit_offset_seconds = job.submit_offset_seconds;
        Ok(Some(Probe { index: job.index, user, partition, submit_offset_seconds, job_id, before, after }))
    }

    /// With the words of sbatch; where they are not understood, with a script that says the same, of which what is not understood is
    /// left out.
    fn ask_before(&self, job: &StretchJob) -> Result<AskedOnce> {
        let words = self.words(job)?;
        if !job.is_heterogeneous {
            let asked = self.ask(&job.user, words.clone())?;
            if asked.code != Some(NOT_UNDERSTOOD) {
                return Ok(asked);
            }
        }
        let path = self.recording.join(format!("scripts/{}.sh", job.index));
        let line =
            |word: &String| if word == ":" { "#SBATCH hetjob\n".to_owned() } else { format!("#SBATCH {word}\n") };
        fs::write(&path, "#!/bin/sh\n".to_owned() + &words.iter().map(line).collect::<String>() + "true\n")?;
        self.ask(&job.user, vec![path.display().to_string()])
    }

    fn words(&self, job: &StretchJob) -> Result<Vec<String>> {
        // `qcast` sees the machine's clock, not the lab's.
        let absolute =
            |word: &String| match word.strip_prefix("--begin=now+").and_then(|after| after.parse::<i64>().ok()) {
                Some(after) => {
                    Ok(format!("--begin={}", written(self.began + i64::from(job.submit_offset_seconds) + after)?))
                }
                None => anyhow::Ok(word.clone()),
            };
        let mut words: Vec<String> = job.arguments.iter().map(absolute).collect::<Result<_>>()?;
        if let Some(dependency) = job.dependency {
            let number = dependency.on_index.and_then(|index| self.submitted(index)?.job_id);
            match (dependency.kind, number) {
                (DependencyKind::Singleton, _) => words.insert(0, "--dependency=singleton".to_owned()),
                (DependencyKind::AfterAny, Some(number)) => words.insert(0, format!("--dependency=afterany:{number}")),
                (DependencyKind::AfterOk, Some(number)) => words.insert(0, format!("--dependency=afterok:{number}")),
                (_, None) => {}
            }
        }
        Ok(words)
    }

    /// What the recorder has noted of a submission, if it was made.
    fn submitted(&self, index: usize) -> Option<SubmittedJob> {
        let text = fs::read_to_string(self.recording.join("submissions.jsonl")).ok()?;
        let written = format!("\"index\":{index},");
        // The last line may be half written.
        text.lines().filter(|line| line.contains(&written)).find_map(|line| {
            serde_json::from_str(line).ok().filter(|submitted: &SubmittedJob| submitted.job.index == index)
        })
    }

    fn ask(&self, user: &str, arguments: Vec<String>) -> Result<AskedOnce> {
        let number = users::number(user).with_context(|| format!("the lab has no user {user}"))?;
        let asked_offset_seconds = self.offset();
        let mut command = Command::new(&self.qcast);
        command.args(["when", "--format", "json", "--socket"]).arg(&self.socket).args(&arguments);
        command.uid(number).gid(number).env("USER", user).env("TZ", "UTC").current_dir("/");
        let said = command.output().with_context(|| format!("running {}", self.qcast.display()))?;
        Ok(AskedOnce {
            asked_offset_seconds,
            answered_offset_seconds: self.offset(),
            code: said.status.code(),
            answer: serde_json::from_slice(&said.stdout).ok(),
            complaint: String::from_utf8_lossy(&said.stderr).trim().to_owned(),
            arguments,
        })
    }
}

/// Whole or not at all: whoever watches may be ended at any moment.
fn keep(path: &Path, bytes: &[u8]) -> Result<()> {
    let partial = path.with_extension("partial");
    fs::write(&partial, bytes)?;
    fs::rename(&partial, path).with_context(|| path.display().to_string())
}

/// A time as sbatch takes it, in UTC.
fn written(unix: i64) -> Result<String> {
    let said = Command::new("date").args(["-u", "+%Y-%m-%dT%H:%M:%S", "-d", &format!("@{unix}")]).output()?;
    Ok(String::from_utf8(said.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_read_and_runs_fast() {
        let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
        let clock = FastClock::parse(&format!("{}:1000:100", real - 10.0)).unwrap();
        assert!((2_000.0..2_100.0).contains(&clock.now()), "{}", clock.now());
        assert!(FastClock::parse("1:2").is_err() && FastClock::parse("1:2:x").is_err());
    }

    #[test]
    fn times_are_written_as_sbatch_takes_them() {
        assert_eq!(written(951_782_400).unwrap(), "2000-02-29T00:00:00");
    }
}
