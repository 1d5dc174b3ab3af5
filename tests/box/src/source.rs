//! What the daemon is told of the truth, and when: the manager's answers with faults in them.
//!
//! For: answers that fail, come late, come again, come after a newer one, are cut short, hold a job twice, or leave out who it is. Whole
//! outages of the controller, of accounting, or of both.
//!
//! Not for: lies. Nothing is told that never was: a ledger that believed nobody could keep nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queuecast_records::source::{Period, Reading, Source, SourceError};
use queuecast_records::{
    AssociationRecord, ClusterConfiguration, Diagnostics, JobRecord, NodeRecord, PartitionRecord, QosRecord,
    ReservationRecord, ShareRecord, UserRecord,
};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::clock::HandClock;
use crate::manager::Manager;

/// Answers of the queue that may come again.
const REMEMBERED_ANSWERS: usize = 6;

/// Who is away, and until when.
#[derive(Clone, Copy, Debug, Default)]
struct Outages {
    controller_until: i64,
    accounting_until: i64,
}

/// The manager with everything that stands between it and the daemon.
pub struct World {
    /// The truth.
    pub manager: Manager,
    /// Whether faults are drawn.
    pub has_faults: bool,
    /// Whether nobody comes any more.
    pub is_closed: bool,
    /// Answers and faults so far.
    pub events: u64,
    random: Pcg64,
    clock: HandClock,
    outages: Outages,
    answers: VecDeque<Vec<JobRecord>>,
}

/// A way to ask it.
#[derive(Clone)]
pub struct BoxSource(Arc<Mutex<World>>);

impl BoxSource {
    /// A world in which nothing has happened.
    pub fn new(clock: HandClock, random: Pcg64) -> Self {
        let manager = Manager::new(clock.true_second());
        Self(Arc::new(Mutex::new(World {
            manager,
            has_faults: true,
            is_closed: false,
            events: 0,
            random,
            clock,
            outages: Outages::default(),
            answers: VecDeque::new(),
        })))
    }

    /// The world.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World {
    /// Lets time pass, and things happen to who can be asked.
    pub fn pass(&mut self, seconds: i64) {
        self.clock.pass(seconds);
        let (now, is_closed) = (self.clock.true_second(), self.is_closed);
        let Self { manager, random, .. } = self;
        manager.pass(now, is_closed, random);
        if !self.has_faults {
            (self.outages, self.manager.accounting_lag) = (Outages::default(), 0);
            return;
        }
        if self.random.random_bool(0.01) {
            self.events += 1;
            let until = now + self.random.random_range(60..7_000);
            match self.random.random_range(0..4) {
                0 => self.outages.controller_until = until,
                1 => self.outages.accounting_until = until,
                2 => self.outages = Outages { controller_until: until, accounting_until: until },
                _ => self.manager.accounting_lag = self.random.random_range(0..7_000),
            }
        }
    }

    /// A question is asked: it takes a while, and may come to nothing.
    fn asked(&mut self, is_accounting: bool) -> Result<(), SourceError> {
        self.events += 1;
        if !self.has_faults {
            return Ok(());
        }
        let until = if is_accounting { self.outages.accounting_until } else { self.outages.controller_until };
        let program = "box".to_owned();
        if self.clock.true_second() < until {
            return Err(SourceError::Unreachable { program, said: "it is away".to_owned() });
        }
        if self.random.random_bool(0.05) {
            self.clock.pass(self.random.random_range(1..9));
        }
        if self.random.random_bool(0.02) {
            return Err(match self.random.random_range(0..4) {
                0 => SourceError::TooLate { program, patience: Duration::from_secs(10) },
                1 => SourceError::Refused { program, said: "busy".to_owned() },
                2 => SourceError::TooMuch { program, bytes: 1 },
                _ => SourceError::NotUnderstood { program, error: "cut off".into() },
            });
        }
        Ok(())
    }

    /// An answer of the queue as it arrives.
    fn queue_as_told(&mut self) -> Reading<JobRecord> {
        let newest = self.manager.queue();
        self.answers.push_front(newest.clone());
        self.answers.truncate(REMEMBERED_ANSWERS);
        let mut told = Reading::of(newest);
        if !self.has_faults {
            return told;
        }
        match self.random.random_range(0..60) {
            // The one before again, or an older one after a newer one.
            0 | 1 => {
                let place = self.random.random_range(0..self.answers.len());
                told.records.clone_from(&self.answers[place]);
            }
            // Cut short.
            2 => {
                let left = self.random.random_range(0..=told.records.len());
                told.records.truncate(left);
                told.problems.push("cut short".to_owned());
            }
            3 => self.muddle(&mut told.records),
            _ => {}
        }
        told
    }

    /// Somebody is there twice, the order is another, and a name is missing.
    fn muddle(&mut self, records: &mut Vec<JobRecord>) {
        if records.is_empty() {
            return;
        }
        let twice = records[self.random.random_range(0..records.len())].clone();
        records.push(twice);
        let turn = self.random.random_range(0..records.len());
        records.rotate_left(turn);
        records[0].user = String::new();
        records[0].user_id = None;
    }
}

fn all<T>(records: Vec<T>) -> Reading<T> {
    Reading::of(records)
}

impl Source for BoxSource {
    fn queue(&self) -> Result<Reading<JobRecord>, SourceError> {
        let mut world = self.world();
        world.asked(false)?;
        Ok(world.queue_as_told())
    }

    fn accounting(&self, period: Period) -> Result<Reading<JobRecord>, SourceError> {
        let mut world = self.world();
        world.asked(true)?;
        let mut told = world.manager.accounting(period.from.0, period.to.0);
        if world.has_faults && world.random.random_bool(0.05) {
            world.muddle(&mut told);
        }
        Ok(all(told))
    }

    fn nodes(&self) -> Result<Reading<NodeRecord>, SourceError> {
        self.world().asked(false)?;
        Ok(all(Manager::nodes()))
    }

    fn partitions(&self) -> Result<Reading<PartitionRecord>, SourceError> {
        self.world().asked(false)?;
        Ok(all(Manager::partitions()))
    }

    fn reservations(&self) -> Result<Reading<ReservationRecord>, SourceError> {
        self.world().asked(false)?;
        Ok(all(Vec::new()))
    }

    fn configuration(&self) -> Result<ClusterConfiguration, SourceError> {
        self.world().asked(false)?;
        Ok(ClusterConfiguration::new("box".to_owned(), "22.05.8".to_owned()))
    }

    fn qos(&self) -> Result<Reading<QosRecord>, SourceError> {
        self.world().asked(true)?;
        Ok(all(Vec::new()))
    }

    fn associations(&self) -> Result<Reading<AssociationRecord>, SourceError> {
        self.world().asked(true)?;
        Ok(all(Vec::new()))
    }

    fn shares(&self) -> Result<Reading<ShareRecord>, SourceError> {
        self.world().asked(false)?;
        Ok(all(Vec::new()))
    }

    fn users(&self) -> Result<Reading<UserRecord>, SourceError> {
        self.world().asked(true)?;
        Ok(all(Vec::new()))
    }

    fn diagnostics(&self) -> Result<Diagnostics, SourceError> {
        self.world().asked(false)?;
        Ok(Diagnostics::default())
    }
}
