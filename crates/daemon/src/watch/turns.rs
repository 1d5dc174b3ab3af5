//! When each kind of question is asked again.

use std::time::Duration;

use queuecast_workload::Seconds;

use super::WatchSettings;
use super::kind::Kind;
use super::turn::Turn;
use crate::clock::WatchClock;

/// How often the whole store is checked, and what is old in it forgotten.
const HOUSEKEEPING: Seconds = Seconds(86_400);

/// One for each kind of question, and one for the house.
pub struct Turns {
    pub queue: Turn,
    pub nodes: Turn,
    pub accounting: Turn,
    pub settings: Turn,
    pub users: Turn,
    pub backfill: Turn,
    pub housekeeping: Turn,
}

impl Turns {
    /// Slurm is asked everything at once; the house was last looked after so long ago.
    pub fn new(settings: &WatchSettings, clock: &dyn WatchClock, housekept: Option<Seconds>) -> Self {
        let now = clock.watched();
        let turn = |every: Seconds| Turn::new(clock.real(every.as_f64()), now);
        let due_in =
            housekept.filter(|ago| ago.0 >= 0).map_or(Seconds::ZERO, |ago| HOUSEKEEPING - ago.min(HOUSEKEEPING));
        Self {
            queue: turn(settings.queue_every),
            nodes: turn(settings.nodes_every),
            accounting: turn(settings.accounting_every),
            settings: turn(settings.settings_every),
            users: turn(settings.settings_every),
            backfill: turn(settings.backfill_every),
            housekeeping: Turn::new(clock.real(HOUSEKEEPING.as_f64()), now + clock.real(due_in.as_f64())),
        }
    }

    /// The turn of a kind of question.
    pub fn of(&mut self, kind: Kind) -> &mut Turn {
        match kind {
            Kind::Queue => &mut self.queue,
            Kind::Nodes => &mut self.nodes,
            Kind::Accounting => &mut self.accounting,
            Kind::Settings => &mut self.settings,
            Kind::Users => &mut self.users,
            Kind::Backfill => &mut self.backfill,
        }
    }

    /// When Slurm is to be asked next. The house can wait until then.
    pub fn next(&self) -> Duration {
        let Self { queue, nodes, accounting, settings, users, backfill, housekeeping: _ } = self;
        let turns = [queue, nodes, accounting, settings, users, backfill];
        turns.map(Turn::due).into_iter().min().unwrap_or_default()
    }
}
