//! When will it start? Wait-time forecasters, one interface.
//!
//! For: what a site looks like when a job arrives ([`SiteState`], [`Features`]), what is said of its wait
//! ([`WaitForecast`]), the forecasters ([`WaitForecaster`]) and the replay that feeds them, from a log's own waits or
//! from simulated ones ([`replay_waits`]).
//!
//! Not for: run times (`queuecast-predict`), scoring (`queuecast-evaluate`).
//!
//! A forecaster is told what has happened and nothing else: a wait when its job starts, a run time when its job ends.

mod class;
mod distribution;
mod features;
mod forecast;
mod forecaster;
mod replay;
pub mod sites;
mod state;

pub use class::{CLASS_BOUNDS, CLASSES, ClassProbabilities, WaitClass};
pub use distribution::WaitDistribution;
pub use features::{FEATURE_NAMES, FEATURES, Features};
pub use forecast::{ClassRanges, WaitForecast};
pub use forecaster::WaitForecaster;
pub use replay::{ForecastJob, ForecastObserver, replay_waits};
pub use state::{RunningJob, SiteState};
