//! A change promised and tried.
//!
//! Every job of a piece that waits when it is first seen is asked about as `qcast why` does it: run times learnt so far, the limits
//! that would be advised, futures with and without each change. Then the piece is played on from that moment, with everybody's true run
//! time and everybody who is to come, once as it is and once with the change. What was promised is how much earlier the job starts in
//! the middle of the futures; what came is how much earlier it starts in truth.
//!
//! What is not real about it: jobs start when our model of Slurm starts them, so it is run times and arrivals that can prove a
//! promise wrong here, and not the model.

use std::fmt;

use queuecast_advise::change::{Change, Effect, OFFERED, starts_with, without_those_far_behind};
use queuecast_advise::limit::LimitAdvisers;
use queuecast_forecast::forward::{HistorySampler, Prospect, RuntimeSampler};
use queuecast_forecast::queue::QueueSettings;
use queuecast_predict::distribution::{RuntimeDistributions, WeightedHistory, WeightedHistoryParameters};
use queuecast_schedule::slurm::Demand;
use queuecast_workload::{Outcome, Seconds, Time};

use crate::piece::{Event, PastJob, Piece};

/// As the daemon reads the queue, looks ahead and plays.
const READ_EVERY: Seconds = Seconds(30);
const HORIZON: Seconds = Seconds(30 * 86_400);
const FUTURES: u64 = 50;
const BEHIND: usize = 300;
/// What counts as a promise.
const PROMISE: Seconds = Seconds(30 * 60);
const RISKS: [(f64, &str); 3] = [(0.01, "limit at 1 %"), (0.05, "limit at 5 %"), (0.1, "limit at 10 %")];

/// A change, what was promised and what came.
pub struct Trial {
    pub kind: &'static str,
    pub promised: Effect,
    /// By how much the job starts earlier in truth.
    pub came: Seconds,
}

impl Trial {
    /// Whether it is told, and of more than half an hour.
    fn is_promise(&self) -> bool {
        self.promised.earlier_median > PROMISE && self.promised.share_earlier >= OFFERED
    }
}

/// How promises were kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Changes that were tried.
    pub tried: usize,
    /// Those that promised more than half an hour.
    pub promised: usize,
    /// Of these, those after which the job did start earlier,
    pub earlier: usize,
    /// and those after which it started later.
    pub later: usize,
    promised_median_minutes: f64,
    came_median_minutes: f64,
}

impl Tally {
    pub fn of<'a>(trials: impl Iterator<Item = &'a Trial>) -> Self {
        let all: Vec<&Trial> = trials.collect();
        let promised: Vec<&&Trial> = all.iter().filter(|trial| trial.is_promise()).collect();
        let minutes = |of: &dyn Fn(&Trial) -> Seconds| {
            let mut values: Vec<f64> = promised.iter().map(|trial| of(trial).as_f64() / 60.0).collect();
            values.sort_unstable_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        Self {
            tried: all.len(),
            promised: promised.len(),
            earlier: promised.iter().filter(|trial| trial.came > Seconds::ZERO).count(),
            later: promised.iter().filter(|trial| trial.came < Seconds::ZERO).count(),
            promised_median_minutes: minutes(&|trial| trial.promised.earlier_median),
            came_median_minutes: minutes(&|trial| trial.came),
        }
    }

    /// The share of promises after which the job did start earlier.
    pub fn share_earlier(&self) -> f64 {
        self.earlier as f64 / self.promised as f64
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tried, promised, earlier, later, promised_median_minutes, came_median_minutes } = self;
        let share = 100.0 * self.share_earlier();
        write!(
            formatter,
            "{tried} | {promised} | {earlier} | {share:.1} | {later} | {promised_median_minutes:.0} | {came_median_minutes:.0}"
        )
    }
}

/// Tries every change on every job that waits.
pub fn trials(piece: &Piece) -> Vec<Trial> {
    let mut history = WeightedHistory::new(WeightedHistoryParameters::default());
    let mut desk = LimitAdvisers::new(&RISKS.map(|(risk, _)| risk));
    for PastJob { submission, outcome } in &piece.past {
        desk.on_arrival(submission, submission.submitted);
        history.on_arrival(submission, submission.submitted);
        history.on_start(submission, outcome.started);
        desk.on_start(submission, outcome.started);
        history.on_end(submission, outcome);
        desk.on_end(submission, outcome.ended - outcome.started, outcome.ended);
    }
    let mut trials = Vec::new();
    let mut events = piece.events().into_iter().peekable();
    let last = piece.jobs.iter().map(|job| job.submission.submitted).max().unwrap_or(piece.begins);
    let mut now = piece.begins;
    while now <= last {
        let mut new = Vec::new();
        while let Some((time, kind, job)) = events.next_if(|(time, ..)| *time <= now) {
            let submission = &piece.jobs[job].submission;
            match kind {
                Event::Ended => {
                    let started = piece.starts[job];
                    history.on_end(submission, &Outcome { started, ended: time, status: piece.jobs[job].status });
                    desk.on_end(submission, time - started, time);
                }
                Event::Arrived => {
                    desk.on_arrival(submission, time);
                    history.on_arrival(submission, time);
                    new.push(job);
                }
                Event::Started => {
                    history.on_start(submission, time);
                    desk.on_start(submission, time);
                }
            }
        }
        for job in new.into_iter().filter(|job| piece.starts[*job] > now) {
            trials.extend(tried(piece, job, now, &history, &desk));
        }
        now = now + READ_EVERY;
    }
    trials
}

/// Tries every change on one job that waits now.
fn tried(piece: &Piece, job: usize, now: Time, history: &WeightedHistory, desk: &LimitAdvisers) -> Vec<Trial> {
    let (situation, waiting) = piece.situation(now, false);
    let Some(place) = waiting.iter().position(|other| *other == job) else { return Vec::new() };
    let here = &situation.waiting[place];
    let mut changes: Vec<(&'static str, Change)> = Vec::new();
    let mut shortest = here.planned;
    for (advised, (_, kind)) in desk.advise(&here.submission, here.planned, now).advised.into_iter().zip(RISKS) {
        if advised.limit < shortest {
            shortest = advised.limit;
            changes.push((kind, Change::Limit(advised.limit)));
        }
    }
    if here.demand.chunks > 1 {
        let half = Demand { chunks: here.demand.chunks.div_ceil(2), ..here.demand.clone() };
        changes.push(("half of the nodes", Change::Demand(half)));
    }
    if place > 0 {
        changes.push(("first in the queue", Change::First));
    }
    let near = without_those_far_behind(&situation, place, BEHIND);
    let settings = QueueSettings { futures: FUTURES, horizon: HORIZON, ..QueueSettings::default() };
    let said =
        |changes: &[Change]| starts_with(&near, place, changes, &mut HistorySampler::new(history.clone()), &settings);
    // Those who are to come stand behind everybody, so places are the same.
    let (whole, _) = piece.situation(now, true);
    let truth = QueueSettings { futures: 1, horizon: Seconds(365 * 86_400), ..settings.clone() };
    let comes = |changes: &[Change]| {
        let starts = starts_with(&whole, place, changes, &mut Truth { piece, prospects: Vec::new() }, &truth);
        starts[0].expect("everybody starts within a year")
    };
    let (unchanged_said, unchanged_came) = (said(&[]), comes(&[]));
    let tried = changes.into_iter().filter_map(|(kind, change)| {
        let change = [change];
        let promised = Effect::between(&unchanged_said, &said(&change), now + HORIZON)?;
        Some(Trial { kind, promised, came: unchanged_came - comes(&change) })
    });
    tried.collect()
}

/// Every run time as it will be.
struct Truth<'a> {
    piece: &'a Piece,
    prospects: Vec<Prospect>,
}

impl RuntimeSampler for Truth<'_> {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        self.prospects = prospects.to_vec();
    }
    fn sample(&self, place: usize, _uniform: f64) -> Seconds {
        self.piece.run_of(self.prospects[place].submission.job)
    }
}
