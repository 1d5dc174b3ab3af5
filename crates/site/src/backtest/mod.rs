//! Our forecaster on a history that is over: what it would have said, and what came.
//!
//! For: an export of accounting, a log or a store in ([`PastJobs`]), played in the order in which it happened, with its own starts and
//! ends ([`replay`]). Everything is learnt when it became known, and at chosen moments ([`moments`]) the whole queue is forecast as
//! the daemon would have: the same run-time distributions, the same model of Slurm, the same futures, weighed with what is known of
//! waits (`queuecast_forecast::pooled`). Beside it are the plan by limits, the median wait of lately and each expert by itself ([`MadeForecast`], [`Contests`]).
//!
//! Not for: reading files; judging ([`BacktestScores`] only sorts forecasts into groups, `queuecast_forecast::score` judges).
//!
//! What a history does not tell, and what is done about it:
//!
//! * **The machine.** Its size is the most that was in use at once, and partitions that were seen on one node share their nodes
//!   ([`SeenMachine`]). This looks at the whole history, as an administrator knows the machine beforehand.
//! * **Slurm's own plans.** Accounting does not keep `squeue --start`. The plan is made again: the same model, every job running to its
//!   limit.
//! * **Priorities** are the last ones that Slurm wrote. Without any, who came first is first.
//! * **Dependencies and `--begin`.** A job is there from when it could first have been started (`Eligible`), and its wait counts from then.

mod clock;
mod contest;
mod moments;
mod past_job;
mod past_jobs;
mod queue;
mod replay;
mod scores;
mod seen_machine;
#[cfg(test)]
mod test_jobs;

pub use contest::{ANSWERS, Contest, Contests, Worst};
pub use moments::{MomentSettings, Moments, moments};
pub use past_job::{Fate, PastJob};
pub use past_jobs::{LeftOut, PastJobs, PastJobsBuilder};
pub use replay::{BacktestObserver, MadeForecast, Replayed, replay};
pub use scores::{BacktestScores, Group, GroupKind, Reliability, Waits, in_words, limit_class, size_class};
pub use seen_machine::{PoolSize, SeenMachine, Size};
