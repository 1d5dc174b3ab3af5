//! Records: what a resource manager says of a job, a node, a partition, a reservation and its scheduler, whatever dialect said it.
//!
//! For: one set of nouns behind all decoders, the interfaces to ask a manager for them ([`source`]) and to read them from what it
//! wrote ([`log`]), and the way from them to the product's own jobs ([`history`]). What a dialect does not say is `None` or empty,
//! never a made-up value. A site, its store and its forecasts know these and no manager.
//!
//! Not for: reading what a manager prints (a crate of its own for each, such as `queuecast-slurm`); judging.
//!
//! The words are Slurm's where managers differ: it says the most. What another calls a queue is a partition here.

mod association;
mod configuration;
mod diagnostics;
mod enforcement;
pub mod history;
mod job;
mod job_id;
mod layout;
mod limit;
pub mod log;
mod node;
mod node_list;
mod partition;
mod priority;
mod private_data;
mod qos;
mod reservation;
mod scheduler_parameters;
mod share;
pub mod source;
mod state;
mod tres;
mod tres_weights;
mod user;

pub use association::{AssociationRecord, Shares};
pub use configuration::ClusterConfiguration;
pub use diagnostics::{Diagnostics, PassExits};
pub use enforcement::{Enforcement, PartitionLimits, PreemptionConfiguration, PreemptionKind};
pub use job::{ExitCode, JobKey, JobRecord, StartedBy};
pub use job_id::{JobPart, WrittenJobId, array_task_count, array_task_place};
pub use layout::{GresAsked, GresPer, JobLayout, MemoryAsked};
pub use limit::TimeLimit;
pub use node::NodeRecord;
pub use node_list::{NODES_MAX, NodeList, NodeListError};
pub use partition::PartitionRecord;
pub use priority::{PriorityConfiguration, PriorityFlags, PriorityWeights};
pub use private_data::{Hidden, PrivateData};
pub use qos::{QosRecord, TresLimits};
pub use reservation::ReservationRecord;
pub use scheduler_parameters::Backfill;
pub use share::ShareRecord;
pub use state::{BaseState, JobState, StateFlag, StateFlags};
pub use tres::{Tres, count, mebibytes};
pub use tres_weights::TresWeights;
pub use user::{AdminLevel, UserRecord};
