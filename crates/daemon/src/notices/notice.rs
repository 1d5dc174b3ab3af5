//! One notice: whose it is, of which job, whereto, what was seen and what waits to be sent.
//!
//! Not for: keeping it (`folder`); all of them (`shelf`).

use queuecast_api::notification::{Destination, NotificationResponse};
use queuecast_api::time::Moment;
use queuecast_notify::{AllowedHost, Outbox, Watch};
use queuecast_workload::Time;
use serde::{Deserialize, Serialize};

/// Whose it is: the user whose job it is, as Slurm says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub user_id: Option<u32>,
    pub user: String,
}

/// What a user has asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Notice {
    pub id: String,
    pub owner: Owner,
    /// As Slurm writes it.
    pub job: String,
    pub to: Destination,
    pub before_seconds: Option<u64>,
    /// Seconds since 1970.
    pub made: i64,
    pub watch: Watch,
    pub outbox: Outbox,
    pub taken: u64,
    pub problem: Option<String>,
}

impl Notice {
    /// Whether nothing is left to be seen or sent.
    pub fn is_over(&self) -> bool {
        self.watch.is_over() && self.outbox.is_empty()
    }

    /// As its owner is told. A web hook's path is a secret and stays here.
    pub fn told(&self) -> NotificationResponse {
        NotificationResponse {
            id: self.id.clone(),
            job: self.job.clone(),
            user: self.owner.user.clone(),
            by: self.to.by().to_owned(),
            to: self.host(),
            before_seconds: self.before_seconds,
            made: Moment::from(Time(self.made)),
            delivered: self.taken,
            waiting: self.outbox.len() as u64,
            problem: self.problem.clone(),
        }
    }

    /// A web hook's host.
    pub fn host(&self) -> Option<String> {
        match &self.to {
            Destination::Webhook { url, .. } => AllowedHost::host_of(url),
            Destination::Mail {} | Destination::Command {} => None,
        }
    }
}
