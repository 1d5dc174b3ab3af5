//! Records for tests.

use queuecast_records::{JobKey, JobPart, JobRecord, JobState, TimeLimit, Tres};
use queuecast_workload::{Seconds, Time};

fn record(number: u64, submitted: i64, state: &str) -> JobRecord {
    let key = JobKey {
        cluster: "alpha".into(),
        job_id: number,
        part: JobPart::Whole,
        submitted: Time(submitted),
        sluid: None,
    };
    let mut record = JobRecord::new(key, JobState::from_words([state]));
    record.name = "sim".into();
    record.user = "anna".into();
    record.user_id = Some(20_001);
    record.account = "physics".into();
    record.partitions = vec!["batch".into()];
    record.qos = "normal".into();
    record.limit = TimeLimit::Minutes(60);
    record.requested = Tres { cpus: Some(4), nodes: Some(1), ..Tres::default() };
    record.eligible = Some(Time(submitted));
    record
}

/// One that waits.
pub fn waiting(number: u64, submitted: i64) -> JobRecord {
    record(number, submitted, "PENDING")
}

/// One that runs.
pub fn running(number: u64, submitted: i64, started: i64) -> JobRecord {
    let mut record = record(number, submitted, "RUNNING");
    record.started = Some(Time(started));
    record.allocated = Tres { cpus: Some(8), nodes: Some(1), ..Tres::default() };
    record.nodes = "alpha1".into();
    record
}

/// One that ran.
pub fn ended(number: u64, submitted: i64, started: i64, ended: i64) -> JobRecord {
    let mut record = running(number, submitted, started);
    record.state = JobState::from_words(["COMPLETED"]);
    record.ended = Some(Time(ended));
    record.elapsed = Some(Seconds(ended - started));
    record
}

/// One that left before it started.
pub fn withdrawn(number: u64, submitted: i64, at: i64) -> JobRecord {
    let mut record = record(number, submitted, "CANCELLED");
    record.ended = Some(Time(at));
    record
}

impl super::Store {
    /// As if the disk could only be read.
    pub fn refuse_writes(&self, is_refused: bool) {
        self.connection.pragma_update(None, "query_only", is_refused).expect("a setting of SQLite's");
    }
}
