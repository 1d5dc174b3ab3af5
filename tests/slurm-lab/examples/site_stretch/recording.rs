//! Recording one stretch.
//!
//! A folder then has: `stretch.json` (what was recorded, when it began and ended), `submissions.jsonl` (a job a line, with its true run
//! time), `begin/` (settings, tree, shares at the first submission), `readings.jsonl` and `readings/SECONDS/` (the queue every ten lab
//! minutes, shares every thirty, the queue as JSON every hour), `sacct.txt` and `sshare.txt` (at the end). Every `.txt` is what Slurm printed, byte by byte;
//! `questions.json` says what it was asked.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use queuecast_slurm_lab::ClusterHandle;
use queuecast_slurm_lab::site::{self, Maintenance, SubmittedJob};
use serde_json::json;

use crate::arguments::RecordArguments;
use crate::beside::Beside;
use crate::questions::{self, Question};

/// Between two readings of the queue, in lab seconds.
const READING_SECONDS: u64 = 600;
/// Shares are read with every third of them, the whole queue with every sixth.
const READINGS_A_SHARE: u64 = 3;
const READINGS_A_WHOLE: u64 = 6;
/// How long after the last submission, in lab hours, it is waited for the last start; who has not started then is recorded as waiting.
const HOURS_TO_START_ALL: u64 = 20;
/// Settings do not depend on it; up is sooner with a fast clock.
const SPEED_FOR_SETTINGS: u32 = 100;

/// Records the settings only.
pub fn record_settings(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let lab = site::up(SPEED_FOR_SETTINGS)?;
    keep_all(&questions::settings(), lab.first_cluster(), folder)
}

/// Records a stretch.
pub fn record(arguments: &RecordArguments) -> Result<()> {
    ensure!(!arguments.to.as_os_str().is_empty(), "--to names the folder of the recording");
    let jobs = arguments.stretch()?;
    let folder = &arguments.to;
    fs::create_dir_all(folder.parent().unwrap_or(Path::new(".")))?;
    fs::create_dir(folder)
        .with_context(|| format!("making {}; a recording needs a folder of its own", folder.display()))?;
    let (at_first, readings) = (folder.join("begin"), folder.join("readings"));
    fs::create_dir(&at_first)?;
    fs::create_dir(&readings)?;
    keep_questions(folder)?;

    let lab = site::up(arguments.speed)?;
    let cluster = lab.first_cluster();
    eprintln!("the site is up; giving its users a past");
    site::give_history(cluster, arguments.plan.seed)?;
    let maintenance = Maintenance::of_stretch(arguments.plan.hours);
    site::plan_maintenance(cluster, &maintenance)?;
    keep_all(&questions::settings(), cluster, &at_first)?;
    let beside = arguments.beside.as_ref().map(|command| Beside::start(cluster, command, folder)).transpose()?;

    let (began_real, began) = (Instant::now(), lab.now_seconds()?);
    let describe = |ended: Option<i64>| {
        let description = json!({"arguments": arguments, "maintenance": maintenance, "began": began, "ended": ended,
            "history": "one job a user before it, in a QOS with UsageFactor=200"});
        fs::write(folder.join("stretch.json"), format!("{description:#}\n"))
    };
    describe(None)?;
    eprintln!("submitting {} jobs", jobs.len());
    let submissions = Mutex::new(File::create(folder.join("submissions.jsonl"))?);
    let is_over = AtomicBool::new(false);
    let speed = f64::from(arguments.speed.max(1));
    thread::scope(|scope| -> Result<()> {
        let reader = scope.spawn(|| read_until(&is_over, cluster, folder, began_real, speed));
        let tell = |submitted: &SubmittedJob| {
            let mut line = serde_json::to_vec(submitted)?;
            line.push(b'\n');
            Ok(submissions.lock().expect("no writer panics").write_all(&line)?)
        };
        let submitted = site::submit_stretch(cluster, &jobs, tell);
        let deadline = Duration::from_hours(HOURS_TO_START_ALL).div_f64(speed);
        if submitted.is_ok()
            && let Err(error) = cluster.wait_until_all_started(deadline)
        {
            eprintln!("{error:#}; the recording ends all the same");
        }
        // The last start is to be in a reading.
        thread::sleep(Duration::from_secs(READING_SECONDS).div_f64(speed));
        is_over.store(true, Ordering::Relaxed);
        let read = reader.join().expect("the reader returns its errors");
        let refused = submitted?.iter().filter(|submitted| submitted.refused.is_some()).count();
        eprintln!("{} were submitted; {refused} more were refused", jobs.len() - refused);
        read
    })?;
    drop(beside);
    keep_all(&[questions::accounting(), questions::shares()], cluster, folder)?;
    describe(Some(lab.now_seconds()?))?;
    eprintln!("recorded in {:.0} s", began_real.elapsed().as_secs_f64());
    Ok(())
}

/// Reads the queue every ten lab minutes. A reading that fails is noted and left out: a busy controller is no reason to lose a stretch.
fn read_until(
    is_over: &AtomicBool,
    cluster: ClusterHandle<'_>,
    folder: &Path,
    began: Instant,
    speed: f64,
) -> Result<()> {
    let mut index = File::create(folder.join("readings.jsonl"))?;
    for reading in 0.. {
        let offset_seconds = reading * READING_SECONDS;
        let due = Duration::from_secs(offset_seconds).div_f64(speed);
        while began.elapsed() < due {
            if is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(50).min(due.saturating_sub(began.elapsed())));
        }
        let place = folder.join("readings").join(format!("{offset_seconds:06}"));
        fs::create_dir(&place)?;
        let read_from = cluster.lab().now_seconds()?;
        let mut questions = questions::reading();
        if reading % READINGS_A_SHARE == 0 {
            questions.push(questions::shares());
        }
        if reading % READINGS_A_WHOLE == 0 {
            questions.push(questions::whole_queue());
        }
        let problem = keep_all(&questions, cluster, &place).err().map(|error| format!("{error:#}"));
        let read_to = cluster.lab().now_seconds()?;
        let line =
            json!({"offset_seconds": offset_seconds, "read_from": read_from, "read_to": read_to, "problem": problem});
        writeln!(index, "{line}")?;
    }
    Ok(())
}

fn keep_all(questions: &[Question], cluster: ClusterHandle<'_>, folder: &Path) -> Result<()> {
    questions.iter().try_for_each(|question| question.keep(cluster, folder))
}

fn keep_questions(folder: &Path) -> Result<()> {
    let mut all = questions::settings();
    all.extend(questions::reading());
    all.extend([questions::whole_queue(), questions::accounting()]);
    let asked = all
        .iter()
        .map(|question| json!({"file": question.file, "program": question.program, "arguments": question.arguments}));
    let asked = serde_json::Value::Array(asked.collect());
    Ok(fs::write(folder.join("questions.json"), format!("{asked:#}\n"))?)
}
