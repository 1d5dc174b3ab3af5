//! What a daemon takes of the machine, every ten seconds.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use queuecast_slurm_lab::Daemon;

/// Between two samples.
pub const EVERY: Duration = Duration::from_secs(10);

/// The file that they are written to.
pub struct Samples(File);

/// One sample, as it is written and read.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Since the beginning.
    pub seconds: u64,
    /// Whose.
    pub daemon: String,
    /// Resident memory.
    pub memory_kib: u64,
    /// Open descriptors, and threads.
    pub descriptors: u64,
    pub threads: u64,
    /// The store with its log.
    pub store_kib: u64,
    /// What health says.
    pub status: String,
}

impl Samples {
    /// A new file.
    pub fn create(path: &Path) -> Result<Self> {
        let mut file = File::create(path)?;
        writeln!(file, "seconds,daemon,memory_kib,descriptors,threads,store_kib,status")?;
        Ok(Self(file))
    }

    /// Takes a sample; fails if the daemon is no more.
    pub fn take(&mut self, elapsed: Duration, name: &str, daemon: &Daemon) -> Result<()> {
        let process = format!("/proc/{}", daemon.number().context("it was not started")?);
        let status = fs::read_to_string(format!("{process}/status")).context("it has ended")?;
        let figure = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok())
        };
        let memory_kib = figure("VmRSS:").context("it has ended")?;
        let threads = figure("Threads:").context("it has ended")?;
        let descriptors = fs::read_dir(format!("{process}/fd"))?.count();
        let store = daemon.store();
        let bytes = |suffix: &str| fs::metadata(format!("{}{suffix}", store.display())).map_or(0, |file| file.len());
        let store_kib = (bytes("") + bytes("-wal")) / 1024;
        let health = daemon.get("/v1/health").ok();
        let health = health.as_ref().and_then(|health| health["status"].as_str()).unwrap_or("none");
        let seconds = elapsed.as_secs();
        writeln!(self.0, "{seconds},{name},{memory_kib},{descriptors},{threads},{store_kib},{health}")?;
        Ok(())
    }
}

/// Reads them back.
pub fn read(path: &Path) -> Result<Vec<Sample>> {
    let text = fs::read_to_string(path)?;
    let sample = |line: &str| {
        let mut words = line.split(',');
        let mut next = || words.next().with_context(|| line.to_owned());
        Ok(Sample {
            seconds: next()?.parse()?,
            daemon: next()?.to_owned(),
            memory_kib: next()?.parse()?,
            descriptors: next()?.parse()?,
            threads: next()?.parse()?,
            store_kib: next()?.parse()?,
            status: next()?.to_owned(),
        })
    };
    text.lines().skip(1).map(sample).collect()
}
