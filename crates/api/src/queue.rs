//! The jobs that wait, and those that run if asked for, with their forecasts, a page at a time.
//!
//! Not for: one job; it is found by its number.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::forecast::ForecastResponse;
use super::problem::Refusal;
use super::route;
use super::time::Moment;

/// Jobs on a page unless asked otherwise.
pub const PAGE: usize = 100;
/// Jobs on a page at most.
pub const LARGEST_PAGE: usize = 1_000;

/// A page of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QueueResponse {
    /// Name of the cluster.
    pub cluster: String,
    /// Time on the cluster when the response was made.
    pub now: Moment,
    /// Time at which the forecasts were made.
    pub made: Option<Moment>,
    /// Age of the last queue poll, in seconds.
    pub data_age_seconds: Option<i64>,
    /// Jobs, in order of Slurm's job ID.
    pub jobs: Vec<ForecastResponse>,
    /// Value of `after` for the next page; `null` on the last page.
    pub next_after: Option<u64>,
}

/// Filter for jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct QueueRequest {
    /// Only jobs that may run in this partition.
    pub partition: Option<String>,
    /// Only jobs of this user.
    pub user: Option<String>,
    /// Only jobs of the requesting user, as identified by the kernel or a token.
    pub me: bool,
    /// State of the jobs; default `waiting`.
    #[param(inline)]
    pub state: ListedState,
    /// Maximum number of jobs, up to 1,000; default 100.
    pub limit: Option<usize>,
    /// Only jobs with a larger ID: `next_after` of the previous page.
    pub after: Option<u64>,
}

/// Jobs to list, by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListedState {
    /// Pending jobs.
    #[default]
    Waiting,
    /// Running jobs.
    Running,
    /// Pending and running jobs.
    All,
}

impl ListedState {
    /// Whether a job that has started, or has not, is listed.
    pub fn lists(self, has_started: bool) -> bool {
        match self {
            Self::Waiting => !has_started,
            Self::Running => has_started,
            Self::All => true,
        }
    }
}

impl QueueRequest {
    /// The path that asks this.
    pub fn path(&self) -> String {
        let state = match self.state {
            ListedState::Waiting => "waiting",
            ListedState::Running => "running",
            ListedState::All => "all",
        };
        let mut url = Url::parse("http://localhost").expect("a constant address");
        {
            let mut pairs = url.query_pairs_mut();
            pairs.append_pair("state", state);
            if self.me {
                pairs.append_pair("me", "true");
            }
            for (name, value) in [
                ("limit", self.limit.map(|limit| limit.to_string())),
                ("user", self.user.clone()),
                ("partition", self.partition.clone()),
                ("after", self.after.map(|after| after.to_string())),
            ] {
                if let Some(value) = value {
                    pairs.append_pair(name, &value);
                }
            }
        }
        format!("{}?{}", route::QUEUE, url.query().unwrap_or_default())
    }

    /// How many jobs are wanted.
    pub fn page(&self) -> Result<usize, Refusal> {
        match self.limit {
            None => Ok(PAGE),
            Some(limit) if (1..=LARGEST_PAGE).contains(&limit) => Ok(limit),
            Some(limit) => Err(Refusal {
                message: format!("`limit` is {limit}, which is out of range"),
                hint: format!("request 1 to {LARGEST_PAGE} jobs, and the next ones with `after`"),
            }),
        }
    }
}
