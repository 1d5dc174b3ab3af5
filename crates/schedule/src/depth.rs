//! How many reservations a policy honours: from EASY's one to everybody's.

use std::fmt;
use std::str::FromStr;

use queuecast_workload::UnknownName;

/// How many of the jobs that cannot start hold a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Depth(
    /// At least one; `u32::MAX` means all.
    u32,
);

impl Depth {
    /// One, the head's: EASY.
    pub const EASY: Self = Self(1);
    /// Every waiting job, made anew at every pass.
    pub const ALL: Self = Self(u32::MAX);

    /// How many reservations that is at most.
    pub fn reservations(self) -> u32 {
        self.0
    }

    /// The first `count` jobs that cannot start; `None` for none.
    pub fn first(count: u32) -> Option<Self> {
        (count > 0).then_some(Self(count))
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL { f.write_str("all") } else { write!(f, "{}", self.0) }
    }
}

impl FromStr for Depth {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let depth = if text == "all" { Some(Self::ALL) } else { text.parse().ok().and_then(Self::first) };
        depth.ok_or_else(|| UnknownName::new("depth", text, "a count from 1, or all"))
    }
}
