//! What is in a recording, and what would be in one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result};
use queuecast_records::{BaseState, JobRecord, StartedBy};
use queuecast_slurm::text::{self, Entry, Mark, SacctReader};
use queuecast_slurm_lab::site::{CLUSTER, GPUS, StretchJob, SubmittedJob};

use crate::arguments::RecordArguments;
use crate::questions::MARK;

/// Prints what would be submitted.
pub fn plan(arguments: &RecordArguments) -> Result<()> {
    let jobs = arguments.stretch()?;
    let (load, gpus) = (arguments.plan.load_of(&jobs), arguments.plan.gpus_of(&jobs));
    println!("{} submissions from job {} on, load {load:.2}, {gpus:.1} of {GPUS} GPUs", jobs.len(), arguments.skip);
    print_kinds(&jobs);
    if !arguments.to.as_os_str().is_empty() {
        let lines = jobs.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        fs::write(&arguments.to, lines.join("\n") + "\n")?;
    }
    Ok(())
}

/// Prints what is in a recording.
pub fn describe(folder: &Path) -> Result<()> {
    let text = fs::read_to_string(folder.join("submissions.jsonl")).context("no recording")?;
    let submitted = text.lines().map(serde_json::from_str).collect::<Result<Vec<SubmittedJob>, _>>()?;
    let refused: Vec<&str> = submitted.iter().filter_map(|job| job.refused.as_deref()).collect();
    println!(
        "{} submissions, {} refused {:?}",
        submitted.len(),
        refused.len(),
        refused.iter().collect::<BTreeSet<_>>()
    );
    let mut late: Vec<f64> =
        submitted.iter().map(|job| job.answered_offset_seconds - f64::from(job.job.submit_offset_seconds)).collect();
    late.sort_by(f64::total_cmp);
    if let (Some(median), Some(most)) = (late.get(late.len() / 2), late.last()) {
        println!("answered late by, in lab seconds: median {median:.0}, most {most:.0}");
    }
    let jobs: Vec<StretchJob> = submitted.into_iter().map(|job| job.job).collect();
    print_kinds(&jobs);
    print_settings(&folder.join("begin"))?;
    if folder.join("sacct.txt").exists() {
        print_accounting(folder)?;
    }
    print_readings(folder)
}

/// How much of the settings the product's readers read, and what they did not understand.
fn print_settings(begin: &Path) -> Result<()> {
    let read = |file: &str| fs::read(begin.join(file)).with_context(|| format!("{file} of {}", begin.display()));
    let nodes = text::nodes(&read("nodes.txt")?);
    let partitions = text::partitions(&read("partitions.txt")?);
    let qos = text::qos(&read("qos.txt")?);
    let associations = text::associations(&read("associations.txt")?);
    let shares = text::shares(&read("sshare.txt")?);
    println!(
        "{} nodes, {} partitions, {} qualities of service, {} associations, {} shares",
        nodes.records.len(),
        partitions.records.len(),
        qos.records.len(),
        associations.records.len(),
        shares.records.len(),
    );
    let problems = [nodes.problems, partitions.problems, qos.problems, associations.problems, shares.problems];
    for problem in problems.iter().flatten() {
        println!("  not understood: {problem}");
    }
    Ok(())
}

fn print_kinds(jobs: &[StretchJob]) {
    let mut partitions: BTreeMap<&str, usize> = BTreeMap::new();
    for job in jobs {
        *partitions.entry(&job.partition).or_default() += 1;
    }
    let count = |is: &dyn Fn(&StretchJob) -> bool| jobs.iter().filter(|job| is(job)).count();
    println!("by partition: {partitions:?}");
    println!(
        "{} arrays of {} tasks, {} that depend, {} heterogeneous, {} in high, {} run to their limit, {} users",
        count(&|job| job.array.is_some()),
        jobs.iter().filter_map(|job| job.array).map(|array| array.tasks).sum::<u32>(),
        count(&|job| job.dependency.is_some()),
        count(&|job| job.is_heterogeneous),
        count(&|job| job.qos.is_some()),
        count(&|job| job.run_seconds.iter().any(|run| *run > job.limit_minutes * 60)),
        jobs.iter().map(|job| &job.user).collect::<BTreeSet<_>>().len(),
    );
}

fn print_accounting(folder: &Path) -> Result<()> {
    let mut reader = SacctReader::new(BufReader::new(File::open(folder.join("sacct.txt"))?), None)?;
    let (mut records, mut bad) = (Vec::new(), 0);
    while let Some(entry) = reader.next_entry()? {
        match entry {
            Entry::Job(job) if job.qos != "history" => records.push(*job),
            Entry::Bad(_) => bad += 1,
            Entry::Job(_) | Entry::Step => {}
        }
    }
    println!("accounting: {} records, {bad} not understood", records.len());
    let mut states: BTreeMap<String, usize> = BTreeMap::new();
    let mut partitions: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    let (mut by_main, mut by_backfill) = (0, 0);
    for job in &records {
        *states.entry(format!("{:?}", job.state.base)).or_default() += 1;
        match job.started_by() {
            Some(StartedBy::Backfill) => by_backfill += 1,
            Some(StartedBy::Main) => by_main += 1,
            None => {}
        }
        if let (Some(waited), Some(partition)) = (waited_seconds(job), job.partitions.first()) {
            partitions.entry(partition).or_default().push(waited);
            partitions.entry("all").or_default().push(waited);
        }
    }
    println!("{states:?}; started by the main scheduler {by_main}, by backfill {by_backfill}");
    println!(
        "{:<12}{:>6}{:>14}{:>14}{:>14}{:>14}",
        "waited", "jobs", "median min", "90 % min", "most min", "over 1 h %"
    );
    for (partition, mut waits) in partitions {
        waits.sort_unstable();
        let minutes = |place: usize| waits[place.min(waits.len() - 1)] as f64 / 60.0;
        let over = waits.iter().filter(|wait| **wait > 3_600).count() * 100 / waits.len();
        let (median, most) = (minutes(waits.len() / 2), minutes(waits.len() - 1));
        let ninth = minutes(waits.len() * 9 / 10);
        println!("{partition:<12}{:>6}{median:>14.1}{ninth:>14.1}{most:>14.1}{over:>14}", waits.len());
    }
    Ok(())
}

fn waited_seconds(job: &JobRecord) -> Option<i64> {
    Some(job.started?.0 - job.key.submitted.0)
}

fn print_readings(folder: &Path) -> Result<()> {
    let mut reasons: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let (mut readings, mut waiting, mut planned, mut most_waiting, mut bad) = (0, 0, 0, 0, 0);
    for reading in fs::read_dir(folder.join("readings"))? {
        let Ok(bytes) = fs::read(reading?.path().join("squeue.txt")) else { continue };
        let listing = text::squeue(&bytes, &Mark::known(MARK), CLUSTER);
        bad += listing.problems.len();
        readings += 1;
        let waits: Vec<&JobRecord> =
            listing.records.iter().filter(|job| job.state.base == BaseState::Pending).collect();
        waiting += waits.len();
        most_waiting = most_waiting.max(waits.len());
        planned += waits.iter().filter(|job| job.planned_start.is_some()).count();
        for job in waits {
            reasons.entry(job.reason.clone()).or_default().insert(job.key.job_id);
        }
    }
    println!(
        "{readings} readings, {bad} records not understood; at most {most_waiting} entries wait; {planned} of {waiting} waiting entries with a plan"
    );
    println!("reasons, by jobs that had them:");
    for (reason, jobs) in reasons {
        println!("  {reason}: {}", jobs.len());
    }
    Ok(())
}
