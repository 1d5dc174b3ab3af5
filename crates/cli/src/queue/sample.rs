//! Jobs made up for the tests of lists.

use queuecast_api::forecast::ForecastResponse;
use serde_json::{Value, json};

/// 2025-11-15T12:20:00Z
pub const NOW: i64 = 1_763_209_200;

fn moment(seconds: i64) -> Value {
    let time = queuecast_workload::Time(NOW + seconds);
    serde_json::to_value(queuecast_api::time::Moment::from(time)).expect("JSON")
}

fn times(seconds: i64, step: i64) -> Value {
    let range = |places: i64| json!({ "from": moment((seconds - places * step).max(0)), "to": moment(seconds + places * step) });
    json!({
        "median": moment(seconds), "seconds_from_now": seconds,
        "range50": range(1), "range80": range(2), "range95": range(4),
    })
}

/// One that starts in so many seconds, of alice, submitted ten minutes ago.
pub fn starting_in(number: u64, seconds: i64) -> ForecastResponse {
    let range = json!({ "from_seconds": 2_400, "to_seconds": 4_800 });
    let answer = json!({
        "cluster": "alpha", "state": "waiting", "submitted": moment(-600), "now": moment(0), "made": moment(-10),
        "job": {
            "id": number.to_string(), "job_id": number, "name": format!("name{number}"), "user": "alice",
            "account": "physics", "partitions": ["batch"], "qos": "normal", "nodes": 2, "cpus": 64,
            "limit_seconds": 7_200, "reason": "Priority",
        },
        "data_age_seconds": 12, "start": times(seconds, 300), "completion": times(seconds + 3_600, 900), "stored": true,
        "run": { "median_seconds": 3_600, "range50": range, "range80": range, "range95": range },
        "slurm_estimated_start": moment(9_000),
    });
    serde_json::from_value(answer).expect("an answer")
}

/// One that starts in 35 minutes.
pub fn waiting(number: u64) -> ForecastResponse {
    starting_in(number, 2_100)
}

/// One without an estimate.
pub fn held(number: u64) -> ForecastResponse {
    let mut answer = waiting(number);
    answer.no_forecast = Some(
        serde_json::from_value(json!({ "code": "held", "message": "It is held; release it with `scontrol release`." }))
            .expect("a reason"),
    );
    (answer.start, answer.run, answer.completion, answer.slurm_estimated_start) = (None, None, None, None);
    answer
}
