//! When each kind of question is asked again.

use std::time::Duration;

use queuecast_workload::Seconds;

use super::WatchSettings;
use super::back_off::BackOff;
use super::kind::Kind;
use crate::clock::WatchClock;

/// How often the whole store is checked, and what is old in it forgotten.
const HOUSEKEEPING: Seconds = Seconds(86_400);
/// How often it is read how long jobs waited lately.
const LOOKING_BACK: Seconds = Seconds(3_600);

/// One for each kind of question, and two for the house.
pub struct Timers {
    pub queue: BackOff,
    pub nodes: BackOff,
    pub accounting: BackOff,
    pub settings: BackOff,
    pub users: BackOff,
    pub backfill: BackOff,
    pub shares: BackOff,
    pub housekeeping: BackOff,
    pub looking_back: BackOff,
}

impl Timers {
    /// Slurm is asked everything at once; the house was last looked after so long ago.
    pub fn new(settings: &WatchSettings, clock: &dyn WatchClock, housekept: Option<Seconds>) -> Self {
        let now = clock.watched();
        let every_so_often = |every: Seconds| BackOff::new(clock.real(every.as_f64()), now);
        let due_in =
            housekept.filter(|ago| ago.0 >= 0).map_or(Seconds::ZERO, |ago| HOUSEKEEPING - ago.min(HOUSEKEEPING));
        Self {
            queue: every_so_often(settings.queue_every),
            nodes: every_so_often(settings.nodes_every),
            accounting: every_so_often(settings.accounting_every),
            settings: every_so_often(settings.settings_every),
            users: every_so_often(settings.settings_every),
            backfill: every_so_often(settings.backfill_every),
            shares: every_so_often(settings.shares_every),
            looking_back: every_so_often(LOOKING_BACK),
            housekeeping: BackOff::new(clock.real(HOUSEKEEPING.as_f64()), now + clock.real(due_in.as_f64())),
        }
    }

    /// What an administrator can set of them, from the next time on that each is asked.
    pub fn change(&mut self, settings: &WatchSettings, clock: &dyn WatchClock) {
        let now = clock.watched();
        for (timer, every) in [
            (&mut self.queue, settings.queue_every),
            (&mut self.nodes, settings.nodes_every),
            (&mut self.accounting, settings.accounting_every),
        ] {
            timer.change(clock.real(every.as_f64()), now);
        }
    }

    /// The timer of a kind of question.
    pub fn of(&mut self, kind: Kind) -> &mut BackOff {
        match kind {
            Kind::Queue => &mut self.queue,
            Kind::Nodes => &mut self.nodes,
            Kind::Accounting => &mut self.accounting,
            Kind::Settings => &mut self.settings,
            Kind::Users => &mut self.users,
            Kind::Backfill => &mut self.backfill,
            Kind::Shares => &mut self.shares,
        }
    }

    /// When Slurm is to be asked next. The house can wait until then.
    pub fn next(&self) -> Duration {
        let Self { queue, nodes, accounting, settings, users, backfill, shares, housekeeping: _, looking_back: _ } =
            self;
        let timers = [queue, nodes, accounting, settings, users, backfill, shares];
        timers.map(BackOff::due).into_iter().min().unwrap_or_default()
    }
}
