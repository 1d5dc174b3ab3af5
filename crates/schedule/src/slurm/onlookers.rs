//! Jobs that only look on: when each would start if it stood last, without taking anything from anybody.
//!
//! For: many jobs that do not exist, asked about at once: every size and every limit a person might choose, in one future of the queue. One that stands last
//! is in nobody's way until it starts, so what it is told is what it would be told if it stood there alone.
//!
//! Not for: one that stands before others. It keeps room that they would take: the queue must then be cut off where it stands.

use std::sync::Arc;

use queuecast_workload::{Seconds, Time};

use super::cluster::{Cap, Cluster};
use super::job::Demand;
use super::shape::{Shape, is_capped};
use super::space::Space;

/// Jobs that ask for the same and differ in how long they are planned to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Onlooker {
    /// What each asks for.
    pub demand: Demand,
    /// How long they are planned to run, the shortest first. Where a longer one fits a shorter one does.
    pub planned: Vec<Seconds>,
}

/// A job that looked on and would have started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnlookerStart {
    /// Which onlooker.
    pub onlooker: usize,
    /// Which of its plans.
    pub plan: usize,
}

/// All who look on at one future.
#[derive(Clone, Debug, Default)]
pub(super) struct Onlookers {
    /// By onlooker, then plan.
    shapes: Arc<Vec<Vec<Shape>>>,
    /// By onlooker: how many of its plans have started.
    started: Vec<usize>,
    /// Who fits at all in the pass under way.
    hopeful: Vec<usize>,
    starts: Vec<OnlookerStart>,
    /// The pools that anybody may use.
    pub pools: u64,
}

impl Onlookers {
    pub fn new(cluster: &Cluster, onlookers: &[Onlooker]) -> Self {
        let shapes: Vec<Vec<Shape>> = onlookers.iter().map(|onlooker| shapes(cluster, onlooker)).collect();
        Self {
            pools: shapes.iter().flatten().fold(0, |set, shape| set | shape.pools),
            started: vec![0; shapes.len()],
            hopeful: Vec::new(),
            starts: Vec::new(),
            shapes: Arc::new(shapes),
        }
    }

    /// Whether anybody has not started yet.
    pub fn is_anybody_left(&self) -> bool {
        self.started.iter().zip(&*self.shapes).any(|(started, plans)| *started < plans.len())
    }

    pub fn take_starts(&mut self) -> Vec<OnlookerStart> {
        std::mem::take(&mut self.starts)
    }

    /// Starts whoever fits, off the pools that are barred.
    pub fn start_who_fits(&mut self, space: &mut Space, caps: &[Cap], now: Time, barred: u64) {
        for onlooker in 0..self.started.len() {
            while self.next_fits(onlooker, space, caps, now, barred) {
                self.starts.push(OnlookerStart { onlooker, plan: self.started[onlooker] });
                self.started[onlooker] += 1;
            }
        }
    }

    /// Notes who fits before anything is planned: nobody else can, whatever is. Nobody if backfill does not look so far down.
    pub fn look_for_hope(&mut self, is_reached: bool, space: &mut Space, caps: &[Cap], now: Time) {
        let mut hopeful = std::mem::take(&mut self.hopeful);
        hopeful.clear();
        if is_reached {
            hopeful.extend((0..self.started.len()).filter(|onlooker| self.next_fits(*onlooker, space, caps, now, 0)));
        }
        self.hopeful = hopeful;
    }

    /// Whether anybody still fits beside what is planned by now.
    pub fn is_hope_left(&mut self, space: &mut Space, caps: &[Cap], now: Time) -> bool {
        while let Some(onlooker) = self.hopeful.last().copied() {
            if self.next_fits(onlooker, space, caps, now, 0) {
                return true;
            }
            self.hopeful.pop();
        }
        false
    }

    fn next_fits(&self, onlooker: usize, space: &mut Space, caps: &[Cap], now: Time, barred: u64) -> bool {
        let Some(shape) = self.shapes[onlooker].get(self.started[onlooker]) else { return false };
        shape.pools & !barred != 0 && !is_capped(caps, shape, now) && space.fits_now(shape, barred)
    }
}

/// A shape for each plan.
fn shapes(cluster: &Cluster, onlooker: &Onlooker) -> Vec<Shape> {
    debug_assert!(onlooker.planned.is_sorted(), "the shortest first");
    let Some(shortest) = onlooker.planned.first() else { return Vec::new() };
    let first = Shape::new(&onlooker.demand, (*shortest).max(Seconds(1)), cluster);
    onlooker.planned.iter().map(|planned| Shape { planned: (*planned).max(Seconds(1)), ..first.clone() }).collect()
}
