//! Records: what Slurm says of a job, a node, a partition, a reservation and its scheduler, whatever dialect said it.
//!
//! For: one set of nouns behind all decoders. What a dialect does not say is `None` or empty, never a made-up value.
//!
//! Not for: judging ([`crate::history`]).

mod configuration;
mod diagnostics;
mod job;
mod job_id;
mod limit;
mod node;
mod node_list;
mod partition;
mod private_data;
mod qos;
mod reservation;
mod scheduler_parameters;
mod state;
mod tres;
mod user;

pub use configuration::ClusterConfiguration;
pub use diagnostics::{Diagnostics, PassExits};
pub use job::{ExitCode, JobKey, JobRecord, StartedBy};
pub use job_id::{JobPart, WrittenJobId, array_task_count};
pub use limit::TimeLimit;
pub use node::NodeRecord;
pub use node_list::{NODES_MAX, NodeList, NodeListError};
pub use partition::PartitionRecord;
pub use private_data::{Hidden, PrivateData};
pub use qos::{QosRecord, TresLimits};
pub use reservation::ReservationRecord;
pub use scheduler_parameters::Backfill;
pub use state::{BaseState, JobState, StateFlag, StateFlags};
pub use tres::Tres;
pub(crate) use tres::{count, mebibytes};
pub use user::{AdminLevel, UserRecord};
