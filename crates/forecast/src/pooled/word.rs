//! What the model's futures say of one job, in the form the experts take it.

use super::curve::WaitCurve;

/// The model's word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Word {
    /// How its futures are spread.
    pub curve: WaitCurve,
    /// At these shares, in seconds: 10, 25, 50, 75 and 90 %.
    pub quantiles: [f32; 5],
    /// The middle.
    pub median_seconds: f64,
    /// The share of futures in which it starts within a minute.
    pub at_once: f64,
}

impl Word {
    /// Of waits that are left in each future, in seconds. Sorts them.
    pub fn of(waits: &mut [f64]) -> Self {
        waits.sort_by(f64::total_cmp);
        Self::of_sorted(waits)
    }

    /// Of sorted waits; of none the job starts at once.
    pub fn of_sorted(waits: &[f64]) -> Self {
        let at = |share: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let rank = (share * waits.len() as f64).ceil() as usize;
            waits.get(rank.clamp(1, waits.len().max(1)) - 1).copied().unwrap_or(0.0)
        };
        #[expect(clippy::cast_possible_truncation, reason = "seconds")]
        let quantiles = [0.1, 0.25, 0.5, 0.75, 0.9].map(|share| at(share) as f32);
        let soon = waits.iter().filter(|wait| **wait <= 60.0).count();
        Self {
            curve: WaitCurve::of(waits.iter().copied()),
            quantiles,
            median_seconds: at(0.5),
            at_once: if waits.is_empty() { 1.0 } else { soon as f64 / waits.len() as f64 },
        }
    }
}
