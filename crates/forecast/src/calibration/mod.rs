//! Ranges and bounds made to hold as often as they say: how far off they were lately is learnt, whatever the forecaster.
//!
//! Not for: the daemon's ranges of a whole queue, which are stretched by the same quantile (`queuecast_site::forecasting`).

pub(crate) mod adaptive_quantile;
pub(crate) mod calibrated;
pub(crate) mod conformal;
