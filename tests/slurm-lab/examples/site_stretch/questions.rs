//! What Slurm is asked, in the words in which the product asks (`crates/slurm/src/source`), and kept as it is printed.
//!
//! What the product does not ask, priorities by their factors, is asked with the names of its columns.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use queuecast_slurm::text;
use queuecast_slurm_lab::ClusterHandle;

/// What stands at the end of every record of `squeue.txt`. Names of jobs are the recorder's own, so it need not be drawn.
pub const MARK: &str = "recorded";

/// The columns the product asks of accounting, as far as 22.05 has them.
const SACCT: &str = "JobIDRaw,JobID,JobName,User,UID,Account,Cluster,Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw,\
    TimelimitRaw,Suspended,ReqCPUS,ReqNodes,ReqMem,ReqTRES,AllocCPUS,AllocNodes,AllocTRES,NodeList,Priority,Constraints,\
    Reservation,Reason,Flags,AdminComment,Comment,SubmitLine,ExitCode";
const PRIORITIES: &str = "--format=%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T";

/// A question: the file its answer is kept in, the program, its arguments.
#[derive(Clone, Debug)]
pub struct Question {
    pub file: &'static str,
    pub program: &'static str,
    pub arguments: Vec<String>,
}

fn question(file: &'static str, program: &'static str, arguments: &[&str]) -> Question {
    Question { file, program, arguments: arguments.iter().map(|&argument| argument.to_owned()).collect() }
}

/// What does not change during a stretch.
pub fn settings() -> Vec<Question> {
    let sacctmgr = ["--readonly", "--parsable2"];
    let of_sacctmgr = |file, more: &[&str]| question(file, "sacctmgr", &[&sacctmgr, more].concat());
    vec![
        question("config.txt", "scontrol", &["show", "config"]),
        question("partitions.txt", "scontrol", &["--all", "--oneliner", "show", "partition"]),
        question("nodes.txt", "scontrol", &["--all", "--oneliner", "show", "node"]),
        of_sacctmgr("qos.txt", &["--noheader", "show", "qos", &text::qos_format()]),
        of_sacctmgr("associations.txt", &["--noheader", "show", "association", &text::association_format()]),
        of_sacctmgr("users.txt", &["--noheader", "show", "user", "withcoordinator", text::USER_FORMAT]),
        question("tres.txt", "sacctmgr", &["--readonly", "--parsable2", "show", "tres"]),
        shares(),
        reservations(),
    ]
}

/// What each user has used.
pub fn shares() -> Question {
    question("sshare.txt", "sshare", &["--all", "--parsable2", "--noheader", &text::share_format()])
}

/// What is reserved.
pub fn reservations() -> Question {
    question("reservations.txt", "scontrol", &["--all", "--oneliner", "show", "reservation"])
}

/// What changes all the time.
pub fn reading() -> Vec<Question> {
    let format = format!("--format={}", text::Mark::known(MARK).format());
    let layout = format!("--Format={}", text::layout_format());
    let listing = ["--all", "--local", "--noheader", &format];
    vec![
        question("squeue.txt", "squeue", &[&listing[..], &["--states=all"]].concat()),
        question("layouts.txt", "squeue", &["--all", "--local", "--states=all", "--noheader", &layout]),
        question("plans.txt", "squeue", &[&listing[..], &["--start"]].concat()),
        question("sprio.txt", "sprio", &[PRIORITIES]),
        question("nodes.txt", "scontrol", &["--all", "--oneliner", "show", "node"]),
        reservations(),
    ]
}

/// The queue with everything Slurm knows of a job; long, so it is asked seldom and kept packed.
pub fn whole_queue() -> Question {
    question("squeue.json.gz", "squeue", &["--json"])
}

/// What became of all jobs.
pub fn accounting() -> Question {
    let format = format!("--format={SACCT}");
    let arguments = ["--allusers", "--allocations", "--duplicates", "--parsable2", "--delimiter=\u{1f}"];
    question("sacct.txt", "sacct", &[&arguments[..], &["--starttime=2000-01-01", "--endtime=now", &format]].concat())
}

impl Question {
    /// Asks, and keeps what is printed.
    pub fn keep(&self, cluster: ClusterHandle<'_>, folder: &Path) -> Result<()> {
        let mut command = cluster.command(self.program);
        command.args(&self.arguments).env("SLURM_TIME_FORMAT", "%s").env("LC_ALL", "C").env("SLURM_BITSTR_LEN", "0");
        let said = command.output().with_context(|| format!("asking {}", self.program))?;
        let complaint = String::from_utf8_lossy(&said.stderr);
        ensure!(said.status.success(), "{} {:?}: {}", self.program, self.arguments, complaint.trim());
        let path = folder.join(self.file);
        let is_packed = path.extension().is_some_and(|extension| extension == "gz");
        let plain = if is_packed { path.with_extension("") } else { path.clone() };
        fs::write(&plain, said.stdout).with_context(|| format!("keeping {}", plain.display()))?;
        if is_packed {
            let packed = Command::new("gzip").args(["-3", "-f"]).arg(&plain).stdin(Stdio::null()).status()?;
            ensure!(packed.success(), "gzip {}", plain.display());
        }
        Ok(())
    }
}
