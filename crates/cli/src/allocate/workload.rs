//! The jobs to allocate: Downey's workload, or a log made mouldable.

use std::path::PathBuf;

use clap::Args;
use queuecast_evaluate::Shaking;
use queuecast_evaluate::mouldable::by_day;
use queuecast_logs::WholeTrace;
use queuecast_simulate::mouldable::MouldableTracedJob;
use queuecast_simulate::shaken;
use queuecast_workload::generate::downey::DowneyParameters;
use queuecast_workload::mouldable::MouldableJob;
use queuecast_workload::{Machine, TracedJob};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::failure::{Failure, say};
use crate::input::source::{MachineArgs, SourceArgs};
use crate::options::load::parse_load;
use crate::output::grouped;
use crate::provenance::LogRead;

/// Where jobs come from.
#[derive(Debug, Args)]
pub struct WorkloadArgs {
    /// Workload log, whose jobs are given their requested processors as average parallelism [default: Downey's workload].
    log: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineArgs,
    /// Length of Downey's workload in days; each day starts on an empty machine.
    #[arg(long, value_name = "COUNT", default_value_t = 120, conflicts_with = "log")]
    days: u32,
    /// Load of Downey's workload, as a share of the machine.
    #[arg(long, value_name = "LOAD", default_value_t = 0.75, value_parser = parse_load, conflicts_with = "log")]
    load: f64,
}

/// The paper's machine.
const DOWNEY_PROCESSORS: u32 = 128;

/// Jobs that can be made again for every replicate.
pub enum Workload {
    Downey { parameters: DowneyParameters, days: u32 },
    Log { jobs: Vec<TracedJob>, machine: Machine, read: LogRead },
}

impl WorkloadArgs {
    pub fn load(&self) -> Result<Workload, Failure> {
        let Some(log) = &self.log else {
            let machine = Machine { processors: self.machine.processors.unwrap_or(DOWNEY_PROCESSORS) };
            return Ok(Workload::Downey { parameters: DowneyParameters::on(machine, self.load), days: self.days });
        };
        let source = SourceArgs::of(log.clone()).open()?;
        let machine = self.machine.machine_for_replay(&source)?.machine();
        let trace = WholeTrace::load(source)?;
        let before = trace.jobs.len();
        // Without a limit some predictors have nothing to begin with; all are compared on the same jobs.
        let trace = trace.limited(machine)?;
        let left_out = before - trace.jobs.len();
        if left_out > 0 {
            say(format_args!(
                "warning: {}: {} jobs left out: no time limit, or larger than the machine",
                trace.name,
                grouped(left_out as u64)
            ));
        }
        let read = LogRead::new(log).on(machine.processors).without(trace.dropped);
        Ok(Workload::Log { jobs: trace.jobs, machine, read })
    }
}

impl Workload {
    /// The log, if there is one.
    pub fn log_read(&self) -> Option<LogRead> {
        match self {
            Self::Downey { .. } => None,
            Self::Log { read, .. } => Some(read.clone()),
        }
    }

    pub fn is_log(&self) -> bool {
        matches!(self, Self::Log { .. })
    }

    pub fn processors(&self) -> u32 {
        match self {
            Self::Downey { parameters, .. } => parameters.processors,
            Self::Log { machine, .. } => machine.processors,
        }
    }

    /// The jobs of one replicate: of a seed of its own, shaken where they come from a log.
    pub fn replicate(&self, shaking: Shaking, replicate: u32) -> ReplicateJobs {
        let mut generator = Pcg64::seed_from_u64(shaking.seed.wrapping_add(u64::from(replicate)));
        match self {
            Self::Downey { parameters, days } => ReplicateJobs::Days(parameters.jobs(*days, generator).collect()),
            Self::Log { jobs, .. } => {
                let jobs = shaken(jobs, shaking.jitter, shaking.seed, u64::from(replicate));
                let traced = MouldableTracedJob::of_log(&jobs, &mut generator);
                let jobs = traced.iter().map(|job| job.job).collect();
                ReplicateJobs::Log { traced, jobs }
            }
        }
    }
}

/// The jobs of one replicate.
pub enum ReplicateJobs {
    Days(Vec<MouldableJob>),
    Log { traced: Vec<MouldableTracedJob>, jobs: Vec<MouldableJob> },
}

impl ReplicateJobs {
    /// What is run one after the other, each on an empty machine.
    pub fn periods(&self) -> Vec<&[MouldableJob]> {
        match self {
            Self::Days(jobs) => by_day(jobs),
            Self::Log { jobs, .. } => vec![jobs],
        }
    }

    /// With what the log says of them; nothing for jobs that are not of one.
    pub fn traced(&self) -> &[MouldableTracedJob] {
        match self {
            Self::Days(_) => &[],
            Self::Log { traced, .. } => traced,
        }
    }
}
