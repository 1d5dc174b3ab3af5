//! When will it start? Wait-time forecasters, one interface.
//!
//! For: what a site looks like when a job arrives ([`SiteState`], [`Features`]), what is said of its wait
//! ([`WaitForecast`]), the forecasters ([`WaitForecaster`]) and the replay that feeds them, from a log's own waits or
//! from simulated ones ([`replay_waits`]).
//!
//! Not for: run times (`queuecast-predict`), scoring (`queuecast-evaluate`).
//!
//! A forecaster is told what has happened and nothing else: a wait when its job starts, a run time when its job ends.

mod bounds;
mod calibrated;
pub mod choice;
mod class;
mod conformal;
mod distribution;
mod downey;
mod features;
mod forecast;
mod forecaster;
pub mod forward;
mod ibl;
mod learned;
pub mod limit;
mod majority;
mod neighbours;
pub mod queue;
mod quick;
mod replay;
pub mod score;
pub mod sites;
pub mod size;
mod specification;
mod state;
#[cfg(feature = "svm")]
mod svm;
#[cfg(test)]
mod test_jobs;

pub use bounds::{BoundForecaster, BoundSettings};
pub use calibrated::Calibrated;
pub use class::{CLASS_BOUNDS, CLASSES, ClassProbabilities, WaitClass};
pub use conformal::{
    AdaptiveBound, CALIBRATED_LEVELS, IssuedBound, IssuedQuantiles, QuantileCalibrator, WAIT_BINS, wait_bin,
};
pub use distribution::WaitDistribution;
pub use downey::{ReleaseForecaster, ReleasePredictor};
pub use features::{FEATURE_NAMES, FEATURES, Features};
pub use forecast::{ClassRanges, WaitForecast};
pub use forecaster::WaitForecaster;
pub use ibl::{AttributeWeights, InstanceForecaster, InstanceSettings};
pub use learned::{LearnedForecaster, LearnedSettings};
pub use majority::MajorityForecaster;
pub use neighbours::{Distance, HISTORY_JOBS, Naming, NeighbourForecaster, NeighbourSettings, PointEstimate, TimeUnit};
pub use quick::QuickStartForecaster;
pub use replay::{ForecastJob, ForecastObserver, replay_waits};
pub use specification::{MethodContext, MethodSpecification, RunTimes};
pub use state::{RunningJob, SiteState};
#[cfg(feature = "svm")]
pub use svm::{SvmForecaster, SvmSettings};
