//! Notices: what a user has asked the daemon to tell them of a job of theirs, and whereto.
//!
//! Not for: what a message says and how it is sent (`queuecast-notify`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// Request for notifications about a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NotificationRequest {
    /// A pending job of the requesting user, as Slurm writes it: 123, `123_4`, 123+0.
    pub job: String,
    /// Time in seconds before the median start at which to send a message; `null` to notify only when the job has started or is gone.
    pub before_seconds: Option<u64>,
    /// Destination of the messages.
    pub to: Destination,
}

/// Destination of messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum Destination {
    /// POST request to a URL whose host the administrator allows.
    Webhook {
        /// URL. The daemon keeps the URL secret, because any client that knows it can post there.
        url: String,
        /// Format of the message.
        template: Template,
    },
    /// Mail to the job's user.
    Mail {},
    /// Program that the administrator has set up.
    Command {},
}

impl Destination {
    /// How, in a word.
    pub fn by(&self) -> &'static str {
        match self {
            Self::Webhook { .. } => "webhook",
            Self::Mail {} => "mail",
            Self::Command {} => "command",
        }
    }
}

/// Message format of a webhook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// All fields, for programs.
    #[default]
    Json,
    /// Format of Slack's incoming webhooks.
    Slack,
    /// Format of Microsoft Teams workflows: an adaptive card.
    Teams,
    /// Format of Mattermost's incoming webhooks.
    Mattermost,
    /// Format of ntfy topics.
    Ntfy,
}

/// A notification and its current state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotificationResponse {
    /// ID with which the notification can be cancelled.
    pub id: String,
    /// The job, as Slurm writes it.
    pub job: String,
    /// User of the job.
    pub user: String,
    /// Method: `webhook`, `mail` or `command`.
    pub by: String,
    /// Destination: the host of a webhook (its path is a secret), or a mail address.
    pub to: Option<String>,
    /// Time in seconds before the median start at which a message is sent.
    pub before_seconds: Option<u64>,
    /// Time at which the notification was requested.
    pub made: Moment,
    /// Number of messages delivered.
    pub delivered: u64,
    /// Number of messages that wait for delivery or for another attempt.
    pub waiting: u64,
    /// Why the last attempt failed; `null` if the last attempt succeeded.
    pub problem: Option<String>,
}

/// Notifications that the requesting user may see: their own, or all notifications if they may see everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotificationsResponse {
    /// Notifications in order of request.
    pub notifications: Vec<NotificationResponse>,
}
