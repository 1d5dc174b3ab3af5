//! Forecasts along a history: every job is asked about when it arrives, and nothing is told before it happens (R-K1).
//!
//! For: both regimes. A log's own waits, where the site's policy is not known, or waits that a simulation gave: either
//! way jobs come with a wait on record, and a forecaster meets arrivals, starts and ends in their order.
//!
//! Within one second ends come first, then arrivals, then starts, as in the simulator's clean rules.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use queuecast_workload::{JobId, Machine, Outcome, Seconds, Submission, Time, TracedJob};

use crate::forecast::WaitForecast;
use crate::forecaster::WaitForecaster;
use crate::state::SiteState;

/// A job with what was said of it and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct ForecastJob<'a> {
    /// The job.
    pub submission: &'a Submission,
    /// What was said when it arrived.
    pub forecast: &'a WaitForecast,
    /// How long it waited.
    pub wait: Seconds,
}

/// Hears of every forecast once its job has started, in order of starts.
pub trait ForecastObserver {
    /// A job has started.
    fn started(&mut self, job: ForecastJob<'_>);
}

/// Both are told.
impl<A: ForecastObserver, B: ForecastObserver> ForecastObserver for (A, B) {
    fn started(&mut self, job: ForecastJob<'_>) {
        self.0.started(job);
        self.1.started(job);
    }
}

impl<O: ForecastObserver> ForecastObserver for &mut O {
    fn started(&mut self, job: ForecastJob<'_>) {
        (**self).started(job);
    }
}

impl<O: ForecastObserver> ForecastObserver for Option<O> {
    fn started(&mut self, job: ForecastJob<'_>) {
        if let Some(observer) = self {
            observer.started(job);
        }
    }
}

/// Plays the jobs, which are in order of submission and whose waits are on record (none counts as no wait), through a
/// forecaster. Handles are given anew, in order.
pub fn replay_waits<F: WaitForecaster + ?Sized>(
    jobs: impl Iterator<Item = TracedJob>,
    machine: Machine,
    forecaster: &mut F,
    observer: &mut impl ForecastObserver,
) {
    let mut state = SiteState::new(machine);
    let mut waiting: BinaryHeap<Reverse<(Time, JobId)>> = BinaryHeap::new();
    let mut running: BinaryHeap<Reverse<(Time, JobId)>> = BinaryHeap::new();
    let mut known: BTreeMap<JobId, (TracedJob, Option<WaitForecast>, Time)> = BTreeMap::new();
    let mut jobs = jobs.zip(0..).peekable();
    loop {
        let next = [
            jobs.peek().map(|(job, _)| job.submission.submitted),
            waiting.peek().map(|Reverse((time, _))| *time),
            running.peek().map(|Reverse((time, _))| *time),
        ];
        let Some(now) = next.into_iter().flatten().min() else { break };
        state.advance(now);
        while let Some(Reverse((_, id))) = running.peek().copied().filter(|Reverse((time, _))| *time <= now) {
            running.pop();
            state.end(id);
            if let Some((job, _, started)) = known.remove(&id) {
                let outcome = Outcome { started, ended: now, status: job.recorded.status };
                forecaster.on_end(&job.submission, &outcome);
            }
        }
        while let Some((mut job, id)) = jobs.next_if(|(job, _)| job.submission.submitted <= now) {
            let id = JobId(id);
            job.submission.job = id;
            let forecast = forecaster.on_arrival(&job.submission, &state, now);
            state.arrive(&job.submission);
            let wait = job.recorded.wait.unwrap_or(Seconds::ZERO).max(Seconds::ZERO);
            waiting.push(Reverse((now + wait, id)));
            known.insert(id, (job, Some(forecast), now));
        }
        while let Some(Reverse((_, id))) = waiting.peek().copied().filter(|Reverse((time, _))| *time <= now) {
            waiting.pop();
            state.start(id, now);
            if let Some((job, forecast, started)) = known.get_mut(&id) {
                *started = now;
                forecaster.on_start(&job.submission, now);
                if let Some(forecast) = forecast.take() {
                    let wait = now - job.submission.submitted;
                    observer.started(ForecastJob { submission: &job.submission, forecast: &forecast, wait });
                }
                running.push(Reverse((now + job.recorded.run.max(Seconds::ZERO), id)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::{Recorded, Status};

    use super::*;
    use crate::distribution::WaitDistribution;
    use queuecast_testkit::submission;

    fn job(submitted: i64, wait: i64, run: i64) -> TracedJob {
        TracedJob {
            number: 1,
            submission: submission(0, submitted, 1, None),
            recorded: Recorded { wait: Some(Seconds(wait)), run: Seconds(run), status: Status::Completed },
        }
    }

    /// Notes every event with what the site looked like.
    #[derive(Default)]
    struct Diary(Vec<String>);

    impl WaitForecaster for Diary {
        fn on_arrival(&mut self, job: &Submission, state: &SiteState, now: Time) -> WaitForecast {
            let (waiting, running) = (state.waiting().len(), state.running().len());
            self.0.push(format!("{now:?} arrives {}: {waiting} wait, {running} run", job.job.0));
            WaitForecast::from_distribution(WaitDistribution::of([0.0]))
        }
        fn on_start(&mut self, job: &Submission, now: Time) {
            self.0.push(format!("{now:?} starts {}", job.job.0));
        }
        fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
            self.0.push(format!("{:?} ends {} after {}", outcome.ended, job.job.0, outcome.run().0));
        }
    }

    #[derive(Default)]
    struct Waits(Vec<(u64, i64)>);

    impl ForecastObserver for Waits {
        fn started(&mut self, job: ForecastJob<'_>) {
            self.0.push((job.submission.job.0, job.wait.0));
        }
    }

    #[test]
    fn ends_come_before_arrivals_and_starts_after_them() {
        let (mut diary, mut waits) = (Diary::default(), Waits::default());
        let jobs = [job(0, 0, 10), job(10, 5, 7), job(10, 0, 1)];
        replay_waits(jobs.into_iter(), Machine { processors: 4 }, &mut diary, &mut waits);
        let expected = [
            "Time(0) arrives 0: 0 wait, 0 run",
            "Time(0) starts 0",
            "Time(10) ends 0 after 10",
            "Time(10) arrives 1: 0 wait, 0 run",
            "Time(10) arrives 2: 1 wait, 0 run",
            "Time(10) starts 2",
            "Time(11) ends 2 after 1",
            "Time(15) starts 1",
            "Time(22) ends 1 after 7",
        ];
        assert_eq!(diary.0, expected);
        assert_eq!(waits.0, [(0, 0), (2, 0), (1, 5)]);
    }
}
