//! The whole queue of a live cluster, played forward: when everybody who waits will start, and when somebody who came now
//! would.
//!
//! For: what the daemon says. Who waits, in which order, and who runs is known; only run times are not. They are drawn, many
//! times over, and each time Slurm's own scheduling ([`queuecast_schedule::slurm`]) is played until everybody has started
//! or a horizon is reached. One future answers for all jobs at once. Priorities change in it as they do in Slurm: age grows, what
//! running jobs use is charged to whom they belong, and what was used before counts less and less. A job that does not exist yet is
//! put where its priority puts it, and played ([`forecast_job`]).
//!
//! Not for: the papers' machine of one kind of processor, asked job by job ([`crate::forward`]); reading the cluster from
//! Slurm (the daemon); learning run times (`queuecast-predict`).
//!
//! Nobody new arrives in these futures. Who comes later may overtake where priorities say so; then the forecast is too early, and
//! the score kept of it says so.

#[cfg(test)]
mod agreement;
mod forecast;
#[cfg(test)]
mod onlooking;
mod patience;
mod playable_queue;
mod player;
mod ranking;
mod threads;

pub use forecast::{PlayedEffort, QueueForecast, QueueSettings, forecast_job, forecast_onlookers, forecast_queue};
pub use patience::Patience;
pub use playable_queue::{After, Awaited, PlayableQueue, RunningHere, WaitingHere};
pub use threads::Threads;
