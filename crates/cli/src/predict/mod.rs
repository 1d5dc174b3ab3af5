//! `qcast predict`: how good a predictor would have been on a log, job by job as it happened, without scheduling.

mod result;
mod timed;

use clap::Args;
use queuecast_evaluate::PredictionScores;
use queuecast_logs::WholeTrace;
use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_simulate::{AskedAt, as_logged, replay_as_logged};
use queuecast_workload::{Seconds, TracedJob};

use self::result::{Baseline, PredictResult};
use self::timed::Timed;
use crate::details::{DetailsArgs, JOB_COLUMNS, JobRows};
use crate::failure::{Failure, say};
use crate::input::source::SourceArgs;
use crate::options::at::AskedAtChoice;
use crate::options::overrun::OverrunChoice;
use crate::options::predictor;
use crate::output::{self, FormatArgs, grouped};
use crate::provenance::Provenance;

/// The arguments of `qcast predict`.
#[derive(Debug, Args)]
pub struct PredictArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Run-time predictor.
    #[arg(long, default_value = "recent:n=2,stat=mean", value_parser = predictor::parse, help = predictor::HELP)]
    predictor: PredictorSpecification,
    /// Correction of a prediction that a job has exceeded: raise, raise-then-first, steps, offset-steps, x10,
    /// x10:SECONDS or x10:longest [default: the correction used in the predictor's paper].
    #[arg(long)]
    correction: Option<Correction>,
    /// Renew the predictions of a user's other jobs when one of the user's jobs ends or exceeds its prediction.
    #[arg(long)]
    propagate: bool,
    /// Time of the first prediction of a job.
    #[arg(long, value_enum, default_value_t)]
    at: AskedAtChoice,
    /// Action when a job reaches its time limit.
    #[arg(long, value_enum, default_value_t = OverrunChoice::RunOn)]
    overrun: OverrunChoice,
    /// Share of the log, from 0 to below 1, that is only used for training; the jobs after that are scored.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = parse_share)]
    score_after: f64,
    #[command(flatten)]
    details: DetailsArgs,
    /// Omit timings from the result, so that repeated runs print identical output.
    #[arg(long)]
    no_timing: bool,
    #[command(flatten)]
    format: FormatArgs,
}

/// Run times below this count as this in the bounded slowdown of the log's own waits.
const SLOWDOWN_THRESHOLD: Seconds = Seconds(10);

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "expected a share of the log, from 0 to below 1".to_owned())
}

/// Runs the subcommand.
pub fn run(arguments: &PredictArgs) -> Result<(), Failure> {
    let mut details = arguments.details.create(&JOB_COLUMNS)?;
    let WholeTrace { name, jobs, dropped } = WholeTrace::load(arguments.source.open()?)?;
    let waits_unknown = jobs.iter().filter(|job| job.recorded.wait.is_none()).count() as u64;
    let asked_at = AskedAt::from(arguments.at);
    let jobs = as_logged(&jobs, asked_at);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the number of jobs")]
    let score_from = (arguments.score_after * jobs.len() as f64).ceil() as u64;
    let correction = arguments.correction.unwrap_or(arguments.predictor.default_correction());

    let (predictor, foresight) = arguments.predictor.build(correction, arguments.propagate);
    let mut timed = Timed::new(predictor);
    let mut scores = PredictionScores::from_job(score_from);
    let overrun = arguments.overrun.into();
    let mut rows = details.as_mut().map(|details| JobRows::new(details, Vec::new(), SLOWDOWN_THRESHOLD));
    replay_as_logged(jobs.iter().copied(), overrun, (&mut timed, foresight), &mut (&mut scores, &mut rows));

    let result = PredictResult {
        trace: name,
        predictor: arguments.predictor.to_string(),
        correction: correction.to_string(),
        propagate: arguments.propagate,
        at: asked_at,
        scored: scores.summary(),
        baselines: baselines(arguments, &jobs, &scores, score_from),
        dropped,
        timing: (!arguments.no_timing).then(|| timed.latency()),
    };
    if waits_unknown > 0 {
        say(format_args!(
            "warning: {} jobs without a wait time in the log; they are assumed to have started at once",
            grouped(waits_unknown)
        ));
    }
    let provenance = Provenance::of_this_command().with_log(arguments.source.log_read().without(dropped));
    details.map(|details| details.finish(&provenance)).transpose()?;
    output::print(&result, &provenance, arguments.format.format)
}

/// What the user's limit and the best constant would have given on the same jobs.
fn baselines(arguments: &PredictArgs, jobs: &[TracedJob], scores: &PredictionScores, score_from: u64) -> Vec<Baseline> {
    let mut baselines = Vec::new();
    if jobs.iter().any(|job| job.submission.limit.is_some()) {
        let estimate = PredictorSpecification::Estimate;
        let mut of_estimate = PredictionScores::from_job(score_from);
        let built = estimate.build(estimate.default_correction(), false);
        replay_as_logged(jobs.iter().copied(), arguments.overrun.into(), built, &mut of_estimate);
        baselines.push(Baseline { name: "estimate".to_owned(), accuracy: of_estimate.summary().accuracy });
    }
    let (constant, accuracy) = scores.best_constant();
    baselines.push(Baseline { name: format!("best constant in hindsight ({constant})"), accuracy });
    baselines
}
