//! A log in; the set of templates that predicts its run times best out.
//!
//! For: Smith, Foster and Taylor's searches for good template sets, [`greedy`] (R-S5) and [`genetic`] (R-S6), and the
//! score both minimise: the mean absolute error of what would have been planned.
//!
//! Not for: the templates themselves (`queuecast_predict::templates`), or how jobs would have been scheduled with the
//! predictions (`queuecast-simulate`): a search takes the waits the log records.
//!
//! What makes it fast: the estimate a template gives for a job, and how sure it is, do not depend on the other templates
//! of the set. So each template lives through the log once, and sets are scored by comparing what their templates said.
//! The arithmetic is the live predictor's own, and a test holds the two together job by job.
//!
//! A set scored on the log it was found on is flattered (E-S2.9). [`Workload::first`] and the range of [`score`] are
//! there to search on one part and to score on the rest.
//!
//! ```
//! use queuecast_search::{GeneticOptions, AskedAt, SearchSpace, Workload, genetic, score};
//! use rand::SeedableRng;
//!
//! # let traced = [];
//! let workload = Workload::new(&traced, AskedAt::Start);
//! let third = workload.len() / 3;
//! let (space, options) = (SearchSpace::of(&workload), GeneticOptions::journal(10, 5));
//! let mut generator = rand_pcg::Pcg64::seed_from_u64(1);
//! let found = genetic(&workload.first(third), &space, &options, &mut generator, &|_| ());
//! let honest = score(&workload, third..workload.len(), &found.set);
//! println!("{}: {} %", found.set, 100.0 * honest.relative_error());
//! ```

mod columns;
mod found;
mod genetic;
mod greedy;
mod score;
mod space;
mod workload;

pub use found::{Found, Progress};
pub use genetic::{GeneticOptions, ParentSelection, genetic};
pub use greedy::{GreedyOptions, greedy};
pub use queuecast_simulate::AskedAt;
pub use score::{Score, score};
pub use space::{EstimatorChoice, SearchSpace};
pub use workload::Workload;

#[cfg(test)]
mod test_jobs;
