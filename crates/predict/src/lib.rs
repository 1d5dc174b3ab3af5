//! Submission and finished history in, planned run time out.
//!
//! For: the four-event interface every run-time predictor speaks ([`RuntimePredictor`], Listing 1 of Talby et
//! al.), the reference predictors, and what all of them share: correcting a prediction that a job outlived
//! ([`Correction`]) and telling a user's other jobs about it (propagation, in [`FromHistory`]).
//!
//! Not for: reading logs (`queuecast-workload`) or deciding who starts (`queuecast-schedule`). Nothing here has
//! a clock: time comes with the events, from a trace or from a live cluster alike.
//!
//! Beside one planned run time there are distributions of them ([`distribution`]).
//!
//! A predictor is never handed an [`Outcome`] before the end event of its job. The one exception is [`Perfect`],
//! the oracle, and whoever replays a trace has to lend it an ear on purpose ([`Foresight`]).
//!
//! ```
//! use queuecast_predict::{Correction, FromHistory, LimitUse, Recent, RecentParameters, Revisions, RuntimePredictor, Statistic};
//! use queuecast_workload::{Outcome, Seconds, Status, Submission, Time, UserId};
//!
//! // The mean of the user's last two run times, at most the limit; the limit itself until there are two.
//! let recent = Recent::new(RecentParameters::new(2, Statistic::Mean));
//! let mut predictor = FromHistory::new(recent, Correction::Raise, LimitUse::Bound);
//! let mut others = Revisions::default();
//!
//! let job = Submission { limit: Some(Seconds(3_600)), user: Some(UserId(7)), ..Submission::new(Time(0), 16) };
//! assert_eq!(predictor.on_arrival(&job, Time(0), &mut others), Seconds(3_600));
//! for ended in [Time(500), Time(700)] {
//!     let outcome = Outcome { started: Time(0), ended, status: Status::Completed };
//!     predictor.on_end(&job, &outcome, &mut others);
//! }
//! assert_eq!(predictor.on_arrival(&job, Time(700), &mut others), Seconds(600));
//! ```

mod active;
mod constant;
mod correction;
pub mod distribution;
mod downey;
mod estimate;
mod event;
mod fallback;
mod foreign;
mod gibbons;
mod history;
mod multiplied;
mod perfect;
mod recent;
mod rounding;
mod running_median;
pub mod session;
mod specification;
#[cfg(test)]
mod submissions;
pub mod templates;

pub use constant::Constant;
pub use correction::{CORRECTION_STEPS, Correction, UNKNOWN_LONGEST};
pub use downey::{Downey, DowneyStatistic};
pub use estimate::Estimate;
pub use event::{Outlived, Revision, Revisions, RuntimePredictor};
pub use fallback::Fallback;
pub use foreign::{ForeignPredictor, ModelSource};
pub use gibbons::{Gibbons, GibbonsData};
pub use history::{FromHistory, LimitUse, RuntimeModel};
pub use multiplied::{Factor, Multiplied};
pub use perfect::{Foresight, Perfect};
pub use queuecast_workload::{Outcome, Submission};
pub use recent::{Recent, RecentParameters, Statistic};
pub use specification::PredictorSpecification;
pub use templates::{TemplateSet, Templates};
