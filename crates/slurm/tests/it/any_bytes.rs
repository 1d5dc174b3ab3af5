//! The promise the decoders make on any bytes, as functions: the fuzzer and the properties both run them.

use queuecast_records::history::History;
use queuecast_records::{NODES_MAX, NodeList};
use queuecast_slurm::json::Document;
use queuecast_slurm::text::{self, Entry, Mark, RECORD_BYTES_MAX, SacctReader};

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
    let _ = (document.nodes(), document.partitions(), document.reservations(), document.diagnostics(), document.qos());
    let _ = (document.users(), document.associations());
    if let Ok(shares) = document.shares() {
        assert!(shares.records.iter().all(|share| share.usage.is_finite()));
    }
}

/// Reads the bytes as a list of nodes, and writes out the beginning of it.
///
/// # Panics
///
/// If the list has more names than it may, or another number than it says.
pub fn read_node_list(bytes: &[u8]) {
    let Ok(list) = NodeList::parse(&String::from_utf8_lossy(bytes)) else { return };
    assert!(list.count() <= NODES_MAX);
    if list.count() <= 10_000 {
        assert_eq!(list.names().count() as u64, list.count());
    }
    assert!(list.names().take(1_000).all(|name| !name.is_empty() && !name.contains(['[', ']', ','])));
}

/// Reads the bytes as an answer of squeue: a record that is read has the number of its record, one that is not is told.
///
/// # Panics
///
/// If there are more records than ends of records, or a message is not plain text.
pub fn read_squeue(bytes: &[u8]) {
    let listing = text::squeue(bytes, &Mark::known("mark"), "alpha");
    let ends = String::from_utf8_lossy(bytes).matches("\u{1f}mark\n").count();
    assert!(listing.records.len() <= ends && listing.records.len() + listing.problems.len() <= ends + 1);
    assert!(listing.problems.iter().all(|problem| problem.to_string().is_ascii()));
}

/// Reads the bytes as everything that scontrol, sacctmgr and sdiag print.
///
/// # Panics
///
/// If a list has more records than lines.
pub fn read_scontrol(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').count();
    assert!(text::partitions(bytes).records.len() <= lines);
    assert!(text::reservations(bytes).records.len() <= lines);
    assert!(text::nodes(bytes).records.len() <= lines);
    assert!(text::qos(bytes).records.len() <= lines);
    let users = text::users(bytes).records;
    assert!(users.len() <= lines && users.iter().all(|user| !user.name.is_empty() && !user.name.contains('|')));
    let associations = text::associations(bytes).records;
    assert!(
        associations.len() <= lines
            && associations.iter().all(|one| !one.cluster.is_empty() && !one.account.is_empty())
    );
    let shares = text::shares(bytes).records;
    assert!(shares.len() <= lines && shares.iter().all(|one| !one.account.is_empty() && one.usage.is_finite()));
    assert!(text::layouts(bytes).records.len() <= lines);
    let _ = (text::configuration(bytes), text::diagnostics(bytes));
}
