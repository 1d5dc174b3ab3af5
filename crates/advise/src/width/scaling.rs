//! How well a user's program has scaled so far.

use queuecast_workload::{Outcome, ProgramId, Seconds, Status, Submission, UserId};
use rustc_hash::FxHashMap;

use super::law::SpeedupLaw;

/// So many runs of a program by a user are remembered, the last ones.
const RUNS: usize = 64;
/// Of so many programs at most; when there are more, the half that was seen longest ago is forgotten.
const PROGRAMS: usize = 20_000;
/// A law is not fitted to fewer runs than this on each of two widths.
const RUNS_ON_A_WIDTH: usize = 3;

#[derive(Clone, Debug, Default)]
struct Program {
    /// Processors and run time, the last run last.
    runs: Vec<(u32, f64)>,
    /// When it was last seen, by the count of runs.
    seen: u64,
}

/// Remembers runs by user and program.
#[derive(Clone, Debug, Default)]
pub struct ScalingMemory {
    programs: FxHashMap<(UserId, ProgramId), Program>,
    runs: u64,
}

/// A law that was fitted to a user's runs of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct LearntScaling {
    /// Amdahl's, by processors.
    pub law: SpeedupLaw,
    /// The share that is done by one.
    pub serial_fraction: f64,
    /// To so many runs.
    pub runs: usize,
    /// On so many widths.
    pub widths: usize,
}

impl ScalingMemory {
    /// A job ended. Only one that did its work tells anything.
    pub fn learn(&mut self, job: &Submission, outcome: &Outcome) {
        let (Some(user), Some(program), Status::Completed) = (job.user, job.program, outcome.status) else { return };
        let run = outcome.ended - outcome.started;
        if run <= Seconds::ZERO {
            return;
        }
        self.runs += 1;
        let seen = self.runs;
        let known = self.programs.entry((user, program)).or_default();
        known.seen = seen;
        if known.runs.len() == RUNS {
            known.runs.remove(0);
        }
        known.runs.push((job.request.processors, run.as_f64()));
        if self.programs.len() > PROGRAMS {
            let mut seen: Vec<u64> = self.programs.values().map(|program| program.seen).collect();
            let middle = seen.len() / 2;
            let oldest_kept = *seen.select_nth_unstable(middle).1;
            self.programs.retain(|_, program| program.seen >= oldest_kept);
        }
    }

    /// How this user's runs of this program scale, if they were on different widths.
    pub fn scaling(&self, user: Option<UserId>, program: Option<ProgramId>) -> Option<LearntScaling> {
        let runs = &self.programs.get(&(user?, program?))?.runs;
        let mut on: FxHashMap<u32, usize> = FxHashMap::default();
        for (processors, _) in runs {
            *on.entry(*processors).or_default() += 1;
        }
        on.retain(|_, count| *count >= RUNS_ON_A_WIDTH);
        if on.len() < 2 {
            return None;
        }
        let runs: Vec<(u32, f64)> =
            runs.iter().copied().filter(|(processors, _)| on.contains_key(processors)).collect();
        let serial_fraction = (0..=100)
            .map(|hundredth| f64::from(hundredth) / 100.0)
            .min_by(|one, other| misfit(&runs, *one).total_cmp(&misfit(&runs, *other)))?;
        let law = SpeedupLaw::Amdahl { serial_fraction };
        Some(LearntScaling { law, serial_fraction, runs: runs.len(), widths: on.len() })
    }
}

/// How far run times lie from the law, in logarithms, around their middle: the amount of work is not known, and one run of another
/// input must not decide.
fn misfit(runs: &[(u32, f64)], serial_fraction: f64) -> f64 {
    let law = SpeedupLaw::Amdahl { serial_fraction };
    let mut work: Vec<f64> = runs.iter().map(|(processors, run)| (run * law.on(*processors)).ln()).collect();
    work.sort_unstable_by(f64::total_cmp);
    let middle = work[work.len() / 2];
    work.iter().map(|work| (work - middle).abs()).sum()
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Time;

    use super::*;
    use queuecast_testkit::submission;

    #[expect(clippy::cast_possible_truncation, reason = "small run times")]
    fn memory(runs: &[(u32, f64)]) -> ScalingMemory {
        let mut memory = ScalingMemory::default();
        for (number, (processors, run)) in (0..).zip(runs) {
            let mut job = submission(number, 0, *processors, Some(36_000));
            (job.user, job.program) = (Some(UserId(1)), Some(ProgramId(2)));
            let ended = Time(run.round() as i64);
            memory.learn(&job, &Outcome { started: Time(0), ended, status: Status::Completed });
        }
        memory
    }

    fn learnt(runs: &[(u32, f64)]) -> Option<LearntScaling> {
        memory(runs).scaling(Some(UserId(1)), Some(ProgramId(2)))
    }

    #[test]
    fn the_law_that_made_the_runs_is_found_though_one_run_had_another_input() {
        let law = SpeedupLaw::Amdahl { serial_fraction: 0.2 };
        let mut runs: Vec<(u32, f64)> =
            [1_u32, 4, 16].iter().flat_map(|width| vec![(*width, 36_000.0 / law.on(*width)); 4]).collect();
        runs[2].1 *= 9.0;
        let found = learnt(&runs).expect("three widths");
        assert!((found.serial_fraction - 0.2).abs() < 0.02, "{found:?}");
        assert_eq!((found.runs, found.widths), (12, 3));
    }

    #[test]
    fn one_width_tells_nothing_and_neither_do_two_runs() {
        assert_eq!(learnt(&[(4, 100.0); 30]), None);
        assert_eq!(learnt(&[(4, 100.0), (8, 50.0), (4, 100.0), (8, 50.0)]), None);
    }

    #[test]
    fn it_does_not_grow_for_ever() {
        let mut many = ScalingMemory::default();
        for number in 0..30_000 {
            let mut job = submission(number, 0, 4, Some(36_000));
            (job.user, job.program) = (Some(UserId(1)), Some(ProgramId(u32::try_from(number).expect("few"))));
            many.learn(&job, &Outcome { started: Time(0), ended: Time(10), status: Status::Completed });
        }
        assert!(many.programs.len() <= PROGRAMS);
        assert!(many.programs.contains_key(&(UserId(1), ProgramId(29_999))));
        let full = memory(&[(4, 10.0); 200]);
        assert!(full.programs[&(UserId(1), ProgramId(2))].runs.len() == RUNS);
    }
}
