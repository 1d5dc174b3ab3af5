//! What is told of a job, and when. Pure: what was seen goes in, messages come out.
//!
//! Not for: sending them (`outbox`, `deliver`).

use std::time::Duration;

use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_api::ranges::TimesResponse;
use queuecast_api::time::Moment;
use serde::{Deserialize, Serialize};

/// What is known of the job.
#[derive(Debug)]
pub enum Seen {
    /// It waits or runs.
    There(Box<ForecastResponse>),
    /// It does neither.
    Gone,
    /// Nobody knows yet.
    Unknown,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Somebody has asked to be told of it.
    Asked,
    /// Its median start is nearer than was asked for.
    AboutToStart,
    /// It runs.
    Started,
    /// It waited and is no longer there: taken back, or started and ended between two looks.
    Gone,
}

impl Kind {
    /// As it is written in keys and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::AboutToStart => "about_to_start",
            Self::Started => "started",
            Self::Gone => "gone",
        }
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The same for every try of this message, and for whoever else tells the same of this job.
    pub key: String,
    /// What happened.
    pub event: Kind,
    /// The cluster's name.
    pub cluster: String,
    /// As Slurm writes it.
    pub job_id: Option<String>,
    /// The job's name. It is what its user made it.
    pub job_name: Option<String>,
    /// The cluster's time at the last answer.
    pub now: Moment,
    /// When it starts, as last forecast; when it did, if it has.
    pub start: Option<TimesResponse>,
}

impl Message {
    /// Numbers of jobs come again after some years, so the submission is in the key.
    pub fn of(kind: Kind, answer: &ForecastResponse) -> Self {
        let submitted = answer.submitted.as_ref().map_or(0, |submitted| submitted.unix);
        let number = answer.job.job_id.unwrap_or_default();
        Self {
            key: format!("queuecast:{}:{number}:{submitted}:{}", answer.cluster, kind.name()),
            event: kind,
            cluster: answer.cluster.clone(),
            job_id: answer.job.id.clone(),
            job_name: answer.job.name.clone(),
            now: answer.now.clone(),
            start: answer.start.clone(),
        }
    }
}

/// One job, watched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    before_seconds: Option<u64>,
    /// What is told if it is not there the next time.
    if_gone: Option<Message>,
    has_warned: bool,
    is_over: bool,
}

impl Watch {
    /// Told `before` its median start, or not at all.
    pub fn new(before: Option<Duration>) -> Self {
        Self { before_seconds: before.map(|before| before.as_secs()), if_gone: None, has_warned: false, is_over: false }
    }

    /// Whether nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The message that follows from what was seen.
    pub fn see(&mut self, seen: &Seen) -> Option<Message> {
        if self.is_over {
            return None;
        }
        match seen {
            Seen::Unknown => None,
            Seen::Gone => {
                self.is_over = true;
                self.if_gone.take()
            }
            Seen::There(answer) => {
                self.if_gone = Some(Message::of(Kind::Gone, answer));
                if answer.state == StateResponse::Running {
                    self.is_over = true;
                    return Some(Message::of(Kind::Started, answer));
                }
                let before = i64::try_from(self.before_seconds?).unwrap_or(i64::MAX);
                let is_near = answer.start.as_ref().is_some_and(|start| start.seconds_from_now <= before);
                if self.has_warned || !is_near {
                    return None;
                }
                self.has_warned = true;
                Some(Message::of(Kind::AboutToStart, answer))
            }
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn waiting(seconds: i64) -> Seen {
        Seen::There(Box::new(sample::starting_in(7, seconds)))
    }

    fn running() -> Seen {
        let mut job = sample::waiting(7);
        job.state = StateResponse::Running;
        Seen::There(Box::new(job))
    }

    fn told(before: Option<u64>, seen: &[Seen]) -> Vec<Kind> {
        let mut watch = Watch::new(before.map(Duration::from_secs));
        seen.iter().filter_map(|seen| watch.see(seen)).map(|message| message.event).collect()
    }

    #[test]
    fn each_event_is_told_once() {
        let seen =
            [waiting(900), waiting(601), waiting(600), waiting(700), waiting(10), running(), running(), Seen::Gone];
        assert_eq!(told(Some(600), &seen), [Kind::AboutToStart, Kind::Started]);
        assert_eq!(told(None, &seen), [Kind::Started]);
    }

    #[test]
    fn a_job_that_is_no_longer_there_is_gone_unless_the_daemon_does_not_know() {
        assert_eq!(told(Some(600), &[waiting(900), Seen::Unknown, waiting(890), Seen::Gone]), [Kind::Gone]);
        assert_eq!(told(Some(600), &[Seen::There(Box::new(sample::held(7))), Seen::Gone]), [Kind::Gone]);
    }

    #[test]
    fn keys_tell_events_and_jobs_apart_and_nothing_else() {
        let key = |job: &ForecastResponse, kind| Message::of(kind, job).key;
        let (mut job, later) = (sample::waiting(7), sample::starting_in(7, 60));
        assert_eq!(key(&job, Kind::Started), "queuecast:alpha:7:1763208600:started");
        assert_eq!(key(&job, Kind::Started), key(&later, Kind::Started));
        assert_ne!(key(&job, Kind::Started), key(&job, Kind::Gone));
        job.submitted = None;
        assert_ne!(key(&job, Kind::Started), key(&later, Kind::Started));
    }
}
