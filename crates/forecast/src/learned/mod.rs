//! Waits learnt by boosted trees, on top of another forecaster (R-O6).
//!
//! For: sites whose policy nobody told us. Playing a policy forward ([`crate::forward`]) knows how much work stands before
//! a job; what it does not know (priorities, limits on users, fair share, reservations, nights) shows in how long others
//! have waited. So both are put before the trees: what the job asks for, the nineteen features, the wait that another
//! forecaster says, and what the site lately did to this user, this queue and jobs like this one ([`crate::circumstances`]).
//!
//! Not for: correcting the 95 % bound as it goes, which is [`crate::Calibrated`]'s.
//!
//! What is learnt is, for each of a row of thresholds, the probability of waiting longer than it ([`exceedance`]). That
//! gives a whole distribution, and it lets jobs that still wait teach: one that has waited for three hours has certainly
//! waited for more than one. Leaving them out would teach that waits are short.

mod examples;
mod exceedance;
mod forecaster;

pub use forecaster::{LearnedForecaster, LearnedSettings};
