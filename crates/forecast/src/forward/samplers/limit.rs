//! Every job runs to its limit: what a scheduler that trusts its users would say.

use queuecast_workload::{Seconds, Time};

use crate::forward::samplers::{Prospect, RuntimeSampler};

/// The limit itself. Jobs without one run for ever.
#[derive(Clone, Debug, Default)]
pub struct LimitSampler {
    limits: Vec<Seconds>,
}

impl RuntimeSampler for LimitSampler {
    fn prepare(&mut self, prospects: &[Prospect], _now: Time) {
        self.limits.clear();
        self.limits.extend(prospects.iter().map(|prospect| prospect.submission.limit.unwrap_or(Seconds::MAX)));
    }

    fn sample(&self, place: usize, _uniform: f64) -> Seconds {
        self.limits[place]
    }
}
