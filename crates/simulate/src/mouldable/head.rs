//! A job at the head of a strict queue, from the moment it gets there until it starts.
//!
//! Nobody passes it, so that its start depends on itself, on the jobs that run and on nothing else. It is asked as soon as
//! anything is free, again at every arrival and again when the time it was told has passed (section 5.3 of the paper).

use queuecast_schedule::mouldable::choice::{Choice, Hold, Offer, least_turnaround};
use queuecast_schedule::mouldable::queue_time::QueueTimes;
use queuecast_schedule::mouldable::{AllocationStrategy, QueueTimeSource};
use queuecast_workload::mouldable::MouldableJob;

use super::knowledge::{Knowledge, PredictedQueueTime};
use super::machine::{Busy, BusyMachine};

/// Between questions a job waits at least this long, so that time passes.
const LEAST_HOLD_SECONDS: f64 = 1.0;

/// How a job got off the head of the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Started {
    /// When.
    pub at: f64,
    /// On how many processors.
    pub processors: u32,
    /// Whether it waited although something was free.
    pub rebelled: bool,
}

/// What happens while a job is at the head.
pub trait Witness {
    /// A running job ended.
    fn ended(&mut self, _job: Busy) {}
    /// The job at the head was told a queue time and waits for it.
    fn told(&mut self, _now: f64, _queue_time: PredictedQueueTime) {}
}

/// The job at the head of a queue.
pub struct Head<'a> {
    /// The job.
    pub job: &'a MouldableJob,
    /// How it chooses.
    pub strategy: &'a AllocationStrategy,
    /// What is known when it gets to the head.
    pub knowledge: &'a Knowledge,
    /// When the jobs behind it arrive, in order.
    pub arrivals: &'a [f64],
}

impl Head<'_> {
    /// Lets it wait from this moment until it starts. The machine is moved on to that moment and does not hold the job yet.
    pub fn wait(&self, from: f64, machine: &mut BusyMachine, witness: &mut impl Witness) -> Started {
        let widest = self.job.widest(machine.processors());
        let (mut now, mut rebelled) = (from, false);
        loop {
            machine.advance(now, |job| witness.ended(job));
            if machine.free() == 0 {
                now = machine.time_of(1, now).expect("a machine has a processor");
                continue;
            }
            let arrived = self.arrivals.partition_point(|arrival| *arrival <= now);
            let offer = Offer { free: machine.free(), widest, waiting: arrived + 1 };
            let hold = match self.choose(now, machine, offer, rebelled) {
                Choice::Start(processors) => return Started { at: now, processors, rebelled },
                Choice::Wait(hold) => hold,
            };
            rebelled = true;
            let enough = machine.time_of(hold.processors, now).expect("a job requests at most the whole machine");
            if let Some(queue_time) = self.told(hold, enough - now) {
                witness.told(now, queue_time);
            }
            let asked_again = self.asked_again(now, hold, self.arrivals.get(arrived).copied());
            if enough <= asked_again {
                machine.advance(enough, |job| witness.ended(job));
                let most = if self.locks_in() { hold.processors } else { widest };
                return Started { at: enough, processors: machine.free().min(most), rebelled };
            }
            now = asked_again;
        }
    }

    fn choose(&self, now: f64, machine: &BusyMachine, offer: Offer, has_waited: bool) -> Choice {
        let on_what_is_free = Choice::Start(offer.free.min(offer.widest));
        if offer.free >= offer.widest {
            return on_what_is_free;
        }
        match self.strategy {
            AllocationStrategy::Average => on_what_is_free,
            // It is asked again only when its patience is at an end.
            AllocationStrategy::Heuristic(_) if has_waited => on_what_is_free,
            AllocationStrategy::Heuristic(heuristic) => heuristic.choose(self.job, offer),
            AllocationStrategy::Turnaround { source: QueueTimeSource::Known, preferences, .. } => {
                least_turnaround(self.job, offer, *preferences, |needed, _| {
                    machine.time_of(offer.free + needed, now).map(|time| time - now)
                })
            }
            AllocationStrategy::Turnaround { preferences, .. } => {
                let Some(run_times) = self.knowledge.run_times() else { return on_what_is_free };
                let queue_times = QueueTimes::new(machine.seen(now), run_times, self.knowledge.interpretation());
                let correction = self.correction();
                least_turnaround(self.job, offer, *preferences, |needed, at_most| {
                    let at_most = correction.map_or(at_most, |bias| bias.uncorrected(at_most));
                    let predicted = queue_times.combined(needed, at_most)?;
                    Some(correction.map_or(predicted, |bias| bias.corrected(predicted)))
                })
            }
        }
    }

    fn correction(&self) -> Option<queuecast_schedule::mouldable::bias::Bias> {
        let corrects =
            matches!(self.strategy, AllocationStrategy::Turnaround { source: QueueTimeSource::Corrected, .. });
        self.knowledge.correction().filter(|_| corrects)
    }

    /// What the job was told and what will come of it, where it was a prediction.
    fn told(&self, hold: Hold, actual_seconds: f64) -> Option<PredictedQueueTime> {
        match self.strategy {
            AllocationStrategy::Turnaround {
                source: QueueTimeSource::Predicted | QueueTimeSource::Corrected, ..
            } => {
                let told_seconds = hold.seconds;
                let raw_seconds = self.correction().map_or(told_seconds, |bias| bias.uncorrected(told_seconds));
                Some(PredictedQueueTime { raw_seconds, told_seconds, actual_seconds })
            }
            _ => None,
        }
    }

    /// When the job reconsiders, if it has not started by then.
    fn asked_again(&self, now: f64, hold: Hold, next_arrival: Option<f64>) -> f64 {
        let told = now + hold.seconds.max(LEAST_HOLD_SECONDS);
        match self.strategy {
            // What is known does not change.
            AllocationStrategy::Turnaround { source: QueueTimeSource::Known, .. } => f64::INFINITY,
            AllocationStrategy::Turnaround { .. } => next_arrival.map_or(told, |arrival| arrival.min(told)),
            AllocationStrategy::Heuristic(_) | AllocationStrategy::Average => now + hold.seconds,
        }
    }

    fn locks_in(&self) -> bool {
        matches!(self.strategy, AllocationStrategy::Turnaround { locks_in: true, .. })
    }
}
