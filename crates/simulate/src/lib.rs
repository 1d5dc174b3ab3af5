//! The event loop: trace x predictor x scheduler -> outcomes.
//!
//! For: turning time forward over a trace ([`simulate`]), by the rules of [`Rules`]; making a trace replayable
//! ([`Replay`]); replaying it as it happened, without a scheduler ([`replay_as_logged`]); and shaking its submission
//! times ([`shaken`]) so that a difference can be told from noise.
//!
//! Not for: judging what came out (`queuecast-evaluate`). The loop tells an [`Observer`] of every job that ended
//! and keeps nothing of it.
//!
//! One [`SimulatedCluster`] is one machine with its queue, scheduler and predictor. It is told when to advance; several of
//! them can share one clock ([`simulate_sites`]).
//!
//! ```
//! use queuecast_predict::{Correction, PredictorSpecification};
//! use queuecast_schedule::PolicySpecification;
//! use queuecast_simulate::{SimulatedCluster, FinishedJob, Observer, Overrun, Replay, Rules, simulate};
//! use queuecast_workload::{Machine, Recorded, Seconds, Submission, Time, TracedJob};
//!
//! struct Waits(Vec<(i64, Seconds)>);
//! impl Observer for Waits {
//!     fn finished(&mut self, job: &FinishedJob<'_>) {
//!         self.0.push((job.number, job.wait()));
//!     }
//! }
//!
//! // Two jobs that ask for the whole machine for an hour; the first is over after ten minutes.
//! let machine = Machine { processors: 8 };
//! let submission = Submission { limit: Some(Seconds(3_600)), ..Submission::new(Time(0), 8) };
//! let jobs = [1, 2].map(|number| TracedJob { number, submission, recorded: Recorded::completed(Seconds(600)) });
//! let (limits, _) = PredictorSpecification::Estimate.build(Correction::Steps, false);
//! let mut cluster = SimulatedCluster::new(machine, Rules::Clean, limits, "easy".parse::<PolicySpecification>()?.build(machine));
//! let mut waits = Waits(Vec::new());
//! simulate(Replay::new(jobs.into_iter(), machine, Overrun::Kill, true), &mut cluster, &mut waits);
//! assert_eq!(waits.0, [(1, Seconds(0)), (2, Seconds(600))]);
//! # Ok::<(), queuecast_workload::UnknownName>(())
//! ```

mod accuracy;
mod active;
mod as_logged;
mod bare_loop;
mod cluster;
mod events;
pub mod mouldable;
mod observer;
mod replay;
mod rules;
mod shake;
mod sites;

pub use accuracy::{PredictionAccuracy, StayAccuracy, absolute_inaccuracy, relative_accuracy};
pub use as_logged::{AskedAt, as_logged, replay_as_logged};
pub use bare_loop::BareLoop;
pub use cluster::SimulatedCluster;
pub use observer::{FinishedJob, Observer};
pub use replay::{Dropped, Overrun, Replay, simulate};
pub use rules::Rules;
pub use shake::shaken;
pub use sites::{RoamingJob, Site, SiteChooser, SitesObserver, at_speed, simulate_sites, submission_at_speed};
