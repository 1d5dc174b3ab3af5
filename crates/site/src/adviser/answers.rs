//! What was played for one board, kept for as long as the board stands: whoever asks again about a job costs nothing.
//!
//! Not for: who may hear it (`queuecast_daemon::api`); jobs that do not exist, of which hardly two are alike.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use queuecast_advise::{LimitAdvice, Why};
use queuecast_forecast::estimate::NoEstimate;
use queuecast_forecast::queue::Patience;

/// So many answers of a kind are kept: a board stands for half a minute.
const MOST: usize = 1_000;

/// The answers of one board, by Slurm's number of the job.
#[derive(Default)]
pub(super) struct Answers {
    pub whys: Kept<Why>,
    pub limits: Kept<LimitAdvice>,
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
    fn what_was_found_is_not_looked_for_again_unless_there_was_no_time_to_find_it() {
        let kept = Kept::<u32>::default();
        assert_eq!(kept.or_find(7, &Patience::until(|| true), || Ok(1)), Ok(1));
        assert_eq!(kept.or_find(7, &Patience::ENDLESS, || Ok(2)), Ok(2));
        assert_eq!(kept.or_find(7, &Patience::ENDLESS, || unreachable!("it is kept")), Ok(2));
        assert_eq!(kept.or_find(8, &Patience::ENDLESS, || Ok(3)), Ok(3));
    }
}
