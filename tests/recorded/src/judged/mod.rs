//! What was forecast during a stretch, beside what came.
//!
//! For: rows of forecasts with their outcomes ([`Judged`]), which can be pooled, and the figures made of them ([`StretchFigures`]).
//!
//! Not for: how a figure is told (`report.rs`).
//!
//! The outcome of a job is its true start by accounting. Only jobs that started by the end of the recording have one.

mod errors;
mod figures;
mod first;
mod grouped;
mod probed;
mod ranges;
mod waiting;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use queuecast_api::health::HealthResponse;
use serde::{Deserialize, Serialize};

pub use errors::{FirstFigures, ProbeFigures};
pub use figures::{ReplayFigures, StretchFigures, TwinFigures};
pub use first::{JudgedFirst, judge as judge_firsts};
pub use grouped::ByPartition;
pub use probed::{JudgedProbe, WithoutPair, judge as judge_probes};
pub use ranges::{RangeFigures, TIMES_LEFT};
pub use waiting::{JudgedReading, WaitingCounts, is_held};

use crate::differences::Differences;
use crate::recording::{Recording, began};
use crate::rewatched::replay;
use crate::starts::Starts;
use crate::{store, told, twin};

/// A stretch, judged.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// What it is called.
    pub name: String,
    /// The model beside both recordings, and these beside each other; nothing without a second recording.
    pub twin: JudgedTwin,
    /// Every forecast of every reading whose job started later.
    pub readings: Vec<JudgedReading>,
    /// Who waited at the readings.
    pub waiting: WaitingCounts,
    /// First forecasts.
    pub firsts: Vec<JudgedFirst>,
    /// Jobs that were asked about before and after.
    pub probes: Vec<JudgedProbe>,
    /// Probes that do not count, by why.
    pub probes_without_pair: BTreeMap<WithoutPair, usize>,
    /// The daemon's own check of its model.
    pub replay: ReplayCheck,
    /// The model put back to the truth at every reading, and told who ends and who comes until the next.
    pub replayed: ReplayCheck,
    /// What came of the limits that the daemon would have told every job that came, by the risk accepted; nothing where nobody counted.
    pub limits: Vec<JudgedLimits>,
    /// What Slurm was asked.
    pub calls: Calls,
}

/// The limits told at one promise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgedLimits {
    /// The promise: at most this share is killed.
    pub max_risk: f64,
    /// Jobs that were told a shorter limit than they asked for, and have ended or outlived it.
    pub told_shorter: u64,
    /// Those that ran longer than it.
    pub killed: u64,
}

fn add_limits(all: &mut Vec<JudgedLimits>, more: &[JudgedLimits]) {
    if all.is_empty() {
        all.extend(more.iter().map(|limits| JudgedLimits { told_shorter: 0, killed: 0, ..*limits }));
    }
    for (sum, one) in all.iter_mut().zip(more) {
        sum.told_shorter += one.told_shorter;
        sum.killed += one.killed;
    }
}

/// The model, Slurm and Slurm again.
#[derive(Clone, Debug, Default)]
pub struct JudgedTwin {
    /// Jobs and tasks that were submitted.
    pub submitted: usize,
    /// The model told of the first recording, beside it.
    pub model_and_first: Differences,
    /// The model told of the second recording, beside it.
    pub model_and_second: Differences,
    /// The second recording beside the first.
    pub slurm_and_again: Differences,
    /// Who is not played, by why.
    pub not_modelled: BTreeMap<String, usize>,
}

/// Of so many starts the model made so many, and so many that Slurm did not make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayCheck {
    /// Starts that were looked at.
    pub starts: u64,
    /// Of these, those the model made too.
    pub explained: u64,
    /// Starts that only the model made.
    pub missing: u64,
}

impl ReplayCheck {
    fn add(&mut self, other: Self) {
        self.starts += other.starts;
        self.explained += other.explained;
        self.missing += other.missing;
    }
}

/// Calls to Slurm.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// By what was asked.
    pub by_kind: BTreeMap<&'static str, u64>,
    /// In so many minutes of the lab's clock.
    pub lab_minutes: f64,
}

impl Judged {
    /// Judges a stretch by the recording that a daemon watched, and a second one for the floor if there is one.
    pub fn of(name: &str, watched: &Path, again: Option<&Path>) -> Result<Self> {
        let starts = Starts::read(watched)?;
        let (queues, without_answer) = told::queue_readings(watched)?;
        let (readings, mut waiting) = waiting::judge(&queues, &starts);
        waiting.without_answer = without_answer;
        let (probes, probes_without_pair) = probed::judge(&told::probes(watched)?, &starts);
        let health = told::health(watched)?;
        let check = health.replay_check;
        Ok(Self {
            name: name.to_owned(),
            twin: JudgedTwin::of(watched, again)?,
            readings,
            waiting,
            firsts: first::judge(&store::first_forecasts(watched)?, &starts),
            probes,
            probes_without_pair,
            replay: ReplayCheck { starts: check.starts, explained: check.explained, missing: check.missing },
            replayed: replay(watched)?.counts(),
            // What the interface tells has no counts of limits.
            limits: Vec::new(),
            calls: Calls::of(&health, (health.now.unix - began(watched)?.0) as f64 / 60.0),
        })
    }

    /// All stretches as one.
    pub fn pooled(all: &[Self]) -> Self {
        let mut pooled = Self { name: "all together".to_owned(), ..Self::default() };
        for one in all {
            pooled.twin.add(&one.twin);
            pooled.readings.extend(one.readings.iter().map(|reading| reading.of_stretch(&one.name)));
            pooled.waiting.add(&one.waiting);
            pooled.firsts.extend(one.firsts.iter().cloned());
            pooled.probes.extend(one.probes.iter().map(|probe| probe.of_stretch(&one.name)));
            add_counts(&mut pooled.probes_without_pair, &one.probes_without_pair);
            pooled.replay.add(one.replay);
            pooled.replayed.add(one.replayed);
            add_limits(&mut pooled.limits, &one.limits);
            add_counts(&mut pooled.calls.by_kind, &one.calls.by_kind);
            pooled.calls.lab_minutes += one.calls.lab_minutes;
        }
        pooled
    }
}

impl JudgedTwin {
    /// Plays a recording, and a second one of the same stretch if there is one.
    pub fn of(watched: &Path, again: Option<&Path>) -> Result<Self> {
        let first = Recording::read(watched)?;
        let (of_first, played) = (first.waits(), twin::play(&first));
        let mut judged = Self {
            submitted: first.submitted.len(),
            model_and_first: Differences::between(&of_first, &played.waits),
            not_modelled: played.not_modelled,
            ..Self::default()
        };
        if let Some(again) = again {
            let second = Recording::read(again)?;
            let of_second = second.waits();
            judged.model_and_second = Differences::between(&of_second, &twin::play(&second).waits);
            judged.slurm_and_again = Differences::between(&of_first, &of_second);
        }
        Ok(judged)
    }

    fn add(&mut self, other: &Self) {
        self.submitted += other.submitted;
        self.model_and_first.0.extend(&other.model_and_first.0);
        self.model_and_second.0.extend(&other.model_and_second.0);
        self.slurm_and_again.0.extend(&other.slurm_and_again.0);
        add_counts(&mut self.not_modelled, &other.not_modelled);
    }
}

impl Calls {
    fn of(health: &HealthResponse, lab_minutes: f64) -> Self {
        let readings = [
            ("queue", &health.queue),
            ("nodes", &health.nodes),
            ("accounting", &health.accounting),
            ("settings", &health.settings),
            ("users", &health.users),
            ("backfill", &health.backfill),
            ("shares", &health.shares),
        ];
        Self { by_kind: readings.map(|(kind, reading)| (kind, reading.calls)).into(), lab_minutes }
    }
}

fn add_counts<K: Clone + Ord, N: Copy + Default + std::ops::AddAssign>(to: &mut BTreeMap<K, N>, from: &BTreeMap<K, N>) {
    for (key, count) in from {
        *to.entry(key.clone()).or_default() += *count;
    }
}
