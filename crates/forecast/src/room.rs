//! Since when there has been room for a job of some size: whoever fits for long and does not start is held by something a log does not say.
//!
//! What is free is counted from what was in use at the most within the last week, not from what the machine is said to have: parts of it may be
//! down or kept for others.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Seconds, Submission, Time};

/// Use is looked at in steps of this length, so many of them.
const STEP: Seconds = Seconds(6 * 3_600);
const STEPS: i64 = 28;

/// For how long there must have been room for a job before it seems to be held.
const HELD: Seconds = Seconds(600);

/// Since when so many processors have been free.
#[derive(Clone, Debug, Default)]
pub struct Room {
    in_use: u64,
    /// The most in use in each step, the latest last.
    peaks: VecDeque<(i64, u64)>,
    /// From the fewest processors: up to so many have been free since then. More than the last are not free.
    free_since: Vec<(u64, Time)>,
}

impl Room {
    /// From now on so many are in use.
    pub fn set(&mut self, in_use: u64, now: Time) {
        self.in_use = in_use;
        let step = now.0.div_euclid(STEP.0);
        match self.peaks.back_mut() {
            Some((last, peak)) if *last >= step => *peak = (*peak).max(in_use),
            _ => self.peaks.push_back((step, in_use)),
        }
        while self.peaks.front().is_some_and(|(first, _)| *first < step - STEPS) {
            self.peaks.pop_front();
        }
        let free = self.free();
        let mut since = now;
        while let Some((up_to, then)) = self.free_since.last().copied().filter(|(up_to, _)| *up_to >= free) {
            // Fewer than were free are still free since then.
            since = then;
            if up_to == free {
                return;
            }
            self.free_since.pop();
        }
        if free > self.free_since.last().map_or(0, |(up_to, _)| *up_to) {
            self.free_since.push((free, since));
        }
    }

    /// How many are free.
    pub fn free(&self) -> u64 {
        let most = self.peaks.iter().map(|(_, peak)| *peak).max().unwrap_or(0);
        most.saturating_sub(self.in_use)
    }

    /// Since when so many have been free without a break; `None` if they are not.
    pub fn since(&self, processors: u32) -> Option<Time> {
        let place = self.free_since.partition_point(|(up_to, _)| *up_to < u64::from(processors));
        self.free_since.get(place).map(|(_, since)| *since)
    }
}

/// Who seems to be held by something that nobody told: of those who wait, in the order in which they go, the first for whom there has been room for ten
/// minutes, up to the first for whom there is none.
pub fn stuck<'a>(in_order: impl Iterator<Item = &'a Submission>, room: &Room, now: Time) -> Vec<JobId> {
    let mut stuck = Vec::new();
    for job in in_order {
        let Some(since) = room.since(job.request.processors) else { break };
        if now - since.max(job.submitted) >= HELD {
            stuck.push(job.job);
        }
    }
    stuck
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn it_is_what_looking_at_every_second_gives() {
        let mut random = Pcg64::seed_from_u64(5);
        for _ in 0..50 {
            let mut room = Room::default();
            // By processors: since when they have been free.
            let mut obvious: Vec<Option<Time>> = vec![None; 41];
            let mut used: Vec<(i64, u64)> = Vec::new();
            let mut now = 0;
            for _ in 0..60 {
                now += random.random_range(0..40_000);
                let in_use = random.random_range(0..40);
                room.set(in_use, Time(now));
                used.push((now / STEP.0, in_use));
                let within = used.iter().filter(|(step, _)| *step >= now / STEP.0 - STEPS);
                let free = within.map(|(_, used)| *used).max().unwrap() - in_use;
                for (processors, since) in (0_u64..).zip(&mut obvious) {
                    *since = if processors <= free { since.or(Some(Time(now))) } else { None };
                }
                for processors in 1..40_u32 {
                    assert_eq!(room.since(processors), obvious[processors as usize], "{processors} at {now}");
                }
            }
        }
    }
}
