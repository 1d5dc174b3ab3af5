//! Which job is meant: one that waits or runs, by its number, or one that was not submitted yet, by its script and by options of
//! sbatch.
//!
//! Not for: asking about it (`service`), reading scripts (`script`).

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use clap::Args;
use queuecast_api::hypothetical::HypotheticalQuestion;
use queuecast_records::{JobPart, WrittenJobId};

use super::inert::inert;
use super::own_name;
use super::script::{Asked, Limit, Script};
use super::zone::Zone;
use crate::failure::{Cause, Failure, OnSide, say};

/// More than any script that a person wrote.
const LARGEST_SCRIPT: u64 = 4 << 20;

/// A job, named or described.
#[derive(Debug, Args)]
pub struct SubjectArgs {
    /// A job as Slurm writes it (1234, `123_4`, 123+0), or a job script that was not submitted yet.
    #[arg(value_name = "JOB|SCRIPT")]
    target: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
}

/// The job that is meant, and what it is called in answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One that waits or runs, by its number as the daemon takes it.
    Existing {
        /// The number.
        id: String,
        /// What it is called.
        called: String,
    },
    /// One that was not submitted yet.
    Hypothetical {
        /// What it asks for.
        question: HypotheticalQuestion,
        /// What it is called.
        called: String,
    },
}

impl Subject {
    /// What it is called.
    pub fn called(&self) -> &str {
        match self {
            Self::Existing { called, .. } | Self::Hypothetical { called, .. } => called,
        }
    }
}

/// Options of sbatch for a job that was not submitted yet; they count more than the script's.
#[derive(Debug, Args)]
#[command(next_help_heading = "A job that was not submitted yet, as for sbatch")]
struct OptionArgs {
    /// Nodes.
    #[arg(short = 'N', long, value_name = "COUNT")]
    nodes: Option<String>,
    /// Tasks.
    #[arg(short = 'n', long, value_name = "COUNT")]
    ntasks: Option<String>,
    /// Tasks on each node.
    #[arg(long, value_name = "COUNT")]
    ntasks_per_node: Option<String>,
    /// CPUs for each task.
    #[arg(short = 'c', long, value_name = "COUNT")]
    cpus_per_task: Option<String>,
    /// The limit, in any of sbatch's forms: minutes, mm:ss, hh:mm:ss, d-hh, d-hh:mm or d-hh:mm:ss.
    #[arg(short = 't', long, value_name = "TIME")]
    time: Option<String>,
    /// The partition.
    #[arg(short = 'p', long, value_name = "NAME")]
    partition: Option<String>,
    /// Memory on each node, such as 16G.
    #[arg(long, value_name = "SIZE")]
    mem: Option<String>,
    /// Memory for each CPU.
    #[arg(long, value_name = "SIZE")]
    mem_per_cpu: Option<String>,
    /// GPUs on each node, as gpu:2 or gpu:a100:2.
    #[arg(long, value_name = "LIST")]
    gres: Option<String>,
    /// GPUs in all.
    #[arg(short = 'G', long, value_name = "COUNT")]
    gpus: Option<String>,
    /// GPUs on each node.
    #[arg(long, value_name = "COUNT")]
    gpus_per_node: Option<String>,
    /// GPUs for each task.
    #[arg(long, value_name = "COUNT")]
    gpus_per_task: Option<String>,
    /// Whole nodes.
    #[arg(long)]
    exclusive: bool,
    /// Not before: now+1hour, 16:00 or 2026-11-16T16:00.
    #[arg(short = 'b', long, value_name = "TIME")]
    begin: Option<String>,
    /// The account it would be charged to.
    #[arg(short = 'A', long, value_name = "NAME")]
    account: Option<String>,
    /// The quality of service.
    #[arg(short = 'q', long, value_name = "NAME")]
    qos: Option<String>,
    /// The job's name.
    #[arg(short = 'J', long, value_name = "NAME")]
    job_name: Option<String>,
    /// Whose job it would be: run times are guessed from what this user's jobs did [default: you].
    #[arg(long, value_name = "USER")]
    user: Option<String>,
}

impl OptionArgs {
    fn given(&self) -> Vec<(&'static str, &str)> {
        let options = [
            ("nodes", &self.nodes),
            ("ntasks", &self.ntasks),
            ("ntasks-per-node", &self.ntasks_per_node),
            ("cpus-per-task", &self.cpus_per_task),
            ("time", &self.time),
            ("partition", &self.partition),
            ("mem", &self.mem),
            ("mem-per-cpu", &self.mem_per_cpu),
            ("gres", &self.gres),
            ("gpus", &self.gpus),
            ("gpus-per-node", &self.gpus_per_node),
            ("gpus-per-task", &self.gpus_per_task),
            ("begin", &self.begin),
            ("account", &self.account),
            ("qos", &self.qos),
            ("job-name", &self.job_name),
        ];
        options.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
    }

    fn is_empty(&self) -> bool {
        self.given().is_empty() && !self.exclusive && self.user.is_none()
    }

    /// What a person typed is wrong if it is not understood.
    fn apply(&self, asked: &mut Asked) -> Result<(), Failure> {
        asked.exclusive |= self.exclusive;
        for (name, value) in self.given() {
            asked.set(name, value).ok_or_else(|| {
                Failure::usage(format_args!("--{name} {} is not understood", inert(value)))
                    .with_hint("`--help` shows the forms; they are sbatch's")
            })?;
        }
        Ok(())
    }
}

impl SubjectArgs {
    /// Which job is meant. `verb` is the command's name, for what to do if none is.
    pub fn read(&self, verb: &str, zone: &Zone) -> Result<Subject, Failure> {
        let written = self.target.as_deref().and_then(|target| WrittenJobId::parse(target.as_bytes()));
        match (&self.target, written) {
            (Some(target), Some(_)) if !self.options.is_empty() => {
                Err(Failure::usage(format_args!("options are for jobs that were not submitted yet; {target} was"))
                    .with_hint(format!("leave them out, or write ./{target} if it is a script")))
            }
            (Some(target), Some(id)) => Ok(Subject::Existing { id: existing(&id)?, called: format!("Job {target}") }),
            (None, _) if self.options.is_empty() => {
                let hint = format!("qcast {verb} 1234; qcast {verb} job.sh; qcast {verb} -N 4 -t 2:00:00 -p batch");
                Err(Failure::usage(format_args!("{verb} what? Name a job, a job script, or options of sbatch"))
                    .with_hint(hint))
            }
            (target, _) => {
                let called =
                    target.as_ref().map_or_else(|| "Such a job".to_owned(), |path| format!("A job by {}", inert(path)));
                Ok(Subject::Hypothetical { question: self.hypothetical(zone)?, called })
            }
        }
    }

    /// A job that was not submitted yet. What of its script is not understood is told.
    fn hypothetical(&self, zone: &Zone) -> Result<HypotheticalQuestion, Failure> {
        let mut script = match &self.target {
            Some(path) => Script::read(&script_text(Path::new(path))?),
            None => Script::default(),
        };
        self.options.apply(&mut script.asked)?;
        for option in &script.not_understood {
            say(format_args!("not understood: {}", inert(option)));
        }
        let user = self.options.user.clone().or_else(own_name).filter(|user| !user.is_empty());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Ok(script.asked.question(user, i64::try_from(now).unwrap_or(i64::MAX), zone))
    }
}

/// A job by its number alone, as the daemon takes it.
pub fn job_id(written: &str) -> Result<String, Failure> {
    let id = WrittenJobId::parse(written.as_bytes()).ok_or_else(|| {
        Failure::usage(format_args!("{} is not the number of a job", inert(written)))
            .with_hint("write it as Slurm does: 1234, or 123_4 for a task of an array")
    })?;
    existing(&id)
}

/// A span as sbatch takes limits, in seconds; `None` if it is not understood or has no end.
pub fn limit_seconds(written: &str) -> Option<i64> {
    match Limit::parse(written)? {
        Limit::Minutes(minutes) => Some(60 * i64::from(minutes)),
        Limit::Unlimited => None,
    }
}

fn existing(id: &WrittenJobId) -> Result<String, Failure> {
    if id.is_step {
        return Err(
            Failure::usage("that is a step of a job").with_hint("ask about the job: the number in front of the dot")
        );
    }
    Ok(match &id.part {
        JobPart::Whole | JobPart::ArrayRemainder { .. } => id.job_id.to_string(),
        JobPart::ArrayTask { array_job_id, task } => format!("{array_job_id}_{task}"),
        JobPart::HetComponent { het_job_id, offset } => format!("{het_job_id}+{offset}"),
    })
}

/// A script may hold bytes that are no text; what sbatch would read of it is.
fn script_text(path: &Path) -> Result<String, Failure> {
    let told = || inert(&path.display().to_string());
    let file = File::open(path).with_context(told).reading();
    let file = file.map_err(|failure| failure.with_hint("name a job by its number, or a job script by its path"))?;
    if !file.metadata().with_context(told).reading()?.is_file() {
        return Err(Failure::new(Cause::Input, anyhow!("{}: not a file", told())));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_SCRIPT).read_to_end(&mut bytes).with_context(told).reading()?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
