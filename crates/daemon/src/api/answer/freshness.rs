//! How old what is said is, and when it is too old to be said.
//!
//! For: one rule for every answer. A quarter of an hour without a look at the queue, or without a new forecast, and there
//! is no estimate: old ones would go on looking sure.
//!
//! Not for: what is wrong (`health`).
//!
//! Source: the project's list of faults, F9 (last good answer with its age; none after 15 minutes).

use queuecast_workload::{Seconds, Time};

use queuecast_forecast::estimate::NoForecast;
use queuecast_site::published::Published;

/// Older than this, by the cluster's clock, and nothing is said.
pub const STALE_AFTER: Seconds = Seconds(900);

/// How old what is on the board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// The cluster's time now.
    pub now: Time,
    /// When the queue was last read.
    pub queue_read: Option<Time>,
    /// When the forecasts were made.
    pub made: Option<Time>,
}

impl Freshness {
    /// Of what is published.
    pub fn of(published: &Published, now: Time) -> Self {
        Self { now, queue_read: published.health.queue.succeeded, made: published.forecast }
    }

    /// How long ago the queue was read; a clock that was set back makes it zero, not negative.
    pub fn data_age(&self) -> Option<Seconds> {
        self.queue_read.map(|read| (self.now - read).max(Seconds::ZERO))
    }

    /// Why nothing may be said, if that is so.
    pub fn too_old(&self) -> Option<NoForecast> {
        let why = match (self.data_age(), self.made.map(|made| self.now - made)) {
            (None, _) => {
                "The queue has not been read yet. Try again in a minute; if that does not help, tell your administrator."
                    .to_owned()
            }
            (Some(age), _) if age > STALE_AFTER => format!(
                "The queue was last read {} ago, so the data are too old for a forecast. Try again later, or tell your \
                 administrator that queuecast cannot reach Slurm.",
                in_words(age)
            ),
            (_, Some(age)) if age > STALE_AFTER => format!(
                "The last forecast was made {} ago and is too old to show. Try again later, or tell \
                 your administrator that queuecast has fallen behind.",
                in_words(age)
            ),
            _ => return None,
        };
        Some(NoForecast { code: "stale", why })
    }
}

/// A span in its two largest units: nobody reads 4697 minutes.
pub(crate) fn in_words(span: Seconds) -> String {
    let minutes = span.0.max(0) / 60;
    let (days, hours) = (minutes / 1_440, minutes / 60 % 24);
    match (days, hours, minutes % 60) {
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn too_old(queue_read: Option<i64>, made: Option<i64>) -> Option<&'static str> {
        let freshness = Freshness { now: Time(10_000), queue_read: queue_read.map(Time), made: made.map(Time) };
        freshness.too_old().map(|reason| reason.code)
    }

    #[test]
    fn a_quarter_of_an_hour_is_the_limit_for_the_queue_and_for_the_forecast() {
        assert_eq!(too_old(Some(9_100), Some(9_100)), None);
        assert_eq!(too_old(Some(9_099), Some(10_000)), Some("stale"));
        assert_eq!(too_old(Some(10_000), Some(9_099)), Some("stale"));
        assert_eq!(too_old(None, None), Some("stale"));
    }

    #[test]
    fn a_clock_that_was_set_back_makes_no_negative_age() {
        let ahead = Freshness { now: Time(0), queue_read: Some(Time(50)), made: None };
        assert_eq!(ahead.data_age(), Some(Seconds::ZERO));
    }
}
