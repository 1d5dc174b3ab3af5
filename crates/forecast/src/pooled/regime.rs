//! Kinds of answers that are learnt apart: by how long it takes, and by whether the job has only come or has waited.

/// Where one kind ends and the next begins, in seconds.
const BOUNDS: [f64; 8] = [60.0, 600.0, 1_800.0, 7_200.0, 21_600.0, 43_200.0, 86_400.0, 259_200.0];

/// How many there are.
pub const REGIMES: usize = 2 * (BOUNDS.len() + 1);

/// The kind of an answer.
pub fn regime(seconds: f64, has_waited: bool) -> usize {
    let bin = BOUNDS.iter().filter(|bound| seconds > **bound).count();
    bin + if has_waited { BOUNDS.len() + 1 } else { 0 }
}
