//! The features of an arrival without a look at every job (R-K2).
//!
//! For: half a million waiting and tens of thousands of running jobs; every event and every question takes time that
//! grows with the logarithm of their number.
//!
//! Not for: who waits and who runs, which [`SiteState`](crate::SiteState) knows and tells.
//!
//! The sums over running jobs move with time by themselves ([`Tally`]) until a job outlives its estimate: from then on
//! its work stays at zero and must be taken out. [`FeatureIndex::advance`] does that. A question does not change the
//! index and makes up for the jobs that have lapsed since; there are few, as every start advances, too.

use std::collections::BTreeMap;

use queuecast_workload::{JobId, Time};

use super::demand::Demand;
use super::summed_values::SummedValues;
use super::tally::Tally;
use super::{Features, Surroundings};

/// Waiting and running jobs, summed up by the three values they are compared by.
#[derive(Clone, Debug)]
pub(crate) struct FeatureIndex {
    waiting: JobSums,
    running: JobSums,
    /// Running jobs within their estimates, with their starts, by when they outlive them.
    within_estimate: BTreeMap<(Time, JobId), (Demand, Time)>,
    /// All jobs that lapse up to this time are taken out of `within_estimate`.
    clock: Time,
}

impl Default for FeatureIndex {
    fn default() -> Self {
        Self {
            waiting: JobSums::default(),
            running: JobSums::default(),
            within_estimate: BTreeMap::new(),
            clock: Time(i64::MIN),
        }
    }
}

impl FeatureIndex {
    /// A job waits.
    pub(crate) fn queue(&mut self, demand: Demand) {
        self.waiting.add(demand, Tally::waiting(demand));
    }

    /// A job waits no more.
    pub(crate) fn dequeue(&mut self, demand: Demand) {
        self.waiting.add(demand, -Tally::waiting(demand));
    }

    /// A job runs.
    pub(crate) fn run(&mut self, job: JobId, demand: Demand, started: Time) {
        let mut tally = Tally::overrun();
        tally += Tally::work_of_running(demand, started);
        self.running.add(demand, tally);
        self.within_estimate.insert((demand.lapses(started), job), (demand, started));
        // It may have no estimate to speak of, or have started before the clock.
        self.advance(started);
    }

    /// A job runs no more.
    pub(crate) fn finish(&mut self, job: JobId, demand: Demand, started: Time) {
        let mut tally = Tally::overrun();
        if self.within_estimate.remove(&(demand.lapses(started), job)).is_some() {
            tally += Tally::work_of_running(demand, started);
        }
        self.running.add(demand, -tally);
    }

    /// Time has passed. It never turns back: an earlier time changes nothing.
    pub(crate) fn advance(&mut self, now: Time) {
        self.clock = self.clock.max(now);
        while let Some(first) = self.within_estimate.first_entry().filter(|first| first.key().0 <= self.clock) {
            let (demand, started) = first.remove();
            self.running.add(demand, -Tally::work_of_running(demand, started));
        }
    }

    /// The work of all that wait and what is left of all that run, in processor-seconds.
    pub(crate) fn work(&self, now: Time) -> f64 {
        let now = now.max(self.clock);
        let overdrawn: i128 =
            self.lapsed(now).map(|(job, started)| Tally::work_of_running(job, started).work(now)).sum();
        (self.waiting.all.work(now) + self.running.all.work(now) - overdrawn) as f64
    }

    /// Jobs that have outlived their estimates and are still counted as if they had work.
    fn lapsed(&self, now: Time) -> impl Iterator<Item = (Demand, Time)> {
        self.within_estimate.range(..=(now, JobId(u64::MAX))).map(|(_, job)| *job)
    }

    /// The features of a job that arrives now.
    pub(crate) fn features(&self, demand: Demand, occupied_processors: u64, now: Time) -> Features {
        let now = now.max(self.clock);
        let waiting = self.waiting.around(demand, now);
        let mut running = self.running.around(demand, now);
        for (other, started) in self.lapsed(now) {
            let overdrawn = Tally::work_of_running(other, started).work(now);
            running.work -= overdrawn;
            for (work, is_below) in running.work_below.iter_mut().zip(below(other, demand)) {
                *work -= if is_below { overdrawn } else { 0 };
            }
        }
        Features::assemble(demand, &waiting, &running, occupied_processors)
    }
}

/// Whether one job's processors, estimate and demand are lower than another's.
fn below(one: Demand, other: Demand) -> [bool; 3] {
    [
        one.processors < other.processors,
        one.estimate < other.estimate,
        one.processor_seconds() < other.processor_seconds(),
    ]
}

/// Jobs, summed up by each of the three values.
#[derive(Clone, Debug, Default)]
struct JobSums {
    all: Tally,
    by_processors: SummedValues<u32>,
    by_estimate: SummedValues<i64>,
    by_demand: SummedValues<i128>,
}

impl JobSums {
    fn add(&mut self, demand: Demand, change: Tally) {
        self.all += change;
        self.by_processors.add(demand.processors, change);
        self.by_estimate.add(demand.estimate.0, change);
        self.by_demand.add(demand.processor_seconds(), change);
    }

    fn around(&self, demand: Demand, now: Time) -> Surroundings {
        let below = [
            self.by_processors.below(demand.processors),
            self.by_estimate.below(demand.estimate.0),
            self.by_demand.below(demand.processor_seconds()),
        ];
        Surroundings {
            jobs: self.all.jobs,
            work: self.all.work(now),
            jobs_below: below.map(|tally| tally.jobs),
            work_below: below.map(|tally| tally.work(now)),
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Seconds;

    use super::*;

    #[test]
    fn a_job_that_has_outlived_its_estimate_is_not_looked_at_again() {
        let mut index = FeatureIndex::default();
        let demand = |estimate| Demand { processors: 2, estimate: Seconds(estimate) };
        for (id, estimate) in [(0, 0), (1, 50), (2, 51), (3, 1_000)] {
            index.run(JobId(id), demand(estimate), Time(100));
        }
        let within = |index: &FeatureIndex| index.within_estimate.keys().map(|(_, job)| job.0).collect::<Vec<_>>();
        assert_eq!(within(&index), [1, 2, 3]);
        index.advance(Time(150));
        assert_eq!(within(&index), [2, 3]);
        index.run(JobId(4), demand(20), Time(130));
        index.run(JobId(5), demand(20), Time(160));
        assert_eq!(within(&index), [5, 3]);
        for (id, estimate, started) in [(0, 0, 100), (1, 50, 100), (2, 51, 100), (3, 1_000, 100), (4, 20, 130)] {
            index.finish(JobId(id), demand(estimate), Time(started));
        }
        index.finish(JobId(5), demand(20), Time(160));
        assert_eq!(index.running.all, Tally::default());
    }
}
