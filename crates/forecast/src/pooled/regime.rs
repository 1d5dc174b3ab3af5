//! Kinds of answers that are learnt apart: by how long it takes, and by whether the job has only come or has waited.

/// Where one kind ends and the next begins, in seconds.
const BOUNDS: [f64; 8] = [60.0, 600.0, 1_800.0, 7_200.0, 21_600.0, 43_200.0, 86_400.0, 259_200.0];

/// Up to so many seconds a job has only come: a daemon that reads a queue now and then sees nobody at its first second.
const ONLY_COME_SECONDS: f64 = 600.0;

/// How many there are.
pub const REGIMES: usize = 2 * (BOUNDS.len() + 1);

/// The kind of an answer.
pub fn regime(seconds: f64, waited_seconds: f64) -> usize {
    let bin = BOUNDS.iter().filter(|bound| seconds > **bound).count();
    bin + if waited_seconds > ONLY_COME_SECONDS { BOUNDS.len() + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_a_little_late_is_of_the_kind_of_what_was_asked_before_it_came() {
        assert_eq!(regime(0.0, 0.0), regime(60.0, 120.0));
        assert_ne!(regime(0.0, 0.0), regime(0.0, 3_600.0));
        assert_eq!(regime(1e9, 1e9), REGIMES - 1);
    }
}
