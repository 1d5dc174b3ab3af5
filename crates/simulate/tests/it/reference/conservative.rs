//! Conservative backfilling: a reservation for everybody, kept from second to second.

use super::{Booking, Fate, ReferenceCluster};

impl ReferenceCluster<'_> {
    /// Who has no reservation gets one, in order of arrival; after an end, everybody is offered an earlier one beside
    /// those of the others (compression, one round). Who is due starts.
    pub(super) fn keep_appointments(&mut self, now: i64, has_ended: bool) {
        if std::mem::take(&mut self.replanned) {
            self.waiting.iter_mut().for_each(|job| job.reserved = None);
        }
        for place in 0..self.waiting.len() {
            if has_ended || self.waiting[place].reserved.is_none() {
                self.waiting[place].reserved = None;
                let start = self.earliest(&self.waiting[place], &self.bookings(), now);
                self.waiting[place].reserved = Some(start);
                self.waiting[place].promised.get_or_insert(start);
            }
        }
        let (due, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|job| job.reserved == Some(now));
        let due: Vec<Fate> = due;
        self.waiting = waiting;
        self.running.extend(due.into_iter().map(|job| Fate { started: Some(now), ..job }));
    }

    fn bookings(&self) -> Vec<Booking> {
        let held = self.running.iter().chain(&self.waiting);
        held.filter_map(|job| Some(job.booking(job.started.or(job.reserved)?))).collect()
    }
}
