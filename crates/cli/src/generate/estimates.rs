//! `qcast generate estimates`.

use std::fmt;

use clap::Args;
use queuecast_workload::Seconds;
use queuecast_workload::generate::estimates::{
    EstimateDistribution, EstimateOptions, EstimateShare, assign, by_accuracy, by_factor,
};
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
    /// How: tsafrir, as users choose them; exact; f:FACTOR, uniform up to that much more than the run time; phi:SHARE,
    /// that share exact and for the others the run time a uniform part of the limit.
    #[arg(long, default_value = "tsafrir", value_parser = parse_model)]
    model: EstimateModel,
    /// A limit whose share of the jobs is known, as SECONDS=PERCENT; may be given up to twenty times.
    #[arg(long = "supply", value_name = "SECONDS=PERCENT", value_parser = parse_share)]
    supplied: Vec<EstimateShare>,
    /// Decides every random number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sink: SinkArgs,
}

/// How limits are made up.
#[derive(Clone, Copy, Debug, PartialEq)]
enum EstimateModel {
    Tsafrir,
    Factor(f64),
    Accuracy(f64),
}

impl fmt::Display for EstimateModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tsafrir => f.write_str("tsafrir"),
            Self::Factor(factor) => write!(f, "f:{factor}"),
            Self::Accuracy(share) => write!(f, "phi:{share}"),
        }
    }
}

fn parse_model(text: &str) -> Result<EstimateModel, String> {
    let number = |text: &str, most: f64| text.parse().ok().filter(|number| (0.0..=most).contains(number));
    let model = match text.split_once(':') {
        None if text == "tsafrir" => Some(EstimateModel::Tsafrir),
        None if text == "exact" => Some(EstimateModel::Factor(0.0)),
        Some(("f", factor)) => number(factor, 1e6).map(EstimateModel::Factor),
        Some(("phi", share)) => number(share, 1.0).map(EstimateModel::Accuracy),
        _ => None,
    };
    model.ok_or_else(|| "known: tsafrir, exact, f:FACTOR, phi:SHARE with a share from 0 to 1".to_owned())
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

    let estimates = arguments.make_up(&runs)?;

    let mut sink = arguments.sink.create()?;
    let mut header = header;
    header.add_note(&format!(
        "limits made up by qcast {}: generate estimates --model {} --maximum {} --seed {}",
        env!("CARGO_PKG_VERSION"),
        arguments.model,
        arguments.maximum,
        arguments.seed
    ));
    sink.write_header(&header)?;
    let mut estimates = estimates.iter();
    for mut record in records {
        record.requested_time =
            if record.run_time > 0 { estimates.next().map_or(-1, |estimate| estimate.0) } else { -1 };
        sink.write_record(&record)?;
    }
    say(format_args!("{} jobs that ran were given limits", grouped(runs.len() as u64)));
    sink.finish()
}

impl EstimatesArgs {
    fn make_up(&self, runs: &[Seconds]) -> Result<Vec<Seconds>, Failure> {
        let mut generator = Pcg64::seed_from_u64(self.seed);
        let maximum = Seconds(self.maximum);
        match self.model {
            EstimateModel::Tsafrir => self.as_users_choose(runs, &mut generator),
            EstimateModel::Factor(factor) => Ok(by_factor(runs, factor, &mut generator)),
            EstimateModel::Accuracy(exact_share) => Ok(by_accuracy(runs, exact_share, maximum, &mut generator)),
        }
    }

    fn as_users_choose(&self, runs: &[Seconds], generator: &mut Pcg64) -> Result<Vec<Seconds>, Failure> {
        let mut options = EstimateOptions::new(Seconds(self.maximum), runs.len());
        options.supplied.extend(&self.supplied);
        let distribution = EstimateDistribution::generate(&options, generator);
        let distribution = distribution.map_err(|error| Failure::new(Cause::Usage, error))?;
        let assigned = assign(runs, &distribution, generator);
        if let Some(longest) = assigned.raised_to {
            say(format_args!("the longest limit was raised to {longest}: a job ran that long"));
        }
        if assigned.drawn_anew > 0 {
            let count = grouped(assigned.drawn_anew as u64);
            say(format_args!("{count} jobs found no limit left that was long enough; theirs were drawn anew"));
        }
        Ok(assigned.estimates)
    }
}

fn run_of(record: &SwfRecord) -> Seconds {
    Seconds(record.run_time)
}
