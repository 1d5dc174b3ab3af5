//! Which of a user's jobs belong together (R-T4; Talby et al., section 5.2).
//!
//! For: the one number that predictors, resampling and made-up estimates must agree upon.
//!
//! Not for: finding sessions; each of these does so in its own order of events.

use crate::Seconds;

/// A job submitted less than this after the user's last job ended, or before it did, belongs to the same session.
pub const THINK_TIME: Seconds = Seconds(20 * 60);
