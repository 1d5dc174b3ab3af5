//! What if another policy had been in force: the cluster's own last weeks, replayed beside the watching. For operators.
//!
//! Not for: exact figures. A replay knows processors, limits and who came when; it knows nothing of fair share, partitions or reservations
//! (`qcast compare` has more policies and predictors).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// Request for a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WhatIfRequest {
    /// Number of past weeks to replay, from 1 to 12.
    pub weeks: u32,
    /// Scheduling policy: one of `policies`.
    pub policy: String,
    /// Predictor of run times: one of `predictors`. Jobs are still killed at their time limit.
    pub predictor: String,
    /// Maximum time limit in seconds; if left out, no maximum. Jobs that requested more get this limit and are killed there.
    #[serde(default)]
    pub longest_limit_seconds: Option<i64>,
}

/// Progress and last result of replays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfResponse {
    /// Available policies.
    pub policies: Vec<String>,
    /// Available predictors.
    pub predictors: Vec<String>,
    /// Replay in progress; `null` if there is none.
    pub running: Option<WhatIfProgress>,
    /// Last result since the daemon started.
    pub last: Option<WhatIfResult>,
}

/// Progress of a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfProgress {
    /// The request.
    pub request: WhatIfRequest,
    /// Number of replays finished.
    pub replayed: u64,
    /// Total number of replays; 0 while the job history is being read.
    pub of: u64,
}

/// Result of a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfResult {
    /// The request.
    pub request: WhatIfRequest,
    /// Time at which the replay finished.
    pub finished: Moment,
    /// Reason for having no result, if so.
    pub problem: Option<String>,
    /// Number of jobs replayed.
    pub jobs: u64,
    /// Number of processors in the replay: the largest number in use at the same time in that period.
    pub processors: u64,
    /// Jobs that the maximum limit would have killed; `null` if the request had no maximum limit.
    pub ended_early: Option<EndedEarlyResponse>,
    /// Three schedules: the assumed current one (backfill by requested limits), the requested one, and the requested one with exact run times,
    /// which shows what perfect predictions would bring. That is not always the shortest wait.
    pub compared: Vec<WhatIfCompared>,
}

/// Jobs that ran longer than the maximum limit. A replay kills them there and does not repeat their work, so its waits are too short.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EndedEarlyResponse {
    /// Number of jobs.
    pub jobs: u64,
    /// Work of these jobs after the limit, as a percentage of all work (processors multiplied by time).
    pub work_percent: f64,
}

/// Result of one schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfCompared {
    /// Scheduling policy.
    pub policy: String,
    /// Predictor of run times.
    pub predictor: String,
    /// Maximum time limit in seconds; `null` for none.
    pub longest_limit_seconds: Option<i64>,
    /// Mean wait in seconds.
    pub mean_wait_seconds: f64,
    /// Median wait in seconds.
    pub median_wait_seconds: f64,
    /// Mean bounded slowdown: time from submission to end divided by the run time; runs of less than ten seconds count as ten.
    pub mean_bounded_slowdown: f64,
    /// Change of the mean wait compared with the first schedule, in percent; `null` for the first schedule, and if its mean wait is zero.
    pub wait_change_percent: Option<WaitChangeResponse>,
}

/// A difference, over replays with shaken input.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WaitChangeResponse {
    /// Mean.
    pub mean: f64,
    /// Lower end of the 95 % interval.
    pub low95: f64,
    /// Upper end of the 95 % interval.
    pub high95: f64,
}
