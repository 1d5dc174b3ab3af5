//! `qcast generate lublin`.

use clap::{Args, ValueEnum};
use queuecast_workload::generate::lublin::{Kinds, LublinJobs};
use queuecast_workload::swf::SwfRecord;
use queuecast_workload::{Machine, Seconds};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::made_up;
use crate::failure::{Cause, Failure};
use crate::options::load::parse_load;
use crate::trace::sink::SinkArgs;

/// The arguments of `qcast generate lublin`.
#[derive(Debug, Args)]
pub struct LublinArgs {
    /// Number of jobs.
    #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
    jobs: usize,
    /// Number of processors of the machine.
    #[arg(long, value_name = "COUNT", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    processors: u32,
    /// Kinds of jobs.
    #[arg(long, value_enum, default_value_t)]
    kinds: KindsChoice,
    /// Long-term offered load [default: the load of the published parameters].
    ///
    /// The load is reached by scaling the gaps between jobs, as the authors do.
    #[arg(long, value_name = "LOAD", value_parser = parse_load)]
    load: Option<f64>,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sink: SinkArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum KindsChoice {
    /// Batch and interactive jobs, with separate parameters.
    #[default]
    Both,
    /// Only batch jobs.
    Batch,
    /// Only interactive jobs.
    Interactive,
    /// One set of parameters, from logs that do not distinguish batch and interactive jobs.
    Undivided,
}

impl From<KindsChoice> for Kinds {
    fn from(choice: KindsChoice) -> Self {
        match choice {
            KindsChoice::Both => Self::Both,
            KindsChoice::Batch => Self::Batch,
            KindsChoice::Interactive => Self::Interactive,
            KindsChoice::Undivided => Self::Undivided,
        }
    }
}

/// Runs the subcommand: the jobs stream to the file one by one.
pub fn run(arguments: &LublinArgs) -> Result<(), Failure> {
    let LublinArgs { jobs, processors, kinds, load, seed, sink } = arguments;
    let machine = Machine { processors: *processors };
    let generator = Pcg64::seed_from_u64(*seed);
    let generated = match *load {
        None => LublinJobs::new(machine, Kinds::from(*kinds), generator),
        Some(load) => LublinJobs::with_load(machine, Kinds::from(*kinds), load, generator),
    };
    let generated = generated.map_err(|error| Failure::new(Cause::Usage, error))?;
    let mut sink = sink.create()?;
    let mut header = made_up(machine);
    let kinds = kinds.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let load = load.map_or(String::new(), |load| format!(" --load {load}"));
    header.add_note(&format!(
        "qcast generate lublin --jobs {jobs} --processors {processors} --kinds {kinds}{load} --seed {seed}"
    ));
    sink.write_header(&header)?;
    for job in generated.take(*jobs) {
        sink.write_record(&SwfRecord::from_traced(&job, Seconds(-1)))?;
    }
    sink.finish()
}
