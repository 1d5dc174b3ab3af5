//! Room where nodes are counted in their pools: a job fits if enough of each kind is free in the pools it may use, however it
//! is scattered over their nodes.
//!
//! For: machines whose nodes are not known one by one (logs), and such as have too many.

use queuecast_workload::Time;

use super::amount::Amount;
use super::cluster::Cluster;
use super::job::Holding;
use super::lumps::lumps;
use super::profile::Profile;
use super::shape::Shape;
use super::space::{Planned, Release, rounded_up};

/// What is free in each pool, now and as planned.
#[derive(Clone, Debug)]
pub struct Counted {
    pub free: Vec<Amount>,
    profile: Profile,
}

impl Counted {
    pub fn new(free: Vec<Amount>) -> Self {
        Self { free, profile: Profile::default() }
    }

    /// Somebody holds this from now on.
    pub fn hold(&mut self, holds: &[(u32, Amount)]) {
        for (pool, amount) in holds {
            self.free[*pool as usize] -= *amount;
        }
    }

    /// And no longer.
    pub fn give_back(&mut self, holds: &[(u32, Amount)]) {
        for (pool, amount) in holds {
            self.free[*pool as usize] += *amount;
        }
    }

    /// Begins a pass.
    pub fn begin<'a>(&mut self, cluster: &Cluster, now: Time, releases: impl Iterator<Item = Release<'a>> + Clone) {
        self.profile.begin(now, &self.free);
        let settings = &cluster.settings;
        let ends = releases.clone().map(|release| (rounded_up(now, release.end, settings.resolution), true));
        let mut releases = releases;
        for (count, end) in lumps(ends, settings.lumps) {
            for release in releases.by_ref().take(count) {
                for (pool, amount) in release.holds {
                    self.profile.release(end, place(*pool), *amount);
                }
            }
        }
        for blocked in cluster.blocked.iter().filter(|blocked| blocked.until > now) {
            self.profile.take(place(blocked.place), blocked.amount, blocked.from.max(now), blocked.until);
        }
    }

    /// Whether it fits from now to the end of its plan.
    pub fn fits_now(&mut self, shape: &Shape) -> bool {
        self.profile.fits_now(shape)
    }

    /// Takes what it needs from now to the end of its plan.
    pub fn take_now(&mut self, shape: &Shape, now: Time) -> Option<Holding> {
        let least = self.profile.least_now(shape.planned);
        let holding = shape.spread(|pool| least[usize::from(pool)])?;
        for (pool, amount) in &holding {
            self.free[*pool as usize] -= *amount;
            self.profile.take(place(*pool), *amount, now, now + shape.planned);
        }
        Some(holding)
    }

    /// Keeps the earliest time free for it.
    pub fn plan(&mut self, shape: &Shape, now: Time, latest: Time) -> Planned {
        match self.profile.earliest(shape, latest) {
            Some(start) if start == now => Planned::Now,
            Some(start) => {
                let window = self.profile.window();
                if let Some(holding) = shape.spread(|pool| window[usize::from(pool)]) {
                    for (pool, amount) in holding {
                        self.profile.take(place(pool), amount, start, start + shape.planned);
                    }
                }
                Planned::Later
            }
            None => Planned::Never,
        }
    }
}

fn place(pool: u32) -> u8 {
    u8::try_from(pool).expect("at most 64 pools")
}
