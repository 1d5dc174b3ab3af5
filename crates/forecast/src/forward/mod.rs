//! Wait forecasts by playing the site's own policy forward (R-O3, R-SIM-1).
//!
//! For: sites whose policy is known. Who waits and who runs is known; only run times are not. So they are drawn, many
//! times over, and each time the policy is played forward until the job in question starts: the scheduler decides with
//! what it plans ([`Planner`]), jobs end when the draw says ([`RuntimeSampler`]). The waits that come out are the
//! forecast ([`ForwardForecaster`]).
//!
//! Not for: sites whose policy is not known, or that change priorities by hand; there the waits themselves have to be
//! learnt. Nor for guessing run times: the samplers in here are the bounds to measure against (all is known, only the
//! limit is known) and a plain one to work with.
//!
//! The layers: a [`PlayableMachine`] is the site at this second, in flat tables; [`Futures`] plays it forward, under EASY and
//! FCFS by a player of its own and otherwise by the schedulers of `queuecast-schedule`; the forecaster draws and counts.

#[cfg(test)]
mod agreement;
mod arrivals;
mod easy;
mod forecaster;
mod futures;
mod general;
mod past_arrivals;
mod planner;
mod playable_machine;
mod randomness;
mod samplers;
mod waiting_places;

pub use arrivals::{ArrivalSampler, SampledArrival};
pub use forecaster::{ForwardForecaster, ForwardParameters};
pub use futures::Futures;
pub use past_arrivals::{PastArrivals, PastArrivalsParameters};
pub use planner::{LimitPlanner, Plan, Planner};
pub use playable_machine::{PlayableMachine, PlayedJob};
pub use randomness::Randomness;
pub use samplers::{
    HistorySampler, LimitSampler, OracleSampler, Prospect, RecentRatios, RecentRatiosParameters, RuntimeSampler,
};
