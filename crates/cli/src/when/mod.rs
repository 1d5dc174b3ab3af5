//! `qcast when`: when a job starts and ends, or would if it were submitted now.
//!
//! For: people on a login node. The answer is the daemon's; in here is how it is asked for and how it reads.
//!
//! Not for: forecasting; Slurm is not asked anything either.
//!
//! Ends with 5 if the daemon answered and has no estimate.

pub mod inert;
mod script;
pub mod service;
mod words;
mod zone;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use queuecast_daemon::api::answer::forecast::ForecastAnswer;
use queuecast_slurm::record::{JobPart, WrittenJobId};

use self::inert::{inert, inert_json};
use self::script::{Asked, Script};
use self::service::{Answer, Service, ServiceArgs};
use self::zone::Zone;
use crate::failure::{Cause, Failure, OnSide, say};

/// The exit code for an answer without an estimate.
const NO_ESTIMATE: u8 = 5;
/// More than any script that a person wrote.
const LARGEST_SCRIPT: u64 = 4 << 20;

/// How the answer is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum WhenFormat {
    /// For people: sentences, with local times.
    #[default]
    Table,
    /// For programs: the daemon's answer as it is.
    Json,
}

/// The arguments of `qcast when`.
#[derive(Debug, Args)]
#[command(
    after_help = "Ends with 0 if there is an estimate, with 5 if there is none, with 3 if nobody answers or there is no such job."
)]
pub struct WhenArgs {
    /// A job as Slurm writes it (1234, `123_4`, 123+0), or a job script that was not submitted yet.
    #[arg(value_name = "JOB|SCRIPT")]
    target: Option<String>,
    #[command(flatten)]
    service: ServiceArgs,
    /// How to print the answer.
    #[arg(long, value_enum, default_value_t)]
    format: WhenFormat,
    // Last, because its heading holds for whatever follows.
    #[command(flatten)]
    options: OptionArgs,
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
            ("job-name", &self.job_name),
        ];
        options.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
    }

    fn is_empty(&self) -> bool {
        self.given().is_empty() && !self.exclusive
    }

    /// What a person typed is wrong if it is not understood.
    fn apply(&self, asked: &mut Asked) -> Result<(), Failure> {
        asked.exclusive |= self.exclusive;
        for (name, value) in self.given() {
            asked.set(name, value).ok_or_else(|| {
                Failure::usage(format_args!("--{name} {} is not understood", inert(value)))
                    .with_hint("`qcast when --help` shows the forms; they are sbatch's")
            })?;
        }
        Ok(())
    }
}

/// Runs `qcast when`.
pub fn run(arguments: &WhenArgs) -> Result<ExitCode, Failure> {
    let service = Service::at(&arguments.service)?;
    let zone = Zone::local();
    let written = arguments.target.as_deref().and_then(|target| WrittenJobId::parse(target.as_bytes()));
    let (subject, answer) = match (&arguments.target, written) {
        (Some(target), Some(id)) => {
            if !arguments.options.is_empty() {
                return Err(Failure::usage(format_args!(
                    "options are for jobs that were not submitted yet; {target} was"
                ))
                .with_hint(format!("leave them out, or write ./{target} if it is a script")));
            }
            (format!("Job {target}"), existing(&service, &id)?)
        }
        (target, _) => {
            if target.is_none() && arguments.options.is_empty() {
                return Err(Failure::usage("when what? Name a job, a job script, or options of sbatch")
                    .with_hint("qcast when 1234; qcast when job.sh; qcast when -N 4 -t 2:00:00 -p batch"));
            }
            let subject =
                target.as_ref().map_or_else(|| "Such a job".to_owned(), |path| format!("A job by {}", inert(path)));
            (subject, hypothetical(&service, arguments, &zone)?)
        }
    };
    let read: ForecastAnswer = answer.read()?;
    let text = match arguments.format {
        WhenFormat::Table => words::sentences(&read, &subject, &zone).join("\n"),
        WhenFormat::Json => inert_json(answer.text.trim_end()),
    };
    writeln!(io::stdout().lock(), "{text}").context("standard output").writing()?;
    Ok(if read.no_estimate.is_some() { ExitCode::from(NO_ESTIMATE) } else { ExitCode::SUCCESS })
}

fn existing(service: &Service, id: &WrittenJobId) -> Result<Answer, Failure> {
    if id.is_step {
        return Err(
            Failure::usage("that is a step of a job").with_hint("ask about the job: the number in front of the dot")
        );
    }
    let name = match &id.part {
        JobPart::Whole | JobPart::ArrayRemainder { .. } => id.job_id.to_string(),
        JobPart::ArrayTask { array_job_id, task } => format!("{array_job_id}_{task}"),
        JobPart::HetComponent { het_job_id, offset } => format!("{het_job_id}+{offset}"),
    };
    service.get(&format!("/v1/jobs/{name}/forecast"))
}

fn hypothetical(service: &Service, arguments: &WhenArgs, zone: &Zone) -> Result<Answer, Failure> {
    let mut script = match &arguments.target {
        Some(path) => Script::read(&script_text(Path::new(path))?),
        None => Script::default(),
    };
    arguments.options.apply(&mut script.asked)?;
    for option in &script.not_understood {
        say(format_args!("not understood: {}", inert(option)));
    }
    let user = arguments.options.user.clone().or_else(|| std::env::var("USER").ok()).filter(|user| !user.is_empty());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let question = script.asked.question(user, i64::try_from(now).unwrap_or(i64::MAX), zone);
    service.post("/v1/forecast", &question)
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
