//! A log written by hand from the manual, and what comes out of a log.
#![allow(dead_code, reason = "every test file compiles this anew and uses a part of it")]

use queuecast_openpbs::AccountingLog;
use queuecast_records::JobRecord;
use queuecast_records::history::History;
use queuecast_records::log::{RecordEntry, RecordLog};

/// A morning of a small server, an hour ahead of UTC: every fate a job can have.
pub const SAMPLE: &[u8] = include_bytes!("../../samples/accounting");

/// Jobs, bad lines as they are told, and how many deletions of unknown jobs there were.
pub fn read(log: &[u8]) -> (Vec<JobRecord>, Vec<String>, u64) {
    let mut reader = AccountingLog::new(log, None);
    let (mut jobs, mut bad_lines) = (Vec::new(), Vec::new());
    while let Some(entry) = reader.next_entry().expect("memory reads") {
        match entry {
            RecordEntry::Job(job) => jobs.push(*job),
            RecordEntry::Bad(bad_line) => bad_lines.push(bad_line.to_string()),
        }
    }
    let left_out = reader.left_out().iter().map(|left_out| left_out.count).sum();
    (jobs, bad_lines, left_out)
}

/// The promise the reader makes on any bytes: no panic, no negative duration, and no message that is more than printable ASCII.
pub fn read_any_bytes(bytes: &[u8]) {
    let (jobs, bad_lines, _) = read(bytes);
    assert!(bad_lines.iter().all(|bad_line| bad_line.is_ascii()));
    let mut history = History::new();
    for attempt in jobs.iter().filter_map(|job| history.attempt(job)) {
        assert!(attempt.run.is_none_or(|run| run.0 >= 0) && attempt.wait.is_none_or(|wait| wait.0 >= 0));
        if let Some(traced) = attempt.traced() {
            assert_eq!(attempt.swf().to_traced(), Ok(traced));
        }
    }
}
