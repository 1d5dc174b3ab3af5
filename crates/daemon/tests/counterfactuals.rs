//! What `qcast why` promises, tried: the same piece of a log with and without the change. Needs the logs (`QCAST_SHARED`).

#[path = "../examples/offline_replay/piece.rs"]
mod piece;
#[path = "../examples/counterfactuals/trial.rs"]
mod trial;

use piece::Piece;
use queuecast_testkit::shared_dir;
use trial::{Tally, trials};

#[test]
fn a_change_that_promises_half_an_hour_lets_the_job_start_earlier_in_at_least_85_of_100_cases() {
    let Some(shared) = shared_dir() else { return };
    let piece = Piece::read(&shared.join("traces/CTC-SP2-1996-3.1-cln.swf.gz"), 33_200, 300, 2_000, 85, 4)
        .expect("the log has such jobs");
    let trials = trials(&piece);
    let tally = Tally::of(trials.iter().filter(|trial| trial.kind != "first in the queue"));
    assert!(tally.promised >= 50, "too few to say anything: {tally:?}");
    assert!(tally.share_earlier() >= 0.85, "{tally:?}");
}
