//! Schedules of mouldable jobs, judged: for the system and for the single job (R-D9 to R-D11).

use queuecast_predict::PredictorSpecification;
use queuecast_schedule::mouldable::bias::{Bias, BiasLine};
use queuecast_simulate::mouldable::{AllocatedJob, Incentive, MouldableTracedJob, Moulding, Passing, PlannedQueue};
use queuecast_workload::mouldable::MouldableJob;
use serde::Serialize;

/// A queue of mouldable jobs that is planned with predicted run times: everything that decides what comes out.
#[derive(Clone, Debug)]
pub struct PlannedConfiguration {
    /// Processors of the machine.
    pub processors: u32,
    /// How jobs choose their width.
    pub moulding: Moulding,
    /// Whether jobs may pass the head.
    pub passing: Passing,
    /// Who predicts.
    pub predictor: PredictorSpecification,
}

impl PlannedConfiguration {
    /// Runs these jobs, in order of submission.
    pub fn run(&self, jobs: &[MouldableTracedJob]) -> Vec<AllocatedJob> {
        let (predictor, foresight) = self.predictor.build(self.predictor.default_correction(), false);
        if let Some(foresight) = foresight {
            for job in jobs {
                foresight.hear(&job.traced);
            }
        }
        PlannedQueue::new(self.processors, self.moulding, self.passing, predictor).run(jobs)
    }
}

/// What a strategy makes of the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct AllocationSummary {
    /// How many jobs.
    pub jobs: usize,
    /// Mean seconds from submission to end.
    pub turnaround_seconds: f64,
    /// Mean seconds in the queue.
    pub wait_seconds: f64,
    /// Mean seconds of run time.
    pub run_seconds: f64,
    /// Mean processors.
    pub processors: f64,
    /// The mean efficiency, speedup over processors, over all processors and from the first submission of a period to its
    /// last start; mean over periods. An idle processor's is nought.
    pub utilisation: f64,
}

impl AllocationSummary {
    /// Over periods that each began on an empty machine of so many processors.
    pub fn of(periods: &[Vec<AllocatedJob>], processors: u32) -> Self {
        let jobs = || periods.iter().flatten();
        let utilisations: Vec<f64> = periods.iter().filter_map(|period| utilisation(period, processors)).collect();
        Self {
            jobs: jobs().count(),
            turnaround_seconds: mean(jobs().map(AllocatedJob::turnaround_seconds)),
            wait_seconds: mean(jobs().map(|job| job.turnaround_seconds() - job.run_seconds)),
            run_seconds: mean(jobs().map(|job| job.run_seconds)),
            processors: mean(jobs().map(|job| f64::from(job.processors))),
            utilisation: mean(utilisations.into_iter()),
        }
    }
}

/// Work is done at the speedup of every job that runs.
fn utilisation(period: &[AllocatedJob], processors: u32) -> Option<f64> {
    let from = period.iter().map(|job| job.job.submitted_seconds()).reduce(f64::min)?;
    let until = period.iter().map(|job| job.started_seconds).reduce(f64::max)?;
    let work = period.iter().map(|job| {
        let seconds = job.ended_seconds().min(until) - job.started_seconds;
        seconds * job.job.speedup.on(f64::from(job.processors))
    });
    (until > from).then(|| work.sum::<f64>() / (f64::from(processors) * (until - from)))
}

/// What jobs gain that defy AVG by one strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IncentiveSummary {
    /// Jobs that would have waited although something was free.
    pub rebels: usize,
    /// The same, as a share of all jobs.
    pub rebel_share: f64,
    /// What they save together, over all jobs.
    pub saving_seconds_per_job: f64,
    /// The median of what a rebel saves.
    pub rebel_saving_median_seconds: f64,
    /// The mean.
    pub rebel_saving_mean_seconds: f64,
    /// Rebels that lose, as a share of rebels.
    pub loser_share: f64,
    /// What those lose on average.
    pub loss_seconds: f64,
    /// How far queue times were off before any correction; none where none were predicted.
    #[serde(skip)]
    pub raw_bias: Option<Bias>,
    /// How far those were off that the jobs were told.
    #[serde(skip)]
    pub told_bias: Option<Bias>,
}

impl IncentiveSummary {
    /// Of so many jobs in all.
    pub fn of(incentive: &Incentive, jobs: usize) -> Self {
        let savings = &incentive.savings_seconds;
        let losses: Vec<f64> = savings.iter().filter(|saving| **saving < 0.0).map(|saving| -saving).collect();
        let jobs = jobs.max(1) as f64;
        let (mut raw, mut told) = (BiasLine::default(), BiasLine::default());
        for queue_time in &incentive.queue_times {
            raw.learn(queue_time.raw_seconds, queue_time.actual_seconds);
            told.learn(queue_time.told_seconds, queue_time.actual_seconds);
        }
        Self {
            rebels: savings.len(),
            rebel_share: savings.len() as f64 / jobs,
            saving_seconds_per_job: savings.iter().sum::<f64>() / jobs,
            rebel_saving_median_seconds: median(savings),
            rebel_saving_mean_seconds: mean(savings.iter().copied()),
            loser_share: losses.len() as f64 / (savings.len() as f64).max(1.0),
            loss_seconds: mean(losses.into_iter()),
            raw_bias: raw.bias(),
            told_bias: told.bias(),
        }
    }
}

/// The mean; of nothing, nought.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Jobs by the day they were submitted on, days without jobs left out.
pub fn by_day(jobs: &[MouldableJob]) -> Vec<&[MouldableJob]> {
    jobs.chunk_by(|one, next| one.submitted.0.div_euclid(86_400) == next.submitted.0.div_euclid(86_400)).collect()
}

#[cfg(test)]
mod tests {
    use queuecast_simulate::mouldable::PredictedQueueTime;
    use queuecast_workload::Time;
    use queuecast_workload::mouldable::Speedup;

    use super::*;

    fn allocated(submitted: i64, started_seconds: f64, processors: u32, run_seconds: f64) -> AllocatedJob {
        let speedup = Speedup::new(4.0, 0.0);
        let sequential_seconds = run_seconds * f64::from(processors);
        let job = MouldableJob { submitted: Time(submitted), sequential_seconds, speedup };
        AllocatedJob { job, started_seconds, processors, run_seconds }
    }

    /// Eight processors for 100 s: four work for all of it, two for half of it.
    #[test]
    fn utilisation_counts_work_until_the_last_start() {
        let period = vec![allocated(0, 0.0, 4, 200.0), allocated(0, 50.0, 2, 300.0), allocated(0, 100.0, 1, 10.0)];
        let summary = AllocationSummary::of(&[period], 8);
        assert!((summary.utilisation - (400.0 + 100.0) / 800.0).abs() < 1e-12, "{summary:?}");
        assert!((summary.turnaround_seconds - (200.0 + 350.0 + 110.0) / 3.0).abs() < 1e-9);
        assert!((summary.wait_seconds - 50.0).abs() < 1e-9);
    }

    #[test]
    fn savings_are_shared_by_all_jobs_and_losses_by_losers() {
        let queue_time = PredictedQueueTime { raw_seconds: 10.0, told_seconds: 10.0, actual_seconds: 20.0 };
        let incentive = Incentive { savings_seconds: vec![100.0, -20.0, 40.0], queue_times: vec![queue_time] };
        let summary = IncentiveSummary::of(&incentive, 12);
        assert_eq!(summary.rebels, 3);
        assert!((summary.saving_seconds_per_job - 10.0).abs() < 1e-12);
        assert!((summary.loser_share - 1.0 / 3.0).abs() < 1e-12 && (summary.loss_seconds - 20.0).abs() < 1e-12);
        assert!((summary.rebel_saving_median_seconds - 40.0).abs() < 1e-12);
        assert_eq!(summary.raw_bias, None, "a single point has no line");
    }

    #[test]
    fn days_are_told_apart_at_midnight() {
        let jobs: Vec<MouldableJob> = [0, 86_399, 86_400, 3 * 86_400].map(|s| allocated(s, 0.0, 1, 1.0).job).to_vec();
        assert_eq!(by_day(&jobs).iter().map(|day| day.len()).collect::<Vec<_>>(), [2, 1, 1]);
    }
}
