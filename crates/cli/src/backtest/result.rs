//! What `qcast backtest` found. `docs/reference/output/backtest.md` defines every name.

use queuecast_api::score::{CoverageResponse, ScoreResponse};
use queuecast_daemon::api::answer::score::figures_answer;
use queuecast_evaluate::limit::{LimitConditions, LimitScores, LimitSummary};
use queuecast_forecast::score::{Errors, SHARES};
use queuecast_site::backtest::{
    BacktestScores, Group, GroupKind, LeftOut, Moments, PastJobs, PoolSize, Reliability, Replayed, SeenMachine, Waits,
};
use serde::Serialize;

use super::BacktestArgs;
use super::experts::{BetterFigures, ExpertContests, WorstForecast};
use crate::ask::inert::inert;

/// The result of a back-test.
#[derive(Serialize)]
pub struct BacktestResult {
    pub trace: String,
    pub bad_lines: u64,
    pub left_out: LeftOut,
    /// All jobs of the history, and those counted.
    pub history_jobs: u64,
    pub jobs: u64,
    /// When the first job counted came, and the last.
    pub from: i64,
    pub to: i64,
    pub machine: Vec<PoolSize>,
    pub moments: u64,
    pub forecasts: u64,
    pub never_started: u64,
    pub no_forecast: u64,
    pub simulations: u64,
    pub seed: u64,
    pub first: Vec<GroupFigures>,
    pub all: Vec<GroupFigures>,
    pub reliability: ReliabilityFigures,
    pub waits: Vec<Waits>,
    /// Ours beside each expert by itself.
    pub experts: ExpertContests,
    /// Simple answers that were nearer than ours in the last month.
    pub better_for_a_month: BetterFigures,
    /// The first forecasts that were furthest off.
    pub worst: Vec<WorstForecast>,
    pub limits: Vec<LimitSummary>,
    /// Whether each promise holds by the risk told, by user and by class.
    pub limit_conditions: Vec<LimitConditions>,
    /// Of a store: what its daemon said, beside what Slurm itself planned.
    pub stored_forecasts: Option<ScoreResponse>,
}

/// The figures of one group of forecasts.
#[derive(Clone, Debug, Serialize)]
pub struct GroupFigures {
    pub kind: GroupKind,
    pub name: String,
    pub forecasts: u64,
    pub coverage: Option<CoverageResponse>,
    pub range80_median_width_seconds: Option<f64>,
    pub ours: ErrorFigures,
    pub plan: PlanFigures,
    pub last_waits: ErrorFigures,
}

/// How far off something was.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ErrorFigures {
    pub median_absolute_error_seconds: Option<f64>,
    pub mean_absolute_error_seconds: Option<f64>,
    pub within_10_minutes: Option<f64>,
}

/// Errors of the limit-based estimate, and the shares of moments at which it was missing or too late.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlanFigures {
    #[serde(flatten)]
    pub errors: ErrorFigures,
    pub missing: Option<f64>,
    pub too_late: Option<f64>,
}

/// What share was said to have started, and what share had.
#[derive(Clone, Debug, Serialize)]
pub struct ReliabilityFigures {
    pub shares: [f64; SHARES.len()],
    pub first: Option<[f64; SHARES.len()]>,
    pub all: Option<[f64; SHARES.len()]>,
}

/// What was played.
pub struct Setting<'a> {
    pub trace: String,
    pub bad_lines: u64,
    pub past: &'a PastJobs,
    pub machine: &'a SeenMachine,
    pub chosen: &'a Moments,
    pub arguments: &'a BacktestArgs,
}

impl BacktestResult {
    /// Names in it are foreign, and are made harmless here, for every format alike.
    pub fn new(
        setting: Setting<'_>,
        replayed: Replayed,
        scores: &BacktestScores,
        limits: &LimitScores,
        mut kept: Option<ScoreResponse>,
    ) -> Self {
        let Setting { trace, bad_lines, past, machine, chosen, arguments } = setting;
        let (first, all) = scores.groups();
        let (first_kept, all_kept) = scores.reliability();
        let mut machine = machine.pools.clone();
        let names = machine.iter_mut().flat_map(|pool| &mut pool.partitions);
        let of_daemon = kept.iter_mut().flat_map(|kept| &mut kept.by_partition).map(|group| &mut group.name);
        names.chain(of_daemon).for_each(|name| *name = inert(name));
        let shares =
            |kept: Reliability| (kept.forecasts > 0).then(|| kept.came.map(|came| came as f64 / kept.forecasts as f64));
        Self {
            trace,
            bad_lines,
            left_out: past.left_out,
            history_jobs: past.jobs.len() as u64,
            jobs: past.jobs.len() as u64 - u64::from(chosen.first),
            from: chosen.from.0,
            to: chosen.to.0,
            machine,
            moments: chosen.jobs.len() as u64,
            forecasts: replayed.forecasts,
            never_started: replayed.never_started,
            no_forecast: replayed.no_forecast,
            simulations: arguments.simulations,
            seed: arguments.seed,
            first: first.iter().map(GroupFigures::new).collect(),
            all: all.iter().map(GroupFigures::new).collect(),
            reliability: ReliabilityFigures { shares: SHARES, first: shares(first_kept), all: shares(all_kept) },
            waits: scores.waits(),
            experts: ExpertContests::new(scores.contests(), arguments.seed),
            better_for_a_month: BetterFigures::new(scores.better_for_a_month()),
            worst: scores.contests().worst().iter().map(WorstForecast::new).collect(),
            limits: limits.summaries(),
            limit_conditions: limits.conditions(),
            stored_forecasts: kept,
        }
    }

    /// The figures of all first forecasts, or of all.
    pub fn overall(groups: &[GroupFigures]) -> Option<&GroupFigures> {
        groups.iter().find(|group| group.kind == GroupKind::Overall)
    }
}

impl GroupFigures {
    fn new(group: &Group) -> Self {
        let answer = figures_answer(&group.figures);
        Self {
            kind: group.kind,
            name: inert(&group.name),
            forecasts: answer.forecasts,
            coverage: answer.coverage,
            range80_median_width_seconds: answer.range80_median_width_seconds,
            ours: ErrorFigures::new(group.figures.errors.as_ref()),
            plan: PlanFigures {
                errors: ErrorFigures::new(group.figures.slurm.errors.as_ref()),
                missing: answer.slurm.missing,
                too_late: answer.slurm.too_late,
            },
            last_waits: ErrorFigures::new(group.last_waits.as_ref()),
        }
    }

    /// What it is called in a table.
    pub fn title(&self) -> String {
        match self.kind {
            GroupKind::Overall => "all".to_owned(),
            GroupKind::Partition if self.name.is_empty() => "no partition".to_owned(),
            GroupKind::Partition => format!("partition {}", self.name),
            GroupKind::Class => self.name.clone(),
            GroupKind::WaitLeft => format!("{} left to wait", self.name),
        }
    }
}

impl ErrorFigures {
    fn new(errors: Option<&Errors>) -> Self {
        Self {
            median_absolute_error_seconds: errors.map(|errors| errors.median_seconds),
            mean_absolute_error_seconds: errors.map(|errors| errors.mean_seconds),
            within_10_minutes: errors.map(|errors| errors.within_ten_minutes),
        }
    }
}
