//! A reservation as Slurm tells it: time and nodes that are kept for some, or from all.
//!
//! Source: REST `/reservations` of v0.0.45; 22.05's was not recorded and is read by the same names.

use queuecast_workload::Time;

use super::Tres;

/// One reservation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReservationRecord {
    /// Its name.
    pub name: String,
    /// From when.
    pub starts: Option<Time>,
    /// Until when; `None` if it has no end.
    pub ends: Option<Time>,
    /// Its nodes, as Slurm abbreviates them.
    pub nodes: String,
    /// How many nodes.
    pub nodes_total: Option<u64>,
    /// The partition it is in.
    pub partition: String,
    /// What it holds.
    pub reserved: Tres,
    /// Slurm's flags: `MAINT`, `SPEC_NODES`.
    pub flags: Vec<String>,
    /// Whose it is.
    pub users: String,
    /// The accounts whose it is.
    pub accounts: String,
}
