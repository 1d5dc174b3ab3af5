//! Several clusters on one clock, put together and judged (R-K12 to R-K15).
//!
//! For: strategies by name, the jobs of several logs made to begin together, and one run of a strategy from jobs to figures;
//! whoever compares strategies gives all of them the same jobs.
//!
//! Not for: the choosers themselves (`queuecast_forecast::sites`), running the clusters (`queuecast_simulate`), replicates.

mod jobs;
mod measures;
mod run;
mod strategy;

pub use jobs::{Window, begun_together, roaming};
pub use measures::{SitesMeasures, SitesSummary};
pub use run::{SiteSpecification, SitesRun};
pub use strategy::StrategySpecification;
