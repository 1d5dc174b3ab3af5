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
    /// Who predicts.
    #[arg(long, default_value = "recent:n=2,stat=mean", value_parser = predictor::parse, help = predictor::HELP)]
    predictor: PredictorSpecification,
    /// What to plan for a job that outlived its prediction: raise, raise-then-first, steps, offset-steps, x10,
    /// x10:SECONDS or x10:longest [default: what the predictor's paper pairs with it].
    #[arg(long)]
    correction: Option<Correction>,
    /// When a job ends or outlives its prediction, predict its user's other jobs anew.
    #[arg(long)]
    propagate: bool,
    /// When the first prediction is asked for.
    #[arg(long, value_enum, default_value_t)]
    at: AskedAtChoice,
    /// What happens at the user's limit.
    #[arg(long, value_enum, default_value_t = OverrunChoice::RunOn)]
    overrun: OverrunChoice,
    /// Score only the jobs after this share of the log; those before it only teach.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = parse_share)]
    score_after: f64,
    #[command(flatten)]
    details: DetailsArgs,
    /// Leave timing out of the result, so that two runs give the same bytes.
    #[arg(long)]
    no_timing: bool,
    #[command(flatten)]
    format: FormatArgs,
}

/// Run times below this count as this in the bounded slowdown of the log's own waits.
const SLOWDOWN_THRESHOLD: Seconds = Seconds(10);

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "a share of the log is a number from 0 to below 1".to_owned())
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
        say(format_args!("{} jobs without a wait in the log: taken to have started at once", grouped(waits_unknown)));
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
