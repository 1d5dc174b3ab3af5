//! Our Slurm's starts beside Slurm's: the model is told the true submissions and run times of a recording and starts everybody.

use std::collections::BTreeMap;

use queuecast_site::twin::starts;
use queuecast_workload::Seconds;

use crate::recording::{Recording, Which};

/// Whoever has not started by then does not.
const HORIZON: Seconds = Seconds(30 * 86_400);

/// What the model did.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// How long everybody waited in it, in seconds.
    pub waits: BTreeMap<Which, f64>,
    /// Who is not played, counted by why.
    pub not_modelled: BTreeMap<String, usize>,
}

/// Plays a recording.
pub fn play(recording: &Recording) -> Played {
    let played = starts(&recording.reading(), &recording.jobs(), HORIZON);
    let mut not_modelled: BTreeMap<String, usize> = BTreeMap::new();
    let mut offsets: BTreeMap<Which, f64> = BTreeMap::new();
    for (job, start) in recording.submitted.iter().zip(played) {
        match start {
            Ok(start) => {
                offsets.insert(job.which, (start - recording.began).as_f64());
            }
            Err(why) => *not_modelled.entry(why).or_default() += 1,
        }
    }
    Played { waits: recording.waits_of(&offsets), not_modelled }
}
