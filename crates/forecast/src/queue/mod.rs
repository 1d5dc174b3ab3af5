//! The whole queue of a live cluster, played forward: when everybody who waits will start, and when somebody who came now
//! would.
//!
//! For: what the daemon says. Who waits, in which order, and who runs is known; only run times are not. They are drawn, many
//! times over, and each time Slurm's own scheduling ([`queuecast_schedule::slurm`]) is played until everybody has started
//! or a horizon is reached. One future answers for all jobs at once, and leaves behind what was free in it when
//! ([`Openings`]): so a job that does not exist yet is answered by a look instead of by playing again.
//!
//! Not for: the papers' machine of one kind of processor, asked job by job ([`crate::forward`]); reading the cluster from
//! Slurm (the daemon); learning run times (`queuecast-predict`).
//!
//! Nobody new arrives in these futures. Who comes later has, under Slurm, mostly a lower priority, and can then only fill
//! what others leave; where that is not so the forecast is too early, and the score kept of it says so.

#[cfg(test)]
mod agreement;
mod forecast;
mod openings;
mod playable_queue;
mod player;

pub use forecast::{QueueForecast, QueueSettings, forecast_job, forecast_queue};
pub use openings::{OpenedFuture, Opening, Openings};
pub use playable_queue::{After, Awaited, PlayableQueue, RunningHere, WaitingHere};
