//! What would each job gain by defying AVG? Downey's application-centric view (sections 5.1 to 5.6).
//!
//! For: one schedule under AVG, and for every job that was given less than it could use, what it would have got under each
//! other strategy, had it alone followed it. Nobody does, so that the schedule is the same for all.
//!
//! Not for: what happens when everybody follows one ([`super::StrictQueue`]).

use queuecast_schedule::mouldable::AllocationStrategy;
use queuecast_workload::mouldable::MouldableJob;

use super::head::{Head, Witness};
use super::knowledge::{Knowledge, PredictedQueueTime, QueueTimeModel};
use super::machine::{Busy, BusyMachine};
use super::strict::Seen;

/// What came of defying AVG, by one strategy.
#[derive(Clone, Debug, Default)]
pub struct Incentive {
    /// What each job that would have waited would have saved, in seconds; below zero for those that lose.
    pub savings_seconds: Vec<f64>,
    /// The queue times they were told.
    pub queue_times: Vec<PredictedQueueTime>,
}

/// Jobs under AVG, and what they might have gained.
#[derive(Clone, Debug)]
pub struct Incentives {
    /// All jobs.
    pub jobs: usize,
    /// Those that were given all they could use.
    pub spoiled: usize,
    /// How long the jobs ran.
    pub runs_seconds: Vec<f64>,
    /// By strategy, as they were given.
    pub by_strategy: Vec<Incentive>,
}

struct Contender {
    strategy: AllocationStrategy,
    knowledge: Knowledge,
}

impl Incentives {
    /// Over periods of jobs, each on an empty machine.
    pub fn measure<'a>(
        periods: impl IntoIterator<Item = &'a [MouldableJob]>,
        processors: u32,
        strategies: &[AllocationStrategy],
        model: QueueTimeModel,
    ) -> Self {
        let contender =
            |strategy: &AllocationStrategy| Contender { strategy: *strategy, knowledge: Knowledge::new(model) };
        let mut contenders: Vec<Contender> = strategies.iter().map(contender).collect();
        let by_strategy = vec![Incentive::default(); strategies.len()];
        let mut incentives = Self { jobs: 0, spoiled: 0, runs_seconds: Vec::new(), by_strategy };
        for jobs in periods {
            incentives.add(jobs, processors, &mut contenders);
        }
        incentives
    }

    fn add(&mut self, jobs: &[MouldableJob], processors: u32, contenders: &mut [Contender]) {
        let arrivals: Vec<f64> = jobs.iter().map(MouldableJob::submitted_seconds).collect();
        let mut machine = BusyMachine::new(processors);
        let mut free_head_at = f64::NEG_INFINITY;
        for (index, job) in jobs.iter().enumerate() {
            let arrivals_behind = &arrivals[index + 1..];
            let mut ended = Ended(contenders);
            let docile = Head {
                job,
                strategy: &AllocationStrategy::Average,
                knowledge: &Knowledge::new(QueueTimeModel::default()),
                arrivals: arrivals_behind,
            };
            let started = docile.wait(arrivals[index].max(free_head_at), &mut machine, &mut ended);
            let run_seconds = job.run_seconds(started.processors);
            let ends = started.at + run_seconds;
            self.jobs += 1;
            self.runs_seconds.push(run_seconds);
            if started.processors == job.widest(processors) {
                self.spoiled += 1;
            } else {
                for (contender, incentive) in contenders.iter_mut().zip(&mut self.by_strategy) {
                    contender.knowledge.advance(started.at);
                    // What the copy of the machine does never happens: of it only the prediction is learnt.
                    let (strategy, knowledge) = (&contender.strategy, &contender.knowledge);
                    let mut seen = Seen::default();
                    let rebel = Head { job, strategy, knowledge, arrivals: arrivals_behind };
                    let otherwise = rebel.wait(started.at, &mut machine.clone(), &mut seen);
                    for (now, queue_time) in seen.told {
                        contender.knowledge.predicted(now, queue_time);
                        incentive.queue_times.push(queue_time);
                    }
                    if otherwise.rebelled {
                        let turnaround_end = otherwise.at + job.run_seconds(otherwise.processors);
                        incentive.savings_seconds.push(ends - turnaround_end);
                    }
                }
            }
            machine.start(Busy { processors: started.processors, started: started.at, ends });
            free_head_at = started.at;
        }
        machine.advance(f64::INFINITY, |job| Ended(contenders).ended(job));
        for contender in contenders {
            contender.knowledge.advance(f64::INFINITY);
        }
    }
}

/// Everybody learns from what really ended.
struct Ended<'a>(&'a mut [Contender]);

impl Witness for Ended<'_> {
    fn ended(&mut self, job: Busy) {
        for contender in &mut *self.0 {
            contender.knowledge.ended(job.ends - job.started);
        }
    }
}
