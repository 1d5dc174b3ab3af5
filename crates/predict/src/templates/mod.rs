//! Run times of similar jobs: Smith, Foster and Taylor's templates.
//!
//! A [`Template`] says which jobs are similar (same user and queue, say, on about as many processors). It sorts ended
//! jobs into [`Category`]s, and every category estimates the run time of a new job that falls into it, with an
//! interval that says how sure it is. A [`TemplateSet`] asks several templates and believes the surest one;
//! [`Templates`] is that, as a predictor's model.
//!
//! Not for: finding a good set for a log (`queuecast-search`), or what to plan when no category knows anything.
//!
//! Source: Smith, Foster, Taylor, "Predicting Application Run Times Using Historical Information" (R-S1 to R-S4), and
//! its journal version (JPDC 64, 2004) for the inverse and logarithmic regressions. The `shrunk` rule of selection is
//! ours (E-S2.8); see [`Selection`].
//!
//! ```
//! use queuecast_predict::templates::{TemplateSet, Templates};
//!
//! let set: TemplateSet = "(u,mean,act)/(q,u,n=4,lr,act,mh=16)".parse()?;
//! let model = Templates::new(&set);
//! assert_eq!(set.to_string(), "(u,mean,act)/(q,u,n=4,lr,act,mh=16)");
//! # let _ = model;
//! # Ok::<(), queuecast_predict::templates::TemplateError>(())
//! ```

mod category;
mod characteristic;
mod learner;
mod model;
mod set;
mod student;
mod sums;
mod template;
mod text;
mod width;

pub use category::Category;
pub use characteristic::{Characteristic, Characteristics};
pub use learner::{IntervalEstimate, TemplateLearner};
pub use model::Templates;
pub use set::{Selection, TemplateLineError, TemplateSet};
pub use student::StudentQuantiles;
pub use template::{Data, Estimator, Key, Template};
pub use text::TemplateError;

#[cfg(test)]
mod naive;
