//! A lab for people: bring it up, look at it, run commands in it, take it down.
//!
//! Not for: tests, which hold a [`Lab`] of their own and are sure that it ends.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use queuecast_slurm_lab::{ClusterSettings, Lab, LabSettings};

const USAGE: &str = "A real Slurm on this machine, in $QCAST_LAB_FOLDER (default /tmp/qcast-lab). Run as root.

  up [CLUSTER:NODES ...] [--speed N] [--users N]   default: alpha:16, real time, eight users
  hold [the same]                                  up, and down when this command ends, however it ends
  status                                           what runs, and how much memory it takes
  as USER[@CLUSTER] COMMAND ...                    run a command as user01, ... or root
  down                                             end all of it and remove its folder";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["up", settings @ ..] => up(settings),
        ["hold", settings @ ..] => hold(settings),
        ["status"] => status(),
        ["as", user, program, rest @ ..] => return run_as(user, program, rest).unwrap_or_else(|error| failed(&error)),
        ["down"] => Lab::running_in(&folder()).and_then(Lab::down),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    done.map_or_else(|error| failed(&error), |()| ExitCode::SUCCESS)
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("{error:#}");
    ExitCode::FAILURE
}

fn folder() -> PathBuf {
    std::env::var_os("QCAST_LAB_FOLDER").map_or_else(|| PathBuf::from("/tmp/qcast-lab"), PathBuf::from)
}

fn up(words: &[&str]) -> Result<()> {
    let begun = Instant::now();
    let lab = Lab::up_in(&folder(), settings(words)?)?;
    println!("up after {:.1} s in {}", begun.elapsed().as_secs_f64(), lab.root().display());
    lab.leave_running()
}

fn hold(words: &[&str]) -> Result<()> {
    let begun = Instant::now();
    let lab = Lab::up_in(&folder(), settings(words)?)?;
    println!("up after {:.1} s in {}; ends with this command", begun.elapsed().as_secs_f64(), lab.root().display());
    loop {
        thread::park();
    }
}

fn settings(words: &[&str]) -> Result<LabSettings> {
    let mut settings = LabSettings::default();
    let mut clusters = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--speed" => settings.speed = words.next().context("--speed needs a number")?.parse()?,
            "--users" => settings.users = words.next().context("--users needs a number")?.parse()?,
            cluster => {
                let Some((name, nodes)) = cluster.split_once(':') else { bail!("{cluster} is not CLUSTER:NODES") };
                clusters.push(ClusterSettings::new(name, nodes.parse()?));
            }
        }
    }
    if !clusters.is_empty() {
        settings.clusters = clusters;
    }
    Ok(settings)
}

fn status() -> Result<()> {
    let lab = Lab::running_in(&folder())?;
    let mut memory_kilobytes = 0;
    let (mut alive, mut ended) = (0, Vec::new());
    for (name, number, is_alive) in lab.daemons() {
        if is_alive {
            alive += 1;
            memory_kilobytes += proportional_memory_kilobytes(number);
        } else {
            ended.push(name);
        }
    }
    println!("{alive} daemons, {} MB (proportional set size)", memory_kilobytes / 1024);
    if !ended.is_empty() {
        println!("ended: {}", ended.join(" "));
    }
    for cluster in &lab.settings().clusters {
        print!(
            "{}: {}",
            cluster.name,
            lab.cluster(&cluster.name).run("sinfo", &["-h", "-p", "batch", "-o", "%D %t %N"])?
        );
    }
    Ok(())
}

/// Memory with what is shared divided among those who share it, so that it can be added up.
fn proportional_memory_kilobytes(process: u32) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    line.and_then(|words| words.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn run_as(user: &str, program: &str, arguments: &[&str]) -> Result<ExitCode> {
    let lab = Lab::running_in(&folder())?;
    let (user, cluster) = user.split_once('@').unwrap_or((user, lab.first_cluster().name()));
    let status = lab.cluster(cluster).command_as(user, program).args(arguments).status()?;
    Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)))
}
