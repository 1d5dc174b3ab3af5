//! Which time limit to ask for: the shorter the better, as long as jobs like this one are not killed more often than was promised.
//!
//! For: a limit in place of the tenfold one that people ask for so as not to be killed. What a limit risks comes from the runs of jobs like it, the
//! user's own first (`past_runs`), and from how well such runs foretold others (`risk_model`); what is told is within the promise, or nothing is
//! (`adviser`).
//!
//! **What is promised.** A promise of one in a hundred is for this job: of jobs of which the same risk is said, of each user's jobs, of each
//! class, at most about one in a hundred is killed. `experiments/limits` counts it so. Until then it was promised of all jobs together, and risk was spent where it
//! bought the most: a job could be told nine minutes instead of 18 hours "at most 10 %" while a third of such jobs run longer. The price is that
//! fewer jobs get a shorter limit: where a risk of one in a hundred cannot be told from one in ten, the limit asked for is kept.
//!
//! Not for: what a shorter limit buys in waiting time (the queue played forward tells); jobs that go on from a checkpoint.

mod adviser;
mod advisers;
mod basis;
mod past_runs;
mod replay;
mod risk_model;

pub use adviser::{AdvisedLimit, LimitAdviser, LimitRecord, Verdict};
pub use advisers::{LimitAdvisers, LimitOpinion, ToldOnArrival};
pub use basis::{Basis, HeavyTail};
pub use replay::{AdvisedJob, LimitObserver, replay_limits};
pub use risk_model::LimitRisk;
