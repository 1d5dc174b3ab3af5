//! Notices: what a user has asked the daemon to tell them of a job of theirs, and whereto.
//!
//! Not for: what a message says and how it is sent (`queuecast-notify`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoticeQuestion {
    /// A job of the asker's that waits, as Slurm writes it: 123, `123_4`, 123+0.
    pub job: String,
    /// How long before its median start the job is about to start; `null` to be told only that it started or is gone.
    pub before_seconds: Option<u64>,
    /// Whereto.
    pub to: Destination,
}

/// Where messages go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum Destination {
    /// By POST to an address, at a host that the administrator allows.
    Webhook {
        /// The address. It is kept as a secret, since whoever has it can write there.
        url: String,
        /// What is posted.
        template: Template,
    },
    /// By mail to the job's user.
    Mail {},
    /// By the administrator's command.
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

/// What a web hook is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// Every field, for programs.
    #[default]
    Json,
    /// As Slack's incoming web hooks take it.
    Slack,
    /// As a workflow of Microsoft Teams takes it: an adaptive card.
    Teams,
    /// As Mattermost's incoming web hooks take it.
    Mattermost,
    /// As a topic of ntfy takes it.
    Ntfy,
}

/// A notice as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoticeAnswer {
    /// By which it is cancelled.
    pub id: String,
    /// The job, as Slurm writes it.
    pub job: String,
    /// The job's user.
    pub user: String,
    /// How: `webhook`, `mail` or `command`.
    pub by: String,
    /// Whereto: a web hook's host (its path is a secret), or a mail's address.
    pub to: Option<String>,
    /// How long before its median start the job is about to start.
    pub before_seconds: Option<u64>,
    /// When it was asked for.
    pub made: Moment,
    /// Messages that were taken.
    pub taken: u64,
    /// Messages that wait to be sent, or sent again.
    pub waiting: u64,
    /// Why the last try did not succeed; `null` if it did.
    pub problem: Option<String>,
}

/// The notices that the asker may see: their own, and to those who see everything everybody's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoticesAnswer {
    /// In order of when they were asked for.
    pub notices: Vec<NoticeAnswer>,
}
