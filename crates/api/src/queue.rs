//! The jobs that wait, and those that run if asked for, with their forecasts, a page at a time.
//!
//! Not for: one job; it is found by its number.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::forecast::ForecastAnswer;
use super::problem::Refusal;
use super::route;
use super::time::Moment;

/// Jobs on a page unless asked otherwise.
pub const PAGE: usize = 100;
/// Jobs on a page at most.
pub const LARGEST_PAGE: usize = 1_000;

/// A page of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QueueAnswer {
    /// The cluster's name.
    pub cluster: String,
    /// The cluster's time when this was answered.
    pub now: Moment,
    /// When the forecasts were made.
    pub made: Option<Moment>,
    /// How long ago the queue was last read.
    pub data_age_seconds: Option<i64>,
    /// The jobs, in order of Slurm's number.
    pub jobs: Vec<ForecastAnswer>,
    /// Give this as `after` for the next page; `null` on the last.
    pub next_after: Option<u64>,
}

/// Which jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct QueueQuestion {
    /// Only jobs that may run in this partition.
    pub partition: Option<String>,
    /// Only this user's.
    pub user: Option<String>,
    /// Only the asker's own, by who the kernel or a token says they are.
    pub me: bool,
    /// Those that wait unless said otherwise.
    #[param(inline)]
    pub state: ListedState,
    /// So many at most, up to 1,000; 100 unless said.
    pub limit: Option<usize>,
    /// Only those with a larger number: `next_after` of the page before.
    pub after: Option<u64>,
}

/// Which jobs are listed, by what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListedState {
    /// Those that wait.
    #[default]
    Waiting,
    /// Those that run.
    Running,
    /// Both.
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

impl QueueQuestion {
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
                message: format!("`limit` is {limit}"),
                what_to_do: format!("ask for 1 to {LARGEST_PAGE} jobs, and for the next ones with `after`"),
            }),
        }
    }
}
