//! How long jobs waited in the last weeks, read from the store beside the watching, once an hour.
//!
//! An hour is soon enough for what changes over weeks, and tells nobody when a single job started.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use queuecast_site::past_waits::{Gathering, LocalHour, PastWaits};
use queuecast_workload::{Seconds, Time};
use tracing::warn;

use super::background::Done;
use super::watcher::Watcher;
use crate::store::{Store, StoreError};

/// So far back.
const LOOKED_BACK: Seconds = Seconds(8 * 7 * 86_400);
/// So many jobs at most, the latest: they are read in seconds.
const JOBS_MOST: usize = 500_000;

/// What the store says of the weeks before now.
pub(super) fn look_back(store: &Store, now: Time, zone: &TimeZone) -> Result<PastWaits, StoreError> {
    let mut gathering = Gathering::default();
    store.history(JOBS_MOST, |_, record| {
        if record.started.is_some_and(|started| started >= now - LOOKED_BACK) {
            gathering.see(record, |began| local_hour(began, zone));
        }
    })?;
    Ok(gathering.finish())
}

/// The hour on the wall. A time that no calendar has is taken for the first hour of 1970.
fn local_hour(time: Time, zone: &TimeZone) -> LocalHour {
    let local = Timestamp::from_second(time.0).unwrap_or_default().to_zoned(zone.clone());
    LocalHour {
        weekday: usize::try_from(local.weekday().to_monday_zero_offset()).unwrap_or_default(),
        hour: usize::try_from(local.hour()).unwrap_or_default(),
    }
}

impl Watcher {
    /// Begins to look back, if that was long ago and the past is known: a store that is being filled has only a part of it.
    pub(super) fn begin_looking_back(&mut self) {
        let now = self.clock.watched();
        if !self.timers.looking_back.is_due(now) || !self.catch_up.is_keeping_up() {
            return;
        }
        let Some(file) = self.store.file().map(ToOwned::to_owned) else { return };
        self.timers.looking_back.succeeded(now, Duration::ZERO);
        let (zone, now) = (self.settings.zone.clone(), self.clock.now());
        let look = move || {
            let found = Store::open_to_read(&file).and_then(|store| look_back(&store, now, &zone));
            Done::LookedBack(found.map(Box::new))
        };
        self.background.begin("looking-back", look);
    }

    /// Somebody has looked back.
    pub(super) fn looked_back(&mut self, found: Result<Box<PastWaits>, StoreError>) {
        match found {
            Ok(waits) => {
                self.past_waits = waits.into();
                self.has_news = true;
            }
            // The store's own faults are told where it is written; what was found before stands.
            Err(error) => warn!(%error, "cannot read recent waits from the store; keeping the previous summary"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::ReadingKind;
    use crate::store::test_records::ended;
    use queuecast_site::past_waits::Group;

    #[test]
    fn what_waited_in_the_last_weeks_is_told_by_the_hour_on_the_wall() {
        let mut store = Store::in_memory().expect("memory");
        // A Thursday at half past ten at night in Greenwich, which is Friday in Paris.
        let submitted = 1_792_708_200;
        let record = ended(7, submitted, submitted + 600, submitted + 900);
        store.take_in(&[record], ReadingKind::Queue, Time(submitted + 1_000)).expect("taken in");
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a rule");
        let found = look_back(&store, Time(submitted + 1_000), &zone).expect("a look");
        let waits = &found.groups[&Group::default()];
        assert_eq!(waits.all.map(|spread| spread.median), Some(Seconds(600)));
        assert_eq!(waits.by_weekday_and_hour[4][0], waits.all);
        let later = look_back(&store, Time(submitted) + LOOKED_BACK + Seconds(1_000), &zone).expect("a look");
        assert_eq!(later, PastWaits::default(), "that was longer ago");
    }
}
