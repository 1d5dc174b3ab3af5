//! `qcast generate estimates`.

use clap::Args;
use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{EstimateDistribution, EstimateOptions, EstimateShare, assign};
use queuecast_workload::swf::SwfRecord;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::failure::{Cause, Failure, say};
use crate::input::source::SourceArgs;
use crate::output::grouped;
use crate::trace::sink::SinkArgs;

/// The arguments of `qcast generate estimates`.
#[derive(Debug, Args)]
pub struct EstimatesArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The longest limit the site allows.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(60..=Seconds::MAX.0))]
    maximum: i64,
    /// A limit whose share of the jobs is known, as SECONDS=PERCENT; may be given up to twenty times.
    #[arg(long = "supply", value_name = "SECONDS=PERCENT", value_parser = parse_share)]
    supplied: Vec<EstimateShare>,
    /// Decides every random number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sink: SinkArgs,
}

fn parse_share(text: &str) -> Result<EstimateShare, String> {
    let (time, per_cent) = text.split_once('=').ok_or("expected SECONDS=PERCENT, such as 64800=23.8")?;
    let time = time.parse().map_err(|_| format!("'{time}' is not a number of seconds"))?;
    let per_cent = per_cent.parse().map_err(|_| format!("'{per_cent}' is not a percentage"))?;
    Ok(EstimateShare { time: Seconds(time), per_cent })
}

/// Runs the subcommand: the log again, line by line, with other limits for the jobs that ran.
pub fn run(arguments: &EstimatesArgs) -> Result<(), Failure> {
    let mut source = arguments.source.open()?;
    let header = source.header().clone();
    let records = source.by_ref().collect::<Result<Vec<SwfRecord>, Failure>>()?;
    let runs: Vec<Seconds> = records.iter().filter(|record| record.run_time > 0).map(run_of).collect();

    let mut generator = Pcg64::seed_from_u64(arguments.seed);
    let mut options = EstimateOptions::new(Seconds(arguments.maximum), runs.len());
    options.supplied.extend(&arguments.supplied);
    let distribution = EstimateDistribution::generate(&options, &mut generator);
    let distribution = distribution.map_err(|error| Failure::new(Cause::Usage, error))?;
    let assigned = assign(&runs, &distribution, &mut generator);
    if let Some(longest) = assigned.raised_to {
        say(format_args!("the longest limit was raised to {longest}: a job ran that long"));
    }
    if assigned.drawn_anew > 0 {
        say(format_args!(
            "{} jobs found no limit left that was long enough; theirs were drawn anew",
            assigned.drawn_anew
        ));
    }

    let mut sink = arguments.sink.create()?;
    let mut header = header;
    header.add_note(&format!(
        "limits made up by qcast {}: generate estimates --maximum {} --seed {}",
        env!("CARGO_PKG_VERSION"),
        arguments.maximum,
        arguments.seed
    ));
    sink.write_header(&header)?;
    let mut estimates = assigned.estimates.iter();
    for mut record in records {
        record.requested_time =
            if record.run_time > 0 { estimates.next().map_or(-1, |estimate| estimate.0) } else { -1 };
        sink.write_record(&record)?;
    }
    say(format_args!("{} jobs that ran were given limits", grouped(runs.len() as u64)));
    sink.finish()
}

fn run_of(record: &SwfRecord) -> Seconds {
    Seconds(record.run_time)
}
