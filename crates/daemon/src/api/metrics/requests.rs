//! Requests answered since the daemon began: how many, how fast, and the last that were slow.
//!
//! Not for: who asked what (`audit`). A route is told by its pattern, so nothing that was asked is in here.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use queuecast_api::operations::{RouteTimesResponse, SlowRequestResponse};
use queuecast_site::observed::Histogram;
use queuecast_workload::Time;

/// Bounds of how long an answer takes.
const BOUNDS_SECONDS: &[f64] = &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
/// An answer that takes longer is slow.
const SLOW: Duration = Duration::from_millis(500);
/// So many slow ones are remembered.
const SLOW_MOST: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OfRequest {
    route: String,
    status: u16,
}

#[derive(Debug, Default)]
struct Speed {
    by_route: BTreeMap<String, Histogram>,
    slow: VecDeque<SlowRequestResponse>,
}

/// Requests answered since the daemon began.
#[derive(Clone, Default)]
pub(crate) struct Requests {
    pub(super) counts: Family<OfRequest, Counter>,
    speed: Arc<Mutex<Speed>>,
}

impl Requests {
    /// One was answered.
    pub fn count(&self, route: &str, status: u16, took: Duration, now: Time) {
        self.counts.get_or_create(&OfRequest { route: route.to_owned(), status }).inc();
        let mut speed = self.speed.lock().unwrap_or_else(PoisonError::into_inner);
        if !speed.by_route.contains_key(route) {
            speed.by_route.insert(route.to_owned(), Histogram::new(BOUNDS_SECONDS));
        }
        if let Some(histogram) = speed.by_route.get_mut(route) {
            histogram.add(took.as_secs_f64());
        }
        if took > SLOW {
            speed.slow.truncate(SLOW_MOST - 1);
            let (route, seconds) = (route.to_owned(), took.as_secs_f64());
            speed.slow.push_front(SlowRequestResponse { route, status, seconds, at: now.into() });
        }
    }

    /// How long answers took, by route.
    pub(super) fn seconds_by_route(&self) -> BTreeMap<String, Histogram> {
        self.speed.lock().unwrap_or_else(PoisonError::into_inner).by_route.clone()
    }

    /// The same in words for operators, and the last that were slow, the newest first.
    pub fn told(&self) -> (Vec<RouteTimesResponse>, Vec<SlowRequestResponse>) {
        let speed = self.speed.lock().unwrap_or_else(PoisonError::into_inner);
        let of_route = |(route, histogram): (&String, &Histogram)| RouteTimesResponse {
            route: route.clone(),
            count: histogram.count(),
            median_seconds: histogram.bound_of_share(0.5),
            p95_seconds: histogram.bound_of_share(0.95),
        };
        (speed.by_route.iter().map(of_route).collect(), speed.slow.iter().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_questions_are_remembered_the_newest_first_and_not_endlessly_many() {
        let requests = Requests::default();
        requests.count("/v1/queue", 200, Duration::from_millis(7), Time(0));
        for second in 1..=60 {
            requests.count("/v1/why", 200, Duration::from_secs(2), Time(second));
        }
        let (questions, slow) = requests.told();
        assert_eq!((slow.len(), slow[0].at.unix, slow[49].at.unix), (SLOW_MOST, 60, 11));
        let told: Vec<_> = questions.iter().map(|told| (told.route.as_str(), told.count, told.p95_seconds)).collect();
        assert_eq!(told, [("/v1/queue", 1, Some(0.01)), ("/v1/why", 60, Some(2.5))]);
    }
}
