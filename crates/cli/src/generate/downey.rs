//! `qcast generate downey`.

use clap::Args;
use queuecast_workload::generate::downey::DowneyParameters;
use queuecast_workload::swf::SwfRecord;
use queuecast_workload::{Machine, Seconds};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::made_up;
use crate::failure::Failure;
use crate::options::load::parse_load;
use crate::trace::sink::SinkArgs;

/// The arguments of `qcast generate downey`.
#[derive(Debug, Args)]
pub struct DowneyArgs {
    /// Number of days.
    #[arg(long, value_name = "COUNT", default_value_t = 120)]
    days: u32,
    /// Number of processors of the machine.
    #[arg(long, value_name = "COUNT", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..))]
    processors: u32,
    /// Load of the model: sequential work that arrives per day, divided by the daily capacity of the machine.
    #[arg(long, value_name = "LOAD", default_value_t = 0.75, value_parser = parse_load)]
    load: f64,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sink: SinkArgs,
}

/// Runs the subcommand: the jobs stream to the file one by one.
pub fn run(arguments: &DowneyArgs) -> Result<(), Failure> {
    let DowneyArgs { days, processors, load, seed, sink } = arguments;
    let machine = Machine { processors: *processors };
    let mut sink = sink.create()?;
    let mut header = made_up(machine);
    header.add_note(&format!(
        "qcast generate downey --days {days} --processors {processors} --load {load} --seed {seed}"
    ));
    header.add_note(
        "the model's jobs can run on any number of processors; here each job requests its average parallelism, rounded \
         up, and has its run time on that number; this file does not contain its run times on other numbers",
    );
    sink.write_header(&header)?;
    let parameters = DowneyParameters::on(machine, *load);
    for job in parameters.jobs(*days, Pcg64::seed_from_u64(*seed)).rigid(machine) {
        sink.write_record(&SwfRecord::from_traced(&job, Seconds(-1)))?;
    }
    sink.finish()
}
