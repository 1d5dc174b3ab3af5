//! What Slurm has started in a lab: steps and the processes of jobs, which outlive their slurmd.
//!
//! Never by name alone. A process belongs to a lab if
//!
//! - the lab's folder is in its environment: the processes of jobs; or
//! - it runs a program of Slurm and works in, or has open, something in the lab's folder: a step writes its title over
//!   its environment, and a step whose slurmd and slurmctld are gone tries to reach them for a long time; or
//! - it descends from one of these: a job submitted with `--export=NONE` has an empty environment.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::process::kill;
use crate::wait::wait_until;

/// The variable everything in a lab carries, with the lab's folder as its value.
pub const MARK: &str = "QCAST_LAB";

/// Kills all processes of a lab and waits until they are gone.
///
/// They are stopped first, until a look finds no new one: a stopped process cannot fork. If parents were killed at once, a child that was
/// forked after the look and has an empty environment would no longer be recognised.
pub fn end(folder: &Path) -> Result<()> {
    let mut stopped = Vec::new();
    wait_until("the processes of jobs to end", Duration::from_secs(20), || {
        let left = of(folder);
        // Processes can end between the look and the signal, so a failed signal is no error: the next look decides.
        if left == stopped {
            drop(kill("KILL", &left));
        } else {
            drop(kill("STOP", &left));
        }
        stopped.clone_from(&left);
        Ok(left.is_empty())
    })
}

/// A process as `/proc` shows it.
struct Seen {
    number: u32,
    parent: u32,
    belongs: bool,
}

/// The numbers of processes that belong to a lab, but for this one.
pub fn of(folder: &Path) -> Vec<u32> {
    let seen: Vec<Seen> =
        fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|e| look(&e, folder)).collect();
    let mut found: BTreeSet<u32> =
        seen.iter().filter(|process| process.belongs).map(|process| process.number).collect();
    loop {
        let children = seen.iter().filter(|process| found.contains(&process.parent)).map(|process| process.number);
        let more: Vec<u32> = children.filter(|child| !found.contains(child)).collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    found.remove(&std::process::id());
    found.into_iter().collect()
}

/// Nothing for what is not a process, or one that has ended.
fn look(entry: &DirEntry, folder: &Path) -> Option<Seen> {
    let number = entry.file_name().to_str()?.parse().ok()?;
    let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let (state, parent) = (fields.next()?, fields.next()?.parse().ok()?);
    let ended = state == "Z" || state == "X";
    let belongs = is_marked(&entry.path(), folder) || is_of_slurm(&entry.path(), folder);
    (!ended).then_some(Seen { number, parent, belongs })
}

fn is_marked(process: &Path, folder: &Path) -> bool {
    let mark = format!("{MARK}={}", folder.display());
    let environment = fs::read(process.join("environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
}

fn is_of_slurm(process: &Path, folder: &Path) -> bool {
    let program = fs::read_link(process.join("exe")).unwrap_or_default();
    if !program.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"slurm")) {
        return false;
    }
    let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten().map(|file| file.path());
    open.chain([process.join("cwd")]).any(|link| fs::read_link(link).is_ok_and(|target| target.starts_with(folder)))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn children_forked_during_the_look_are_killed() {
        let folder = tempfile::tempdir().unwrap();
        // The children have an empty environment, as in a job submitted with `--export=NONE`.
        let forks = "for i in $(seq 400); do env -i sleep 60 & sleep 0.005; done";
        let mut shell = Command::new("sh");
        let mut shell = shell.args(["-c", forks]).current_dir(&folder).env(MARK, folder.path()).spawn().unwrap();
        wait_until("ten children", Duration::from_secs(20), || Ok(of(folder.path()).len() > 10)).unwrap();
        end(folder.path()).unwrap();
        shell.wait().unwrap();
        let left = fs::read_dir("/proc").unwrap().flatten().filter(|process| {
            fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder.path()))
        });
        assert_eq!(left.count(), 0);
    }
}
