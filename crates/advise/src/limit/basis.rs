//! What advice rests on, in figures that people can check: how many runs of whom, and whether they have a heavy tail.
//!
//! Not for: the risk itself, which weighs all categories at once ([`super::risk_model`]).

use queuecast_workload::Seconds;

use super::past_runs::{KnownRuns, LEVELS};

/// So many runs of the user's own are enough to speak of them alone.
const RUNS_ENOUGH: usize = 5;
/// So many to speak of a tail.
const RUNS_FOR_A_TAIL: usize = 20;
/// A tail is heavy if at least this share of the runs, and two, are longer than the usual one by this factor.
const TAIL_SHARE: f64 = 0.02;
const TAIL_FACTOR: i64 = 10;

/// The nearest runs that advice rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// Whether they are the user's own; else anybody's with the same limit.
    pub own: bool,
    /// How many.
    pub runs: u64,
    /// The usual one: half are longer.
    pub usual: Seconds,
}

/// The user's runs have a heavy tail: most are short and a few very long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeavyTail {
    /// How many were looked at.
    pub runs: u64,
    /// How many took ten times the usual and more.
    pub longer: u64,
    /// The usual one: half are longer.
    pub usual: Seconds,
}

/// The nearest of the categories that has enough runs.
pub fn basis(known: &[KnownRuns]) -> Option<Basis> {
    let nearest = known.iter().find(|runs| runs.ended >= RUNS_ENOUGH)?;
    Some(Basis { own: LEVELS[nearest.level].user, runs: nearest.ended as u64, usual: usual(nearest)? })
}

/// Whether the nearest of the user's own runs of which there are enough have a heavy tail.
pub fn heavy_tail(known: &[KnownRuns]) -> Option<HeavyTail> {
    let own = known.iter().find(|runs| LEVELS[runs.level].user && runs.ended >= RUNS_FOR_A_TAIL)?;
    let usual = usual(own)?;
    let longer = own.longer(Seconds(TAIL_FACTOR * usual.0));
    let is_heavy = longer >= 2 && longer as f64 >= TAIL_SHARE * own.ended as f64;
    is_heavy.then_some(HeavyTail { runs: own.ended as u64, longer: longer as u64, usual })
}

fn usual(runs: &KnownRuns) -> Option<Seconds> {
    runs.median().map(|median| Seconds(i64::from(median)))
}

#[cfg(test)]
mod tests {
    use queuecast_testkit::submission;
    use queuecast_workload::{Submission, Time, UserId};

    use super::super::past_runs::PastRuns;
    use super::*;

    fn known(runs: &[i64], asks: u32) -> Vec<KnownRuns> {
        let mut past = PastRuns::default();
        let job = |number, user| Submission { user: Some(UserId(user)), ..submission(number, 0, 1, Some(360_000)) };
        (0..).zip(runs).for_each(|(number, run)| past.on_end(&job(number, 1), Seconds(*run)));
        past.known(&job(999, asks), Time(0))
    }

    #[test]
    fn own_runs_come_first_and_without_them_those_of_anybody() {
        assert_eq!(basis(&known(&[60; 30], 1)), Some(Basis { own: true, runs: 30, usual: Seconds(60) }));
        assert_eq!(basis(&known(&[60; 30], 2)), None, "one user's runs are not another's to know");
        let mut past = PastRuns::default();
        let job = |user| Submission { user: Some(UserId(user)), ..submission(u64::from(user), 0, 1, Some(360_000)) };
        (0..30).for_each(|user| past.on_end(&job(user), Seconds(60)));
        let of_many = basis(&past.known(&job(99), Time(0)));
        assert_eq!(of_many, Some(Basis { own: false, runs: 30, usual: Seconds(61) }), "told in steps");
        assert_eq!(basis(&known(&[60; 3], 1)), None);
    }

    #[test]
    fn a_few_runs_far_beyond_the_usual_are_a_heavy_tail_and_one_is_not() {
        let mut runs = [60; 50];
        assert_eq!(heavy_tail(&known(&runs, 1)), None);
        runs[3] = 9_000;
        assert_eq!(heavy_tail(&known(&runs, 1)), None);
        runs[7] = 80_000;
        assert_eq!(heavy_tail(&known(&runs, 1)), Some(HeavyTail { runs: 50, longer: 2, usual: Seconds(60) }));
        assert_eq!(heavy_tail(&known(&runs, 2)), None, "another's tail is not told");
    }
}
