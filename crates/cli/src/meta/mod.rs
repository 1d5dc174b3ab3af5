//! `qcast meta`: several clusters, and where jobs should go.
//!
//! Every log brings a site, its machine, and jobs that call it home. Logs begin together, whenever they were recorded, and
//! every strategy runs the same jobs, shaken alike, so that differences can be paired.

mod files;
mod result;

use clap::Args;
use queuecast_evaluate::sites::{
    SiteSpecification, SitesRun, SitesSummary, StrategySpecification, Window, begun_together, roaming,
};
use queuecast_logs::WholeTrace;
use queuecast_schedule::PolicySpecification;
use queuecast_workload::TracedJob;
use rayon::prelude::*;

use self::files::Journal;
use self::result::{MetaResult, StrategyResult};
use crate::details::{DetailsArgs, ReplicateValuesArgs};
use crate::failure::{Failure, say};
use crate::input::machines::MachinesArgs;
use crate::input::nothing_left;
use crate::input::progress::{SharedProgress, Unit};
use crate::input::source::SourcesArgs;
use crate::options::shaking::{ShakingArgs, parse_replicates};
use crate::output::{self, FormatArgs, grouped};
use crate::provenance::{LogRead, Provenance};

/// The arguments of `qcast meta`.
#[derive(Debug, Args)]
pub struct MetaArgs {
    #[command(flatten)]
    sources: SourcesArgs,
    #[command(flatten)]
    machines: MachinesArgs,
    /// Speed of each site relative to the recorded run times, in the order of the logs [default: 1 for all sites].
    #[arg(long = "speed", value_name = "FACTOR", value_delimiter = ',', value_parser = parse_speed)]
    speeds: Vec<f64>,
    /// Strategies to compare.
    #[arg(
        long = "strategy",
        value_name = "STRATEGY",
        default_values = ["static", "least-loaded", "redundant"],
        help = StrategySpecification::HELP
    )]
    strategies: Vec<StrategySpecification>,
    /// Scheduling policy at all sites.
    #[arg(long, default_value = "easy")]
    policy: PolicySpecification,
    /// Number of days to use from each log [default: all].
    #[arg(long, value_name = "COUNT")]
    days: Option<u32>,
    /// Number of days to skip at the beginning of each log.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    from_day: u32,
    /// Number of simulations per forecast, for methods that simulate the queue.
    #[arg(long, value_name = "COUNT", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    simulations: u32,
    /// Number of replicates with shaken submission times.
    #[arg(long, alias = "replicates", value_name = "COUNT", default_value_t = 5)]
    #[arg(value_parser = parse_replicates)]
    shake: u32,
    #[command(flatten)]
    shaking: ShakingArgs,
    #[command(flatten)]
    details: DetailsArgs,
    #[command(flatten)]
    replicate_values: ReplicateValuesArgs,
    #[command(flatten)]
    format: FormatArgs,
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed > 0.0);
    speed.ok_or_else(|| "expected a speed above 0, such as 1.5".to_owned())
}

/// Runs the subcommand.
pub fn run(arguments: &MetaArgs) -> Result<(), Failure> {
    arguments.strategies.iter().try_for_each(StrategySpecification::require)?;
    let pool = arguments.shaking.pool()?;
    let mut details = arguments.details.create(&files::JOB_COLUMNS)?;
    let mut values = arguments.replicate_values.create(&files::REPLICATE_COLUMNS)?;
    let World { sites, jobs, logs } = arguments.load()?;
    let shaking = arguments.shaking.shaking(arguments.shake);
    let run = SitesRun { policy: arguments.policy, futures: arguments.simulations, seed: shaking.seed };
    let steps = u64::from(arguments.shake) * arguments.strategies.len() as u64;
    let progress = SharedProgress::new(Unit::Replicates, steps);
    let runs: Vec<Vec<(SitesSummary, Journal)>> = pool.install(|| {
        let replicates = (0..arguments.shake).into_par_iter().map(|replicate| {
            let jobs = roaming(&jobs, shaking.jitter, shaking.seed, u64::from(replicate));
            let runs = arguments.strategies.iter().map(|strategy| {
                let mut journal = Journal::new(arguments.details.is_asked_for());
                let summary = run.simulate_telling(*strategy, &sites, &jobs, &mut journal.writer(&jobs));
                progress.advance();
                (summary, journal)
            });
            runs.collect()
        });
        replicates.collect()
    });
    progress.finish();
    for (replicate, runs) in (1_u32..).zip(&runs) {
        for (strategy, (summary, journal)) in arguments.strategies.iter().zip(runs) {
            let strategy = strategy.to_string();
            if let Some(details) = &mut details {
                journal.add_to(details, &strategy, replicate, &sites);
            }
            if let Some(values) = &mut values {
                files::add_figures(values, &strategy, replicate, summary);
            }
        }
    }
    let of = |index: usize| runs.iter().map(|run| run[index].0.clone()).collect::<Vec<_>>();
    let first = of(0);
    let strategies = arguments.strategies.iter().enumerate();
    let strategies = strategies.map(|(index, strategy)| StrategyResult::new(strategy.to_string(), &of(index), &first));
    let result = MetaResult {
        sites: sites.iter().map(|site| site.name.clone()).collect(),
        processors: sites.iter().map(|site| site.machine.processors).collect(),
        policy: arguments.policy.to_string(),
        replicates: arguments.shake,
        strategies: strategies.collect(),
    };
    let provenance = Provenance::of_this_command().with_seed(shaking.seed);
    let provenance = logs.into_iter().fold(provenance, Provenance::with_log);
    [details, values].into_iter().flatten().try_for_each(|file| file.finish(&provenance))?;
    output::print(&result, &provenance, arguments.format.format)
}

/// What is simulated: a site for each log.
struct World {
    sites: Vec<SiteSpecification>,
    /// By home.
    jobs: Vec<Vec<TracedJob>>,
    logs: Vec<LogRead>,
}

impl MetaArgs {
    /// The sites, the jobs of each, and the logs they come from.
    fn load(&self) -> Result<World, Failure> {
        let sources = self.sources.open()?;
        let speeds = self.speeds.len();
        if speeds != 0 && speeds != sources.len() {
            let message = format!("--speed has {speeds} values, but there are {} logs", sources.len());
            return Err(Failure::usage(message).with_hint("pass one speed for each log, separated by commas"));
        }
        let machines = self.machines.for_replay(&sources)?;
        let (mut sites, mut jobs, mut logs) = (Vec::new(), Vec::new(), Vec::new());
        for (place, (source, machine)) in sources.into_iter().zip(machines).enumerate() {
            let machine = machine.machine();
            let trace = WholeTrace::load(source)?;
            let before = trace.jobs.len();
            let trace = trace.limited(machine)?;
            let left_out = before - trace.jobs.len();
            if left_out > 0 {
                let count = grouped(left_out as u64);
                say(format_args!(
                    "warning: {}: {count} jobs left out: no time limit, or larger than the machine",
                    trace.name
                ));
            }
            logs.push(LogRead::new(&self.sources.files[place]).on(machine.processors).without(trace.dropped));
            let within = begun_together(trace.jobs, Window { from_day: self.from_day, days: self.days });
            if within.is_empty() {
                return Err(nothing_left(&trace.name, "none in the selected days", "change --from-day or --days"));
            }
            sites.push(SiteSpecification {
                name: trace.name,
                machine,
                speed: self.speeds.get(place).copied().unwrap_or(1.0),
            });
            jobs.push(within);
        }
        Ok(World { sites, jobs, logs })
    }
}
