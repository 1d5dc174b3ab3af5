//! A maintenance that falls into the stretch: a reservation of a third of the nodes of `batch`.
//!
//! Source: scontrol(1), reservations of Slurm's documentation. It is made before the first job, so that no job runs into it.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::cluster::ClusterHandle;

/// When it is and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Maintenance {
    /// When it begins, in lab seconds from when it is planned.
    pub begins_offset_seconds: u32,
    /// How long it takes.
    pub minutes: u32,
    /// The nodes it takes.
    pub nodes: String,
}

impl Maintenance {
    /// The one of a stretch of so many hours: two hours, somewhat before its middle.
    pub fn of_stretch(hours: u32) -> Self {
        Self { begins_offset_seconds: hours * 3_600 * 2 / 5, minutes: 120, nodes: "site[33-56]".to_owned() }
    }
}

/// Plans it.
pub fn plan_maintenance(cluster: ClusterHandle<'_>, maintenance: &Maintenance) -> Result<()> {
    let arguments = [
        "create",
        "reservation",
        "ReservationName=maintenance",
        "Users=root",
        "Flags=MAINT",
        &format!("StartTime=now+{}", maintenance.begins_offset_seconds),
        &format!("Duration={}", maintenance.minutes),
        &format!("Nodes={}", maintenance.nodes),
    ];
    cluster.run("scontrol", &arguments).map(drop)
}
