//! Writes down what Slurm prints, byte by byte, but for the lab's folder, which is called `/lab`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use queuecast_slurm_lab::ClusterHandle;

use super::cases::Case;

/// What a reader of history asks for, and two fields that show what may be inside of others.
const FIELDS: &str = "--format=JobIDRaw,JobID,JobName,User,UID,Account,Cluster,Partition,QOS,State,ExitCode,Submit,\
    Eligible,Start,End,ElapsedRaw,TimelimitRaw,Suspended,ReqCPUS,ReqNodes,ReqMem,ReqTRES,AllocCPUS,AllocNodes,\
    AllocTRES,NodeList,Priority,Reason,Flags,DerivedExitCode,AdminComment,Comment,SubmitLine,WorkDir";

/// A recording in progress.
pub struct Recording {
    target: PathBuf,
}

impl Recording {
    pub fn into(target: &Path) -> Self {
        Self { target: target.to_owned() }
    }

    /// What slurmrestd says of jobs and of the machine around them.
    pub fn of_rest(&self, cluster: ClusterHandle<'_>, moment: &str) -> Result<()> {
        for what in ["jobs", "nodes", "partitions", "diag"] {
            let answer = cluster.rest(&format!("/slurm/v0.0.38/{what}"))?;
            self.write(cluster, moment, &format!("rest-{what}.json"), &answer)?;
        }
        Ok(())
    }

    /// What slurmrestd says of the records.
    pub fn of_rest_records(&self, cluster: ClusterHandle<'_>, moment: &str) -> Result<()> {
        self.write(cluster, moment, "rest-slurmdb-jobs.json", &cluster.rest("/slurmdb/v0.0.38/jobs")?)
    }

    /// Jobs in the queue and in the records.
    pub fn of_jobs(&self, cluster: ClusterHandle<'_>, moment: &str) -> Result<()> {
        for (file, arguments) in [
            ("sacct-pipe.txt", vec!["-X"]),
            ("sacct-unit-separator.txt", vec!["-X", "--delimiter=\x1f"]),
            ("sacct-steps.txt", vec!["--delimiter=\x1f"]),
        ] {
            let mut sacct = cluster.command("sacct");
            // Seconds since 1970: anything else is ambiguous on the night the clocks go back. An end must be given.
            sacct.env("SLURM_TIME_FORMAT", "%s").args(["-a", "-D", "-P", "-S", "2000-01-01", "-E", "now", FIELDS]);
            self.write(cluster, moment, file, &sacct.args(arguments).output()?.stdout)?;
        }
        self.write(cluster, moment, "squeue.json", &cluster.run_bytes("squeue", &["--json"])?)?;
        self.write(cluster, moment, "sinfo.json", &cluster.run_bytes("sinfo", &["--json"])?)
    }

    /// Which job is which case.
    pub fn of_cases(&self, cases: &[Case]) -> Result<()> {
        let lines: String = cases.iter().map(Case::line).collect();
        Ok(fs::write(self.target.join("cases.tsv"), format!("case\tcluster\tnumber\tstates\n{lines}"))?)
    }

    /// Puts all of it in the repository, instead of what was there.
    pub fn keep_in(&self, kept: &Path) -> Result<()> {
        if kept.exists() {
            fs::remove_dir_all(kept)?;
        }
        fs::create_dir_all(kept)?;
        fs::copy(self.target.join("cases.tsv"), kept.join("cases.tsv"))?;
        for moment in fs::read_dir(&self.target)?.flatten().filter(|entry| entry.path().is_dir()) {
            fs::create_dir(kept.join(moment.file_name()))?;
            for file in fs::read_dir(moment.path())?.flatten() {
                fs::copy(file.path(), kept.join(moment.file_name()).join(file.file_name()))?;
            }
        }
        Ok(())
    }

    fn write(&self, cluster: ClusterHandle<'_>, moment: &str, file: &str, bytes: &[u8]) -> Result<()> {
        let folder = self.target.join(moment);
        fs::create_dir_all(&folder)?;
        let root = cluster.lab().root().display().to_string();
        // In Slurm's JSON a slash has a backslash before it.
        let neutral = replaced(bytes, root.as_bytes(), b"/lab");
        let neutral = replaced(&neutral, root.replace('/', "\\/").as_bytes(), b"\\/lab");
        Ok(fs::write(folder.join(file), neutral)?)
    }
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    result.extend_from_slice(rest);
    result
}
