//! When a question is asked again.
//!
//! Every kind of question has an interval. A slow answer makes the pause longer, so that Slurm is never busy with us for more than
//! a fifth of the time; a failure doubles it, up to a limit, until one succeeds. Times are counted from when watching began.

use std::time::Duration;

/// After an answer that took so long, at least this many times as long is waited.
const PAUSE_OF_ANSWER: u32 = 4;
/// By how much failures can lengthen the interval: 2 to this power.
const DOUBLINGS_MAX: u32 = 4;

/// When one kind of question is asked, and when again.
#[derive(Clone, Copy, Debug)]
pub struct BackOff {
    interval: Duration,
    due: Duration,
    failures: u32,
}

impl BackOff {
    /// Asked first at this time, and then after each interval.
    pub fn new(interval: Duration, first: Duration) -> Self {
        Self { interval, due: first, failures: 0 }
    }

    /// Asked after other intervals, and at the latest one such from now.
    pub fn change(&mut self, interval: Duration, now: Duration) {
        if interval < self.interval {
            self.due = self.due.min(now + interval);
        }
        self.interval = interval;
    }

    /// Whether it is time.
    pub fn is_due(&self, now: Duration) -> bool {
        now >= self.due
    }

    /// When it is.
    pub fn due(&self) -> Duration {
        self.due
    }

    /// It was answered; asking took so long.
    pub fn succeeded(&mut self, now: Duration, took: Duration) {
        self.failures = 0;
        self.due = now + self.interval.max(took * PAUSE_OF_ANSWER);
    }

    /// It was not.
    pub fn failed(&mut self, now: Duration, took: Duration) {
        let factor = 1 << self.failures.min(DOUBLINGS_MAX);
        self.failures = self.failures.saturating_add(1);
        self.due = now + (self.interval * factor).max(took * PAUSE_OF_ANSWER);
    }

    /// There is more to be had: as soon as what the last answer took allows.
    pub fn again_soon(&mut self, now: Duration, took: Duration) {
        self.due = now + took;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_interval_counts_from_now_on_and_a_longer_one_from_the_next_time() {
        let mut asked = BackOff::new(60 * SECOND, 50 * SECOND);
        asked.change(10 * SECOND, 20 * SECOND);
        assert_eq!(asked.due(), 30 * SECOND);
        asked.change(600 * SECOND, 20 * SECOND);
        assert_eq!(asked.due(), 30 * SECOND);
        asked.succeeded(30 * SECOND, SECOND);
        assert_eq!(asked.due(), 630 * SECOND);
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn slow_answers_and_failures_make_the_pause_longer_and_an_answer_makes_it_what_it_was() {
        let start = 7 * SECOND;
        let mut back_off = BackOff::new(30 * SECOND, start);
        assert!(back_off.is_due(start));
        back_off.succeeded(start, SECOND);
        assert_eq!(back_off.due(), start + 30 * SECOND);
        back_off.succeeded(start, 10 * SECOND);
        assert_eq!(back_off.due(), start + 40 * SECOND);
        let pauses: Vec<u64> = (0..7)
            .map(|_| {
                back_off.failed(start, SECOND);
                back_off.due().saturating_sub(start).as_secs()
            })
            .collect();
        assert_eq!(pauses, [30, 60, 120, 240, 480, 480, 480]);
        back_off.succeeded(start, SECOND);
        assert_eq!(back_off.due(), start + 30 * SECOND);
    }
}
