//! Whether the watching goes on: for how long it has been in the step that it is in.
//!
//! For: a watchdog, which must not be told that all is well by a thread that only answers.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Since when the watching is busy, if it is.
#[derive(Debug, Default)]
pub struct Pulse(Mutex<Option<Instant>>);

impl Pulse {
    /// A step begins.
    pub(super) fn begin(&self) {
        self.set(Some(Instant::now()));
    }

    /// It is over, and the next is waited for.
    pub(super) fn rest(&self) {
        self.set(None);
    }

    /// For how long the step has lasted that is not over.
    pub fn busy_for(&self) -> Option<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).map(|since| since.elapsed())
    }

    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_step_that_is_not_over_has_lasted() {
        let pulse = Pulse::default();
        assert_eq!(pulse.busy_for(), None);
        pulse.begin();
        assert!(pulse.busy_for().is_some());
        pulse.rest();
        assert_eq!(pulse.busy_for(), None);
    }
}
