//! Learning how long jobs wait, beside the watching, and keeping what was learnt over a restart.
//!
//! What is kept is written after every new forest, every hour, and at the end: a daemon that is killed has to learn at most an hour again.
//! Whatever cannot be taken up (another version, or bytes that are not ours) is left aside with a word in the log; then everything is learnt anew.

use std::time::Duration;

use queuecast_forecast::pooled::{Forest, LearntWaits};
use queuecast_site::forecasting::Learner;
use tracing::{info, warn};

use super::background::Done;
use super::watcher::Watcher;
use crate::store::{KeptLearning, Store, StoreError};

/// What was learnt is kept at least so often.
const KEPT_EVERY: Duration = Duration::from_hours(1);

/// What goes on with learning.
#[derive(Debug, Default)]
pub struct Learning {
    /// Whether a forest is being grown.
    is_growing: bool,
    /// When what was learnt was last kept.
    kept: Duration,
}

/// Goes on from what was kept. What waits have been must be known already.
pub fn recall(store: &Store, learner: &Learner) -> Result<(), StoreError> {
    let Some(KeptLearning { version, bytes, .. }) = store.learning()? else { return Ok(()) };
    if version != LearntWaits::VERSION {
        info!(version, "stored wait-time model has another version; training a new model");
        return Ok(());
    }
    let is_taken = postcard::from_bytes(&bytes).is_ok_and(|learnt| learner.recall_waits(learnt));
    if !is_taken {
        warn!("stored wait-time model cannot be read; training a new model");
    }
    Ok(())
}

impl Watcher {
    /// Begins to grow a new forest, if there is enough to learn from; one at a time.
    pub(super) fn begin_learning(&mut self) {
        if self.learning.is_growing {
            return;
        }
        let Some(lesson) = self.forecasting.learner.lesson() else { return };
        self.learning.is_growing = true;
        self.background.begin("learning", move || Done::Learnt(Box::new(lesson.grow())));
    }

    /// A new forest was grown.
    pub(super) fn learning_finished(&mut self, forest: Forest) -> Result<(), StoreError> {
        self.learning.is_growing = false;
        self.forecasting.learner.take(forest);
        self.keep_learning()
    }

    /// Keeps what was learnt, if that was long ago.
    pub(super) fn keep_learning_now_and_then(&mut self) -> Result<(), StoreError> {
        if self.clock.watched() < self.learning.kept + KEPT_EVERY {
            return Ok(());
        }
        self.keep_learning()
    }

    /// Keeps what was learnt.
    pub(super) fn keep_learning(&mut self) -> Result<(), StoreError> {
        self.learning.kept = self.clock.watched();
        let bytes = postcard::to_stdvec(&self.forecasting.learner.learnt_waits()).expect("numbers can be written");
        let kept = self.clock.now();
        self.stored(|store| store.keep_learning(&KeptLearning { version: LearntWaits::VERSION, kept, bytes })).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever changes the form, or what there is of experts, regimes or shares, raises [`LearntWaits::VERSION`], and this with it. It cannot notice a change of
    /// meaning.
    #[test]
    fn the_form_of_version_2_is_this_long() {
        let bytes = postcard::to_stdvec(&Learner::new().learnt_waits()).expect("written");
        assert_eq!((LearntWaits::VERSION, bytes.len()), (2, 1_105));
    }

    #[test]
    fn what_cannot_be_read_is_left_aside() {
        let mut store = Store::in_memory().expect("memory");
        let learner = Learner::new();
        let nothing = learner.learnt_waits();
        for (version, bytes) in [(LearntWaits::VERSION + 1, vec![]), (LearntWaits::VERSION, vec![255; 40])] {
            let learning = KeptLearning { version, kept: queuecast_workload::Time(0), bytes };
            store.keep_learning(&learning).expect("kept");
            recall(&store, &learner).expect("no fault");
            assert_eq!(learner.learnt_waits(), nothing);
        }
    }
}
