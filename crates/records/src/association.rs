//! An association: a user in an account on a cluster, or an account under another, with shares and limits.
//!
//! For: the tree that fair share and limits go by.
//!
//! Not for: what was used ([`super::ShareRecord`]); whether limits are enforced ([`super::Enforcement`]).
//!
//! Source: sacctmgr(1) of 22.05, `sacctmgr show association`; REST `/slurmdb/v0.0.38/associations` of 22.05.8 in our lab, and
//! what is published of Slurm's parsers for v0.0.40 to v0.0.45.

use super::{TimeLimit, Tres, TresLimits};

/// How much of the parent's part is meant for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// So much, among all the parent's.
    Number(u64),
    /// Whatever the parent's is (`parent`).
    Parent,
}

impl Default for Shares {
    /// One share, as Slurm has it.
    fn default() -> Self {
        Self::Number(1)
    }
}

impl Shares {
    /// What Slurm writes for `parent` where it writes numbers (`SLURMDB_FS_USE_PARENT`).
    const USE_PARENT: u64 = 0x7FFF_FFFF;

    /// Slurm's number.
    pub fn of(number: u64) -> Self {
        if number == Self::USE_PARENT { Self::Parent } else { Self::Number(number) }
    }
}

/// One association. What is `None` is without limit of its own, or not said: a parent's counts then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssociationRecord {
    /// The cluster.
    pub cluster: String,
    /// The account.
    pub account: String,
    /// The user; empty: this is the account's own.
    pub user: String,
    /// The partition it is for; empty for all.
    pub partition: String,
    /// The account above; empty of the root, and of users, whose account it is.
    pub parent: String,
    /// Slurm's number for it.
    pub id: Option<u32>,
    /// Its part of the parent's.
    pub shares: Shares,
    /// What it adds to a job's priority, before weighing.
    pub priority: u64,
    /// The qualities of service it may use, in the dialect's own words.
    pub qos: Vec<String>,
    /// The one a job has that asks for none.
    pub qos_default: String,
    /// What all jobs below may have together (`GrpJobs`, `GrpSubmit`, `GrpTRES`).
    pub group: TresLimits,
    /// What they may use up, in minutes (`GrpTRESMins`).
    pub group_minutes: Tres,
    /// What those that run may have before them, in minutes (`GrpTRESRunMins`).
    pub group_running_minutes: Tres,
    /// How long all may have run together (`GrpWall`).
    pub group_wall: TimeLimit,
    /// What one user's jobs in it may have (`MaxJobs`, `MaxSubmit`). Slurm has no `MaxTRES` of this kind.
    pub own: TresLimits,
    /// What one job may have (`MaxTRES`).
    pub per_job: Tres,
    /// What one job may have of a node (`MaxTRESPerNode`).
    pub per_node: Tres,
    /// What one job may use, in minutes (`MaxTRESMins`).
    pub minutes_per_job: Tres,
    /// The longest limit a job may ask for (`MaxWall`).
    pub wall: TimeLimit,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_number_of_shares_is_the_parents() {
        assert_eq!(Shares::of(2_147_483_647), Shares::Parent);
        assert_eq!((Shares::of(0), Shares::default()), (Shares::Number(0), Shares::Number(1)));
    }
}
