//! The promise the decoders make on any bytes, as functions: the fuzzer and the properties both run them.

use queuecast_slurm::history::History;
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{Entry, RECORD_BYTES_MAX, SacctReader};

/// Reads the bytes as an export, with and without an offset, and what comes out as history.
///
/// # Panics
///
/// If a duration is negative, or a record is put together beyond its limit. It also panics where the decoder does.
pub fn read_text(bytes: &[u8]) {
    for offset in [None, "+01:00".parse().ok()] {
        let Ok(reader) = SacctReader::new(bytes, offset) else { continue };
        let mut history = History::new();
        for entry in reader {
            match entry.expect("memory reads") {
                Entry::Job(job) => {
                    assert!(job.submit_line.len() <= 3 * RECORD_BYTES_MAX, "replacement characters have three bytes");
                    let Some(attempt) = history.attempt(&job) else { continue };
                    assert!(attempt.run.is_none_or(|run| run.0 >= 0) && attempt.wait.is_none_or(|wait| wait.0 >= 0));
                    if let Some(traced) = attempt.traced() {
                        assert_eq!(attempt.swf().to_traced(), Ok(traced));
                    }
                }
                Entry::Step => {}
                Entry::Bad(bad) => assert!(bad.to_string().is_ascii()),
            }
        }
    }
}

/// Reads the bytes as a document of every kind.
pub fn read_json(bytes: &[u8]) {
    let Ok(document) = Document::parse(bytes) else { return };
    let _ = (document.errors(), document.warnings(), document.release(), document.cluster());
    if let Ok(jobs) = document.jobs() {
        let mut history = History::new();
        for job in &jobs.records {
            if let Some(attempt) = history.attempt(job) {
                assert!(attempt.run.is_none_or(|run| run.0 >= 0) && attempt.wait.is_none_or(|wait| wait.0 >= 0));
            }
        }
    }
    let _ = (document.nodes(), document.partitions(), document.reservations(), document.diagnostics());
}
