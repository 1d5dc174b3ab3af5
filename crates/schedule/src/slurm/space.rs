//! Room, counted in pools or placed on nodes: the same questions of both.

use queuecast_workload::{Seconds, Time};

use super::amount::Amount;
use super::cluster::Cluster;
use super::counted::Counted;
use super::job::Holding;
use super::placed::Placed;
use super::shape::Shape;

/// What somebody who runs gives back, and when by plan.
#[derive(Clone, Copy, Debug)]
pub struct Release<'a> {
    /// When.
    pub end: Time,
    /// What.
    pub holds: &'a [(u32, Amount)],
    /// The class of those who may be put out it belongs to.
    pub class: Option<u8>,
}

/// When a job could start at the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// At once; nothing was kept for it.
    Now,
    /// Later; its room is kept.
    Later,
    /// Not within the time that is looked at.
    Never,
}

/// What is free, and what is planned with.
#[derive(Clone, Debug)]
pub enum Space {
    /// In pools.
    Counted(Counted),
    /// On nodes.
    Placed(Box<Placed>),
}

impl Space {
    /// All of the machine, nobody on it.
    pub fn empty(cluster: &Cluster) -> Self {
        if cluster.nodes.is_empty() {
            Self::Counted(Counted::new(cluster.capacity()))
        } else {
            Self::Placed(Box::new(Placed::new(cluster)))
        }
    }

    /// What is free at each place at this moment.
    pub fn free(&self) -> &[Amount] {
        match self {
            Self::Counted(counted) => &counted.free,
            Self::Placed(placed) => &placed.free.amounts,
        }
    }

    /// Somebody holds this from now on.
    pub fn hold(&mut self, holds: &[(u32, Amount)]) {
        match self {
            Self::Counted(counted) => counted.hold(holds),
            Self::Placed(placed) => placed.free.hold(holds),
        }
    }

    /// And no longer.
    pub fn give_back(&mut self, holds: &[(u32, Amount)]) {
        match self {
            Self::Counted(counted) => counted.give_back(holds),
            Self::Placed(placed) => placed.free.give_back(holds),
        }
    }

    /// Begins a pass: nothing is planned yet.
    pub fn begin<'a>(&mut self, cluster: &Cluster, now: Time, releases: impl Iterator<Item = Release<'a>> + Clone) {
        match self {
            Self::Counted(counted) => counted.begin(cluster, now, releases),
            Self::Placed(placed) => placed.begin(now),
        }
    }

    /// Gets ready to plan, if that is still to be done.
    pub fn begin_planning<'a>(&mut self, now: Time, releases: impl Iterator<Item = Release<'a>>) {
        if let Self::Placed(placed) = self {
            placed.begin_planning(now, releases);
        }
    }

    /// Whether it fits from now to the end of its plan, beside all that is planned, off the pools that are barred.
    pub fn fits_now(&mut self, shape: &Shape, barred: u64) -> bool {
        match self {
            Self::Counted(counted) => shape.pools & barred == 0 && counted.fits_now(shape),
            Self::Placed(placed) => placed.fits_now(shape, barred),
        }
    }

    /// Takes what it needs from now to the end of its plan; nothing if it does not fit.
    pub fn take_now(&mut self, shape: &Shape, now: Time, barred: u64) -> Option<Holding> {
        match self {
            Self::Counted(counted) => counted.take_now(shape, now),
            Self::Placed(placed) => placed.take_now(shape, now, barred),
        }
    }

    /// Keeps the earliest room free for it.
    pub fn plan(&mut self, shape: &Shape, now: Time, latest: Time) -> Planned {
        match self {
            Self::Counted(counted) => counted.plan(shape, now, latest),
            Self::Placed(placed) => placed.plan(shape, now, latest),
        }
    }

    /// Keeps room for several jobs that start together, but for those of which it is said otherwise. Says for how many.
    pub fn plan_together(&mut self, shapes: &[(&Shape, bool)], now: Time, latest: Time) -> usize {
        match self {
            // In pools what one component takes is not in another's way unless there is too little for both.
            Self::Counted(counted) => {
                let kept = shapes.iter().filter(|(_, is_kept)| *is_kept);
                kept.filter(|(shape, _)| counted.plan(shape, now, latest) == Planned::Later).count()
            }
            Self::Placed(placed) => placed.plan_together(shapes, now, latest),
        }
    }
}

/// A planned end as Slurm counts it: ahead of now, in whole steps. One that should have ended is expected any moment.
pub fn rounded_up(now: Time, end: Time, resolution: Seconds) -> Time {
    let step = resolution.0.max(1);
    Time(now.0 + ((end.0 - now.0).max(1) + step - 1) / step * step)
}
