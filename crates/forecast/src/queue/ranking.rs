//! The order of the queue in one future, as priorities change.
//!
//! Every `PriorityCalcPeriod` Slurm adds what running jobs used, forgets a part of what was used before, and works everybody's priority
//! out anew. Between these times nothing moves.

use std::cmp::Reverse;

use queuecast_schedule::slurm::priority::{Priorities, Standing};
use queuecast_workload::{Seconds, Time};

use super::playable_queue::PlayableQueue;

/// Who stands where, in one future.
pub(super) struct Ranking<'a> {
    situation: &'a PlayableQueue,
    priorities: Priorities,
    /// By place in the queue: since when its age counts.
    ages_from: Vec<Option<Time>>,
    /// By association: what its running jobs use.
    meters: Vec<Meter>,
    next: Time,
}

/// What an association's running jobs use in a second, and what they used that is not yet in the tree.
#[derive(Clone, Copy, Default)]
struct Meter {
    rate: f64,
    since: Time,
    used: f64,
}

impl Meter {
    fn read(&mut self, now: Time) {
        self.used += self.rate * (now - self.since).as_f64().max(0.0);
        self.since = self.since.max(now);
    }
}

impl<'a> Ranking<'a> {
    /// Where priorities change at all.
    pub fn of(situation: &'a PlayableQueue) -> Option<Self> {
        let priorities = situation.priorities.clone();
        if !priorities.change() {
            return None;
        }
        let mut meters = vec![Meter { since: situation.now, ..Meter::default() }; priorities.shares.usage().len()];
        for job in &situation.running {
            turn(&mut meters, &job.standing, 1.0, situation.now);
        }
        Some(Self {
            situation,
            ages_from: situation.waiting.iter().map(|job| job.standing.ages_from).collect(),
            meters,
            next: situation.now + priorities.period,
            priorities,
        })
    }

    /// When it is worked out next.
    pub fn next(&self) -> Time {
        self.next
    }

    /// A job may start from now on: its age begins to count, unless it did already.
    pub fn may_start(&mut self, place: usize, now: Time) {
        self.ages_from[place].get_or_insert(now);
    }

    /// A job, or a task of it, runs from now on.
    pub fn started(&mut self, place: usize, now: Time) {
        turn(&mut self.meters, &self.situation.waiting[place].standing, 1.0, now);
    }

    /// And no longer.
    pub fn ended(&mut self, place: usize, now: Time) {
        turn(&mut self.meters, &self.situation.waiting[place].standing, -1.0, now);
    }

    /// One that ran at first ended.
    pub fn running_ended(&mut self, place: usize, now: Time) {
        turn(&mut self.meters, &self.situation.running[place].standing, -1.0, now);
    }

    /// Everybody by place, the first first; Slurm compares whole numbers, then who came first.
    pub fn order(&mut self, now: Time) -> Vec<u32> {
        let period = self.priorities.period.max(Seconds(1));
        self.priorities.decay(now - (self.next - period));
        self.next = now + period;
        for (association, meter) in (0_u32..).zip(&mut self.meters) {
            meter.read(now);
            if meter.used > 0.0 {
                self.priorities.shares.add(association, std::mem::take(&mut meter.used));
            }
        }
        let factors = self.priorities.shares.factors();
        let mut keys: Vec<(Reverse<u32>, Reverse<i64>, u32)> = (0_u32..)
            .zip(self.situation.waiting.iter().zip(&self.ages_from))
            .map(|(place, (job, ages_from))| {
                let priority = self.priorities.of(&job.standing, *ages_from, now, &factors);
                #[expect(clippy::cast_possible_truncation, reason = "priorities are below 2^32")]
                let priority = priority as i64;
                (Reverse(job.standing.tier), Reverse(priority), place)
            })
            .collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, _, place)| place).collect()
    }
}

/// So many more jobs like this one run from now on.
fn turn(meters: &mut [Meter], standing: &Standing, jobs: f64, now: Time) {
    if let Some(meter) = standing.association.and_then(|place| meters.get_mut(place as usize)) {
        meter.read(now);
        meter.rate += standing.charge * jobs;
    }
}
