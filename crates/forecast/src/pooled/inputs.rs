//! What the forest looks at: the circumstances, what the model says in all its ways, and what waits have been lately.
//!
//! Cuts are drawn evenly between the least and the largest value, so whatever spans many sizes is put into logarithms.

use queuecast_workload::{Submission, Time};

use super::curve::WaitCurve;
use super::forest::UNKNOWN;
use super::recent_by_kind::Recent;
use super::word::Word;
use crate::circumstances::{Circumstances, INPUTS as CIRCUMSTANCES};
use crate::features::FEATURES;

const SECONDS_PER_DAY: i64 = 86_400;

/// How many there are.
pub const INPUTS: usize = CIRCUMSTANCES + 4 + 7 + 16;

/// Where the numbers of names stand: user, group, queue, program, partition.
const LABELS: [usize; 5] = [FEATURES + 1, FEATURES + 2, FEATURES + 3, FEATURES + 4, CIRCUMSTANCES + 2];

/// One job's.
pub type InputRow = [f32; INPUTS];

/// Puts together what is known of a job.
pub fn row(
    circumstances: &Circumstances<'_>,
    repaired: &Word,
    recent: &Recent,
    job: &Submission,
    now: Time,
) -> InputRow {
    let mut row = [UNKNOWN; INPUTS];
    let named = circumstances.named().map(|(name, value)| if is_label(name) { value } else { logarithm(value) });
    let waited = (now - job.submitted).as_f64().max(0.0);
    let day = (now.0.div_euclid(SECONDS_PER_DAY) + 3).rem_euclid(7);
    let others = [
        logarithm(waited),
        day as f64,
        job.partition.map_or(f64::NAN, |partition| f64::from(partition.0)),
        circumstances
            .state
            .room()
            .since(job.request.processors)
            .map_or(f64::NAN, |since| logarithm((now - since).as_f64())),
    ];
    let repaired_says = repaired.quantiles.iter().map(|wait| logarithm(f64::from(*wait)));
    let repaired_says = repaired_says.chain([repaired.at_once, circumstances.stuck as f64]);
    let recently = [recent.all, recent.partition, recent.class, recent.user];
    let recently = recently.iter().flat_map(|curve| at_shares(curve.as_ref()));
    let mut all = named.into_iter().chain(others).chain(repaired_says).chain(recently);
    for (place, value) in row.iter_mut().zip(all.by_ref()) {
        #[expect(clippy::cast_possible_truncation, reason = "inputs of trees")]
        let value = value as f32;
        if value.is_finite() {
            *place = value;
        }
    }
    debug_assert!(all.next().is_none(), "every input has a place");
    row
}

/// The same without names: their numbers are given anew at every start, in the order in which names are met.
pub fn without_labels(row: &InputRow) -> InputRow {
    let mut row = *row;
    for label in LABELS {
        row[label] = UNKNOWN;
    }
    row
}

/// Numbers without an order, and such as are small.
fn is_label(name: &str) -> bool {
    matches!(name, "user" | "group" | "queue" | "program" | "hour")
        || name.ends_with("_wait")
        || name.ends_with("share_of_use")
}

fn logarithm(value: f64) -> f64 {
    value.signum() * value.abs().ln_1p()
}

fn at_shares(curve: Option<&WaitCurve>) -> [f64; 4] {
    [0.25, 0.5, 0.75, 0.9].map(|share| curve.map_or(f64::NAN, |curve| logarithm(curve.quantile(share))))
}
