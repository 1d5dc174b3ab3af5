//! The whole queue as it was told every ten lab minutes: ranges that held, and who got no estimate.

use std::collections::BTreeMap;

use queuecast_api::forecast::{ForecastResponse, StateResponse};
use queuecast_api::ranges::TimeRangeResponse;
use queuecast_workload::Time;

use crate::starts::Starts;
use crate::told::QueueTold;

/// What the daemon says of jobs that are held, and what Slurm says of them.
const HELD: [&str; 4] = ["held", "JobHeldUser", "JobHeldAdmin", "JobHoldMaxRequeue"];

/// Whether a word, the daemon's or Slurm's, says that a job is held.
pub fn is_held(word: Option<&str>) -> bool {
    word.is_some_and(|word| HELD.contains(&word))
}

/// A forecast in one reading of a job that started later.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedReading {
    /// The job as Slurm writes it.
    pub job: String,
    /// When it was read.
    pub read: Time,
    /// The partition it started in.
    pub partition: String,
    /// From the reading to the start, in seconds.
    pub left_seconds: f64,
    /// The same as it was told, in the middle.
    pub told_seconds: f64,
    /// How wide the 80 % range was.
    pub width_seconds: f64,
    /// Whether the start came within the ranges of 50, 80 and 95 %.
    pub is_held: [bool; 3],
    /// How far Slurm's own plan was off at that moment, if it had one.
    pub slurm_error_seconds: Option<f64>,
    /// Whether the 80 % range began before the reading.
    pub begins_in_the_past: bool,
}

impl JudgedReading {
    /// How far the middle was off.
    pub fn error_seconds(&self) -> f64 {
        (self.told_seconds - self.left_seconds).abs()
    }

    /// The same of one stretch among others, whose numbers of jobs begin anew.
    #[must_use]
    pub fn of_stretch(&self, name: &str) -> Self {
        Self { job: format!("{name} {}", self.job), ..self.clone() }
    }
}

/// Who waited at the readings, counted at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingCounts {
    /// Readings.
    pub readings: usize,
    /// Readings without an answer.
    pub without_answer: usize,
    /// Waiting jobs, held ones aside.
    pub waiting: usize,
    /// Held ones.
    pub held: usize,
    /// Those without an estimate, by the daemon's word for it, held ones aside.
    pub no_forecast: BTreeMap<String, usize>,
    /// Those with an estimate that never started in the recording.
    pub never_started: usize,
    /// Those that were told as waiting when they had started since the queue was last read.
    pub started_meanwhile: usize,
}

impl WaitingCounts {
    /// Those without an estimate.
    pub fn without_estimate(&self) -> usize {
        self.no_forecast.values().sum()
    }

    /// Adds those of another stretch.
    pub fn add(&mut self, other: &Self) {
        self.readings += other.readings;
        self.without_answer += other.without_answer;
        self.waiting += other.waiting;
        self.held += other.held;
        super::add_counts(&mut self.no_forecast, &other.no_forecast);
        self.never_started += other.never_started;
        self.started_meanwhile += other.started_meanwhile;
    }
}

/// Every forecast of every reading.
pub fn judge(queues: &[QueueTold], starts: &Starts) -> (Vec<JudgedReading>, WaitingCounts) {
    let mut counts = WaitingCounts::default();
    let mut judged = Vec::new();
    for queue in queues {
        counts.readings += 1;
        let now = queue.answer.now.unix;
        let read = now - queue.answer.data_age_seconds.unwrap_or(0);
        for job in queue.answer.jobs.iter().filter(|job| job.state == StateResponse::Waiting) {
            judged.extend(judge_one(job, now, read, starts, &mut counts));
        }
    }
    (judged, counts)
}

fn judge_one(
    job: &ForecastResponse,
    now: i64,
    read: i64,
    starts: &Starts,
    counts: &mut WaitingCounts,
) -> Option<JudgedReading> {
    let code = job.no_forecast.as_ref().map(|none| none.code.as_str());
    let words = [code, job.job.reason.as_deref()];
    if words.into_iter().any(is_held) {
        counts.held += 1;
        return None;
    }
    counts.waiting += 1;
    let Some(told) = &job.start else {
        *counts.no_forecast.entry(code.unwrap_or("nothing said").to_owned()).or_default() += 1;
        return None;
    };
    let id = job.job.id.clone()?;
    let Some(start) = starts.next(&id, Time(read)) else {
        counts.never_started += 1;
        return None;
    };
    let started = start.at.0;
    if started < now {
        counts.started_meanwhile += 1;
        return None;
    }
    let holds = |range: &TimeRangeResponse| (range.from.unix..=range.to.unix).contains(&started);
    let planned = job.slurm_estimated_start.as_ref().map(|planned| planned.unix);
    Some(JudgedReading {
        job: id,
        read: Time(now),
        partition: start.partition.clone(),
        left_seconds: (started - now) as f64,
        told_seconds: (told.median.unix - now) as f64,
        width_seconds: (told.range80.to.unix - told.range80.from.unix) as f64,
        is_held: [holds(&told.range50), holds(&told.range80), holds(&told.range95)],
        slurm_error_seconds: planned.map(|planned| (planned - started).abs() as f64),
        begins_in_the_past: told.range80.from.unix < now,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::starts::Start;

    const NOW: i64 = 1_000;

    fn moment(unix: i64) -> Value {
        json!({"unix": unix, "utc": ""})
    }

    /// A waiting job that is told to start between two times; without an estimate if they are not said.
    fn job(id: &str, told: Option<(i64, i64)>, code: &str, planned: Option<i64>) -> ForecastResponse {
        let range = |(from, to)| json!({"from": moment(from), "to": moment(to)});
        let start = told.map(|(from, to)| {
            let of = range((from, to));
            json!({"median": moment(i64::midpoint(from, to)), "seconds_from_now": 0, "range50": of, "range80": of, "range95": of})
        });
        let none = told.is_none().then(|| json!({"code": code, "message": ""}));
        let answer = json!({
            "cluster": "site", "state": "waiting", "now": moment(NOW), "start": start, "no_forecast": none, "stored": true,
            "slurm_estimated_start": planned.map(moment), "job": {"id": id, "partitions": ["batch"], "reason": "Priority"},
        });
        serde_json::from_value(answer).expect("an answer")
    }

    fn starts() -> Starts {
        let mut starts = Starts::default();
        for (number, at) in [(1, 1_200), (2, 5_000), (3, 990)] {
            starts.add((number, None), Start { at: Time(at), partition: "long".to_owned() });
        }
        starts
    }

    #[test]
    fn ranges_are_judged_by_the_start_and_everybody_else_is_counted() {
        let jobs = vec![
            job("1", Some((1_100, 1_300)), "", Some(1_900)),
            job("2", Some((1_100, 1_300)), "", None),
            job("3", Some((1_000, 1_300)), "", None),
            job("4", Some((1_000, 1_300)), "", None),
            job("5", None, "dependency", None),
            job("6", None, "held", None),
        ];
        let answer = json!({"cluster": "site", "now": moment(NOW), "data_age_seconds": 20, "jobs": jobs});
        let told = QueueTold { offset_seconds: 0, answer: serde_json::from_value(answer).expect("an answer") };
        let (judged, counts) = judge(&[told], &starts());
        let [held, missed] = judged.as_slice() else { panic!("{judged:?}") };
        assert_eq!((held.is_held, missed.is_held), ([true; 3], [false; 3]));
        assert_eq!((held.left_seconds, held.error_seconds(), held.slurm_error_seconds), (200.0, 0.0, Some(700.0)));
        assert_eq!((held.partition.as_str(), held.width_seconds, missed.left_seconds), ("long", 200.0, 4_000.0));
        assert_eq!((counts.waiting, counts.held, counts.started_meanwhile, counts.never_started), (5, 1, 1, 1));
        assert_eq!(counts.no_forecast, BTreeMap::from([("dependency".to_owned(), 1)]));
    }
}
