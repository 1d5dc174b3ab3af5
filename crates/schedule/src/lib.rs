//! Waiting jobs, free processors and planned durations in; who starts now out.
//!
//! For: the scheduling policies (FCFS, EASY and its orders, conservative) behind one interface, [`Scheduler`], and
//! the structures that make them fast: an indexed queue, the planned releases of running jobs, an availability
//! profile. Also the choice of how many processors a mouldable job should wait for ([`mouldable`]).
//!
//! Not for: predicting (`queuecast-predict`): a scheduler sees planned durations and never asks where they come
//! from. Not for turning time forward (`queuecast-simulate`): a scheduler is told what happened and when. It knows
//! neither actual run times nor the future.
//!
//! A scheduler is a value: cloning it gives an independent future of the same queue.
//!
//! ```
//! use queuecast_schedule::{Decisions, JobKey, PlannedJob, PolicySpecification, Scheduler};
//! use queuecast_workload::{Machine, Request, Seconds, Time};
//!
//! let easy: PolicySpecification = "easy".parse()?;
//! let mut scheduler = easy.build(Machine { processors: 10 });
//! for (key, processors, planned) in [(0, 6, 100), (1, 8, 100), (2, 4, 90), (3, 4, 500)] {
//!     let (request, planned) = (Request { processors }, Seconds(planned));
//!     scheduler.submit(PlannedJob { key: JobKey(key), submitted: Time(0), request, planned }, Time(0));
//! }
//! let mut decisions = Decisions::default();
//! scheduler.pass(Time(0), &mut decisions);
//!
//! // Job 1 does not fit and is promised the end of job 0. Job 2 is over by then and may pass it, job 3 would not be.
//! let started: Vec<u32> = decisions.starts.iter().map(|start| start.key.0).collect();
//! assert_eq!(started, [0, 2]);
//! assert_eq!(decisions.promised_starts[0].start, Time(100));
//! # Ok::<(), queuecast_workload::UnknownName>(())
//! ```

mod availability;
mod backfilling;
mod conservative;
mod depth;
mod foreign;
pub mod mouldable;
mod order;
mod queue;
mod releases;
mod scheduler;
pub mod slurm;
mod specification;
mod summed_list;
mod waiting;

pub use availability::AvailabilityProfile;
pub use backfilling::{Backfill, Backfilling};
pub use conservative::Conservative;
pub use depth::Depth;
pub use foreign::{ForeignPolicy, SchedulerSource};
pub use order::Order;
pub use scheduler::{AnyScheduler, Decisions, JobKey, PlannedJob, PromisedStart, Scheduler, Start};
pub use specification::PolicySpecification;
