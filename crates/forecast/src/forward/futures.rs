//! One policy, played forward from a situation.
//!
//! For: choosing the player. EASY and FCFS in order of arrival have one of their own; every other policy goes through
//! its scheduler.

use queuecast_schedule::{Backfill, Depth, Order, PolicySpecification};
use queuecast_workload::{Seconds, Time};

use crate::forward::arrivals::SampledArrival;
use crate::forward::easy::EasyPlayer;
use crate::forward::general::GeneralPlayer;
use crate::forward::playable_machine::PlayableMachine;

/// The run times of one future, by the job's place in [`PlayableMachine::prospects`]. Asked at most once for each job, in the
/// order in which they matter.
pub(crate) trait JobDraws {
    fn run(&mut self, place: usize) -> Seconds;
}

impl<F: FnMut(usize) -> Seconds> JobDraws for F {
    fn run(&mut self, place: usize) -> Seconds {
        self(place)
    }
}

/// Plays a policy forward; keeps its memory from one forecast to the next.
#[derive(Debug)]
pub struct Futures(Player);

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one to a forecaster")]
enum Player {
    Easy(EasyPlayer),
    General(GeneralPlayer),
}

impl Futures {
    /// Of this policy.
    pub fn new(policy: PolicySpecification) -> Self {
        const EASY: Backfill = Backfill { order: Order::Arrival, depth: Depth::EASY };
        Self(match policy {
            PolicySpecification::Queue { queue: Order::Arrival, backfill: None } => {
                Player::Easy(EasyPlayer::new(false))
            }
            PolicySpecification::Queue { queue: Order::Arrival, backfill: Some(EASY) } => {
                Player::Easy(EasyPlayer::new(true))
            }
            _ => Player::General(GeneralPlayer::new(policy)),
        })
    }

    /// The same, through the policy's scheduler in any case: the slow way that the fast one is held to.
    pub fn through_scheduler(policy: PolicySpecification) -> Self {
        Self(Player::General(GeneralPlayer::new(policy)))
    }

    /// Takes in where all futures begin, which includes who starts in this very second: no draw changes that. True if
    /// the job asked about is among them.
    pub fn prepare(&mut self, situation: &PlayableMachine) -> bool {
        match &mut self.0 {
            Player::Easy(player) => player.prepare(situation),
            Player::General(player) => player.prepare(situation),
        }
    }

    /// Plays a future of the situation last prepared, in which the job asked about did not start at once: when it
    /// starts. `arrivals` are in order; `run` is asked for run times by place in [`PlayableMachine::prospects`].
    pub fn play(
        &mut self,
        situation: &PlayableMachine,
        arrivals: &[SampledArrival],
        mut run: impl FnMut(usize) -> Seconds,
    ) -> Time {
        match &mut self.0 {
            Player::Easy(player) => player.play(situation, arrivals, &mut run),
            Player::General(player) => player.play(situation, arrivals, &mut run),
        }
    }

    /// When the jobs of the situation, and then the arrivals, started in the future played last, so far as it went.
    #[cfg(test)]
    pub(crate) fn starts(&self) -> Vec<Option<Time>> {
        match &self.0 {
            Player::Easy(player) => player.starts(),
            Player::General(player) => player.starts(),
        }
    }
}
