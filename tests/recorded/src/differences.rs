//! How far two sets of waits are from each other.

use std::collections::BTreeMap;
use std::fmt;

use crate::measures::{mean, median};
use crate::recording::Which;

/// How far waits are from each other, in seconds: those of the second less those of the first, of jobs that both have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences(pub Vec<f64>);

impl Differences {
    /// Between two.
    pub fn between(one: &BTreeMap<Which, f64>, other: &BTreeMap<Which, f64>) -> Self {
        Self(one.iter().filter_map(|(which, wait)| Some(other.get(which)? - wait)).collect())
    }

    /// The mean of their sizes.
    pub fn mean_size(&self) -> Option<f64> {
        mean(&self.sizes())
    }

    /// The middle of their sizes.
    pub fn median_size(&self) -> Option<f64> {
        median(self.sizes())
    }

    fn sizes(&self) -> Vec<f64> {
        self.0.iter().map(|difference| difference.abs()).collect()
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = |seconds: Option<f64>| seconds.unwrap_or(f64::NAN) / 60.0;
        write!(
            formatter,
            "{} jobs, mean absolute difference {:.1} min, median {:.1} min, bias {:+.1} min",
            self.0.len(),
            minutes(self.mean_size()),
            minutes(self.median_size()),
            minutes(mean(&self.0))
        )
    }
}
