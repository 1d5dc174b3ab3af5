//! What if another policy had been in force: the cluster's own last weeks, replayed beside the watching. For operators.
//!
//! Not for: exact figures. A replay knows processors, limits and who came when; it knows nothing of fair share, partitions or reservations
//! (`qcast compare` has more policies and predictors).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::Moment;

/// What is to be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WhatIfQuestion {
    /// So many weeks back, from 1 to 12.
    pub weeks: u32,
    /// Who starts when: one of `policies`.
    pub policy: String,
    /// How long jobs are planned to run: one of `predictors`. The limit stays the time at which they are killed.
    pub predictor: String,
    /// The longest limit that would be taken; left out, any. Whoever asked for more gets this, and is ended there.
    #[serde(default)]
    pub longest_limit_seconds: Option<i64>,
}

/// How far it is, and what came out last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfAnswer {
    /// What can be asked for.
    pub policies: Vec<String>,
    /// What can be asked for.
    pub predictors: Vec<String>,
    /// What is being replayed; `null` if nothing is.
    pub running: Option<WhatIfProgress>,
    /// What came out last, since the daemon began.
    pub last: Option<WhatIfResult>,
}

/// How far a replay is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfProgress {
    /// What was asked.
    pub question: WhatIfQuestion,
    /// Replays that are done.
    pub replayed: u64,
    /// Of so many; 0 while the history is read.
    pub of: u64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfResult {
    /// What was asked.
    pub question: WhatIfQuestion,
    /// When it was done.
    pub finished: Moment,
    /// Why there is nothing, if there is not.
    pub problem: Option<String>,
    /// Jobs that were replayed.
    pub jobs: u64,
    /// Processors they were replayed on: the most that were in use at once in that time.
    pub processors: u64,
    /// Whom the longest limit would have ended; `null` if none was asked for.
    pub ended_early: Option<EndedEarlyAnswer>,
    /// First as things are taken to be (backfill by the limits that users asked for), then as asked, then with run times known exactly: what
    /// predictions without any error would bring. That is not always the least wait.
    pub compared: Vec<WhatIfCompared>,
}

/// Jobs that ran longer than the longest limit. A replay ends them there, and nobody does their work again, so waits come out too short.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EndedEarlyAnswer {
    /// How many.
    pub jobs: u64,
    /// What they did after it, of all work (processors by time), in percent.
    pub work_percent: f64,
}

/// One way to schedule them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhatIfCompared {
    /// Who starts when.
    pub policy: String,
    /// How long jobs are planned to run.
    pub predictor: String,
    /// The longest limit that was taken; `null` for any.
    pub longest_limit_seconds: Option<i64>,
    /// How long jobs waited on average.
    pub mean_wait_seconds: f64,
    /// Half waited no longer.
    pub median_wait_seconds: f64,
    /// How many times longer than it ran a job took from submission to end, on average; runs of less than ten seconds count as ten.
    pub mean_bounded_slowdown: f64,
    /// By how much the mean wait differs from the first, in percent; `null` of the first, and if nobody waited in it.
    pub wait_change_percent: Option<WaitChangeAnswer>,
}

/// A difference over shaken replicates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WaitChangeAnswer {
    /// On average.
    pub mean: f64,
    /// The lower end of the 95 % interval.
    pub low95: f64,
    /// The upper end.
    pub high95: f64,
}
