//! What was played for one board, kept for as long as the board stands: whoever asks again about a job costs nothing.
//!
//! Not for: who may hear it (`queuecast_daemon::api`); single jobs that do not exist, of which hardly two are alike.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use queuecast_advise::{LimitAdvice, Why};
use queuecast_forecast::estimate::NoForecast;
use queuecast_forecast::queue::Patience;
use queuecast_schedule::slurm::{Cap, Onlooker};
use queuecast_workload::Time;

/// So many answers of a kind are kept: a board stands for half a minute.
const MOST: usize = 1_000;
/// So many seats in the queue are remembered, and so many who looked on from each: twenty limits in twenty futures take some 6 kB.
const SEATS_MOST: usize = 64;
const ONLOOKERS_MOST: usize = 1_024;

/// The answers of one board.
#[derive(Default)]
pub(super) struct Answers {
    /// By Slurm's number of the job.
    pub whys: Kept<Why>,
    /// By Slurm's number of the job.
    pub limits: Kept<LimitAdvice>,
    pub tables: Tables,
}

/// From where somebody looks on: what starts depend on, besides what is asked for, whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    /// Where in the queue.
    pub place: usize,
    /// What is left of the limits.
    pub caps: Vec<Cap>,
    /// At how many futures.
    pub futures: u64,
}

/// When an onlooker starts, by plan and future.
pub(super) type Starts = Vec<Vec<Option<Time>>>;

/// Starts of those who looked on, by seat, the oldest first.
#[derive(Default)]
pub(super) struct Tables(Mutex<Vec<(Seat, Seen)>>);

/// What was seen from one seat. Whoever comes while others look on from there waits.
type Seen = Arc<Mutex<Vec<(Onlooker, Arc<Starts>)>>>;

impl Tables {
    /// What was found for these, or is found now for those of whom nothing was; found once if several ask at the same time. What is found once patience is
    /// over is not kept.
    pub fn or_find(
        &self,
        seat: &Seat,
        onlookers: &[Onlooker],
        patience: &Patience,
        find: impl FnOnce(&[Onlooker]) -> Vec<Starts>,
    ) -> Vec<Arc<Starts>> {
        let seen = self.seen_from(seat);
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |seen: &[(Onlooker, Arc<Starts>)], onlooker: &Onlooker| {
            seen.iter().find(|(known, _)| known == onlooker).map(|(_, starts)| Arc::clone(starts))
        };
        let mut new: Vec<Onlooker> = Vec::new();
        for onlooker in onlookers {
            if known(&seen, onlooker).is_none() && !new.contains(onlooker) {
                new.push(onlooker.clone());
            }
        }
        let mut found = Vec::new();
        if !new.is_empty() {
            let starts = find(&new);
            found = new.into_iter().zip(starts.into_iter().map(Arc::new)).collect();
        }
        let of = |onlooker: &Onlooker| known(&found, onlooker).or_else(|| known(&seen, onlooker)).unwrap_or_default();
        let told = onlookers.iter().map(of).collect();
        if !patience.is_over() {
            if seen.len() + found.len() > ONLOOKERS_MOST {
                seen.clear();
            }
            seen.append(&mut found);
        }
        told
    }

    fn seen_from(&self, seat: &Seat) -> Seen {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, seen)) = tables.iter().find(|(known, _)| known == seat) {
            return Arc::clone(seen);
        }
        if tables.len() == SEATS_MOST {
            tables.remove(0);
        }
        let seen = Seen::default();
        tables.push((seat.clone(), Arc::clone(&seen)));
        seen
    }
}

/// Answers of one kind.
pub(super) struct Kept<T>(Mutex<HashMap<u64, Result<T, NoForecast>>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Kept<T> {
    /// What was said of a job, or what is found now. What is found once patience is over is not kept.
    pub fn or_find(
        &self,
        job_id: u64,
        patience: &Patience,
        find: impl FnOnce() -> Result<T, NoForecast>,
    ) -> Result<T, NoForecast> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = lock().get(&job_id) {
            return kept.clone();
        }
        let found = find();
        let mut kept = lock();
        if !patience.is_over() && kept.len() < MOST {
            kept.insert(job_id, found.clone());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_schedule::slurm::{Chunk, Demand, PoolSet};
    use queuecast_workload::Seconds;

    /// Somebody who asks for so many nodes.
    fn onlooker(nodes: u32) -> Onlooker {
        Onlooker { demand: Demand::of(nodes, Chunk::WholeNode, PoolSet(1)), planned: vec![Seconds(60)] }
    }

    #[test]
    fn starts_are_found_once_for_all_who_ask_at_the_same_time_and_again_from_another_seat() {
        let tables = Tables::default();
        let seat = |place| Seat { place, caps: Vec::new(), futures: 1 };
        let starts = |time| vec![vec![Some(Time(time))]];
        let ask = |place, patience: &Patience, time| {
            let asked = std::sync::atomic::AtomicUsize::new(0);
            let found = tables.or_find(&seat(place), &[onlooker(1)], patience, |all| {
                asked.store(all.len(), std::sync::atomic::Ordering::Relaxed);
                vec![starts(time)]
            });
            ((*found[0]).clone(), asked.into_inner())
        };
        assert_eq!(ask(1, &Patience::until(|| true), 1), (starts(1), 1), "and not kept");
        assert_eq!(ask(1, &Patience::ENDLESS, 2), (starts(2), 1));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(ask(1, &Patience::ENDLESS, 3), (starts(2), 0)));
            }
        });
        assert_eq!(ask(2, &Patience::ENDLESS, 3), (starts(3), 1));
    }

    #[test]
    fn only_those_are_looked_for_of_whom_nothing_is_known_and_each_once() {
        let tables = Tables::default();
        let seat = Seat { place: 1, caps: Vec::new(), futures: 1 };
        let starts = |time: u32| vec![vec![Some(Time(time.into()))]];
        let find = |all: &[Onlooker]| all.iter().map(|one| starts(one.demand.chunks)).collect();
        let of = |nodes: &[u32], find: &dyn Fn(&[Onlooker]) -> Vec<Starts>| {
            let onlookers: Vec<Onlooker> = nodes.iter().map(|nodes| onlooker(*nodes)).collect();
            let found = tables.or_find(&seat, &onlookers, &Patience::ENDLESS, find);
            found.iter().map(|starts| (**starts).clone()).collect::<Vec<_>>()
        };
        assert_eq!(of(&[1, 2], &find), [starts(1), starts(2)]);
        let told = of(&[2, 3, 1, 3], &|all| {
            assert_eq!(all, [onlooker(3)]);
            find(all)
        });
        assert_eq!(told, [starts(2), starts(3), starts(1), starts(3)]);
        of(&[3, 1], &|_| unreachable!("all are known"));
    }

    #[test]
    fn what_was_found_is_not_looked_for_again_unless_there_was_no_time_to_find_it() {
        let kept = Kept::<u32>::default();
        assert_eq!(kept.or_find(7, &Patience::until(|| true), || Ok(1)), Ok(1));
        assert_eq!(kept.or_find(7, &Patience::ENDLESS, || Ok(2)), Ok(2));
        assert_eq!(kept.or_find(7, &Patience::ENDLESS, || unreachable!("it is kept")), Ok(2));
        assert_eq!(kept.or_find(8, &Patience::ENDLESS, || Ok(3)), Ok(3));
    }
}
