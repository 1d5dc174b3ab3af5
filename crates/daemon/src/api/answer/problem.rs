//! How the interface says no: an HTTP status, and JSON with a word for programs and two sentences for people.
//!
//! Not for: that there is no estimate. That is an answer, not a problem.

use std::time::Duration;

use axum::Json;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::notices::ShelfError;
use crate::what_if::NotBegun;
use queuecast_api::problem::{ErrorResponse, ProblemResponse, Refusal};

/// By then the queue of most clusters has been read and forecast once.
const READY_SOON_SECONDS: u64 = 10;

/// A problem on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub status: StatusCode,
    code: &'static str,
    message: String,
    hint: String,
    retry_after_seconds: Option<u64>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), hint: hint.into(), retry_after_seconds: None }
    }

    /// The words are the same whether the job does not exist or is somebody else's.
    pub fn no_such_job(asked: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "no_such_job",
            format!("job {asked} is not pending or running, or not visible to you"),
            "check `squeue`; a job is known here from at most one minute after its submission until its end",
        )
    }

    pub fn not_a_job_id() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "not_a_job_id",
            "invalid job ID",
            "write the ID as Slurm does: 123, 123_4 for an array task, 123+0 for a component of a heterogeneous job",
        )
    }

    pub fn jobs_are_private() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "jobs_are_private",
            "you are not identified, and users see only their own jobs",
            "use the unix socket on a login node, or send a Slurm token (`scontrol token`) if this daemon accepts tokens",
        )
    }

    /// Whoever says who they are, and cannot be believed, is not taken for nobody.
    pub fn authentication_failed(why: &str) -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "authentication_failed",
            format!("authentication failed: {why}"),
            "get a new token with `scontrol token`, or ask the administrator of the proxy",
        )
    }

    /// Asked for by a name that is not ours: a page of somebody else's may have led here.
    pub fn wrong_host() -> Self {
        Self::new(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_host",
            "the name in the `host` header is not a name of this daemon",
            "use the daemon's IP address, or ask your administrator to add the name (`qcast serve --host-name`)",
        )
    }

    pub fn too_many_requests(wait: Duration) -> Self {
        let seconds = wait.as_millis().div_ceil(1_000).max(1);
        let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
        Self {
            retry_after_seconds: Some(seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_requests",
                "you have sent more than two requests per second for a while",
                format!("wait {seconds} s; /v1/queue returns all your jobs in one response"),
            )
        }
    }

    /// Questions that futures are played for have a budget of their own.
    pub fn over_budget(wait: Duration) -> Self {
        let seconds = wait.as_secs().max(1);
        Self {
            retry_after_seconds: Some(seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "over_budget",
                "your requests have used up your share of the daemon's computing time",
                format!("wait {seconds} s; stored forecasts of pending jobs use no computing time: see /v1/queue"),
            )
        }
    }

    pub fn too_many_waiting() -> Self {
        Self {
            retry_after_seconds: Some(READY_SOON_SECONDS),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_waiting",
                "too many of your requests are already waiting",
                "wait for a response before sending the next request",
            )
        }
    }

    pub fn bad_request(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message, hint)
    }

    pub fn no_such_size() -> Self {
        Self::bad_request("unknown job size", "use one of `sizes` in the response to a request without `size`")
    }

    pub fn for_operators() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "for_operators",
            "this route is for operators only",
            "send the request as a Slurm operator or administrator, or as root; /v1/health is open to all users",
        )
    }

    pub fn no_such_what_if() -> Self {
        Self::bad_request(
            "unknown policy or predictor, or the limit or the number of weeks is out of range",
            "use one of the `policies` and `predictors` that a GET of this route returns, 1 to 12 weeks, and a limit of at least 1 s",
        )
    }

    pub fn what_if_not_begun(why: &NotBegun) -> Self {
        match why {
            NotBegun::NoStore => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "no_history",
                "this daemon has no job history to replay",
                "run `qcast serve` with a store",
            ),
            NotBegun::Busy => Self::new(
                StatusCode::CONFLICT,
                "busy",
                "another replay is running, and only one can run at a time",
                "see the progress with a GET of this route, and retry when that replay has finished",
            ),
            NotBegun::NoThread => Self::failed(),
        }
    }

    pub fn not_json() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_json",
            "the request body is not declared as JSON",
            "send the header `content-type: application/json`",
        )
    }

    pub fn too_large(most_bytes: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("the request body is larger than {most_bytes} bytes"),
            "send one job per request",
        )
    }

    pub fn unknown_route() -> Self {
        Self::new(StatusCode::NOT_FOUND, "unknown_route", "no such route", "see /openapi.json for the available routes")
    }

    pub fn wrong_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "wrong_method",
            "this route does not support the request method",
            "see the `allow` header of this response, and /openapi.json",
        )
    }

    pub fn too_late(seconds: f64) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too_late",
            format!("the request timed out after {seconds} s"),
            "retry in a moment",
        )
    }

    pub fn not_ready() -> Self {
        Self {
            retry_after_seconds: Some(READY_SOON_SECONDS),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "not_ready",
                "not ready yet: the daemon has just started and has not forecast the queue",
                format!("retry in {READY_SOON_SECONDS} s; /v1/health shows what is missing"),
            )
        }
    }

    /// Asked what only a job that waits can be asked.
    pub fn has_ended(asked: &str, state: &str) -> Self {
        Self::new(
            StatusCode::GONE,
            "finished",
            format!("job {asked} has ended ({state}), so there is nothing to explain or change"),
            "`qcast when` shows when and how the job ended",
        )
    }

    /// Whoever may see another's job is still not told of it.
    pub fn not_your_job(asked: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "not_your_job",
            format!("job {asked} belongs to another user, and only that user can be notified"),
            "let the owner request the notification, or see the forecast with `qcast when`",
        )
    }

    pub fn has_started(asked: &str) -> Self {
        Self::new(
            StatusCode::CONFLICT,
            "has_started",
            format!("job {asked} is already running, so there is nothing left to notify"),
            "`qcast when` shows when the job will end",
        )
    }

    /// The administrator does not let the daemon do that for users, or what is asked for cannot be.
    pub fn notification_refused(why: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "notification_refused",
            why,
            "ask your administrator, or send notifications from your own terminal with `qcast notify --here`",
        )
    }

    pub fn no_such_notification() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "no_such_notification",
            "no such notification is visible to you",
            "`qcast notify --list` shows your notifications; a notification ends when its job has started or is gone",
        )
    }

    pub fn failed() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "failed",
            "internal error: the forecast failed",
            "report your request to your administrator; the daemon's log has the details",
        )
    }
}

/// A notice that is not taken.
impl From<ShelfError> for Problem {
    fn from(error: ShelfError) -> Self {
        match error {
            ShelfError::NotOffered => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "notifications_disabled",
                "notifications are unavailable: no daemon is in use, or its notification directory cannot be used",
                "send notifications from your own terminal with `qcast notify --here`",
            ),
            ShelfError::TooManyOfOne(notices) => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_notifications",
                format!("you already have {notices} notifications, which is the maximum"),
                "cancel some of them: `qcast notify --list`, `qcast notify JOB --cancel`",
            ),
            ShelfError::Full => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "notifications_full",
                "the daemon has reached its maximum number of notifications",
                "send notifications from your own terminal with `qcast notify --here`",
            ),
            ShelfError::NotKept(error) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "not_stored",
                format!("cannot save the notification: {error}"),
                "tell your administrator, or send notifications from your own terminal with `qcast notify --here`",
            ),
        }
    }
}

/// A question that its own check refuses.
impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::bad_request(refusal.message, refusal.hint)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Self { status, code, message, hint, retry_after_seconds } = self;
        let error = ErrorResponse { code: code.to_owned(), message, hint };
        let mut response = (status, Json(ProblemResponse { error })).into_response();
        let mut header = |name, value: String| {
            // A number and a fixed word are always values.
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        };
        if let Some(seconds) = retry_after_seconds {
            header(RETRY_AFTER, seconds.to_string());
        }
        if status == StatusCode::UNAUTHORIZED {
            header(WWW_AUTHENTICATE, "Bearer".to_owned());
        }
        response
    }
}
