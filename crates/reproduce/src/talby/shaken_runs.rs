//! What is simulated: every configuration that a table or a finding asks for, on every log, with the same replicates.

use std::collections::BTreeMap;

use queuecast_evaluate::{Configuration, Direction, Drawn, OtherWorkloads, Replicates, ShakenFigures, Shaking};
use queuecast_simulate::Overrun;
use rayon::prelude::*;

use super::{LOGS, Standing};
use crate::{Claim, Interval, Log, Measured, OnTrace};

/// One configuration: policy, predictor, and whether it propagates.
pub type Run = (&'static str, &'static str, bool);

pub const EASY: Run = ("easy", "estimate", false);
pub const PERFECT: Run = ("easy-sjbf", "perfect", false);
pub const ESTIMATE: Run = ("easy-sjbf", "estimate", false);
pub const RECENT: Run = ("easy-sjbf", "recent:n=3,stat=median", false);
pub const RECENT_PROPAGATED: Run = ("easy-sjbf", "recent:n=3,stat=median", true);
pub const BALANCED: Run =
    ("easy-sjbf", "session:criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=balanced", false);
pub const UNBALANCED: Run =
    ("easy-sjbf", "session:criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=unbalanced", false);
pub const SECOND: Run = ("easy-sjbf", "constant:1", false);
pub const LARGER_CONSTANTS: [Run; 3] =
    [("easy-sjbf", "constant:60", false), ("easy-sjbf", "constant:600", false), ("easy-sjbf", "constant:3600", false)];

/// Session-based with these criteria, depth-first through all sessions, propagated.
pub const BEST_SESSION: Run = ("easy-sjbf", "session:criteria=PE/P/E/*,search=dfs,depth=all", true);
pub const EPX_SESSION: Run = ("easy-sjbf", "session:criteria=E/P/X,search=dfs,depth=all", true);
pub const THIRTY_SESSIONS: Run = ("easy-sjbf", "session:criteria=PE/P/E/*,search=dfs,depth=30", true);
pub const NINE_SESSIONS: Run = ("easy-sjbf", "session:criteria=PE/P/E/*,search=dfs,depth=9", true);
pub const THREE_SESSIONS: Run = ("easy-sjbf", "session:criteria=PE/P/E/*,search=dfs,depth=3", true);
pub const PROXIMITY_ALONE: [Run; 2] = [
    ("easy-sjbf", "session:criteria=*,search=dfs,depth=all", true),
    ("easy-sjbf", "session:criteria=PEX/*,search=dfs,depth=all", true),
];

/// Criteria lists by which depth-first is held against breadth-first and propagation against none: depth-first
/// propagated, depth-first, breadth-first propagated, breadth-first.
pub const PAIRED: [[Run; 4]; 5] = {
    macro_rules! four {
        ($criteria:literal) => {
            [
                ("easy-sjbf", concat!("session:criteria=", $criteria, ",search=dfs,depth=all"), true),
                ("easy-sjbf", concat!("session:criteria=", $criteria, ",search=dfs,depth=all"), false),
                ("easy-sjbf", concat!("session:criteria=", $criteria, ",search=bfs,depth=all"), true),
                ("easy-sjbf", concat!("session:criteria=", $criteria, ",search=bfs,depth=all"), false),
            ]
        };
    }
    [four!("PE/P/E/*"), four!("E/P/X"), four!("PEX/PE/P/*"), four!("PEX/PX/EX/*"), four!("PX/P/X/*")]
};

/// Every run, each once.
pub fn runs() -> Vec<Run> {
    let mut runs = vec![EASY, PERFECT, ESTIMATE, RECENT, RECENT_PROPAGATED, BALANCED, UNBALANCED, SECOND];
    runs.extend(LARGER_CONSTANTS);
    runs.extend([THIRTY_SESSIONS, NINE_SESSIONS, THREE_SESSIONS]);
    runs.extend(PROXIMITY_ALONE);
    runs.extend(PAIRED.into_iter().flatten());
    runs
}

/// A figure of a run and which way is better.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// In words.
    pub words: &'static str,
    name: &'static str,
    direction: Direction,
}

pub const WAIT: Figure = Figure { words: "wait", name: "wait.mean", direction: Direction::LessIsBetter };
pub const SLOWDOWN: Figure =
    Figure { words: "bounded slowdown", name: "bounded_slowdown.mean", direction: Direction::LessIsBetter };
pub const INACCURACY: Figure =
    Figure { words: "absolute inaccuracy", name: "accuracy.weighted.absolute", direction: Direction::LessIsBetter };
pub const ACCURACY: Figure =
    Figure { words: "relative accuracy", name: "accuracy.weighted.relative", direction: Direction::MoreIsBetter };
pub const BACKFILLED: Figure = Figure { words: "backfilled", name: "backfilled", direction: Direction::MoreIsBetter };

/// The figures of every run on every log.
pub struct ShakenRuns<'a> {
    pub logs: &'a [Log],
    figures: BTreeMap<(usize, Run), ShakenFigures>,
    /// The same of the jobs as they are, by week and by user.
    others: BTreeMap<(usize, Run), OtherWorkloads>,
    seed: u64,
}

impl<'a> ShakenRuns<'a> {
    /// Simulates everything.
    pub fn new(logs: &'a [Log], shaking: Shaking, on_replayed: &(dyn Fn() + Sync)) -> Self {
        let mut figures = BTreeMap::new();
        for (index, log) in logs.iter().enumerate() {
            for run in runs() {
                figures.insert((index, run), shaking.run(&configuration(log, run), &log.jobs, on_replayed));
            }
        }
        let every = (0..logs.len()).flat_map(|log| runs().into_iter().map(move |run| (log, run)));
        let others = every.collect::<Vec<_>>().into_par_iter().map(|(log, run)| {
            let configuration = configuration(&logs[log], run);
            let mut others = OtherWorkloads::new(configuration.slowdown_threshold);
            configuration.simulate(logs[log].jobs.iter().copied(), &mut others);
            on_replayed();
            ((log, run), others)
        });
        Self { logs, figures, others: others.collect(), seed: shaking.seed }
    }

    /// A figure of one run on one log.
    pub fn of(&self, log: usize, run: Run, figure: Figure) -> Replicates {
        self.figures[&(log, run)].of(figure.name)
    }

    /// By how many per cent a run is better than another on one log.
    pub fn improvement(&self, log: usize, run: Run, baseline: Run, figure: Figure) -> Replicates {
        let (baseline, figures) = (self.of(log, baseline, figure), self.of(log, run, figure));
        figures.improvement_over(&baseline, figure.direction)
    }

    /// The same averaged over the paper's four logs, and on each log.
    pub fn mean_improvement(&self, run: Run, baseline: Run, figure: Figure) -> (Measured, Vec<OnTrace>) {
        self.over_logs(|log| self.improvement(log, run, baseline, figure))
    }

    /// The claim that each of these runs is better than the other of its pair, in the mean, with what it would be in other weeks and with other users.
    pub fn with_others(&self, claim: Claim, pairs: &[(Run, Run)], figure: Figure) -> Claim {
        let interval = |drawn: Drawn| {
            let of = |log: usize, run: Run| self.others[&(log, run)].of(figure.name, drawn, self.seed);
            let gain = |log: usize, (run, baseline): (Run, Run)| {
                of(log, run).improvement_over(&of(log, baseline), figure.direction)
            };
            let every = self.logs_in_mean().flat_map(|log| pairs.iter().map(move |pair| (log, *pair)));
            let each: Vec<Replicates> = every.map(|(log, pair)| gain(log, pair)).collect();
            Interval::of_middle(&Replicates::mean_of(&each))
        };
        Claim { other_weeks: interval(Drawn::Weeks), other_users: interval(Drawn::Users), ..claim }
    }

    /// Any figure averaged over the paper's four logs, and on each log.
    pub fn over_logs(&self, on_log: impl Fn(usize) -> Replicates) -> (Measured, Vec<OnTrace>) {
        let each: Vec<Replicates> = (0..self.logs.len()).map(on_log).collect();
        let in_mean: Vec<Replicates> = self.logs_in_mean().map(|log| each[log].clone()).collect();
        let traces = self.logs.iter().zip(&each);
        let traces = traces.map(|(log, figure)| OnTrace { trace: log.name.clone(), measured: Measured::over(figure) });
        (Measured::over(&Replicates::mean_of(&in_mean)), traces.collect())
    }

    /// The paper's four logs.
    pub fn logs_in_mean(&self) -> impl Iterator<Item = usize> {
        (0..self.logs.len()).filter(|log| LOGS[*log].particulars == Standing::InMean)
    }
}

/// Growth without estimates stops at the longest limit the log's site gave anybody (E-S0.5).
pub fn configuration(log: &Log, (policy, predictor, propagate): Run) -> Configuration {
    let longest = log.jobs.iter().filter_map(|job| job.submission.limit).max();
    let predictor = match longest {
        Some(longest) if predictor.ends_with("growth=balanced") => format!("{predictor},threshold={}", longest.0),
        _ => predictor.to_owned(),
    };
    let policy = policy.parse().expect("a policy of this module");
    let predictor = predictor.parse().expect("a predictor of this module");
    Configuration { propagate, overrun: Overrun::RunOn, ..Configuration::new(log.machine, policy, predictor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_named_once_and_has_a_meaning() {
        let mut runs = runs();
        for (policy, predictor, _) in &runs {
            policy.parse::<queuecast_schedule::PolicySpecification>().expect("a policy");
            predictor.parse::<queuecast_predict::PredictorSpecification>().expect("a predictor");
        }
        let count = runs.len();
        runs.sort_unstable();
        runs.dedup();
        assert_eq!(runs.len(), count);
        assert!(runs.contains(&BEST_SESSION) && runs.contains(&EPX_SESSION));
    }
}
