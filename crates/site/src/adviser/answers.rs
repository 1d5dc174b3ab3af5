//! What was played for one board, kept for as long as the board stands: whoever asks again about a job costs nothing.
//!
//! Not for: who may hear it (`queuecast_daemon::api`); single jobs that do not exist, of which hardly two are alike.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use queuecast_advise::{LimitAdvice, Why};
use queuecast_forecast::estimate::NoEstimate;
use queuecast_forecast::queue::Patience;
use queuecast_schedule::slurm::{Cap, Onlooker};
use queuecast_workload::Time;

/// So many answers of a kind are kept: a board stands for half a minute.
const MOST: usize = 1_000;
/// So many tables: each has some ten thousand starts.
const TABLES_MOST: usize = 64;

/// The answers of one board.
#[derive(Default)]
pub(super) struct Answers {
    /// By Slurm's number of the job.
    pub whys: Kept<Why>,
    /// By Slurm's number of the job.
    pub limits: Kept<LimitAdvice>,
    pub tables: Tables,
}

/// What the starts in a table depend on, whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Looked {
    /// Where in the queue they look on.
    pub place: usize,
    /// What is left of the limits.
    pub caps: Vec<Cap>,
    /// Who looks on.
    pub onlookers: Vec<Onlooker>,
    /// At how many futures.
    pub futures: u64,
}

/// By onlooker, plan and future.
pub(super) type Starts = Vec<Vec<Vec<Option<Time>>>>;

/// Starts of those who looked on, the oldest first.
#[derive(Default)]
pub(super) struct Tables(Mutex<Vec<(Looked, Place)>>);

/// Where one of them is kept once it is found. Whoever comes while it is looked for waits.
type Place = Arc<Mutex<Option<Arc<Starts>>>>;

impl Tables {
    /// What was found for these, or is found now; found once if several ask at the same time. What is found once patience is over is not kept.
    pub fn or_find(&self, looked: &Looked, patience: &Patience, find: impl FnOnce() -> Starts) -> Arc<Starts> {
        let place = self.place(looked);
        let mut kept = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(starts) = &*kept {
            return Arc::clone(starts);
        }
        let starts = Arc::new(find());
        if !patience.is_over() {
            *kept = Some(Arc::clone(&starts));
        }
        starts
    }

    fn place(&self, looked: &Looked) -> Place {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, place)) = tables.iter().find(|(known, _)| known == looked) {
            return Arc::clone(place);
        }
        if tables.len() == TABLES_MOST {
            tables.remove(0);
        }
        let place = Place::default();
        tables.push((looked.clone(), Arc::clone(&place)));
        place
    }
}

/// Answers of one kind.
pub(super) struct Kept<T>(Mutex<HashMap<u64, Result<T, NoEstimate>>>);

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
        find: impl FnOnce() -> Result<T, NoEstimate>,
    ) -> Result<T, NoEstimate> {
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

    #[test]
    fn a_table_is_found_once_for_all_who_ask_at_the_same_time_and_again_for_another_place() {
        let tables = Tables::default();
        let looked = |place| Looked { place, caps: Vec::new(), onlookers: Vec::new(), futures: 1 };
        let starts = |time| vec![vec![vec![Some(Time(time))]]];
        assert_eq!(*tables.or_find(&looked(1), &Patience::until(|| true), || starts(1)), starts(1));
        let found = std::sync::atomic::AtomicI64::new(2);
        let find = || starts(found.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(*tables.or_find(&looked(1), &Patience::ENDLESS, find), starts(2)));
            }
        });
        assert_eq!(*tables.or_find(&looked(2), &Patience::ENDLESS, find), starts(3));
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
