//! When will enough processors have been released? Downey's queue-time predictors as forecasters (R-D5 to R-D7).
//!
//! For: a forecast from the ages of running jobs alone: run times are taken to be uniform in their logarithm, fitted to
//! all that have ended, and a job waits until those that run have released what it and everybody before it ask for.
//!
//! Not for: backfilling, which lets small jobs go first, or queues that ask for more than the machine has: there the
//! answer is when all that runs now will have ended, and that is too early. The predictors themselves are
//! `queuecast-schedule`'s.

use queuecast_schedule::mouldable::queue_time::{Interpretation, QueueTimes, RunningJob};
use queuecast_workload::log_uniform::LogHistogram;
use queuecast_workload::{Outcome, Submission, Time};

use crate::distribution::WaitDistribution;
use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::state::SiteState;

/// Which of the two predictors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReleasePredictor {
    /// A: the median of the time until one job has released enough.
    Median,
    /// B: when enough is released on average.
    Average,
    /// A where at least two jobs could satisfy the request alone, else B.
    Combined,
}

/// Forecasts from the ages of running jobs. It says one number; its ranges are for [`crate::Calibrated`] to find.
#[derive(Clone, Debug)]
pub struct ReleaseForecaster {
    predictor: ReleasePredictor,
    run_times: LogHistogram,
    queue_times: QueueTimes,
}

impl ReleaseForecaster {
    /// That has seen nothing.
    pub fn new(predictor: ReleasePredictor) -> Self {
        Self { predictor, run_times: LogHistogram::default(), queue_times: QueueTimes::default() }
    }

    fn wait_seconds(&mut self, job: &Submission, state: &SiteState, now: Time) -> Option<f64> {
        let waiting: u64 = state.waiting().map(|job| u64::from(job.request.processors)).sum();
        let free = u64::from(state.machine().processors).saturating_sub(state.occupied_processors());
        let needed = (waiting + u64::from(job.request.processors)).checked_sub(free).filter(|needed| *needed > 0)?;
        let needed = u32::try_from(needed.min(state.occupied_processors())).unwrap_or(u32::MAX);
        let running = state.running().map(|running| RunningJob {
            processors: running.submission.request.processors,
            age_seconds: (now - running.started).as_f64(),
        });
        self.queue_times.set(running, self.run_times.fit()?, Interpretation::Right);
        let times = &self.queue_times;
        match self.predictor {
            ReleasePredictor::Median => times.median_approximate(needed, f64::INFINITY),
            ReleasePredictor::Average => times.mean(needed, f64::INFINITY),
            ReleasePredictor::Combined => times.combined(needed, f64::INFINITY),
        }
        // Without a job that could satisfy the request alone A has no answer, and B is the next best.
        .or_else(|| times.mean(needed, f64::INFINITY))
    }
}

impl WaitForecaster for ReleaseForecaster {
    fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
        let wait = self.wait_seconds(job, state, now).unwrap_or(0.0);
        WaitForecast::from_distribution(WaitDistribution::of([wait]))
    }

    fn on_start(&mut self, _job: &Submission, _now: Time) {}

    fn on_end(&mut self, _job: &Submission, outcome: &Outcome) {
        self.run_times.insert(outcome.run());
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{JobId, Machine, Status};

    use super::*;
    use queuecast_testkit::submission;

    /// Eight of ten processors are held by one job; run times so far were between a minute and a day.
    fn said(predictor: ReleasePredictor, processors: u32, queue: u32) -> f64 {
        let mut forecaster = ReleaseForecaster::new(predictor);
        for step in 0..200 {
            let run = 60 + step * step * 2;
            let outcome = Outcome { started: Time(0), ended: Time(run), status: Status::Completed };
            forecaster.on_end(&submission(0, 0, 1, None), &outcome);
        }
        let mut state = SiteState::new(Machine { processors: 10 });
        state.arrive(&submission(0, 0, 8, None));
        state.start(JobId(0), Time(0));
        if queue > 0 {
            state.arrive(&submission(1, 0, queue, None));
        }
        forecaster.on_arrival(&submission(2, 600, processors, None), &state, Time(600)).point_seconds
    }

    #[test]
    fn who_fits_does_not_wait_and_who_does_not_waits_for_the_running_job() {
        for predictor in [ReleasePredictor::Median, ReleasePredictor::Average, ReleasePredictor::Combined] {
            assert!(said(predictor, 2, 0) < 1.0, "it fits");
            assert!(said(predictor, 3, 0) > 600.0, "it has to wait for a job that has run for ten minutes");
            assert!(said(predictor, 2, 1) > 600.0, "so does one behind another");
        }
    }

    #[test]
    fn more_than_runs_is_when_all_has_ended() {
        assert!(said(ReleasePredictor::Average, 10, 10) >= said(ReleasePredictor::Average, 3, 0));
    }
}
