//! No bytes make the reader panic, and nothing of a damaged log passes in silence.

use crate::support::{SAMPLE, read, read_any_bytes};
use proptest::collection::vec;
use proptest::prelude::*;

/// Lines that nearly are records.
fn nearly_records() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![
        Just(b"1772445600".to_vec()),
        Just(b"01:00:00".to_vec()),
        Just(b"\"a b\"".to_vec()),
        vec(any::<u8>(), 0..5)
    ];
    let key = prop::sample::select(vec![
        "ctime",
        "qtime",
        "start",
        "end",
        "user",
        "exec_host",
        "exec_vnode",
        "Exit_status",
        "Resource_List.walltime",
        "run_count",
        "resources_used.walltime",
        "Resource_List.mem",
        "Resource_List.select",
        "account",
    ]);
    let attributes = vec((key, value), 0..6);
    let job = prop::sample::select(vec!["1.pbs", "2[3].pbs", "2[].pbs", "R4.pbs", "5"]);
    let line = (prop::sample::select(b"QSERDAMzCL".to_vec()), job, attributes).prop_map(|(kind, job, attributes)| {
        let mut line = format!("03/02/2026 10:00:00;{};{job};", char::from(kind)).into_bytes();
        for (key, value) in attributes {
            line.extend_from_slice(key.as_bytes());
            line.push(b'=');
            line.extend_from_slice(&value);
            line.push(b' ');
        }
        line
    });
    vec(line, 0..12).prop_map(|lines| lines.join(&b'\n'))
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in vec(any::<u8>(), 0..400)) {
        read_any_bytes(&bytes);
    }

    #[test]
    fn no_records_make_it_panic(log in nearly_records()) {
        read_any_bytes(&log);
    }

    #[test]
    fn a_log_that_ends_within_a_line_says_so(length in 1..SAMPLE.len()) {
        let (_, bad_lines, _) = read(&SAMPLE[..length]);
        let ends_with_line = SAMPLE[length - 1] == b'\n';
        prop_assert_eq!(bad_lines.len(), usize::from(!ends_with_line), "{:?}", bad_lines);
    }

    #[test]
    fn a_damaged_byte_costs_one_line_at_the_most(place in 0..SAMPLE.len(), byte in any::<u8>()) {
        prop_assume!(byte != b'\n' && SAMPLE[place] != b'\n');
        let mut log = SAMPLE.to_vec();
        log[place] = byte;
        read_any_bytes(&log);
        prop_assert!(read(&log).1.len() <= 1);
    }
}
