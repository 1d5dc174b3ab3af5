//! Which job is meant: one that waits or runs, by its number, or one that was not submitted yet, by its script and by options of
//! sbatch.
//!
//! Not for: asking about it (`service`), reading scripts (`script`).

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use clap::Args;
use queuecast_api::hypothetical::HypotheticalRequest;
use queuecast_records::{JobPart, WrittenJobId};

use super::inert::inert;
use super::options::OptionArgs;
use super::script::{Limit, Script};
use super::zone::Zone;
use crate::failure::{Cause, Failure, OnSide, say};

/// More than any script that a person wrote.
const LARGEST_SCRIPT: u64 = 4 << 20;

/// A job, named or described.
#[derive(Debug, Args)]
pub struct SubjectArgs {
    /// Job ID as Slurm writes it (1234, `123_4`, 123+0), or the path of a job script that is not submitted yet.
    #[arg(value_name = "JOB|SCRIPT")]
    target: Option<String>,
    /// Arguments of the script, which qcast ignores; put options before the script, as for sbatch.
    #[arg(value_name = "ARGUMENTS", last = true)]
    script_arguments: Vec<OsString>,
    #[command(flatten)]
    options: OptionArgs,
}

/// The job that is meant, and what it is called in answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one for a command, not many")]
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
        question: HypotheticalRequest,
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

impl SubjectArgs {
    /// Which job is meant. `verb` is the command's name, for what to do if none is.
    pub fn read(&self, verb: &str, zone: &Zone) -> Result<Subject, Failure> {
        let written = self.target.as_deref().and_then(|target| WrittenJobId::parse(target.as_bytes()));
        match (&self.target, written) {
            (Some(target), Some(_)) if !self.options.is_empty() => {
                Err(Failure::usage(format_args!("job options cannot be combined with the submitted job {target}"))
                    .with_hint(format!("remove the options, or write ./{target} if {target} is a script")))
            }
            (Some(target), Some(_)) if !self.script_arguments.is_empty() => {
                Err(Failure::usage(format_args!("script arguments cannot be combined with the submitted job {target}"))
                    .with_hint(format!("remove the arguments, or write ./{target} if {target} is a script")))
            }
            (Some(target), Some(id)) => Ok(Subject::Existing { id: existing(&id)?, called: format!("Job {target}") }),
            (None, _) if self.options.is_empty() => {
                let hint = format!(
                    "for example, qcast {verb} 1234; qcast {verb} job.sh; qcast {verb} -N 4 -t 2:00:00 -p batch"
                );
                Err(Failure::usage(format_args!("qcast {verb} needs a job ID, a job script or sbatch options"))
                    .with_hint(hint))
            }
            (target, _) => {
                let called = target
                    .as_ref()
                    .map_or_else(|| "Such a job".to_owned(), |path| format!("A job from {}", inert(path)));
                Ok(Subject::Hypothetical { question: self.hypothetical(zone)?, called })
            }
        }
    }

    /// A job that was not submitted yet. What of it has no part in the forecast is told.
    fn hypothetical(&self, zone: &Zone) -> Result<HypotheticalRequest, Failure> {
        let mut script = match &self.target {
            Some(path) => read_script(Path::new(path))?,
            None => Script::default(),
        };
        self.options.apply(&mut script.asked, &mut script.left_out)?;
        if let Some(contradiction) = script.asked.contradiction() {
            return Err(
                Failure::usage(contradiction).with_hint("remove one of the options; sbatch refuses the combination")
            );
        }
        for option in &script.left_out {
            say(format_args!("warning: the forecast ignores {}", inert(option)));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let question = script.asked.question(self.options.user.clone(), now, zone);
        question.check().map_err(|refusal| Failure::usage(inert(&refusal.message)).with_hint(inert(&refusal.hint)))?;
        Ok(question)
    }
}

/// A job by its number alone, as the daemon takes it.
pub fn job_id(written: &str) -> Result<String, Failure> {
    let id = WrittenJobId::parse(written.as_bytes()).ok_or_else(|| {
        Failure::usage(format_args!("{} is not a job ID", inert(written)))
            .with_hint("write the job ID as Slurm does: 1234, or 123_4 for an array task")
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
        return Err(Failure::usage("job steps have no forecast").with_hint("use the job ID: the part before the dot"));
    }
    Ok(match &id.part {
        JobPart::Whole | JobPart::ArrayRemainder { .. } => id.job_id.to_string(),
        JobPart::ArrayTask { array_job_id, task } => format!("{array_job_id}_{task}"),
        JobPart::HetComponent { het_job_id, offset } => format!("{het_job_id}+{offset}"),
    })
}

/// What a script asks for, or why sbatch would refuse it.
fn read_script(path: &Path) -> Result<Script, Failure> {
    let told = || inert(&path.display().to_string());
    let file = File::open(path).with_context(told).reading();
    let file = file.map_err(|failure| failure.with_hint("pass a job ID, or the path of a job script"))?;
    if !file.metadata().with_context(told).reading()?.is_file() {
        return Err(Failure::new(Cause::Input, anyhow!("{}: not a regular file", told())));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_SCRIPT + 1).read_to_end(&mut bytes).with_context(told).reading()?;
    if bytes.len() as u64 > LARGEST_SCRIPT {
        let told = anyhow!("{}: larger than 4 MiB, the largest script that sbatch accepts", told());
        return Err(Failure::new(Cause::Usage, told).with_hint("pass the path of a job script"));
    }
    Script::read(&bytes).map_err(|refused| {
        Failure::usage(format_args!("{}:{}: {}", told(), refused.line, inert(&refused.what)))
            .with_hint(inert(&refused.hint))
    })
}
