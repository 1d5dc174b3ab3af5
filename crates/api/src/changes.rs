//! That there is something new to ask for.
//!
//! Not for: what is new. Whoever wants to know asks.

use serde::Deserialize;
use utoipa::IntoParams;

/// Time to listen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ChangesRequest {
    /// Maximum time in seconds to wait for a change, up to 25; default 25.
    pub wait_seconds: Option<u64>,
}
