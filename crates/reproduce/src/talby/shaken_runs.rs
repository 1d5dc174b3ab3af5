//! What is simulated: every configuration that a table or a finding asks for, on every log, with the same replicates.

use std::collections::BTreeMap;

use queuecast_evaluate::{Configuration, Direction, Drawn, OtherWorkloads, Replicates, ShakenFigures, Shaking};
use queuecast_simulate::Overrun;
use rayon::prelude::*;

use super::{LOGS, Standing};
use crate::{Claim, Interval, Log, Measured, OnTrace};

/// One configuration: policy, predictor, whether it propagates, and what follows an outlived plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    pub policy: &'static str,
    pub predictor: &'static str,
    pub propagate: bool,
    /// What the predictor's paper pairs with it, unless something is said here.
    pub correction: Option<&'static str>,
}

impl Run {
    /// Plain EASY.
    const fn easy(predictor: &'static str) -> Self {
        Self { policy: "easy", predictor, propagate: false, correction: None }
    }

    /// The shortest backfilled first.
    const fn sjbf(predictor: &'static str) -> Self {
        Self { policy: "easy-sjbf", predictor, propagate: false, correction: None }
    }

    const fn propagated(self) -> Self {
        Self { propagate: true, ..self }
    }

    const fn corrected(self, correction: &'static str) -> Self {
        Self { correction: Some(correction), ..self }
    }
}

pub const EASY: Run = Run::easy("estimate");
pub const EASY_DOUBLED: Run = Run::easy("estimate:x2");
pub const EASY_PERFECT: Run = Run::easy("perfect");
pub const EASY_PERFECT_DOUBLED: Run = Run::easy("perfect:x2");
pub const PERFECT: Run = Run::sjbf("perfect");
pub const ESTIMATE: Run = Run::sjbf("estimate");
pub const RECENT: Run = Run::sjbf("recent:n=3,stat=median");
pub const RECENT_PROPAGATED: Run = RECENT.propagated();
/// Beyond the limit the steps begin with the first: the other reading of section 4.
pub const RECENT_THEN_FIRST: Run = RECENT.corrected("raise-then-first");
pub const RECENT_PROPAGATED_THEN_FIRST: Run = RECENT_PROPAGATED.corrected("raise-then-first");
/// Growth stops at the longest limit seen so far (E-S0.5), as the command does when no threshold is named.
pub const BALANCED: Run = Run::sjbf("session:criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=balanced");
pub const UNBALANCED: Run = Run::sjbf("session:criteria=PX/P/X/*,search=dfs,depth=all,estimates=no,growth=unbalanced");
pub const SECOND: Run = Run::sjbf("constant:1");
pub const LARGER_CONSTANTS: [Run; 3] =
    [Run::sjbf("constant:60"), Run::sjbf("constant:600"), Run::sjbf("constant:3600")];

/// Session-based with these criteria, depth-first through all sessions, propagated.
pub const BEST_SESSION: Run = Run::sjbf("session:criteria=PE/P/E/*,search=dfs,depth=all").propagated();
pub const EPX_SESSION: Run = Run::sjbf("session:criteria=E/P/X,search=dfs,depth=all").propagated();
pub const THIRTY_SESSIONS: Run = Run::sjbf("session:criteria=PE/P/E/*,search=dfs,depth=30").propagated();
pub const NINE_SESSIONS: Run = Run::sjbf("session:criteria=PE/P/E/*,search=dfs,depth=9").propagated();
pub const THREE_SESSIONS: Run = Run::sjbf("session:criteria=PE/P/E/*,search=dfs,depth=3").propagated();
pub const PROXIMITY_ALONE: [Run; 2] = [
    Run::sjbf("session:criteria=*,search=dfs,depth=all").propagated(),
    Run::sjbf("session:criteria=PEX/*,search=dfs,depth=all").propagated(),
];
pub const BEST_SESSION_THEN_FIRST: Run = BEST_SESSION.corrected("raise-then-first");
pub const EPX_SESSION_THEN_FIRST: Run = EPX_SESSION.corrected("raise-then-first");

/// Criteria lists by which depth-first is held against breadth-first and propagation against none: depth-first
/// propagated, depth-first, breadth-first propagated, breadth-first.
pub const PAIRED: [[Run; 4]; 5] = {
    macro_rules! four {
        ($criteria:literal) => {
            [
                Run::sjbf(concat!("session:criteria=", $criteria, ",search=dfs,depth=all")).propagated(),
                Run::sjbf(concat!("session:criteria=", $criteria, ",search=dfs,depth=all")),
                Run::sjbf(concat!("session:criteria=", $criteria, ",search=bfs,depth=all")).propagated(),
                Run::sjbf(concat!("session:criteria=", $criteria, ",search=bfs,depth=all")),
            ]
        };
    }
    [four!("PE/P/E/*"), four!("E/P/X"), four!("PEX/PE/P/*"), four!("PEX/PX/EX/*"), four!("PX/P/X/*")]
};

/// Every run, each once.
pub fn runs() -> Vec<Run> {
    let mut runs = vec![EASY, PERFECT, ESTIMATE, RECENT, RECENT_PROPAGATED, BALANCED, UNBALANCED, SECOND];
    runs.extend([EASY_DOUBLED, EASY_PERFECT, EASY_PERFECT_DOUBLED]);
    runs.extend([RECENT_THEN_FIRST, RECENT_PROPAGATED_THEN_FIRST, BEST_SESSION_THEN_FIRST, EPX_SESSION_THEN_FIRST]);
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

/// Jobs run on beyond their limit, as in the authors' simulator.
pub fn configuration(log: &Log, run: Run) -> Configuration {
    let Run { policy, predictor, propagate, correction } = run;
    let policy = policy.parse().expect("a policy of this module");
    let predictor = predictor.parse().expect("a predictor of this module");
    let mut configuration =
        Configuration { propagate, overrun: Overrun::RunOn, ..Configuration::new(log.machine, policy, predictor) };
    if let Some(correction) = correction {
        configuration.correction = correction.parse().expect("a correction of this module");
    }
    configuration
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_named_once_and_has_a_meaning() {
        let mut runs = runs();
        for Run { policy, predictor, correction, .. } in &runs {
            policy.parse::<queuecast_schedule::PolicySpecification>().expect("a policy");
            predictor.parse::<queuecast_predict::PredictorSpecification>().expect("a predictor");
            correction.map(|name| name.parse::<queuecast_predict::Correction>().expect("a correction"));
        }
        let count = runs.len();
        runs.sort_unstable();
        runs.dedup();
        assert_eq!(runs.len(), count);
        assert!(runs.contains(&BEST_SESSION) && runs.contains(&EPX_SESSION));
    }
}
