//! Whole seconds: a point in time and a span of it are different types.
//!
//! Integer seconds are what batch systems log and what makes two runs give the same bytes. Zones and calendars
//! belong to the rim, not here.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// A span of time in whole seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seconds(pub i64);

/// A point in time, in whole seconds since the origin of its trace (or the Unix epoch, live).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

impl Seconds {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The largest span the core computes with, about 31,700 years. Readers refuse anything longer, so that sums
    /// of a few spans cannot overflow.
    pub const MAX: Self = Self(1_000_000_000_000);

    /// The span as a real number, for means and ratios.
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

impl Time {
    /// The latest point the core computes with; see [`Seconds::MAX`].
    pub const MAX: Self = Self(Seconds::MAX.0);
}

impl Add for Seconds {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Seconds {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Seconds {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Add<Seconds> for Time {
    type Output = Self;
    fn add(self, span: Seconds) -> Self {
        Self(self.0 + span.0)
    }
}

impl Sub<Seconds> for Time {
    type Output = Self;
    fn sub(self, span: Seconds) -> Self {
        Self(self.0 - span.0)
    }
}

impl Sub for Time {
    type Output = Seconds;
    fn sub(self, earlier: Self) -> Seconds {
        Seconds(self.0 - earlier.0)
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
