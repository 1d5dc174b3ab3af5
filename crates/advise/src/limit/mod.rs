//! Which time limit to ask for: the shorter the better, as long as no more jobs are killed than was promised.
//!
//! For: a limit in place of the tenfold one that people ask for so as not to be killed. What a limit risks comes
//! from the run times of jobs that were alike; that the promise holds comes from counting how many jobs outran what they had
//! been advised ([`LimitAdviser`]).
//!
//! **What is promised.** Of all jobs that are advised at a risk of one in a hundred, one in a hundred is killed. That is not one in a hundred
//! for every job: risk is spent where it buys the most. A user whose jobs always take ten minutes of the ten hours asked for
//! gets a short limit at hardly any risk, and one whose jobs cannot be told from each other keeps the limit asked for. Giving every
//! job the same risk was tried first: where one run in a hundred is to be told apart from a few dozen that are known, the answer is
//! nearly always the limit asked for (KTH, CTC, SDSC-SP2, BLUE, HPC2N: 71 to 99 % of jobs unchanged at 1 %).
//!
//! Not for: what a shorter limit buys in waiting time (the queue played forward tells); jobs that go on from a checkpoint.

mod adviser;
mod advisers;
mod replay;

pub use adviser::{AdvisedLimit, LimitAdviser, LimitRecord};
pub use advisers::LimitAdvisers;
pub use replay::{AdvisedJob, LimitObserver, replay_limits};
