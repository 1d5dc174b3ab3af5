//! `qcast generate resample`.

use std::ffi::OsStr;
use std::path::Path;

use clap::{ArgGroup, Args, ValueEnum};
use queuecast_logs::WholeTrace;
use queuecast_workload::Seconds;
use queuecast_workload::generate::resample::{Length, Population, ResampleBy, ResampleOptions, Resampled};
use queuecast_workload::swf::{SwfHeader, SwfRecord};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::failure::{Cause, Failure, say};
use crate::input::reasons;
use crate::input::source::{MachineArgs, SourceArgs};
use crate::options::load::parse_load;
use crate::output::{grouped, percent};
use crate::trace::sink::SinkArgs;

/// What a header says of the log as a whole or of its users, and what is not so of the new one. Everything else stays:
/// whose the log is and how it may be used, the machine, the queues, and where on the calendar time zero is.
const NO_LONGER_TRUE: [&str; 6] = ["MaxJobs", "MaxRecords", "EndTime", "MaxUsers", "Users", "User"];

/// The arguments of `qcast generate resample`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("length").required(true).args(["jobs", "weeks"]))]
pub struct ResampleArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Number of jobs.
    #[arg(long, value_name = "COUNT")]
    jobs: Option<u64>,
    /// Number of weeks.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    weeks: Option<u32>,
    /// Offered load, as measured by `qcast trace info` [default: the load of the log].
    ///
    /// The load is reached with more or fewer users.
    #[arg(long, value_name = "LOAD", value_parser = parse_load)]
    load: Option<f64>,
    /// Unit of resampling.
    #[arg(long, value_enum, default_value_t)]
    by: ByChoice,
    #[command(flatten)]
    machine: MachineArgs,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sink: SinkArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ByChoice {
    /// Users with all their jobs.
    #[default]
    Users,
    /// Users whose sessions are replaced by other sessions of the same user and day of the week.
    Sessions,
}

/// Runs the subcommand: the log is read whole, and the jobs stream to the file one by one.
pub fn run(arguments: &ResampleArgs) -> Result<(), Failure> {
    let source = arguments.source.open()?;
    let machine = arguments.machine.machine_for_replay(&source)?.machine();
    let mut header = source.header().clone();
    let log = WholeTrace::load(source)?;
    if log.dropped.total() > 0 {
        say(format_args!("warning: {}: jobs left out: {}", log.name, reasons(&log.dropped)));
    }

    let resampled = Resampled::new(log.jobs, machine, arguments.options(&header), Pcg64::seed_from_u64(arguments.seed));
    let resampled = resampled.map_err(|error| {
        let name = &log.name;
        Failure::new(Cause::Usage, anyhow::Error::new(error).context(format!("cannot resample {name}")))
    })?;
    say(format_args!("{}: {}", log.name, described(&resampled.population())));

    let mut sink = arguments.sink.create()?;
    for name in NO_LONGER_TRUE {
        header.remove_directive(name);
    }
    if header.max_procs() != Some(machine.processors) {
        header.set_directive("MaxProcs", &machine.processors.to_string());
    }
    header.add_note(&arguments.note(&log.name));
    sink.write_header(&header)?;
    let mut written = 0;
    for job in resampled {
        sink.write_record(&SwfRecord::from_traced(&job, Seconds(-1)))?;
        written += 1;
    }
    if arguments.jobs.is_some_and(|wanted| written < wanted) {
        say(format_args!(
            "warning: the maximum time, about 30,000 years, was reached after {} jobs; use a higher load",
            grouped(written)
        ));
    }
    sink.finish()
}

impl ResampleArgs {
    fn options(&self, header: &SwfHeader) -> ResampleOptions {
        // Clap sees to it that one of the two is given.
        let length = self.weeks.map_or(Length::Jobs(self.jobs.unwrap_or_default()), Length::Weeks);
        let by = match self.by {
            ByChoice::Users => ResampleBy::Users,
            ByChoice::Sessions => ResampleBy::Sessions,
        };
        ResampleOptions { length, load: self.load, by, time_of_day_at_zero: header.time_of_day_at_zero() }
    }

    fn note(&self, log: &str) -> String {
        // Where the log lies on this machine is nobody's business, and would make the same input give other bytes.
        let log = Path::new(log).file_name().map_or(log.into(), OsStr::to_string_lossy);
        let option =
            |name: &str, value: Option<String>| value.map_or(String::new(), |value| format!(" --{name} {value}"));
        let by = self.by.to_possible_value().map(|value| value.get_name().to_owned());
        format!(
            "resampled from {log} by qcast {}: generate resample{}{}{}{} --seed {}; each appearance of a user has a \
             new user number, waits are unknown, and notes above about particular jobs or users refer to the source log",
            env!("CARGO_PKG_VERSION"),
            option("jobs", self.jobs.map(|count| count.to_string())),
            option("weeks", self.weeks.map(|count| count.to_string())),
            option("load", self.load.map(|load| load.to_string())),
            option("by", by),
            self.seed,
        )
    }
}

fn described(population: &Population) -> String {
    let Population { long_term_users, temporary_users, long_term_present, temporary_a_week, log_load } = *population;
    format!(
        "load {}; {} long-term users, of which {long_term_present:.1} are present at a time; {} temporary users, of which \
         {temporary_a_week:.1} arrive per week",
        percent(log_load),
        grouped(long_term_users as u64),
        grouped(temporary_users as u64),
    )
}
