//! What somebody was meant to have and what they used, as `sshare` tells it.
//!
//! For: fair share as the controller sees it now.
//!
//! Not for: limits, and the tree's shape ([`super::AssociationRecord`]).
//!
//! Source: sshare(1) of 22.05 and 22.05.8 in our lab; REST `/slurm/v0.0.40/shares` and later by what is published of Slurm's
//! parsers.

use super::Shares;

/// One association's share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShareRecord {
    /// The account.
    pub account: String,
    /// The user; empty: this is the account's own.
    pub user: String,
    /// The partition it is for; empty for all.
    pub partition: String,
    /// Its part of the parent's.
    pub shares: Shares,
    /// That as a part of all; of fair tree, of what the parent has.
    pub normalized_shares: Option<f64>,
    /// What was used, decayed: seconds of resources as billed (`RawUsage`).
    pub usage: f64,
    /// That as a part of the parent's usage, or of all usage in classic fair share.
    pub effective_usage: Option<f64>,
    /// The factor between 0 and 1; of users only with fair tree.
    pub fair_share: Option<f64>,
    /// How far below its share it is (`LevelFS`): shares by usage, above 1 for who used less. Infinity for who used nothing.
    pub level: Option<f64>,
}
