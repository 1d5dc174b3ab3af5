//! What will be free when, if everybody runs as long as planned.
//!
//! Steps in time, each with what is free in every pool until the next. Beside it the least that is free from now on up to
//! each step, for the question that is asked most: does this fit from now to its end? It is worked out as far as somebody
//! asks, and again from where something changed.

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::shape::Shape;

/// The profile, from now on. Made once and filled for every pass.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    pools: usize,
    times: Vec<Time>,
    /// By step, then pool.
    free: Vec<Amount>,
    /// The least from the first step to this one; worked out for the first `known` steps.
    least: Vec<Amount>,
    known: usize,
    /// Scratch of `earliest`.
    window: Vec<Amount>,
}

impl Profile {
    /// Begins anew with what is free now.
    pub fn begin(&mut self, now: Time, free: &[Amount]) {
        self.pools = free.len();
        self.times.clear();
        self.free.clear();
        self.times.push(now);
        self.free.extend_from_slice(free);
        self.known = 0;
    }

    /// So much is free again from this time on, in order of time.
    pub fn release(&mut self, time: Time, pool: u8, amount: Amount) {
        let last = self.times.len() - 1;
        if self.times[last] < time {
            self.times.push(time);
            self.free.extend_from_within(last * self.pools..);
        }
        let place = self.free.len() - self.pools + usize::from(pool);
        self.free[place] += amount;
    }

    /// So much is taken from one time to another.
    pub fn take(&mut self, pool: u8, amount: Amount, from: Time, until: Time) {
        if until <= from {
            return;
        }
        let first = self.step_at(from);
        let end = self.step_at(until);
        for step in first..end {
            self.free[step * self.pools + usize::from(pool)] -= amount;
        }
        self.known = self.known.min(first);
    }

    /// The step that begins at this time, made if there is none; no step is before the first.
    fn step_at(&mut self, time: Time) -> usize {
        let place = self.times.partition_point(|begins| *begins < time);
        if self.times.get(place) == Some(&time) {
            return place;
        }
        if place == 0 {
            return 0;
        }
        self.times.insert(place, time);
        let before = (place - 1) * self.pools;
        let old = self.free.len();
        self.free.resize(old + self.pools, Amount::NONE);
        self.free.copy_within(place * self.pools..old, (place + 1) * self.pools);
        self.free.copy_within(before..before + self.pools, place * self.pools);
        self.known = self.known.min(place);
        place
    }

    /// Whether the shape fits from now to the end of its plan.
    pub fn fits_now(&mut self, shape: &Shape) -> bool {
        let step = self.last_step_before(self.times[0] + shape.planned);
        // Most do not even fit at this moment.
        if !shape.fits(|pool| self.free[usize::from(pool)]) {
            return false;
        }
        self.know(step);
        let least = &self.least[step * self.pools..];
        shape.fits(|pool| least[usize::from(pool)])
    }

    /// The least that is free in each pool from now to the end of this plan.
    pub fn least_now(&mut self, planned: Seconds) -> &[Amount] {
        let step = self.last_step_before(self.times[0] + planned);
        self.know(step);
        &self.least[step * self.pools..(step + 1) * self.pools]
    }

    fn last_step_before(&self, end: Time) -> usize {
        self.times.partition_point(|begins| *begins < end).max(1) - 1
    }

    fn know(&mut self, step: usize) {
        if self.least.len() < self.free.len() {
            self.least.resize(self.free.len(), Amount::NONE);
        }
        for step in self.known..=step {
            for pool in 0..self.pools {
                let place = step * self.pools + pool;
                let here = self.free[place];
                self.least[place] = if step == 0 { here } else { here.least(self.least[place - self.pools]) };
            }
        }
        self.known = self.known.max(step + 1);
    }

    /// The earliest time, not after `latest`, from which the shape fits to the end of its plan; what is least free in each
    /// pool meanwhile is left in [`window`](Self::window).
    pub fn earliest(&mut self, shape: &Shape, latest: Time) -> Option<Time> {
        let steps = self.times.len();
        let mut first = 0;
        'starts: while first < steps && self.times[first] <= latest {
            let end = self.times[first] + shape.planned;
            self.window.clear();
            self.window.extend_from_slice(&self.free[first * self.pools..(first + 1) * self.pools]);
            let mut step = first;
            loop {
                let window = &self.window;
                if !shape.fits(|pool| window[usize::from(pool)]) {
                    // With several pools or kinds it may be that every step has room, but not all of them the same.
                    let here = &self.free[step * self.pools..];
                    let alone = shape.fits(|pool| here[usize::from(pool)]);
                    first = if alone { first + 1 } else { step + 1 };
                    continue 'starts;
                }
                step += 1;
                if step == steps || self.times[step] >= end {
                    return Some(self.times[first]);
                }
                for place in &shape.places {
                    let pool = usize::from(place.pool);
                    self.window[pool] = self.window[pool].least(self.free[step * self.pools + pool]);
                }
            }
        }
        None
    }

    /// What was least free in each pool over the time that [`earliest`](Self::earliest) found last.
    pub fn window(&self) -> &[Amount] {
        &self.window
    }
}
