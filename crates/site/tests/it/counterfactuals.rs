//! What `qcast why` promises, tried: the same piece of a log with and without the change. Needs the logs (`QCAST_SHARED`).

use crate::piece::Piece;
use crate::trial::{Tally, trials};
use queuecast_testkit::shared_dir;

/// The pieces of experiments/counterfactuals: log, nodes, processors of a node, first jobs.
const PIECES: [(&str, u32, u32, &[usize]); 2] = [
    ("CTC-SP2-1996-3.1-cln.swf.gz", 85, 4, &[10_000, 17_000, 24_000, 33_200, 45_000]),
    ("KTH-SP2-1996-2.1-cln.swf.gz", 100, 1, &[5_800, 9_000, 14_000, 20_000]),
];

#[test]
fn a_change_that_promises_half_an_hour_lets_the_job_start_earlier_in_at_least_85_of_100_cases() {
    let Some(shared) = shared_dir() else { return };
    let mut tried = Vec::new();
    for (log, nodes, processors_per_node, firsts) in PIECES {
        let log = shared.join("traces").join(log);
        for first in firsts {
            let piece =
                Piece::read(&log, *first, 500, 5_000, nodes, processors_per_node).expect("the log has such jobs");
            tried.extend(trials(&piece));
        }
    }
    let told = tried.iter().filter(|trial| trial.kind != "first in the queue");
    let tally = Tally::of(told);
    assert!(tally.promised >= 400, "too few to say anything: {tally:?}");
    assert!(tally.share_earlier() >= 0.85, "{tally:?}");
    assert!(tally.later <= 2, "{tally:?}");
}
