//! What is written to a program and what it may answer: the lines of `docs/guides/own-methods.md`.
//!
//! For: one place where it can be seen what a program is told. Only [`Submission`] and [`Outcome`] are looked into, so that nobody hears
//! of an outcome who is not handed one.
//!
//! Not for: when it is told, or what becomes of an answer.

use queuecast_predict::Outlived;
use queuecast_schedule::PlannedJob;
use queuecast_workload::{JobId, Outcome, Seconds, Status, Submission, Time};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the protocol, which the first line each way tells.
pub const PROTOCOL: u32 = 1;

/// One line to a program. A line with a question is answered, and no other.
#[derive(Serialize)]
pub struct Line<'a> {
    #[serde(flatten)]
    pub event: &'a Event,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<u64>,
}

/// What happened.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    Begin {
        protocol: u32,
        kind: Kind,
        #[serde(skip_serializing_if = "Option::is_none")]
        processors: Option<u32>,
    },
    /// To a predictor or a forecaster.
    Arrival(Known),
    /// The same job once more, to a predictor: what would be said of it now.
    Predict(Known),
    /// To a policy, which is told plans.
    #[serde(rename = "arrival")]
    Planned {
        time_seconds: Time,
        job: u64,
        submitted_seconds: Time,
        processors: u32,
        planned_seconds: Seconds,
    },
    Start {
        time_seconds: Time,
        job: JobId,
    },
    /// To a predictor or a forecaster.
    End {
        time_seconds: Time,
        job: JobId,
        started_seconds: Time,
        run_seconds: Seconds,
        status: &'static str,
    },
    /// To a policy.
    #[serde(rename = "end")]
    Freed {
        time_seconds: Time,
        job: u64,
    },
    Outlived {
        time_seconds: Time,
        job: JobId,
        age_seconds: Seconds,
        first_seconds: Seconds,
        previous_seconds: Seconds,
        earlier_misses: u32,
    },
    Plan {
        time_seconds: Time,
        job: u64,
        planned_seconds: Seconds,
    },
    /// Without a time where none is told.
    Withdrawal {
        #[serde(skip_serializing_if = "Option::is_none")]
        time_seconds: Option<Time>,
        job: u64,
    },
    Pass {
        time_seconds: Time,
    },
}

/// What a program is.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Predictor,
    Forecaster,
    Policy,
}

/// What is known when a job arrives.
#[derive(Serialize)]
pub struct Known {
    time_seconds: Time,
    job: JobId,
    submitted_seconds: Time,
    processors: u32,
    limit_seconds: Option<Seconds>,
    user: Option<u32>,
    group: Option<u32>,
    program: Option<u32>,
    queue: Option<u32>,
    partition: Option<u32>,
}

impl Known {
    pub fn of(job: &Submission, now: Time) -> Self {
        Self {
            time_seconds: now,
            job: job.job,
            submitted_seconds: job.submitted,
            processors: job.request.processors,
            limit_seconds: job.limit,
            user: job.user.map(|user| user.0),
            group: job.group.map(|group| group.0),
            program: job.program.map(|program| program.0),
            queue: job.queue.map(|queue| queue.0),
            partition: job.partition.map(|partition| partition.0),
        }
    }
}

impl Event {
    pub fn planned(number: u64, job: &PlannedJob, now: Time) -> Self {
        Self::Planned {
            time_seconds: now,
            job: number,
            submitted_seconds: job.submitted,
            processors: job.request.processors,
            planned_seconds: job.planned,
        }
    }

    pub fn end(job: &Submission, outcome: &Outcome) -> Self {
        let status = match outcome.status {
            Status::Failed => "failed",
            Status::Completed => "completed",
            Status::Partial => "partial",
            Status::Cancelled => "cancelled",
            Status::Unknown => "unknown",
        };
        let (time_seconds, started_seconds) = (outcome.ended, outcome.started);
        Self::End { time_seconds, job: job.job, started_seconds, run_seconds: outcome.run(), status }
    }

    pub fn outlived(job: &Submission, miss: &Outlived, now: Time) -> Self {
        Self::Outlived {
            time_seconds: now,
            job: job.job,
            age_seconds: miss.age,
            first_seconds: miss.first,
            previous_seconds: miss.previous,
            earlier_misses: miss.earlier_misses,
        }
    }
}

/// An answer of one kind.
pub trait Answer: DeserializeOwned {
    /// As it looks, but for its number.
    const EXPECTED: &'static str;

    /// The question it answers.
    fn question(&self) -> u64;
}

/// To `begin`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ready {
    answer: u64,
    pub protocol: u32,
}

/// To what asks a predictor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedAnswer {
    answer: u64,
    /// Must be there, so that who forgets it is told; `null` for no opinion.
    #[serde(deserialize_with = "Option::deserialize")]
    pub planned_seconds: Option<f64>,
}

/// To what asks a forecaster.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitResponse {
    answer: u64,
    pub wait_seconds: Vec<f64>,
}

/// To what asks a policy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartsAnswer {
    answer: u64,
    pub starts: Vec<u64>,
    #[serde(default)]
    pub again_at_seconds: Option<i64>,
}

macro_rules! answers {
    ($($answer:ident: $expected:literal),* $(,)?) => {$(
        impl Answer for $answer {
            const EXPECTED: &'static str = $expected;
            fn question(&self) -> u64 {
                self.answer
            }
        }
    )*};
}

answers! {
    Ready: "\"protocol\":1",
    PlannedAnswer: "\"planned_seconds\":SECONDS or null",
    WaitResponse: "\"wait_seconds\":[SECONDS, ...]",
    StartsAnswer: "\"starts\":[JOB, ...] and, if wanted, \"again_at_seconds\":TIME",
}
