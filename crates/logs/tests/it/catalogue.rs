//! The catalogue: each log is recognised by its content and nothing else, and what is said of it agrees with the log.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use queuecast_logs::catalogue::{examine, known_logs, recognise};
use queuecast_logs::{SizeFrom, TraceSource};
use queuecast_testkit::shared_dir;
use queuecast_workload::files::{Input, Output};
use tempfile::TempDir;

/// Packed as the ending of the name says.
fn write(folder: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    let mut output = Output::create(&path).expect("creates");
    output.write_all(content).expect("writes");
    output.finish().expect("finishes");
    path
}

#[test]
fn no_two_entries_have_a_name_or_a_hash_in_common() {
    let mut seen = HashSet::new();
    for log in known_logs() {
        assert!(seen.insert(log.name), "{}", log.name);
        let hashes = log.file.iter().flat_map(|file| [file.packed_sha256, Some(file.content_sha256)]);
        for hash in hashes.flatten() {
            assert!(hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{}", log.name);
            assert!(seen.insert(hash), "{}", log.name);
        }
    }
}

#[test]
fn every_entry_says_how_large_the_machine_is_and_whom_to_acknowledge() {
    for log in known_logs() {
        assert!(log.processors > 0 && !log.system.is_empty() && !log.acknowledge.is_empty(), "{}", log.name);
        assert!(log.kept_at.starts_with("https://") && !log.terms.is_empty(), "{}", log.name);
    }
}

#[test]
fn what_was_there_less_the_cuts_is_what_is_there() {
    let mut cleaned = 0;
    for log in known_logs() {
        if let Some(before) = log.jobs_before_cleaning {
            let cut: u64 = log.cuts.iter().map(|cut| cut.jobs).sum();
            assert_eq!(Some(before - cut), log.jobs, "{}", log.name);
            cleaned += 1;
        }
    }
    assert!(cleaned >= 14, "{cleaned} cleaned logs");
}

#[test]
fn a_hash_is_that_of_the_standard_and_of_what_is_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    for name in ["abc.swf", "abc.swf.gz", "abc.swf.zst"] {
        let path = write(&folder, name, b"abc");
        let examined = examine(&path).expect("reads");
        assert_eq!(examined.content_sha256, abc, "{name}");
        assert_eq!(examined.stored_sha256 == abc, name == "abc.swf", "{name}");
        assert!(examined.log.is_none() && !examined.is_as_distributed, "{name}");
        assert!(recognise(&path).expect("reads").is_none(), "{name}");
    }
}

#[test]
fn a_log_that_is_not_known_has_the_size_of_its_header() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = TraceSource::open(&write(&folder, "own.swf", b"; MaxProcs: 8\n")).expect("opens");
    let size = source.machine_size().expect("the header says it");
    assert_eq!((size.machine.processors, size.from), (8, SizeFrom::Header));
    assert!(source.known().is_none());
}

#[test]
fn a_pipe_and_a_file_that_is_not_there_are_not_known() {
    assert!(recognise(Path::new("-")).expect("nothing is read").is_none());
    assert!(recognise(Path::new("/no/such/log.swf")).expect("nothing is read").is_none());
    assert!(examine(Path::new("/no/such/log.swf")).expect_err("missing").to_string().contains("log.swf"));
}

#[test]
fn an_empty_and_a_broken_file_are_not_known() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in [("empty", &b""[..]), ("short", &b"\x1f\x8b"[..]), ("cut", &b"\x1f\x8b\x08\x00\x00"[..])] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("writes");
        assert!(recognise(&path).expect("reads").is_none(), "{name}");
    }
}

#[test]
fn every_listed_log_is_recognised_with_as_many_jobs_and_the_size_of_its_header() {
    let Some(shared) = shared_dir() else { return };
    for log in known_logs().iter().filter(|log| log.file.is_some()) {
        let path = shared.join("traces").join(format!("{}.swf.gz", log.name));
        let is_packed_by_others = log.file.is_some_and(|file| file.packed_sha256.is_some());
        assert_eq!(examine(&path).expect("reads").is_as_distributed, is_packed_by_others, "{}", log.name);
        let mut source = TraceSource::open(&path).expect("opens");
        assert_eq!(source.known().map(|log| log.name), Some(log.name));
        assert_eq!(source.header().max_procs(), Some(log.processors), "{}", log.name);
        let size = source.machine_size().expect("is known");
        assert_eq!((size.machine.processors, size.from), (log.processors, SizeFrom::Catalogue), "{}", log.name);
        assert_eq!(Some(source.by_ref().flatten().count() as u64), log.jobs, "{}", log.name);
    }
}

#[test]
fn a_known_log_is_recognised_unpacked_and_packed_otherwise_and_not_with_a_byte_changed() {
    let Some(shared) = shared_dir() else { return };
    let mut content = Vec::new();
    let packed = shared.join("traces/NASA-iPSC-1993-3.1-cln.swf.gz");
    Input::open(&packed).expect("opens").read_to_end(&mut content).expect("reads");

    let folder = tempfile::tempdir().expect("a folder");
    for name in ["another-name", "log.swf.gz", "log.swf.zst"] {
        let examined = examine(&write(&folder, name, &content)).expect("reads");
        assert_eq!(examined.log.map(|log| log.processors), Some(128), "{name}");
        assert!(!examined.is_as_distributed, "{name}");
    }
    let last = content.len() - 2;
    content[last] ^= 1;
    for name in ["changed.swf", "changed.swf.gz", "changed.swf.zst"] {
        assert!(recognise(&write(&folder, name, &content)).expect("reads").is_none(), "{name}");
    }
}
