//! How wide to run: the number of nodes, or of CPUs, with which a job ends soonest, waiting and running taken together.
//!
//! For: the scaling study that people do by hand. How much faster a job is on more is said by whoever asks
//! ([`SpeedupLaw`]) or learnt from the same user's earlier runs of the same program ([`ScalingMemory`]).
//!
//! Not for: when a job of some width would start (the queue played forward tells); mouldable jobs of a simulation
//! (`queuecast-schedule`).
//!
//! Source: Amdahl 1967; Downey's model, `queuecast_workload::mouldable::Speedup`.

mod law;
mod scaling;

pub use law::{SpeedupError, SpeedupLaw};
pub use scaling::{LearntScaling, ScalingMemory};

/// Widths worth asking about, up to the most there is: powers of two, the numbers halfway between them, and the most.
pub fn widths(most: u32) -> Vec<u32> {
    let powers = (0..32).map(|power| 1_u64 << power);
    let all = powers.flat_map(|width| [width, width + width / 2]);
    let mut widths: Vec<u32> =
        all.filter(|width| *width <= u64::from(most)).filter_map(|width| u32::try_from(width).ok()).collect();
    widths.push(most.max(1));
    widths.sort_unstable();
    widths.dedup();
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_grow_by_halves_and_end_with_the_most() {
        assert_eq!(widths(20), [1, 2, 3, 4, 6, 8, 12, 16, 20]);
        assert_eq!(widths(1), [1]);
        assert_eq!(widths(0), [1]);
        assert_eq!(widths(u32::MAX).last(), Some(&u32::MAX));
    }
}
