//! What can be asked, by its path.

/// When a job starts and ends.
pub const JOB_FORECAST: &str = "/v1/jobs/{id}/forecast";
/// Which limit a waiting job should ask for. Futures are played for it: be patient.
pub const JOB_LIMIT: &str = "/v1/jobs/{id}/limit";
/// What holds a waiting job. Futures are played for it: be patient.
pub const JOB_WHY: &str = "/v1/jobs/{id}/why";
/// When a job would start that somebody thinks of submitting.
pub const FORECAST: &str = "/v1/forecast";
/// The same for many sizes and limits at once.
pub const FORECAST_TABLE: &str = "/v1/forecast/table";
/// Which limit it should ask for.
pub const LIMIT: &str = "/v1/limit";
/// In which partition it would end soonest.
pub const WHERE: &str = "/v1/where";
/// How wide to run it.
pub const SIZE: &str = "/v1/size";
/// The jobs that wait or run, a page at a time.
pub const QUEUE: &str = "/v1/queue";
/// What the asker is told of their jobs, and whereto: listed, or asked for.
pub const NOTIFICATIONS: &str = "/v1/notifications";
/// A notification to cancel.
pub const NOTIFICATION_CANCEL: &str = "/v1/notifications/{id}/cancel";
/// That there is something new to ask for, as it happens.
pub const CHANGES: &str = "/v1/changes";
/// How long jobs waited lately, by hour and weekday.
pub const WAITS: &str = "/v1/waits";
/// Who waits longest, and which questions are slow; for operators.
pub const OPERATIONS: &str = "/v1/operations";
/// The last weeks under another policy: begun, or looked at; for operators.
pub const WHAT_IF: &str = "/v1/what-if";
/// How good the forecasts were.
pub const SCORE: &str = "/v1/score";
/// How the daemon is.
pub const HEALTH: &str = "/v1/health";
/// Metrics for Prometheus.
pub const METRICS: &str = "/metrics";
/// The `OpenAPI` document.
pub const DOCUMENT: &str = "/openapi.json";

/// A route of one job, which is written as Slurm does: `123`, `123_4`, `123+0`.
pub fn of_job(route: &str, id: &str) -> String {
    route.replace("{id}", id)
}

/// The route by which a notification is cancelled.
pub fn cancelling(notification: &str) -> String {
    NOTIFICATION_CANCEL.replace("{id}", notification)
}
