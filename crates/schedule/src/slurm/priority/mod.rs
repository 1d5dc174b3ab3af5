//! What a waiting job is worth, as time passes.
//!
//! For: `priority/multifactor`. What does not change while a job waits (size, partition, quality of service, association, TRES,
//! site, nice) is one number, [`Standing::fixed`]. Age grows; fair share falls and rises with what everybody's running jobs use
//! ([`ShareTree`]).
//!
//! Not for: reading any of it from Slurm (`queuecast-site`); `priority/basic`, where the fixed number is all there is.
//!
//! Source: slurm.conf(5), `Priority*`; Slurm's guides to multifactor priority and fair tree; `priority_multifactor.c` and
//! `fair_tree.c` of 22.05, read for what they do.

mod share_tree;

pub use share_tree::{Association, ShareTree, Shares};

use queuecast_workload::{Seconds, Time};

/// How priorities change.
#[derive(Clone, Debug, PartialEq)]
pub struct Priorities {
    /// What a job that is as old as it gets has more.
    pub age_weight: f64,
    /// How old it gets.
    pub age_max: Seconds,
    /// What the user with the best fair share has more.
    pub fair_share_weight: f64,
    /// How often Slurm works them out.
    pub period: Seconds,
    /// After how long half of what was used is forgotten; `None` for never.
    pub half_life: Option<Seconds>,
    /// Who has which share, and has used how much.
    pub shares: ShareTree,
}

impl Default for Priorities {
    /// Priorities stand still.
    fn default() -> Self {
        Self {
            age_weight: 0.0,
            age_max: Seconds(1),
            fair_share_weight: 0.0,
            period: Seconds(300),
            half_life: None,
            shares: ShareTree::default(),
        }
    }
}

/// Where a job stands, waiting or running.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Partitions of a higher tier are served first.
    pub tier: u32,
    /// What does not change.
    pub fixed: f64,
    /// Since when its age counts; from when it may start on if that is still to come.
    pub ages_from: Option<Time>,
    /// Whose usage it adds to, by place in the tree.
    pub association: Option<u32>,
    /// What a second of it is charged with.
    pub charge: f64,
}

impl Priorities {
    /// Whether anything changes while time passes.
    pub fn change(&self) -> bool {
        self.age_weight != 0.0 || (self.fair_share_weight != 0.0 && !self.shares.is_empty())
    }

    /// A job's priority; `factors` by association.
    pub fn of(&self, standing: &Standing, ages_from: Option<Time>, now: Time, factors: &[f64]) -> f64 {
        let share = standing.association.and_then(|place| factors.get(place as usize)).copied().unwrap_or(0.0);
        standing.fixed + self.age_weight * self.age_factor(ages_from, now) + self.fair_share_weight * share
    }

    /// The share of the age's weight that a job has.
    pub fn age_factor(&self, ages_from: Option<Time>, now: Time) -> f64 {
        let age = ages_from.map_or(Seconds::ZERO, |from| (now - from).max(Seconds::ZERO));
        (age.as_f64() / self.age_max.as_f64().max(1.0)).min(1.0)
    }

    /// Lets so much time pass: what was used before counts less.
    pub fn decay(&mut self, passed: Seconds) {
        if let Some(half_life) = self.half_life {
            self.shares.multiply(0.5_f64.powf(passed.as_f64() / half_life.as_f64().max(1.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_counts_up_to_its_cap_and_usage_is_forgotten_by_halves() {
        let root = Association { parent: None, shares: Shares::Number(1), is_user: false };
        let user = Association { parent: Some(0), shares: Shares::Number(1), is_user: true };
        let mut priorities = Priorities {
            age_weight: 1_000.0,
            age_max: Seconds(100),
            fair_share_weight: 500.0,
            half_life: Some(Seconds(60)),
            shares: ShareTree::new(vec![root, user], vec![80.0, 80.0], true),
            ..Priorities::default()
        };
        let job = Standing { fixed: 7.0, association: Some(1), ..Standing::default() };
        let factors = priorities.shares.factors();
        let at = |now: i64| priorities.of(&job, Some(Time(50)), Time(now), &factors);
        let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
        for (now, expected) in [(0, 507.0), (75, 757.0), (150, 1_507.0), (900, 1_507.0)] {
            assert!(near(at(now), expected), "at {now}: {}", at(now));
        }
        let held = priorities.of(&job, None, Time(900), &factors);
        assert!(near(held, 507.0), "who may not start does not age: {held}");
        priorities.decay(Seconds(120));
        assert_eq!(priorities.shares.usage(), [20.0, 20.0]);
    }
}
