//! The last weeks under another policy: begun, and looked at. For those who run the cluster.
//!
//! It takes a core for a while at the lowest priority, and changes nothing.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};

use super::Api;
use super::body::read;
use crate::api::answer::problem::Problem;
use crate::api::view::View;
use crate::what_if::{POLICIES, PREDICTORS, WEEKS_MOST};
use queuecast_api::problem::ProblemResponse;
use queuecast_api::route;
use queuecast_api::what_if::{WhatIfRequest, WhatIfResponse};
use queuecast_workload::Seconds;

/// Reports the progress of a replay of the last weeks under another policy, and the last result.
#[utoipa::path(get, path = route::WHAT_IF, operation_id = "what_if", responses(
    (status = 200, body = WhatIfResponse),
    (status = 403, body = ProblemResponse, description = "The requesting user is not an operator")
))]
pub(super) async fn look(State(api): State<Arc<Api>>, view: View) -> Result<Json<WhatIfResponse>, Problem> {
    view.is_for_operators()?;
    Ok(Json(api.what_ifs().told()))
}

/// Starts a replay of the last weeks under another policy. Only one replay runs at a time.
#[utoipa::path(post, path = route::WHAT_IF, operation_id = "begin_what_if", request_body = WhatIfRequest, responses(
    (status = 202, body = WhatIfResponse, description = "The replay has started"),
    (status = 400, body = ProblemResponse, description = "Unknown policy or predictor, or invalid limit"),
    (status = 403, body = ProblemResponse, description = "The requesting user is not an operator"),
    (status = 409, body = ProblemResponse, description = "Another replay is running"),
    (status = 413, body = ProblemResponse, description = "The body is too large"),
    (status = 415, body = ProblemResponse, description = "The body is not declared as JSON"),
    (status = 503, body = ProblemResponse, description = "The daemon has no job history")
))]
pub(super) async fn begin(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<WhatIfResponse>), Problem> {
    view.is_for_operators()?;
    let question: WhatIfRequest = read(&headers, body)?;
    let is_known = POLICIES.contains(&question.policy.as_str())
        && PREDICTORS.contains(&question.predictor.as_str())
        && (1..=WEEKS_MOST).contains(&question.weeks)
        && question.longest_limit_seconds.is_none_or(|limit| (1..=Seconds::MAX.0).contains(&limit));
    if !is_known {
        return Err(Problem::no_such_what_if());
    }
    api.begin_what_if(question).map_err(|why| Problem::what_if_not_begun(&why))?;
    Ok((StatusCode::ACCEPTED, Json(api.what_ifs().told())))
}
