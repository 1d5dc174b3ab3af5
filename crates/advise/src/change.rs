//! One job in futures that differ in one thing: what a change would do to its start.
//!
//! For: "ask for four hours instead of a day, and it starts three hours earlier". Nothing in it is guessed: the whole queue is
//! played again with the change. A job's luck in a future depends on its handle and the future alone, so the futures with and
//! without the change are the same but for it (common random numbers), and are compared one by one.
//!
//! Not for: which changes are worth asking about (`queuecast_site::adviser`); what becomes of everybody else.

use queuecast_forecast::forward::RuntimeSampler;
use queuecast_forecast::queue::{Awaited, PlayableQueue, QueueSettings, forecast_job};
use queuecast_schedule::slurm::Demand;
use queuecast_workload::{Seconds, Time};

/// What could be different for a job that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It asks for another limit. How long it would run is left as it was.
    Limit(Seconds),
    /// It asks for something else, or may run elsewhere.
    Demand(Demand),
    /// It stands first.
    First,
    /// It waits for no other job.
    NoDependency,
    /// It may begin at once.
    NoBegin,
    /// No nodes are reserved.
    NoReservations,
    /// No limit that jobs share counts for it.
    NoSharedLimits,
}

/// What a change does to the start of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// By how much it starts earlier: in half of the futures by more. Negative if later.
    pub earlier_median: Seconds,
    /// In eight of ten futures by not less than this.
    pub earlier_low: Seconds,
    /// And by not more than this.
    pub earlier_high: Seconds,
    /// In which share of the futures it starts earlier at all.
    pub share_earlier: f64,
}

/// What happens to one job hardly depends on who stands far behind it: only so many behind it are left in.
#[must_use]
pub fn without_those_far_behind(situation: &PlayableQueue, place: usize, behind: usize) -> PlayableQueue {
    first_of_queue(situation, place + 1 + behind)
}

/// The queue as it would be if only so many waited, those who stand first.
#[must_use]
pub fn first_of_queue(situation: &PlayableQueue, jobs: usize) -> PlayableQueue {
    let mut cut = situation.clone();
    let kept = jobs.min(cut.waiting.len());
    cut.waiting.truncate(kept);
    // Who waits for somebody left out waits for longer than is looked.
    for job in &mut cut.waiting {
        let all = job.after.len();
        job.after.retain(|after| !matches!(after.job, Awaited::Waiting(other) if other >= kept));
        if job.after.len() < all {
            job.not_before = Some(Time::MAX);
        }
    }
    cut
}

/// The same with these changes to the job at a place, and where it is then.
#[must_use]
pub fn changed(situation: &PlayableQueue, place: usize, changes: &[Change]) -> (PlayableQueue, usize) {
    let mut other = situation.clone();
    let mut place = place;
    for change in changes {
        let job = &mut other.waiting[place];
        match change {
            Change::Limit(limit) => job.planned = *limit,
            Change::Demand(demand) => job.demand = demand.clone(),
            Change::NoDependency => job.after.clear(),
            Change::NoBegin => job.not_before = None,
            Change::NoSharedLimits => job.demand.caps.clear(),
            Change::NoReservations => other.cluster.blocked.clear(),
            Change::First => {
                // It stays first, whatever the others come to be worth.
                job.standing.tier = u32::MAX;
                other.waiting[..=place].rotate_right(1);
                for after in other.waiting.iter_mut().flat_map(|job| &mut job.after) {
                    if let Awaited::Waiting(awaited) = &mut after.job {
                        *awaited = match *awaited {
                            awaited if awaited == place => 0,
                            awaited if awaited < place => awaited + 1,
                            awaited => awaited,
                        };
                    }
                }
                place = 0;
            }
        }
    }
    (other, place)
}

/// In how many of the futures a job must start earlier for a change to be offered: with fewer, one offer in six came to nothing when
/// they were tried (`experiments/counterfactuals`).
pub const OFFERED: f64 = 0.75;

/// When a job starts in each future if these things are different.
pub fn starts_with<S: RuntimeSampler + Sync>(
    situation: &PlayableQueue,
    place: usize,
    changes: &[Change],
    sampler: &mut S,
    settings: &QueueSettings,
) -> Vec<Option<Time>> {
    let (other, place) = changed(situation, place, changes);
    forecast_job(&other, place, sampler, settings)
}

impl Effect {
    /// From the starts without and with a change, future by future; who does not start before the horizon starts at it.
    pub fn between(without: &[Option<Time>], with: &[Option<Time>], horizon: Time) -> Option<Self> {
        let start = |start: &Option<Time>| start.unwrap_or(horizon);
        let mut earlier: Vec<Seconds> =
            without.iter().zip(with).map(|(without, with)| start(without) - start(with)).collect();
        earlier.sort_unstable();
        let at = |share: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let rank = (share * earlier.len() as f64).ceil() as usize;
            earlier.get(rank.clamp(1, earlier.len().max(1)) - 1).copied()
        };
        let is_earlier = earlier.iter().filter(|earlier| **earlier > Seconds::ZERO).count();
        Some(Self {
            earlier_median: at(0.5)?,
            earlier_low: at(0.1)?,
            earlier_high: at(0.9)?,
            share_earlier: is_earlier as f64 / earlier.len() as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use queuecast_forecast::forward::LimitSampler;
    use queuecast_forecast::queue::{After, Patience, Threads, WaitingHere, forecast_queue};
    use queuecast_schedule::slurm::{Amount, Blocked, Chunk, Cluster, Lumps, Pool, PoolSet, SlurmSettings};
    use queuecast_testkit::submission;

    use super::*;

    const ONE: QueueSettings = QueueSettings {
        futures: 1,
        seed: 0,
        horizon: Seconds(1_000_000),
        tasks_played: 10,
        patience: Patience::ENDLESS,
        threads: Threads::SHARED,
    };

    /// One pool of one-processor nodes under EASY, and jobs of so many nodes and such a limit, who run to it.
    fn queue(nodes: u32, jobs: &[(u32, i64)]) -> PlayableQueue {
        let settings = SlurmSettings {
            backfill_interval: Seconds(0),
            window: Seconds::MAX,
            resolution: Seconds(1),
            lumps: Lumps::NONE,
            jobs_tested: usize::MAX,
            main_depth: usize::MAX,
            reservations: 1,
            backfills: true,
        };
        let cluster =
            Cluster { pools: vec![Pool { node: Amount::processors(1), nodes }], settings, ..Cluster::default() };
        let waiting = (0..).zip(jobs).map(|(number, (chunks, limit))| {
            let demand = Demand::of(*chunks, Chunk::WholeNode, PoolSet(1));
            WaitingHere::new(submission(number, 0, *chunks, Some(*limit)), demand, Seconds(*limit))
        });
        PlayableQueue::new(Time(0), cluster, waiting.collect(), Vec::new())
    }

    fn start(situation: &PlayableQueue, place: usize, changes: &[Change]) -> Option<i64> {
        starts_with(situation, place, changes, &mut LimitSampler::default(), &ONE)[0].map(|time| time.0)
    }

    #[test]
    fn a_shorter_limit_fits_before_the_reservation_of_the_head_and_who_stands_first_starts_first() {
        // One runs on three of four nodes, the head wants all four, ours wants one for longer than the head waits.
        let situation = queue(4, &[(3, 100), (4, 50), (1, 120)]);
        assert_eq!(start(&situation, 2, &[]), Some(150));
        assert_eq!(start(&situation, 2, &[Change::Limit(Seconds(100))]), Some(0));
        assert_eq!(start(&situation, 2, &[Change::First]), Some(0));
        let wider = Demand::of(4, Chunk::WholeNode, PoolSet(1));
        assert_eq!(start(&situation, 2, &[Change::First, Change::Demand(wider)]), Some(0));
    }

    #[test]
    fn what_holds_a_job_is_found_by_taking_it_away() {
        let mut situation = queue(4, &[(4, 100), (1, 10)]);
        situation.waiting[1].after.push(After { job: Awaited::Waiting(0), task: None, end: true });
        situation.waiting[1].not_before = Some(Time(300));
        situation.cluster.blocked.push(Blocked {
            place: 0,
            amount: Amount::processors(4),
            reservation: 0,
            from: Time(200),
            until: Time(400),
        });
        assert_eq!(start(&situation, 1, &[]), Some(400));
        assert_eq!(start(&situation, 1, &[Change::NoReservations]), Some(300));
        assert_eq!(start(&situation, 1, &[Change::NoReservations, Change::NoBegin]), Some(100));
        let all = [Change::NoReservations, Change::NoBegin, Change::NoDependency, Change::First];
        assert_eq!(start(&situation, 1, &all), Some(0));
    }

    #[test]
    fn an_effect_is_counted_future_by_future() {
        let at = |seconds: &[i64]| seconds.iter().map(|second| Some(Time(*second))).collect::<Vec<_>>();
        let mut with = at(&[10, 10, 10, 10]);
        with.push(None);
        let effect = Effect::between(&at(&[10, 40, 50, 60, 100]), &with, Time(1_000)).expect("five futures");
        let expected = Effect {
            earlier_median: Seconds(30),
            earlier_low: Seconds(-900),
            earlier_high: Seconds(50),
            share_earlier: 0.6,
        };
        assert_eq!(effect, expected);
        assert_eq!(Effect::between(&[], &[], Time(0)), None);
    }

    proptest! {
        /// The futures of one job, stopped at its start, are those of the whole queue; and nothing is different if nothing is.
        #[test]
        fn without_a_change_a_job_starts_as_in_the_whole_queue(
            jobs in proptest::collection::vec((1_u32..9, 1_i64..500), 1..30),
            place in 0_usize..30,
        ) {
            let situation = queue(8, &jobs);
            let place = place % jobs.len();
            let whole = forecast_queue(&situation, &mut LimitSampler::default(), &ONE);
            let one = starts_with(&situation, place, &[], &mut LimitSampler::default(), &ONE);
            prop_assert_eq!(&one, &whole.starts[place]);
            let cut = without_those_far_behind(&situation, place, usize::MAX >> 1);
            prop_assert_eq!(&starts_with(&cut, place, &[], &mut LimitSampler::default(), &ONE), &one);
        }
    }
}
