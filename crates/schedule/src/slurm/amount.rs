//! So much of each kind of resource.

use std::ops::{AddAssign, SubAssign};

/// So much of each kind. What is free may be below zero for a moment: Slurm's answers are not taken at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Amount {
    /// Processors, as Slurm counts CPUs.
    pub processors: i64,
    /// Memory.
    pub memory_mebibytes: i64,
    /// GPUs.
    pub gpus: i64,
}

impl Amount {
    /// Nothing.
    pub const NONE: Self = Self { processors: 0, memory_mebibytes: 0, gpus: 0 };

    /// More than anything has, of each kind: a limit that is none.
    pub const UNLIMITED: Self = Self { processors: 1 << 60, memory_mebibytes: 1 << 60, gpus: 1 << 60 };

    /// Processors alone.
    pub const fn processors(processors: i64) -> Self {
        Self { processors, memory_mebibytes: 0, gpus: 0 }
    }

    /// So many times as much.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        let count = i64::from(count);
        Self {
            processors: self.processors.saturating_mul(count),
            memory_mebibytes: self.memory_mebibytes.saturating_mul(count),
            gpus: self.gpus.saturating_mul(count),
        }
    }

    /// For so many seconds.
    #[must_use]
    pub fn times_seconds(self, seconds: i64) -> Self {
        Self {
            processors: self.processors.saturating_mul(seconds),
            memory_mebibytes: self.memory_mebibytes.saturating_mul(seconds),
            gpus: self.gpus.saturating_mul(seconds),
        }
    }

    /// The lesser of each kind.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        Self {
            processors: self.processors.min(other.processors),
            memory_mebibytes: self.memory_mebibytes.min(other.memory_mebibytes),
            gpus: self.gpus.min(other.gpus),
        }
    }

    /// Whether this holds all of that. A kind that is not asked for cannot be short.
    pub fn holds(self, asked: Self) -> bool {
        let enough = |free: i64, asked: i64| asked <= 0 || free >= asked;
        enough(self.processors, asked.processors)
            && enough(self.memory_mebibytes, asked.memory_mebibytes)
            && enough(self.gpus, asked.gpus)
    }

    /// How many times this holds that, at most `most`.
    pub fn holds_times(self, each: Self, most: u32) -> u32 {
        // Most are asked for once, or are not there at all: this is asked more than anything else, and divisions are slow.
        let holds = self.holds(each);
        if most <= 1 || !holds {
            return if holds { most } else { 0 };
        }
        let times = |free: i64, each: i64| if each <= 0 { i64::from(most) } else { (free / each).max(0) };
        let least = times(self.processors, each.processors)
            .min(times(self.memory_mebibytes, each.memory_mebibytes))
            .min(times(self.gpus, each.gpus));
        u32::try_from(least).unwrap_or(u32::MAX).min(most)
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.processors = self.processors.saturating_add(other.processors);
        self.memory_mebibytes = self.memory_mebibytes.saturating_add(other.memory_mebibytes);
        self.gpus = self.gpus.saturating_add(other.gpus);
    }
}

impl SubAssign for Amount {
    fn sub_assign(&mut self, other: Self) {
        self.processors = self.processors.saturating_sub(other.processors);
        self.memory_mebibytes = self.memory_mebibytes.saturating_sub(other.memory_mebibytes);
        self.gpus = self.gpus.saturating_sub(other.gpus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scarcest_kind_decides_and_what_is_not_asked_for_cannot_be_short() {
        let free = Amount { processors: 10, memory_mebibytes: 100, gpus: -1 };
        assert!(free.holds(Amount { processors: 10, memory_mebibytes: 100, gpus: 0 }));
        assert!(!free.holds(Amount { processors: 1, memory_mebibytes: 1, gpus: 1 }));
        assert_eq!(free.holds_times(Amount { processors: 2, memory_mebibytes: 30, gpus: 0 }, 9), 3);
        assert_eq!(free.holds_times(Amount::processors(3), 2), 2);
        assert_eq!(Amount::processors(-5).holds_times(Amount::processors(3), 2), 0);
    }
}
