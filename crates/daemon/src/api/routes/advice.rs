//! What people can act on: limits, places, widths, and what holds a job.
//!
//! Such advice takes a core for a while: see [`super::forecast`].

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::HeaderMap;

use super::Api;
use super::body::read;
use crate::api::answer::problem::Problem;
use crate::api::answer::{hypothetical, size};
use crate::api::view::View;
use queuecast_api::hypothetical::HypotheticalRequest;
use queuecast_api::limit::LimitResponse;
use queuecast_api::places::PartitionsResponse;
use queuecast_api::problem::ProblemResponse;
use queuecast_api::route;
use queuecast_api::size::{SizesRequest, SizesResponse};
use queuecast_api::why::WhyResponse;

/// Recommends a time limit for a job before it is submitted.
#[utoipa::path(
    post,
    path = route::LIMIT,
    request_body = HypotheticalRequest,
    responses(
        (status = 200, body = LimitResponse, description = "Possible time limits, or the reason for having none"),
        (status = 400, body = ProblemResponse, description = "Invalid request; the message names the field"),
        (status = 403, body = ProblemResponse, description = "Jobs are private, and the client is not identified"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn hypothetical_limit(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<LimitResponse>, Problem> {
    let advice = view.advice(hypothetical::checked(read(&headers, body)?)?)?;
    let (advice, found) =
        api.advise_playing_again(&view, advice, |advice| advice.adviser.limits(&advice.subject())).await?;
    Ok(Json(view.limits_of_hypothetical(&advice, found)))
}

/// Recommends a time limit for a pending job.
#[utoipa::path(
    get,
    path = route::JOB_LIMIT,
    params(("id" = String, Path, description = "Job ID as Slurm writes it: 123, 123_4. The ID of a job array means its pending tasks.")),
    responses(
        (status = 200, body = LimitResponse, description = "Possible time limits, or the reason for having none"),
        (status = 400, body = ProblemResponse, description = "Invalid job ID"),
        (status = 403, body = ProblemResponse, description = "Jobs are private, and the client is not identified"),
        (status = 404, body = ProblemResponse, description = "No such job is visible to the requesting user"),
        (status = 410, body = ProblemResponse, description = "The job has ended"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn job_limit(
    State(api): State<Arc<Api>>,
    view: View,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<LimitResponse>, Problem> {
    let Path(id) = id.map_err(|_| Problem::not_a_job_id())?;
    let advice = match view.job_advice(&id) {
        Ok(advice) => advice,
        Err(problem) => return Err(api.or_ended(&view, &id, problem).await),
    };
    let (advice, found) =
        api.advise_playing_again(&view, advice, |advice| advice.adviser.limits(&advice.subject())).await?;
    Ok(Json(view.limits_of_job(&advice, found)))
}

/// Ranks the partitions by when a job would end.
#[utoipa::path(
    post,
    path = route::WHERE,
    request_body = HypotheticalRequest,
    responses(
        (status = 200, body = PartitionsResponse, description = "Every partition that accepts jobs, with the forecast there"),
        (status = 400, body = ProblemResponse, description = "Invalid request; the message names the field"),
        (status = 403, body = ProblemResponse, description = "Jobs are private, and the client is not identified"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn places(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<PartitionsResponse>, Problem> {
    let advice = view.advice(hypothetical::checked(read(&headers, body)?)?)?;
    let (advice, found) = api.advise_playing_again(&view, advice, |advice| advice.adviser.places(&advice.job)).await?;
    Ok(Json(view.places(&advice, found)))
}

/// Compares numbers of nodes or CPUs for a job, by wait and run time together.
#[utoipa::path(
    post,
    path = route::SIZE,
    request_body = SizesRequest,
    responses(
        (status = 200, body = SizesResponse, description = "Possible sizes, or the reason for having none"),
        (status = 400, body = ProblemResponse, description = "Invalid request; the message names the field"),
        (status = 403, body = ProblemResponse, description = "Jobs are private, and the client is not identified"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn widths(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<SizesResponse>, Problem> {
    let (job, question) = size::checked(read(&headers, body)?)?;
    let advice = view.advice(job)?;
    let (advice, found) =
        api.advise_playing_again(&view, advice, move |advice| advice.adviser.widths(&advice.job, &question)).await?;
    Ok(Json(view.widths(&advice, found)))
}

/// Explains why a job is pending and what would help.
#[utoipa::path(
    get,
    path = route::JOB_WHY,
    params(("id" = String, Path, description = "Job ID as Slurm writes it: 123, 123_4. The ID of a job array means its pending tasks.")),
    responses(
        (status = 200, body = WhyResponse, description = "Causes of the wait, or the reason for having no forecast"),
        (status = 400, body = ProblemResponse, description = "Invalid job ID"),
        (status = 403, body = ProblemResponse, description = "Jobs are private, and the client is not identified"),
        (status = 404, body = ProblemResponse, description = "No such job is visible to the requesting user"),
        (status = 410, body = ProblemResponse, description = "The job has ended"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or too busy")
    )
)]
pub(super) async fn job_why(
    State(api): State<Arc<Api>>,
    view: View,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<WhyResponse>, Problem> {
    let Path(id) = id.map_err(|_| Problem::not_a_job_id())?;
    let advice = match view.job_advice(&id) {
        Ok(advice) => advice,
        Err(problem) => return Err(api.or_ended(&view, &id, problem).await),
    };
    let (advice, found) =
        api.advise_playing_again(&view, advice, |advice| advice.adviser.why(advice.job.job_id)).await?;
    view.why(&advice, found).map(Json)
}
