//! The event loop: trace x predictor x scheduler -> outcomes.
//!
//! For: turning time forward over a trace ([`simulate`]), by the rules of [`Rules`]; making a trace replayable
//! ([`Replay`]); replaying it as it happened, without a scheduler ([`replay_as_logged`]); and shaking its submission
//! times ([`shaken`]) so that a difference can be told from noise.
//!
//! Not for: judging what came out (`queuecast-evaluate`). The loop tells an [`Observer`] of every job that ended
//! and keeps nothing of it.
//!
//! One [`Cluster`] is one machine with its queue, scheduler and predictor. It is told when to advance; several of
//! them can share one clock ([`simulate_sites`]).

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
pub use cluster::Cluster;
pub use observer::{FinishedJob, Observer};
pub use replay::{Dropped, Overrun, Replay, simulate};
pub use rules::Rules;
pub use shake::shaken;
pub use sites::{RoamingJob, Site, SiteChooser, SitesObserver, at_speed, simulate_sites, submission_at_speed};
