//! A slow and obvious simulator of the clean rules, written from R-SIM-1 to R-SIM-6 and not from the fast one.
//!
//! For: being right by inspection, so that the fast one can be held against it. It keeps plain lists, computes
//! everything anew, and asks one question whatever the policy: when would this job fit beside what is booked? For
//! EASY that is shadow time and extra processors, since after the shadow time processors only come free.

mod conservative;
mod job;

use queuecast_predict::{Correction, Outlived};
use queuecast_schedule::Order;
use queuecast_workload::{Seconds, TracedJob};

use job::Booking;
pub use job::Fate;

#[derive(Clone, Copy)]
pub enum Policy {
    /// A depth of zero is no backfilling: nobody looks beyond the first job that does not fit.
    Queue {
        queue: Order,
        backfill: Order,
        depth: usize,
    },
    Conservative,
}

pub struct Setup<'a> {
    pub processors: u32,
    pub policy: Policy,
    /// What to predict for a job, given the jobs that ended so far in the order of their ends.
    pub predict: &'a dyn Fn(&TracedJob, &[Fate]) -> i64,
    pub correction: Correction,
    pub propagate: bool,
}

/// Jobs wait in order of arrival, run in order of start and have ended in order of end.
struct ReferenceCluster<'a> {
    setup: &'a Setup<'a>,
    waiting: Vec<Fate>,
    running: Vec<Fate>,
    ended: Vec<Fate>,
    /// Whether a plan has changed since the last pass.
    replanned: bool,
}

/// Plays the jobs, given in order of submission.
pub fn play(setup: &Setup<'_>, mut jobs: &[TracedJob]) -> Vec<Fate> {
    let mut cluster = ReferenceCluster { setup, waiting: vec![], running: vec![], ended: vec![], replanned: false };
    loop {
        let ends = cluster.running.iter().map(|job| job.started.unwrap() + job.planned.min(job.traced.recorded.run.0));
        let appointments = cluster.waiting.iter().filter_map(|job| job.reserved);
        let submission = jobs.first().map(|job| job.submission.submitted.0);
        let Some(now) = ends.chain(appointments).chain(submission).min() else { return cluster.ended };
        let (arriving, later) = jobs.split_at(jobs.partition_point(|job| job.submission.submitted.0 == now));
        cluster.turn(now, arriving);
        jobs = later;
    }
}

impl ReferenceCluster<'_> {
    /// One second: all ends, then corrections, then submissions, then one pass if a job ended, arrived or is due.
    fn turn(&mut self, now: i64, arriving: &[TracedJob]) {
        let ended_before = self.ended.len();
        while let Some(place) = self.running.iter().position(|job| job.age(now) == Some(job.traced.recorded.run.0)) {
            self.ended.push(self.running.remove(place));
            self.propagate(self.ended.last().unwrap().traced, now);
        }
        while let Some(job) = self.running.iter_mut().find(|job| job.age(now) == Some(job.planned)) {
            let (age, first) = (Seconds(job.planned), Seconds(job.first));
            let miss = Outlived { age, first, previous: age, earlier_misses: job.misses };
            job.planned = self.setup.correction.correct(&miss, job.traced.submission.limit).0;
            job.misses += 1;
            let missed = job.traced;
            self.replanned = true;
            self.propagate(missed, now);
        }
        for &traced in arriving {
            let first = (self.setup.predict)(&traced, &self.ended);
            let (misses, reserved, promised, started) = (0, None, None, None);
            self.waiting.push(Fate { traced, first, planned: first, misses, reserved, promised, started });
        }
        let has_ended = self.ended.len() > ended_before;
        let is_due = has_ended || !arriving.is_empty() || self.waiting.iter().any(|job| job.reserved == Some(now));
        match self.setup.policy {
            _ if !is_due => {}
            Policy::Queue { queue, backfill, depth } => self.serve(now, queue, backfill, depth),
            Policy::Conservative => self.keep_appointments(now, has_ended),
        }
    }

    /// The user's other jobs are predicted anew, unless they end now or are already older than that (R-SIM-6).
    fn propagate(&mut self, cause: TracedJob, now: i64) {
        let others = self.waiting.iter_mut().chain(&mut self.running).filter(|job| job.traced.number != cause.number);
        let others = others.filter(|job| job.age(now) != Some(job.traced.recorded.run.0));
        for job in others.filter(|job| job.traced.submission.user == cause.submission.user) {
            let planned = (self.setup.predict)(&job.traced, &self.ended);
            if self.setup.propagate && job.age(now).is_none_or(|age| planned > age) {
                self.replanned |= job.planned != planned;
                job.planned = planned;
            }
        }
    }

    /// The queue in its order, until as many jobs as may hold a reservation do; then the others, where they fit.
    fn serve(&mut self, now: i64, queue: Order, backfill: Order, depth: usize) {
        let mut bookings: Vec<Booking> = self.running.iter().map(|job| job.booking(job.started.unwrap())).collect();
        let mut others = std::mem::take(&mut self.waiting);
        others.sort_by(|one, other| one.rank(queue, now).total_cmp(&other.rank(queue, now)));
        let mut reservations = 0;
        while !others.is_empty() && reservations < depth.max(1) {
            let mut job = others.remove(0);
            let start = self.earliest(&job, &bookings, now);
            bookings.push(job.booking(start));
            if start == now {
                self.running.push(Fate { started: Some(now), ..job });
            } else {
                reservations += 1;
                job.promised = job.promised.or((depth > 0).then_some(start));
                self.waiting.push(job);
            }
        }
        others.sort_by_key(|job| job.traced.submission.job);
        others.sort_by(|one, other| one.rank(backfill, now).total_cmp(&other.rank(backfill, now)));
        for job in others {
            if depth > 0 && self.fits(&job, &bookings, now) {
                bookings.push(job.booking(now));
                self.running.push(Fate { started: Some(now), ..job });
            } else {
                self.waiting.push(job);
            }
        }
        self.waiting.sort_by_key(|job| job.traced.submission.job);
    }

    /// Whether the job could start then. What is held only grows where a booking begins.
    fn fits(&self, job: &Fate, bookings: &[Booking], start: i64) -> bool {
        let (_, end, processors) = job.booking(start);
        let begins = bookings.iter().map(|booking| booking.0).filter(|&time| start < time && time < end);
        begins.chain([start]).all(|time| {
            let held = bookings.iter().filter(|booking| booking.0 <= time && time < booking.1);
            held.map(|booking| booking.2).sum::<u32>() + processors <= self.setup.processors
        })
    }

    fn earliest(&self, job: &Fate, bookings: &[Booking], now: i64) -> i64 {
        let times = bookings.iter().map(|booking| booking.1.max(now)).chain([now]);
        times.filter(|&time| self.fits(job, bookings, time)).min().expect("after the last booking all is free")
    }
}
