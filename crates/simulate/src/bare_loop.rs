//! The yardstick for the simulator's speed that does not depend on the machine it runs on.
//!
//! Whatever a simulator decides, it has to carry every job's start and its end through a queue of events. This is
//! that and nothing else: the same starts and ends, known beforehand, pushed and popped through the same binary
//! heap, with no queue, no predictor and no scheduler. How many times longer the simulation takes is what deciding
//! costs.

use queuecast_schedule::JobKey;
use queuecast_workload::Time;

use crate::events::Events;
use crate::{FinishedJob, Observer};

/// When each job of a schedule was submitted, started and ended.
#[derive(Clone, Debug, Default)]
pub struct BareLoop {
    jobs: Vec<[Time; 3]>,
}

impl BareLoop {
    /// Puts the jobs in order of submission, once, before anything is timed.
    pub fn prepare(&mut self) {
        self.jobs.sort_unstable();
    }

    /// Carries every start and every end through the heap. Returns how many events there were.
    pub fn run(&self) -> u64 {
        let mut events = Events::default();
        let mut handled = 0;
        for (index, [submitted, started, _]) in (0..).zip(&self.jobs) {
            handled += self.handle_until(*submitted, &mut events);
            events.schedule(*started, start_of(index));
        }
        handled + self.handle_until(Time::MAX, &mut events)
    }

    fn handle_until(&self, now: Time, events: &mut Events) -> u64 {
        let mut handled = 0;
        while let Some(key) = events.take_due(now) {
            handled += 1;
            if let Some(index) = started(key) {
                events.schedule(self.jobs[index as usize][2], JobKey(index));
            }
        }
        handled
    }
}

/// Starts are told from ends by the highest bit of the key.
const START: u32 = 1 << 31;

fn start_of(index: u32) -> JobKey {
    JobKey(index | START)
}

fn started(key: JobKey) -> Option<u32> {
    (key.0 & START != 0).then_some(key.0 & !START)
}

impl Observer for BareLoop {
    fn finished(&mut self, job: &FinishedJob<'_>) {
        self.jobs.push([job.submission.submitted, job.outcome.started, job.outcome.ended]);
    }
}
