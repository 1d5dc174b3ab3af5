//! What `qcast why` promises, tried: the same piece of a log with and without the change. Needs the logs (`QCAST_SHARED`).

#[path = "../examples/offline_replay/piece.rs"]
mod piece;
#[path = "../examples/counterfactuals/trial.rs"]
mod trial;

use piece::Piece;
use queuecast_testkit::shared_dir;
use trial::{Tally, trials};

/// Pieces of experiments/counterfactuals: one where nearly all promises came true, and one of the two with the fewest.
const PIECES: [(&str, usize, u32, u32); 2] =
    [("CTC-SP2-1996-3.1-cln.swf.gz", 33_200, 85, 4), ("KTH-SP2-1996-2.1-cln.swf.gz", 14_000, 100, 1)];

#[test]
fn a_change_that_promises_half_an_hour_lets_the_job_start_earlier_in_at_least_80_of_100_cases() {
    let Some(shared) = shared_dir() else { return };
    let tried = PIECES.map(|(log, skip, nodes, processors_per_node)| {
        let log = shared.join("traces").join(log);
        let piece = Piece::read(&log, skip, 500, 5_000, nodes, processors_per_node).expect("the log has such jobs");
        trials(&piece)
    });
    let told = tried.iter().flatten().filter(|trial| trial.kind != "first in the queue");
    let tally = Tally::of(told);
    assert!(tally.promised >= 120, "too few to say anything: {tally:?}");
    assert!(tally.share_earlier() >= 0.8, "{tally:?}");
    assert!(tally.later <= 2, "{tally:?}");
}
