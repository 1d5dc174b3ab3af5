//! What users are told of their jobs: asked for, listed and cancelled.
//!
//! These are the only routes that change anything, and only what the daemon itself does for the asker: nothing of Slurm's.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use queuecast_notify::{Kind, Message, Outbox, Watch};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::time::Duration;

use super::Api;
use super::body::read;
use crate::api::answer::problem::Problem;
use crate::api::view::View;
use crate::notices::{Notice, Owner, Sender};
use queuecast_api::notification::{NotificationRequest, NotificationResponse, NotificationsResponse};
use queuecast_api::problem::ProblemResponse;
use queuecast_api::route;

/// Nobody wants to be told earlier.
const LONGEST_BEFORE_SECONDS: u64 = 365 * 86_400;

/// Lists the notifications of the requesting user. Users who may see everything see all notifications.
#[utoipa::path(
    get,
    path = route::NOTIFICATIONS,
    operation_id = "notices",
    responses(
        (status = 200, body = NotificationsResponse),
        (status = 403, body = ProblemResponse, description = "The client is not identified")
    )
)]
pub(super) async fn list(State(api): State<Arc<Api>>, view: View) -> Result<Json<NotificationsResponse>, Problem> {
    view.knows_who_asks()?;
    Ok(Json(NotificationsResponse { notifications: api.shelf().list(|owner| view.may_see_notices_of(owner)) }))
}

/// Requests notifications about a job. A confirmation message is sent within seconds, so a wrong address is noticed early.
/// A repeated request returns the same notification.
#[utoipa::path(
    post,
    path = route::NOTIFICATIONS,
    operation_id = "notify",
    request_body = NotificationRequest,
    responses(
        (status = 201, body = NotificationResponse, description = "The notification is stored and survives restarts of the daemon"),
        (status = 400, body = ProblemResponse, description = "Invalid request"),
        (status = 403, body = ProblemResponse, description = "The job belongs to another user, or the administrator does not allow this method"),
        (status = 404, body = ProblemResponse, description = "No such job is visible to the requesting user"),
        (status = 409, body = ProblemResponse, description = "The job is already running"),
        (status = 413, body = ProblemResponse, description = "The body is too large"),
        (status = 415, body = ProblemResponse, description = "The body is not declared as JSON"),
        (status = 429, body = ProblemResponse, description = "The user has too many notifications"),
        (status = 503, body = ProblemResponse, description = "Not ready yet, or notifications cannot be stored")
    )
)]
pub(super) async fn ask(
    State(api): State<Arc<Api>>,
    view: View,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<NotificationResponse>), Problem> {
    let question: NotificationRequest = read(&headers, body)?;
    if question.before_seconds.is_some_and(|before| before > LONGEST_BEFORE_SECONDS) {
        return Err(Problem::bad_request("`before_seconds` is more than a year", "use a shorter time, or null"));
    }
    let (answer, owner) = view.own_waiting_job(&question.job)?;
    let allowed = api.allowed();
    // A client for TLS reads the machine's authorities, and what is kept is written to a disk.
    let taken = tokio::task::spawn_blocking(move || {
        allowed.check(&question.to, &owner.user).map_err(|setup| Problem::notification_refused(&setup.0))?;
        let asked = Message::of(Kind::Asked, &answer);
        let mut outbox = Outbox::default();
        let id = name(&owner, &asked.key, &question);
        outbox.add(Some(asked));
        let notice = Notice {
            id,
            owner,
            // As it was asked for: the remainder of an array has another name with every task that starts.
            job: question.job,
            to: question.to,
            before_seconds: question.before_seconds,
            made: answer.now.unix,
            watch: Watch::new(question.before_seconds.map(Duration::from_secs)),
            outbox,
            taken: 0,
            problem: None,
        };
        api.shelf().add(notice).map_err(Problem::from)
    });
    let told = taken.await.map_err(|_| Problem::failed())??;
    Ok((StatusCode::CREATED, Json(told)))
}

/// The same for the same user, job and destination, so that whoever asks twice is told once. It names a file.
fn name(owner: &Owner, key: &str, question: &NotificationRequest) -> String {
    let asked = serde_json::json!([owner.user_id, owner.user, key, question]).to_string();
    let hash = Sha256::digest(asked);
    hash.iter().take(8).fold(String::new(), |mut name, byte| {
        // Writing to a string does not fail.
        let _ = write!(name, "{byte:02x}");
        name
    })
}

/// Cancels a notification.
#[utoipa::path(
    post,
    path = route::NOTIFICATION_CANCEL,
    operation_id = "cancel_notice",
    params(("id" = String, Path, description = "ID of the notification, from the response to its request or from the list.")),
    responses(
        (status = 200, body = NotificationResponse, description = "The notification is cancelled; messages already being sent still arrive"),
        (status = 403, body = ProblemResponse, description = "The client is not identified"),
        (status = 404, body = ProblemResponse, description = "No such notification is visible to the requesting user")
    )
)]
pub(super) async fn cancel(
    State(api): State<Arc<Api>>,
    view: View,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<NotificationResponse>, Problem> {
    view.knows_who_asks()?;
    let Path(id) = id.map_err(|_| Problem::no_such_notification())?;
    let cancelled =
        tokio::task::spawn_blocking(move || api.shelf().cancel(&id, |owner| view.may_see_notices_of(owner)));
    cancelled.await.map_err(|_| Problem::failed())?.map(Json).ok_or_else(Problem::no_such_notification)
}
