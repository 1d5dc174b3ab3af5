//! When will it start? Wait-time forecasters, one interface.
//!
//! For: what a site looks like when a job arrives ([`SiteState`], [`Features`]), what is said of its wait
//! ([`WaitForecast`]), the forecasters ([`WaitForecaster`]) and the replay that feeds them, from a log's own waits or
//! from simulated ones ([`replay_waits`]).
//!
//! Not for: run times (`queuecast-predict`), scoring (`queuecast-evaluate`).
//!
//! A forecaster is told what has happened and nothing else: a wait when its job starts, a run time when its job ends.
//!
//! ```
//! use queuecast_forecast::{MethodContext, MethodSpecification, SiteState};
//! use queuecast_workload::{JobId, Machine, Seconds, Submission, Time};
//!
//! // EASY played forward in a hundred futures; run times are drawn, here between nothing and the limit.
//! let machine = Machine { processors: 64 };
//! let context = MethodContext { machine, policy: Some("easy".parse()?), futures: 100, seed: 1, jobs: &[] };
//! let mut forecaster = "forward".parse::<MethodSpecification>()?.build(&context);
//!
//! // Somebody has had the whole machine for an hour, of the three that were asked for.
//! let running = Submission { limit: Some(Seconds(3 * 3_600)), ..Submission::new(Time(0), 64) };
//! let mut site = SiteState::new(machine);
//! site.arrive(&running);
//! site.start(running.job, Time(0));
//!
//! let new = Submission { job: JobId(1), limit: Some(Seconds(600)), ..Submission::new(Time(3_600), 32) };
//! let forecast = forecaster.on_arrival(&new, &site, new.submitted);
//! let (median, late) = (forecast.distribution.quantile(0.5), forecast.distribution.quantile(0.9));
//! assert!(0.0 < median && median < late && late <= 7_200.0, "{median} s, or {late} s");
//! # Ok::<(), queuecast_workload::UnknownName>(())
//! ```

mod calibration;
mod circumstances;
mod class;
mod distribution;
mod durations;
pub mod estimate;
mod features;
mod forecast;
mod forecaster;
pub mod forward;
#[cfg(feature = "trees")]
mod learned;
mod learnt_order;
mod majority;
mod papers;
pub mod pooled;
pub mod queue;
mod recent;
mod replay;
mod room;
pub mod score;
pub mod sites;
mod specification;
mod state;

pub use calibration::adaptive_quantile::AdaptiveQuantile;
pub use calibration::calibrated::Calibrated;
pub use calibration::conformal::{
    AdaptiveBound, CALIBRATED_LEVELS, IssuedBound, IssuedQuantiles, QuantileCalibrator, WAIT_BINS, wait_bin,
};
pub use class::{CLASS_BOUNDS, WAIT_CLASSES, WaitClass, WaitClassProbabilities, class_name};
pub use distribution::WaitDistribution;
pub use durations::{DurationCounts, median_of_all};
pub use features::{FEATURE_NAMES, FEATURES, Features};
pub use forecast::{NamedWaitClasses, WaitForecast};
pub use forecaster::WaitForecaster;
#[cfg(feature = "trees")]
pub use learned::{LearnedForecaster, LearnedSettings};
pub use learnt_order::LearntOrder;
pub use majority::MajorityForecaster;
pub use papers::bounds::{BoundForecaster, BoundSettings, SizeGrouping};
pub use papers::downey::{ReleaseForecaster, ReleasePredictor};
pub use papers::ibl::{AttributeWeights, InstanceForecaster, InstanceSettings};
pub use papers::neighbours::{
    Distance, HISTORY_JOBS, Naming, NeighbourForecaster, NeighbourSettings, PointEstimate, TimeUnit,
};
pub use papers::quick::QuickStartForecaster;
pub use papers::svm::{SvmForecaster, SvmSettings};
pub use queuecast_libsvm::{
    FILE_VARIABLE as LIBSVM_FILE_VARIABLE, Kernel, Library as Libsvm, LibraryError as LibsvmError,
};
pub use recent::{RecentForecaster, RecentOf};
pub use replay::{ForecastJob, ForecastObserver, replay_waits};
pub use room::{Room, stuck};
pub use specification::{MethodContext, MethodSpecification, RunTimes};
pub use state::{RunningJob, SiteState};
