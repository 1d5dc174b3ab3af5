//! Users' own estimates of run times, made up: few, round, and rarely right.
//!
//! For: a workload that has no estimates, or whose estimates are to be replaced. Twenty popular times cover 89 % of
//! the jobs, a few hundred others the rest, and the largest allowed is the most popular.
//!
//! Not for: predicting a run time (`queuecast-predict`); what is made here is what users would say, which is worse.
//!
//! Requirement: R-E1 to R-E9. Source: Tsafrir, Etsion and Feitelson, *Modeling User Runtime Estimates*, 2005.
//!
//! ```
//! use queuecast_workload::Seconds;
//! use queuecast_workload::generate::estimates::{EstimateDistribution, EstimateOptions, EstimateShare, assign};
//! use rand::SeedableRng;
//! use rand_pcg::Pcg64;
//!
//! let runs = [Seconds(40), Seconds(7_000), Seconds(64_000)];
//! let mut options = EstimateOptions::new(Seconds(18 * 3600), 77_222);
//! options.supplied.push(EstimateShare { time: Seconds(18 * 3600), per_cent: 23.8 });
//! let mut generator = Pcg64::seed_from_u64(1);
//! let distribution = EstimateDistribution::generate(&options, &mut generator)?;
//! let assigned = assign(&runs, &distribution, &mut generator);
//! assert!(assigned.estimates.iter().zip(&runs).all(|(estimate, run)| estimate >= run));
//! # Ok::<(), queuecast_workload::generate::estimates::EstimateError>(())
//! ```

mod assign;
mod deal;
mod distribution;
mod error;
mod number;
mod popular;
mod popularity;
mod popularity_pool;
mod repetition;
mod rivals;
mod sessions;
mod slack;
mod stock;
mod supplied;
mod tally;
mod times;
mod urn;

pub use assign::{AssignedEstimates, assign, shuffle};
pub use deal::Deal;
pub use distribution::{EstimateDistribution, EstimateOptions, EstimateShare};
pub use error::EstimateError;
pub use number::{number_of_estimates, number_of_estimates_by_power_law};
pub use popular::JOINT_TIMES;
pub use popularity::{POPULAR, POPULAR_PER_CENT, popular_shares, unpopular_shares};
pub use repetition::{Predecessor, Repetition, UserHistories};
pub use rivals::{by_accuracy, by_factor, doubled};
pub use sessions::{UsersJob, assign_in_sessions};
pub use stock::EstimateStock;
pub use tally::TimeTally;
