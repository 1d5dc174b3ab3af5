//! `qcast simulate`: replay a log under a policy and a predictor, and measure what came out.
//!
//! A log of up to two million jobs is read whole, so that it can be shaken, checked and timed; a longer one streams
//! through in bounded memory, in the order it has.

mod check;
mod result;
mod schedule;
mod shake;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use queuecast_evaluate::{Configuration, FIGURES, ReplayPolicy, ShakenFigures, Summary};
use queuecast_logs::{Dropped, ReplayableJobs, StreamedJobs};
use queuecast_predict::PredictorSpecification;
use queuecast_simulate::BareLoop;
use queuecast_workload::TracedJob;
use queuecast_workload::order::SubmissionOrder;

use self::check::Check;
use self::result::{SimulationResult, Timing};
use self::schedule::ScheduleWriter;
use crate::details::{Column, Details, DetailsArgs, JOB_COLUMNS, JobRows, Kind, ReplicateValuesArgs};
use crate::failure::{Failure, say};
use crate::input::reasons;
use crate::input::source::{MachineArgs, SourceArgs};
use crate::options::predictor;
use crate::options::program;
use crate::options::replay::ReplayArgs;
use crate::output::{self, FormatArgs, grouped};
use crate::provenance::Provenance;

/// The arguments of `qcast simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    machine: MachineArgs,
    /// Scheduling policy.
    #[arg(long, default_value = "easy", value_parser = program::parse_policy, help = program::POLICY_HELP)]
    policy: ReplayPolicy,
    /// Run-time predictor.
    #[arg(long, default_value = "estimate", value_parser = predictor::parse, help = predictor::HELP)]
    predictor: PredictorSpecification,
    #[command(flatten)]
    replay: ReplayArgs,
    #[command(flatten)]
    shake: shake::ShakeArgs,
    /// Log to write the simulated schedule to, with one line per job in order of completion.
    #[arg(long, value_name = "FILE")]
    schedule: Option<PathBuf>,
    #[command(flatten)]
    details: DetailsArgs,
    #[command(flatten)]
    replicate_values: ReplicateValuesArgs,
    /// Log whose wait times the simulated ones must equal; the exit status is 1 if one differs.
    #[arg(long, value_name = "FILE")]
    check_against: Option<PathBuf>,
    /// Number of timed simulation runs; the fastest is reported.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Omit timings from the result, so that repeated runs print identical output.
    #[arg(long)]
    no_timing: bool,
    #[command(flatten)]
    format: FormatArgs,
}

const REPLICATE_COLUMNS: [Column; 3] = [("replicate", Kind::Integer), ("figure", Kind::Text), ("value", Kind::Number)];

/// A simulation longer than this is not run again just to time it.
const LONG: Duration = Duration::from_secs(1);

/// Runs the subcommand.
pub fn run(arguments: &SimulateArgs) -> Result<(), Failure> {
    let source = arguments.source.open()?;
    let machine = arguments.machine.machine_for_replay(&source)?;
    let configuration =
        arguments.replay.configuration(machine.machine(), arguments.policy.clone(), arguments.predictor.clone());
    let mut details = arguments.details.create(&JOB_COLUMNS)?;
    let values = arguments.replicate_values.create(&REPLICATE_COLUMNS)?;
    if values.is_some() && !arguments.shake.is_asked_for() {
        return Err(Failure::usage("--replicate-values requires --shake")
            .with_hint("set the number of replicates with --shake"));
    }
    let check = arguments.check_against.as_deref().map(Check::open).transpose()?;
    let log = arguments.source.log_read().on(machine.processors);
    let log = if arguments.schedule.is_some() { log.hashed() } else { log };
    let of_log = Provenance::of_this_command().with_seed(arguments.shake.seed());
    let create = |path| ScheduleWriter::create(path, &source, &configuration, &of_log.clone().with_log(log.clone()));
    let schedule = arguments.schedule.as_deref().map(create).transpose()?;
    let name = source.name().to_owned();

    let begun = Instant::now();
    let mut order = SubmissionOrder::new(ReplayableJobs::new(source));
    let whole = order.load_whole()?;
    let parse = begun.elapsed();
    let replayed = if let Some(jobs) = whole {
        replay_whole(arguments, &configuration, &jobs, order.source(), parse, (check, schedule, &mut details))?
    } else {
        replay_stream(arguments, &configuration, order, parse, (check, schedule, &mut details))?
    };

    let result = SimulationResult::new(name, machine, &configuration, &arguments.shake, &replayed)?;
    replayed.tell();
    let provenance = of_log.with_log(log.without(replayed.dropped));
    details.map(|details| details.finish(&provenance)).transpose()?;
    if let (Some(mut values), Some(shaken)) = (values, &replayed.shaken) {
        for figure in FIGURES {
            for (replicate, value) in (1_u32..).zip(shaken.of(figure).values()) {
                values.add(&[replicate.into(), figure.into(), (*value).into()]);
            }
        }
        values.finish(&provenance)?;
    }
    output::print(&result, &provenance, arguments.format.format)?;
    replayed.check.map_or(Ok(()), Check::verdict)
}

/// Who else hears of every job that ends, if anybody asked for it.
type Listeners<'a> = (Option<Check>, Option<ScheduleWriter>, &'a mut Option<Details>);

fn job_rows<'a>(details: &'a mut Option<Details>, configuration: &Configuration) -> Option<JobRows<'a>> {
    details.as_mut().map(|details| JobRows::new(details, Vec::new(), configuration.slowdown_threshold))
}

/// Everything a simulation leaves behind.
struct Replayed {
    summary: Summary,
    dropped: Dropped,
    shaken: Option<ShakenFigures>,
    check: Option<Check>,
    timing: Option<Timing>,
}

impl Replayed {
    /// What the person should know beside the result.
    fn tell(&self) {
        let left_out = self.dropped.total();
        if left_out > 0 {
            say(format_args!("warning: {} jobs left out: {}", grouped(left_out), reasons(&self.dropped)));
        }
        if let Some(timing) = &self.timing {
            say(timing);
        }
    }
}

fn replay_whole(
    arguments: &SimulateArgs,
    configuration: &Configuration,
    jobs: &[TracedJob],
    source: &ReplayableJobs,
    parse: Duration,
    (mut check, mut schedule, details): Listeners<'_>,
) -> Result<Replayed, Failure> {
    let mut rows = job_rows(details, configuration);
    let mut bare = (!arguments.no_timing).then(BareLoop::default);
    let observers = &mut ((&mut check, &mut schedule), (&mut bare, &mut rows));
    let begun = Instant::now();
    let (summary, dropped) = configuration.replay(jobs.iter().copied(), observers);
    let elapsed = begun.elapsed();
    let dropped = Dropped::new(source, dropped).leaving(summary.jobs, source.source().name())?;
    if let Some(schedule) = schedule {
        schedule.finish()?;
    }
    let timing = bare.map(|bare| {
        let simulate = time_simulation(arguments, configuration, jobs, elapsed);
        let bare = result::time_bare_loop(bare);
        Timing::new(parse, simulate, elapsed, Some(bare), summary.jobs)
    });
    Ok(Replayed { dropped, summary, shaken: arguments.shake.run(configuration, jobs)?, check, timing })
}

/// How long the simulation alone takes, without measures: the fastest of as many runs as asked for. Where the replay
/// with measures was long, it is not run again just to time it, and its time stands for both.
fn time_simulation(
    arguments: &SimulateArgs,
    configuration: &Configuration,
    jobs: &[TracedJob],
    replay: Duration,
) -> Duration {
    if replay >= LONG && arguments.repeat == 1 {
        return replay;
    }
    let runs = (0..arguments.repeat).map(|_| {
        let begun = Instant::now();
        configuration.simulate(jobs.iter().copied(), &mut ());
        begun.elapsed()
    });
    runs.min().unwrap_or(replay)
}

fn replay_stream(
    arguments: &SimulateArgs,
    configuration: &Configuration,
    order: SubmissionOrder<ReplayableJobs, TracedJob>,
    parse: Duration,
    (mut check, mut schedule, details): Listeners<'_>,
) -> Result<Replayed, Failure> {
    if arguments.shake.is_asked_for() || arguments.repeat > 1 {
        return Err(Failure::usage("--shake and --repeat do not support logs of more than two million jobs")
            .with_hint("cut the log with `qcast trace cut`"));
    }
    let mut rows = job_rows(details, configuration);
    let mut stream = StreamedJobs::new(order, parse);
    let begun = Instant::now();
    let (summary, dropped) = configuration.replay(&mut stream, &mut ((&mut check, &mut schedule), &mut rows));
    let elapsed = begun.elapsed();
    let (source, parse) = stream.conclude()?;
    let dropped = Dropped::new(&source, dropped).leaving(summary.jobs, source.source().name())?;
    if let Some(schedule) = schedule {
        schedule.finish()?;
    }
    let simulated = elapsed.saturating_sub(parse.while_replaying);
    Ok(Replayed {
        dropped,
        timing: (!arguments.no_timing).then(|| Timing::new(parse.total, simulated, simulated, None, summary.jobs)),
        summary,
        shaken: None,
        check,
    })
}
