//! Boards made up for the tests of the interface.

use std::sync::Arc;

use queuecast_api::forecast::ForecastResponse;
use queuecast_forecast::score::{SHARES, Score};
use queuecast_records::{JobPart, PrivateData};
use queuecast_workload::{Seconds, Time};

use queuecast_forecast::estimate::{Estimate, JobForecast, SpanRange, TimeRange};
use queuecast_site::published::{Health, Published, PublishedJob, ReadingHealth};

use super::ApiSettings;
use super::asker::Asker;
use super::limiter::Requester;
use super::permissions::Permissions;
use super::view::View;
use crate::board::Board;

pub const NOW: Time = Time(1_763_209_200);

/// A start so many seconds from now at the median, and a run of about an hour.
pub fn estimate(start_in_seconds: i64) -> JobForecast {
    let places: [i64; SHARES.len()] = std::array::from_fn(|place| place as i64);
    JobForecast::Estimate(Estimate {
        start: TimeRange { times: places.map(|place| Time(NOW.0 + start_in_seconds + 300 * (place - 4))) },
        run: SpanRange { spans: places.map(|place| Seconds(3_600 + 600 * (place - 4))) },
        completion: TimeRange { times: places.map(|place| Time(NOW.0 + start_in_seconds + 3_600 + 900 * (place - 4))) },
        last_task: None,
    })
}

/// A job that waits, of user 1000.
pub fn job(job_id: u64) -> PublishedJob {
    PublishedJob {
        job_id,
        part: JobPart::Whole,
        name: format!("name{job_id}"),
        user: "alice".to_owned(),
        user_id: Some(1_000),
        account: "physics".to_owned(),
        partitions: vec!["batch".to_owned()],
        qos: "normal".to_owned(),
        submitted: Time(NOW.0 - 600),
        started: None,
        limit: Some(Seconds(7_200)),
        nodes: Some(2),
        cpus: Some(64),
        reason: "Priority".to_owned(),
        slurm_estimated_start: Some(Time(NOW.0 + 9_000)),
        forecast: estimate(2_100),
        kept: true,
    }
}

/// What this user, by number, is told of a job on a board.
pub fn answer_to(board: &Board, user: u32, asked: &str) -> ForecastResponse {
    let board = board.read();
    let permissions = Permissions::of(Asker::Local(user), &board, &ApiSettings::default(), 990);
    View::new(Requester::User(user), board, permissions, NOW, Seconds(86_400)).job(asked).expect("a job of theirs")
}

/// A board on which everything was read a moment ago.
pub fn published(jobs: Vec<PublishedJob>) -> Published {
    let read = || ReadingHealth { succeeded: Some(Time(NOW.0 - 12)), calls: 3, ..ReadingHealth::default() };
    Published {
        cluster: "alpha".to_owned(),
        forecast: Some(Time(NOW.0 - 10)),
        health: Health {
            queue: read(),
            nodes: read(),
            accounting: read(),
            settings: read(),
            users: read(),
            ..Health::default()
        },
        jobs: jobs.into(),
        adviser: None,
        score: Arc::new(Score::default()),
        private_data: PrivateData::NOTHING,
        roles: Arc::default(),
        people: Arc::default(),
        ..Published::nothing_yet()
    }
}
