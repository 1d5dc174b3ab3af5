//! FCFS, EASY and their relatives: the queue in one order, holes filled in another (R-SIM-1, R-SIM-2).
//!
//! The jobs at the front of the queue order start while they fit. The first that do not fit hold reservations, as
//! many as the depth says, and the others may start out of turn if they delay none of these. EASY is depth one
//! with both orders by arrival; shortest-job-backfilled-first (SJBF) fills the holes shortest first.
//!
//! What makes it fast: between two ends nothing that was refused can become startable (time only shortens the
//! hole before the shadow time, and starts only use up what is spare), so after a submission only the newcomer is
//! looked at, against a shadow time kept from the last pass.

use queuecast_workload::{Machine, Seconds, Time};

use crate::queue::{ArrivalWindow, Queue};
use crate::releases::{Release, Releases};
use crate::summed_list::Entry;
use crate::waiting::{Least, Waiting, WaitingList, place_of};
use crate::{AvailabilityProfile, Decisions, Depth, JobKey, Order, PlannedJob, PromisedStart, Scheduler, Start};

/// Who may fill the holes, and how many reservations they must respect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Backfill {
    /// In which order candidates are tried.
    pub order: Order,
    /// How many reservations hold.
    pub depth: Depth,
}

/// FCFS, EASY and their relatives.
#[derive(Clone, Debug)]
pub struct Backfilling {
    queue_order: Order,
    backfill: Option<Backfill>,
    free: u32,
    /// By key: what is known of each job in the system.
    jobs: Vec<Job>,
    arrivals: u64,
    queue: Queue,
    /// The waiting jobs in backfill order, where that is another order.
    candidates: Option<WaitingList>,
    /// No waiting job asks for fewer processors. A lower bound: it is not raised when a job leaves the queue.
    narrowest: u32,
    releases: Releases,
    /// The head's reservation, as long as it stands.
    reservation: Option<Reservation>,
    /// Whether anything but submissions happened since the last pass.
    changed: bool,
    /// Submitted since the last pass. Many start at once, so they enter the queue only when a pass leaves them.
    newcomers: Vec<JobKey>,
    /// Memory for depths above one.
    profile: AvailabilityProfile,
}

#[derive(Clone, Copy, Debug)]
struct Job {
    planned: PlannedJob,
    arrival: u64,
    /// Its ranks, kept because some orders change with time and a job must be found where it was put.
    queue_score: u64,
    backfill_score: u64,
    /// Whether it has held a reservation before.
    promised: bool,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Submitted since the last pass and not in the queue yet.
    Arrived,
    /// In the queue.
    Waiting,
    Running {
        started: Time,
        /// Whether its planned end has come and its processors count as free already; see `release_due`.
        released: bool,
    },
    Ended,
}

/// When the head will start at the latest, and how many processors it leaves over then.
#[derive(Clone, Copy, Debug)]
struct Reservation {
    shadow: Time,
    extra: u32,
}

impl Backfilling {
    /// An empty machine and an empty queue.
    pub fn new(machine: Machine, queue_order: Order, backfill: Option<Backfill>) -> Self {
        let separate = backfill.is_some_and(|backfill| backfill.order != queue_order);
        Self {
            queue_order,
            backfill,
            free: machine.processors,
            jobs: Vec::new(),
            arrivals: 0,
            queue: if separate && queue_order == Order::Arrival {
                Queue::ByArrival(ArrivalWindow::default())
            } else {
                Queue::Searchable(WaitingList::default())
            },
            candidates: separate.then(WaitingList::default),
            narrowest: u32::MAX,
            releases: Releases::default(),
            reservation: None,
            changed: false,
            newcomers: Vec::new(),
            profile: AvailabilityProfile::new(machine.processors, Time(0)),
        }
    }

    fn backfill_order(&self) -> Order {
        self.backfill.map_or(self.queue_order, |backfill| backfill.order)
    }

    fn place_in_queue(&self, key: JobKey) -> Waiting {
        let job = &self.jobs[key.index()];
        job.place(job.queue_score)
    }

    fn place_among_candidates(&self, key: JobKey) -> Waiting {
        let job = &self.jobs[key.index()];
        job.place(job.backfill_score)
    }

    /// Ranks the job in both orders as of `now`.
    fn score(&mut self, key: JobKey, now: Time) {
        let (queue_order, backfill_order) = (self.queue_order, self.backfill_order());
        let job = &mut self.jobs[key.index()];
        job.queue_score = queue_order.score(&job.planned, now);
        job.backfill_score =
            if backfill_order == queue_order { job.queue_score } else { backfill_order.score(&job.planned, now) };
    }

    /// Puts a job that has been ranked into the queue.
    fn enqueue(&mut self, key: JobKey) {
        let job = &mut self.jobs[key.index()];
        job.state = State::Waiting;
        self.narrowest = self.narrowest.min(job.planned.request.processors);
        self.queue.insert(job.place(job.queue_score));
        if let Some(candidates) = &mut self.candidates {
            candidates.insert(job.place(job.backfill_score));
        }
    }

    /// A newcomer that is now first in the queue makes the old head's reservation void.
    fn enqueue_newcomers(&mut self, now: Time) {
        let head = self.queue.first().map(Entry::key);
        let mut newcomers = std::mem::take(&mut self.newcomers);
        for key in newcomers.drain(..) {
            self.score(key, now);
            self.enqueue(key);
        }
        self.newcomers = newcomers;
        if head != self.queue.first().map(Entry::key) {
            self.reservation = None;
        }
    }

    fn dequeue(&mut self, key: JobKey) {
        let removed = self.queue.remove(self.place_in_queue(key).key());
        debug_assert!(removed.is_some(), "{key:?} was not in the queue");
        let place = self.place_among_candidates(key).key();
        if let Some(candidates) = &mut self.candidates {
            candidates.remove(place);
        }
    }

    /// Processors whose planned release has come are free, even if the end event of the same second has not been
    /// told yet (R-SIM-1 c). Where all ends of a second are told first, there are none.
    fn release_due(&mut self, now: Time) {
        while let Some(due) = self.releases.take_due(now) {
            if let State::Running { released, .. } = &mut self.jobs[due.key().index()].state {
                *released = true;
            }
            self.free += due.processors;
            self.something_changed();
        }
    }

    fn something_changed(&mut self) {
        self.changed = true;
        self.reservation = None;
    }

    fn start(&mut self, key: JobKey, now: Time, backfilled: bool, decisions: &mut Decisions) {
        let job = &mut self.jobs[key.index()];
        job.state = State::Running { started: now, released: false };
        let processors = job.planned.request.processors;
        self.releases.add(Release::new(now + job.planned.planned, key, processors));
        self.free -= processors;
        decisions.starts.push(Start { key, backfilled });
    }

    fn start_from_front(&mut self, now: Time, decisions: &mut Decisions) {
        while let Some(&head) = self.queue.first() {
            if head.processors > self.free {
                return;
            }
            self.dequeue(head.key);
            self.start(head.key, now, false, decisions);
            self.reservation = None;
        }
    }

    /// The reservation of the head, which must not fit now; R-SIM-1 d.
    fn reserve_for_head(&mut self, decisions: &mut Decisions) -> Reservation {
        if let Some(reservation) = self.reservation {
            return reservation;
        }
        let head = *self.queue.first().expect("only a waiting head needs a reservation");
        debug_assert!(head.processors > self.free);
        let (shadow, released) =
            self.releases.time_of(head.processors - self.free).expect("the machine holds every job once empty");
        let free_then = u64::from(self.free) + released;
        let extra = u32::try_from(free_then - u64::from(head.processors)).unwrap_or(u32::MAX);
        self.promise(head.key, shadow, decisions);
        *self.reservation.insert(Reservation { shadow, extra })
    }

    /// Tells of a job's first reservation.
    fn promise(&mut self, key: JobKey, start: Time, decisions: &mut Decisions) {
        let job = &mut self.jobs[key.index()];
        if !job.promised {
            job.promised = true;
            decisions.promised_starts.push(PromisedStart { key, start });
        }
    }

    /// The waiting jobs in backfill order.
    fn candidates(&self) -> &WaitingList {
        match (&self.candidates, &self.queue) {
            (Some(candidates), _) | (None, Queue::Searchable(candidates)) => candidates,
            (None, Queue::ByArrival(_)) => unreachable!("a queue that is not searchable has a candidate list"),
        }
    }

    /// Whether any waiting job asks for no more than is free.
    fn anyone_fits_now(&mut self) -> bool {
        if self.free < self.narrowest {
            return false;
        }
        self.narrowest = self.candidates().summary().processors;
        self.narrowest <= self.free
    }

    /// The full EASY scan: every waiting job that fits the hole, in backfill order.
    fn backfill_behind_head(&mut self, now: Time, decisions: &mut Decisions) {
        let reservation = self.reserve_for_head(decisions);
        let mut extra = reservation.extra;
        let before_shadow = reservation.shadow - now;
        let mut after = None;
        loop {
            let free = self.free;
            let fits = |least: Least| {
                least.processors <= free && (least.planned <= before_shadow || least.processors <= extra)
            };
            let Some(job) = self.candidates().find(after, fits, |job| fits(job.summary())) else { break };
            if job.planned > before_shadow {
                extra -= job.processors;
            }
            after = Some(job.key());
            self.dequeue(job.key);
            self.start(job.key, now, true, decisions);
        }
        self.reservation = Some(Reservation { extra, ..reservation });
    }

    /// The scan when nothing but submissions happened since the last: only newcomers can start. True if that settled
    /// them all; false, and nothing done, if it takes a full pass.
    fn consider_newcomers(&mut self, now: Time, decisions: &mut Decisions) -> bool {
        if let ([key], None) = (self.newcomers.as_slice(), self.queue.first()) {
            let key = *key;
            if self.jobs[key.index()].planned.request.processors > self.free {
                return false;
            }
            self.start(key, now, false, decisions);
            self.newcomers.clear();
            return true;
        }
        let Some(head) = self.queue.first().map(Entry::key) else { return false };
        let mut newcomers = std::mem::take(&mut self.newcomers);
        for key in &newcomers {
            self.score(*key, now);
        }
        if newcomers.iter().any(|key| self.place_in_queue(*key).key() < head) {
            self.newcomers = newcomers;
            return false;
        }
        if newcomers.len() > 1 {
            newcomers.sort_by_key(|key| self.place_among_candidates(*key).key());
        }
        for key in newcomers.drain(..) {
            if self.fits_behind_head(key, now, decisions) {
                self.start(key, now, true, decisions);
            } else {
                self.enqueue(key);
            }
        }
        self.newcomers = newcomers;
        true
    }

    /// Whether one job may start without delaying the head; if so, what it takes of the extra processors is taken.
    fn fits_behind_head(&mut self, key: JobKey, now: Time, decisions: &mut Decisions) -> bool {
        let PlannedJob { request, planned, .. } = self.jobs[key.index()].planned;
        if self.backfill.is_none() || request.processors > self.free {
            return false;
        }
        let mut reservation = self.reserve_for_head(decisions);
        if now + planned > reservation.shadow {
            if request.processors > reservation.extra {
                return false;
            }
            reservation.extra -= request.processors;
            self.reservation = Some(reservation);
        }
        true
    }

    /// Reservations for the first `depth` jobs of the queue that cannot start, then everyone who fits beside them.
    #[inline(never)]
    fn backfill_behind_several(&mut self, depth: Depth, now: Time, decisions: &mut Decisions) {
        let mut profile = std::mem::replace(&mut self.profile, AvailabilityProfile::new(0, now));
        profile.reset(self.free, now);
        for release in self.releases.entries() {
            profile.release_for_good(release.end(), release.processors);
        }
        let mut reserved = 0;
        let mut after = None;
        while reserved < depth.reservations() {
            let Some(job) = self.queue.next(after) else { break };
            after = Some(job.key());
            let start = profile.earliest(job.processors, job.planned);
            profile.reserve(start, job.planned, job.processors);
            if start == now {
                self.dequeue(job.key);
                self.start(job.key, now, reserved > 0, decisions);
            } else {
                reserved += 1;
                self.promise(job.key, start, decisions);
            }
        }
        self.backfill_into(&mut profile, now, decisions);
        self.profile = profile;
    }

    /// Everyone who fits now beside the reservations in `profile`. Jobs that hold one do not fit now.
    fn backfill_into(&mut self, profile: &mut AvailabilityProfile, now: Time, decisions: &mut Decisions) {
        let mut after = None;
        loop {
            let free = self.free;
            let found = self.candidates().find(
                after,
                |least| least.processors <= free,
                |job| job.processors <= free && profile.fits_now(job.processors, job.planned),
            );
            let Some(job) = found else { break };
            after = Some(job.key());
            profile.reserve(now, job.planned, job.processors);
            self.dequeue(job.key);
            self.start(job.key, now, true, decisions);
        }
    }

    /// Orders that change with time are put right before they are used.
    #[inline(never)]
    fn reorder(&mut self, now: Time) {
        let waiting = self.queue.entries();
        self.queue.clear();
        if let Some(candidates) = &mut self.candidates {
            candidates.clear();
        }
        for Waiting { key, .. } in waiting {
            self.score(key, now);
            self.enqueue(key);
        }
        self.something_changed();
    }
}

impl Job {
    fn place(&self, score: u64) -> Waiting {
        Waiting {
            place: place_of(score, self.arrival),
            planned: self.planned.planned,
            processors: self.planned.request.processors,
            key: self.planned.key,
        }
    }
}

impl Scheduler for Backfilling {
    fn submit(&mut self, job: PlannedJob, _now: Time) {
        let index = job.key.index();
        let entry = Job {
            planned: job,
            arrival: self.arrivals,
            queue_score: 0,
            backfill_score: 0,
            promised: false,
            state: State::Arrived,
        };
        self.arrivals += 1;
        if index == self.jobs.len() {
            self.jobs.push(entry);
        } else {
            debug_assert_eq!(self.jobs[index].state, State::Ended, "the key {index} is in use");
            self.jobs[index] = entry;
        }
        self.newcomers.push(job.key);
    }

    fn end(&mut self, key: JobKey, _now: Time) {
        let job = &mut self.jobs[key.index()];
        let State::Running { started, released } = std::mem::replace(&mut job.state, State::Ended) else {
            unreachable!("{key:?} ended without running")
        };
        if released {
            return;
        }
        self.releases.remove(started + job.planned.planned, key);
        self.free += job.planned.request.processors;
        self.something_changed();
    }

    fn replan(&mut self, key: JobKey, planned: Seconds, now: Time) {
        match self.jobs[key.index()].state {
            State::Arrived => {
                self.jobs[key.index()].planned.planned = planned;
                return;
            }
            State::Waiting => {
                let (in_queue, among_candidates) =
                    (self.place_in_queue(key).key(), self.place_among_candidates(key).key());
                self.jobs[key.index()].planned.planned = planned;
                self.score(key, now);
                self.queue.replace(in_queue, self.place_in_queue(key));
                let place = self.place_among_candidates(key);
                if let Some(candidates) = &mut self.candidates {
                    candidates.remove(among_candidates);
                    candidates.insert(place);
                }
            }
            State::Running { started, released } => {
                debug_assert!(!released, "{key:?} was planned to have ended");
                let job = &mut self.jobs[key.index()].planned;
                self.releases.remove(started + job.planned, key);
                job.planned = planned;
                self.releases.add(Release::new(started + planned, key, job.request.processors));
            }
            State::Ended => unreachable!("{key:?} was replanned after it ended"),
        }
        self.something_changed();
    }

    fn withdraw(&mut self, key: JobKey, _now: Time) {
        match self.jobs[key.index()].state {
            State::Arrived => self.newcomers.retain(|newcomer| *newcomer != key),
            State::Waiting => {
                self.dequeue(key);
                // The hole it held open is everybody's.
                self.something_changed();
            }
            State::Running { .. } | State::Ended => unreachable!("{key:?} is not waiting"),
        }
        self.jobs[key.index()].state = State::Ended;
    }

    fn submission_matters(&mut self, key: JobKey, now: Time) -> bool {
        self.release_due(now);
        self.backfill_order() != Order::Arrival || self.jobs[key.index()].planned.request.processors <= self.free
    }

    fn pass(&mut self, now: Time, decisions: &mut Decisions) {
        if self.releases.earliest().is_some_and(|end| end <= now) {
            self.release_due(now);
        }
        if self.waiting() == 0 {
            self.changed = false;
            return;
        }
        if self.queue_order.changes_with_time() || self.backfill_order().changes_with_time() {
            self.reorder(now);
        }
        let depth = self.backfill.map(|backfill| backfill.depth);
        let easy = depth.is_none_or(|depth| depth == Depth::EASY);
        if easy && !self.changed && self.consider_newcomers(now, decisions) {
            return;
        }
        self.enqueue_newcomers(now);
        self.changed = false;
        self.start_from_front(now, decisions);
        let (Some(&head), Some(depth)) = (self.queue.first(), depth) else { return };
        if depth != Depth::EASY {
            self.backfill_behind_several(depth, now, decisions);
        } else if self.anyone_fits_now() {
            self.backfill_behind_head(now, decisions);
        } else if !self.jobs[head.key.index()].promised {
            self.reserve_for_head(decisions);
        }
    }

    fn waiting(&self) -> usize {
        self.queue.len() + self.newcomers.len()
    }
}
