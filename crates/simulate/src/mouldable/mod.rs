//! Mouldable jobs, turned forward: Downey's simulator (R-D8 to R-D10).
//!
//! For: a strict queue in which the head chooses how many processors to wait for ([`StrictQueue`]), and what each job would
//! gain by choosing for itself where the others do not ([`Incentives`]). Beyond the paper, a queue that is planned with
//! predicted run times, with backfilling or without ([`PlannedQueue`]).
//!
//! Not for: the choice (`queuecast_schedule::mouldable`); rigid jobs ([`crate::SimulatedCluster`]). Time is in fractions of seconds
//! here: on many processors jobs of this workload run for less than one.

mod head;
mod incentives;
mod knowledge;
mod machine;
mod planned;
mod strict;

pub use incentives::{Incentive, Incentives};
pub use knowledge::{PredictedQueueTime, QueueTimeModel};
pub use planned::{MouldableTracedJob, Moulding, Passing, PlannedQueue};
pub use strict::{AllocatedJob, StrictQueue};
