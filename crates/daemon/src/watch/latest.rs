//! The last answers of each kind.

use std::sync::Arc;

use queuecast_records::{
    AssociationRecord, ClusterConfiguration, JobRecord, NodeRecord, PartitionRecord, QosRecord, ReservationRecord,
    ShareRecord,
};
use queuecast_workload::Time;

use queuecast_site::cluster::{ClusterReading, Reach};
use queuecast_site::roles::Roles;

/// What Slurm said last.
#[derive(Debug, Default)]
pub struct Latest {
    /// When the queue was read, and who was in it.
    pub queue: Option<(Time, Arc<[JobRecord]>)>,
    pub nodes: Vec<NodeRecord>,
    pub partitions: Vec<PartitionRecord>,
    pub reservations: Vec<ReservationRecord>,
    pub qos: Vec<QosRecord>,
    pub associations: Vec<AssociationRecord>,
    pub shares: Vec<ShareRecord>,
    pub configuration: Option<ClusterConfiguration>,
    pub reach: Reach,
    pub roles: Arc<Roles>,
}

impl Latest {
    /// Put together; `None` before the queue and the nodes were read.
    pub fn reading(&self) -> Option<ClusterReading<'_>> {
        let (now, jobs) = self.queue.as_ref()?;
        (!self.nodes.is_empty()).then_some(ClusterReading {
            now: *now,
            jobs,
            nodes: &self.nodes,
            partitions: &self.partitions,
            reservations: &self.reservations,
            qos: &self.qos,
            associations: &self.associations,
            shares: &self.shares,
            configuration: self.configuration.as_ref(),
            reach: &self.reach,
        })
    }
}
