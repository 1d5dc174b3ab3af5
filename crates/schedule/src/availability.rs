//! How many processors are planned to be free at every moment from now on: a step function with earliest fit.
//!
//! Used where more than one reservation must be honoured (conservative backfilling, reservation depths above one).
//! EASY does without: see `releases`.

use std::collections::VecDeque;

use queuecast_workload::{Seconds, Time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    from: Time,
    free: u32,
}

/// Free processors from now to eternity.
///
/// ```
/// use queuecast_schedule::AvailabilityProfile;
/// use queuecast_workload::{Seconds, Time};
///
/// let mut profile = AvailabilityProfile::new(4, Time(0));
/// profile.reserve(Time(0), Seconds(100), 3);
/// assert_eq!(profile.earliest(2, Seconds(10)), Time(100));
/// assert_eq!(profile.earliest(1, Seconds(10)), Time(0));
/// ```
#[derive(Clone, Debug)]
pub struct AvailabilityProfile {
    /// Ascending in time, neighbours differ in `free`, and the last lasts for ever.
    steps: VecDeque<Step>,
}

impl AvailabilityProfile {
    /// `processors` free from `now` on.
    pub fn new(processors: u32, now: Time) -> Self {
        Self { steps: VecDeque::from([Step { from: now, free: processors }]) }
    }

    /// Starts over with `processors` free from `now` on, keeping the memory.
    pub fn reset(&mut self, processors: u32, now: Time) {
        self.steps.clear();
        self.steps.push_back(Step { from: now, free: processors });
    }

    /// Forgets everything before `now`.
    pub fn advance(&mut self, now: Time) {
        while self.steps.get(1).is_some_and(|next| next.from <= now) {
            self.steps.pop_front();
        }
        if let Some(first) = self.steps.front_mut() {
            first.from = first.from.max(now);
        }
    }

    /// The earliest start, from the profile's beginning on, of a job that needs `processors` for `duration`.
    ///
    /// # Panics
    /// If more processors are asked for than are ever free.
    pub fn earliest(&self, processors: u32, duration: Seconds) -> Time {
        let mut candidate: Option<Time> = None;
        for step in &self.steps {
            if let Some(start) = candidate.filter(|start| step.from >= *start + duration) {
                return start;
            }
            if step.free < processors {
                candidate = None;
            } else if candidate.is_none() {
                candidate = Some(step.from);
            }
        }
        candidate.expect("the machine holds every job once all others have ended")
    }

    /// Whether `processors` are free from the profile's beginning for `duration`.
    pub fn fits_now(&self, processors: u32, duration: Seconds) -> bool {
        let Some(first) = self.steps.front() else { return false };
        let end = first.from + duration;
        self.steps.iter().take_while(|step| step.from < end).all(|step| step.free >= processors)
    }

    /// Takes `processors` from `start` for `duration`. They must be free.
    pub fn reserve(&mut self, start: Time, duration: Seconds, processors: u32) {
        self.change(start, start + duration, |free| {
            free.checked_sub(processors).expect("reservations only take what is free")
        });
    }

    /// Gives back what [`reserve`](Self::reserve) took; what lies before the profile's beginning is past.
    pub fn release(&mut self, start: Time, duration: Seconds, processors: u32) {
        self.change(start, start + duration, |free| free + processors);
    }

    /// `processors` more from `start` on, for good: a running job's planned end.
    pub fn release_for_good(&mut self, start: Time, processors: u32) {
        let start = self.steps.front().map_or(start, |step| step.from.max(start));
        let first = self.boundary(start);
        for step in self.steps.range_mut(first..) {
            step.free += processors;
        }
        self.join(first);
    }

    fn change(&mut self, start: Time, end: Time, change: impl Fn(u32) -> u32) {
        let beginning = self.steps.front().map_or(start, |step| step.from);
        let start = start.max(beginning);
        if start >= end {
            return;
        }
        let first = self.boundary(start);
        let last = self.boundary(end);
        for step in self.steps.range_mut(first..last) {
            step.free = change(step.free);
        }
        // Only the two edges can have become equal to their neighbours.
        self.join(last);
        self.join(first);
    }

    /// The index of the step that begins exactly at `time`, made if there is none.
    fn boundary(&mut self, time: Time) -> usize {
        let after = self.steps.partition_point(|step| step.from < time);
        if self.steps.get(after).is_none_or(|step| step.from != time) {
            let free = self.steps[after - 1].free;
            self.steps.insert(after, Step { from: time, free });
        }
        after
    }

    fn join(&mut self, index: usize) {
        if index > 0 && index < self.steps.len() && self.steps[index].free == self.steps[index - 1].free {
            self.steps.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_must_be_long_enough() {
        let mut profile = AvailabilityProfile::new(10, Time(0));
        profile.reserve(Time(0), Seconds(50), 8);
        profile.reserve(Time(80), Seconds(50), 8);
        assert_eq!(profile.earliest(4, Seconds(30)), Time(50));
        assert_eq!(profile.earliest(4, Seconds(31)), Time(130));
        assert_eq!(profile.earliest(2, Seconds(1_000)), Time(0));
    }

    #[test]
    fn what_was_reserved_and_released_leaves_no_trace() {
        let mut profile = AvailabilityProfile::new(10, Time(0));
        profile.reserve(Time(5), Seconds(10), 3);
        profile.reserve(Time(10), Seconds(10), 7);
        profile.release(Time(5), Seconds(10), 3);
        profile.release(Time(10), Seconds(10), 7);
        assert_eq!(profile.steps, [Step { from: Time(0), free: 10 }]);
    }

    #[test]
    fn releasing_the_tail_of_a_running_job_only_changes_the_future() {
        let mut profile = AvailabilityProfile::new(10, Time(0));
        profile.reserve(Time(0), Seconds(100), 10);
        profile.advance(Time(40));
        assert!(!profile.fits_now(1, Seconds(1)));
        profile.release(Time(0), Seconds(100), 10);
        assert!(profile.fits_now(10, Seconds(1_000)));
    }
}
