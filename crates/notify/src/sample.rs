//! Jobs made up for the tests of messages.

use queuecast_api::forecast::ForecastResponse;
use queuecast_api::time::Moment;
use queuecast_workload::Time;
use serde_json::{Value, json};

use crate::event::{Kind, Message};

/// 2025-11-15T12:20:00Z
pub const NOW: i64 = 1_763_209_200;

/// One that starts in so many seconds, submitted ten minutes ago.
pub fn starting_in(number: u64, seconds: i64) -> ForecastResponse {
    let moment = |seconds: i64| serde_json::to_value(Moment::from(Time(NOW + seconds))).expect("JSON");
    let range = |step: i64| -> Value { json!({ "from": moment(seconds - step), "to": moment(seconds + step) }) };
    let answer = json!({
        "cluster": "alpha", "state": "waiting", "submitted": moment(-600), "now": moment(0),
        "job": { "id": number.to_string(), "job_id": number, "name": format!("name{number}"), "user": "alice", "partitions": ["batch"] },
        "start": {
            "median": moment(seconds), "seconds_from_now": seconds,
            "range50": range(300), "range80": range(600), "range95": range(1_200),
        },
        "stored": true,
    });
    serde_json::from_value(answer).expect("an answer")
}

/// One that starts in 35 minutes.
pub fn waiting(number: u64) -> ForecastResponse {
    starting_in(number, 2_100)
}

/// One without an estimate.
pub fn held(number: u64) -> ForecastResponse {
    ForecastResponse { start: None, ..waiting(number) }
}

/// What is told of one that starts in 35 minutes.
pub fn message(kind: Kind) -> Message {
    Message::of(kind, &waiting(7))
}
