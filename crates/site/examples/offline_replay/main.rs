//! What limits the forecasts of a live cluster: a piece of a log, played by our own model of Slurm and forecast as `qcast serve`
//! does it, and again with parts of the truth told: `offline_replay LOG SKIP JOBS NODES PROCESSORS_PER_NODE PAST`.
//!
//! Learner, futures, correction, score and the rule which forecasts are kept are the daemon's. What is not live: jobs start when
//! the model of Slurm starts them, so the model is never wrong here, and the queue is read every five minutes. "Slurm's plan" is
//! the same model with every job running to its limit, which is what `squeue --start` shows. Prints rows of a Markdown table.

mod knowing;
mod piece;

use std::collections::BTreeMap;
use std::path::Path;

use knowing::Knowing;
use piece::{PastJob, Piece};
use queuecast_forecast::forward::{HistorySampler, LimitSampler};
use queuecast_forecast::queue::{PlayableQueue, QueueForecast, QueueSettings, forecast_queue};
use queuecast_forecast::score::{SHARES, ScoredForecast, Scorekeeper};
use queuecast_predict::distribution::{RuntimeDistributions, WeightedHistory, WeightedHistoryParameters};
use queuecast_site::forecasting::should_keep;
use queuecast_site::forecasting::{RangeCorrection, Raw};
use queuecast_workload::{Outcome, Seconds, Time};

const READ_EVERY: Seconds = Seconds(300);
/// As the daemon looks ahead.
const HORIZON: Seconds = Seconds(30 * 86_400);
/// Fewer than the daemon's hundred, for ten pieces to take minutes.
const FUTURES: u64 = 30;

/// What is told that nobody could know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// How long those run who run.
    pub runs_of_running: bool,
    /// How long those will run who wait or are to come.
    pub runs_of_others: bool,
    /// Who comes, and when.
    pub arrivals: bool,
}

const VARIANTS: [(&str, Told); 5] = [
    ("as served", Told { runs_of_running: false, runs_of_others: false, arrivals: false }),
    ("told who comes", Told { runs_of_running: false, runs_of_others: false, arrivals: true }),
    ("told when running jobs end", Told { runs_of_running: true, runs_of_others: false, arrivals: false }),
    ("told all run times", Told { runs_of_running: true, runs_of_others: true, arrivals: false }),
    ("told all run times and who comes", Told { runs_of_running: true, runs_of_others: true, arrivals: true }),
];

/// A forecast whose job has not started yet.
struct Open {
    job: usize,
    made: Time,
    first: bool,
    raw: Raw,
    said: Raw,
    slurm_said: Time,
}

/// One way to forecast, and how it did.
struct Contender {
    name: &'static str,
    told: Told,
    correction: RangeCorrection,
    score: Scorekeeper,
    open: Vec<Open>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [log, numbers @ ..] = &arguments[..] else {
        return Err("offline_replay LOG SKIP JOBS NODES PROCESSORS_PER_NODE PAST".into());
    };
    let numbers = numbers.iter().map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    let [skip, jobs, nodes, processors_per_node, past] = numbers[..] else {
        return Err("five numbers are needed".into());
    };
    let piece =
        Piece::read(Path::new(log), skip, jobs, past, u32::try_from(nodes)?, u32::try_from(processors_per_node)?)?;
    let mut contenders = VARIANTS.map(|(name, told)| Contender {
        name,
        told,
        correction: RangeCorrection::new(),
        score: Scorekeeper::new(),
        open: Vec::new(),
    });
    play(&piece, &mut contenders);
    let waits: Vec<f64> =
        piece.starts.iter().zip(&piece.jobs).map(|(start, job)| minutes(*start - job.submission.submitted)).collect();
    let log = Path::new(log).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let log = log.split('-').next().unwrap_or_default();
    let mean_wait = waits.iter().sum::<f64>() / waits.len() as f64;
    for contender in &contenders {
        let score = contender.score.score();
        for (which, figures) in [("first", &score.first.overall), ("all", &score.all.overall)] {
            let (Some(ours), Some(slurms)) = (&figures.errors, &figures.slurm.errors) else { continue };
            let (Some(coverage), Some(width)) = (&figures.coverage, figures.median_width_seconds) else { continue };
            println!(
                "| {log} {skip} | {mean_wait:.0} | {} | {which} | {} | {:.0} | {:.0} | {:.2} | {:.1} | {:.1} | {:.0} |",
                contender.name,
                figures.forecasts,
                ours.median_seconds / 60.0,
                slurms.median_seconds / 60.0,
                ours.median_seconds / slurms.median_seconds,
                100.0 * ours.within_ten_minutes,
                100.0 * coverage.range80.share,
                width / 60.0,
            );
        }
    }
    Ok(())
}

fn minutes(span: Seconds) -> f64 {
    span.as_f64() / 60.0
}

/// Time goes on: jobs come, start and end, are learnt from, and every five minutes all who wait are forecast.
fn play(piece: &Piece, contenders: &mut [Contender]) {
    let mut history = WeightedHistory::new(WeightedHistoryParameters::default());
    for PastJob { submission, outcome } in &piece.past {
        history.on_arrival(submission, submission.submitted);
        history.on_start(submission, outcome.started);
        history.on_end(submission, outcome);
    }
    let mut last_kept: BTreeMap<usize, Time> = BTreeMap::new();
    let mut events = piece.events().into_iter().peekable();
    let last = piece.starts.iter().max().copied().unwrap_or(piece.begins);
    let mut now = piece.begins;
    while now <= last {
        while let Some((time, kind, job)) = events.next_if(|(time, ..)| *time <= now) {
            let submission = &piece.jobs[job].submission;
            match kind {
                piece::Event::Ended => {
                    let started = piece.starts[job];
                    history.on_end(submission, &Outcome { started, ended: time, status: piece.jobs[job].status });
                }
                piece::Event::Arrived => history.on_arrival(submission, time),
                piece::Event::Started => {
                    history.on_start(submission, time);
                    for contender in contenders.iter_mut() {
                        contender.settle(piece, job);
                    }
                }
            }
        }
        let (situation, waiting) = piece.situation(now, false);
        let due: Vec<usize> = (0..waiting.len())
            .filter(|place| {
                should_keep(
                    piece.jobs[waiting[*place]].submission.submitted,
                    last_kept.get(&waiting[*place]).copied(),
                    now,
                )
            })
            .collect();
        if !due.is_empty() {
            let plan = forecast_queue(
                &situation,
                &mut LimitSampler::default(),
                &QueueSettings { futures: 1, horizon: HORIZON, ..QueueSettings::default() },
            );
            for contender in contenders.iter_mut() {
                contender.forecast(piece, &situation, &history, &plan, (&waiting, &due, &last_kept));
            }
            last_kept.extend(due.iter().map(|place| (waiting[*place], now)));
        }
        now = now + READ_EVERY;
    }
}

impl Contender {
    fn forecast(
        &mut self,
        piece: &Piece,
        situation: &PlayableQueue,
        history: &WeightedHistory,
        plan: &QueueForecast,
        (waiting, due, last_kept): (&[usize], &[usize], &BTreeMap<usize, Time>),
    ) {
        let now = situation.now;
        let with_arrivals = self.told.arrivals.then(|| piece.situation(now, true).0);
        let mut sampler = Knowing::new(HistorySampler::new(history.clone()), piece, self.told);
        let futures = if self.told.runs_of_others { 1 } else { FUTURES };
        let settings = QueueSettings { futures, horizon: HORIZON, ..QueueSettings::default() };
        let played = forecast_queue(with_arrivals.as_ref().unwrap_or(situation), &mut sampler, &settings);
        for place in due {
            let mut starts: Vec<Time> =
                played.starts[*place].iter().map(|start| start.unwrap_or(now + HORIZON)).collect();
            starts.sort_unstable();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let raw =
                SHARES.map(|share| starts[((share * starts.len() as f64).ceil() as usize).clamp(1, starts.len()) - 1]);
            self.open.push(Open {
                job: waiting[*place],
                made: now,
                first: !last_kept.contains_key(&waiting[*place]),
                raw,
                said: self.correction.correct(&raw, situation.waiting[*place].submission.submitted, now),
                slurm_said: plan.starts[*place][0].unwrap_or(now + HORIZON),
            });
        }
    }

    /// A job started: what was said of it is scored and learnt from.
    fn settle(&mut self, piece: &Piece, job: usize) {
        let started = piece.starts[job];
        let (settled, open) = std::mem::take(&mut self.open).into_iter().partition(|open: &Open| open.job == job);
        self.open = open;
        let settled: Vec<Open> = settled;
        for open in settled {
            self.score.add(&ScoredForecast {
                partition: String::new(),
                user: String::new(),
                submitted: piece.jobs[job].submission.submitted,
                made: open.made,
                first: open.first,
                said: open.said,
                raw: open.raw,
                slurm_said: Some(open.slurm_said),
                experts: None,
                started,
            });
            self.correction.learn(&open.raw, piece.jobs[job].submission.submitted, open.made, started);
        }
    }
}
