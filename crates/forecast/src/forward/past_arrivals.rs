//! Arrivals as they came some days ago: the site's own past, shifted whole days forward.
//!
//! For: futures in which others come, too (R-O4). Whole days, because who comes at four in the afternoon
//! is not who comes at four in the morning; the future of a number takes its own day, so that good and bad ones are
//! among them. A job is played with the run time it had; one that has not ended yet, with its limit.
//!
//! Not for: policies that kill nobody and know no limits; jobs without a limit are left out.

use std::collections::VecDeque;

use queuecast_workload::{JobId, Outcome, Seconds, Submission, Time};

use crate::forward::arrivals::{ArrivalSampler, SampledArrival};

const DAY: Seconds = Seconds(86_400);

/// Which part of the past is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastArrivalsParameters {
    /// How many days back it begins at the most; as many futures differ.
    pub days: u32,
    /// How much of it is played, from the same hour on; in what comes later nobody arrives.
    pub horizon: Seconds,
}

impl Default for PastArrivalsParameters {
    fn default() -> Self {
        Self { days: 28, horizon: DAY }
    }
}

/// Plays the arrivals of earlier days again.
#[derive(Clone, Debug)]
pub struct PastArrivals {
    parameters: PastArrivalsParameters,
    /// Who arrived, in order.
    past: VecDeque<(JobId, SampledArrival)>,
}

impl PastArrivals {
    /// Nobody has arrived yet.
    pub fn new(parameters: PastArrivalsParameters) -> Self {
        Self { parameters, past: VecDeque::new() }
    }
}

impl ArrivalSampler for PastArrivals {
    fn arrivals(&mut self, _job: &Submission, now: Time, future: u64, arrivals: &mut Vec<SampledArrival>) {
        let back = i64::try_from(future % u64::from(self.parameters.days.max(1))).unwrap_or(0) + 1;
        let shift = Seconds(back * DAY.0);
        let begin = self.past.partition_point(|(_, job)| job.arrives + shift <= now);
        let within = self.past.range(begin..).map(|(_, job)| *job);
        let within = within.map(|job| SampledArrival { arrives: job.arrives + shift, ..job });
        arrivals.extend(within.take_while(|job| job.arrives <= now + self.parameters.horizon));
    }

    fn on_arrival(&mut self, job: &Submission, now: Time) {
        let oldest = now - Seconds((i64::from(self.parameters.days) + 1) * DAY.0);
        while self.past.front().is_some_and(|(_, job)| job.arrives < oldest) {
            self.past.pop_front();
        }
        if let Some(limit) = job.limit {
            let processors = job.request.processors;
            let arrival = SampledArrival { arrives: now, processors, limit: Some(limit), planned: limit, run: limit };
            self.past.push_back((job.job, arrival));
        }
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        // Handles are in order of arrival.
        if let Ok(place) = self.past.binary_search_by_key(&job.job, |(handle, _)| *handle) {
            self.past[place].1.run = outcome.run();
        }
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        if let Ok(place) = self.past.binary_search_by_key(&job.job, |(handle, _)| *handle) {
            self.past.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Status;

    use super::*;
    use queuecast_testkit::submission;

    #[test]
    fn the_same_hours_of_another_day_come_again_with_the_run_times_that_are_known() {
        let mut past = PastArrivals::new(PastArrivalsParameters { days: 2, horizon: Seconds(3_600) });
        for (handle, submitted) in [(0, 10), (1, 2_000), (2, 86_400 + 1_500), (3, 86_400 + 9_000)] {
            past.on_arrival(&submission(handle, submitted, 3, Some(500)), Time(submitted));
        }
        let outcome = Outcome { started: Time(2_000), ended: Time(2_040), status: Status::Completed };
        past.on_end(&submission(1, 2_000, 3, Some(500)), &outcome);
        let now = Time(2 * 86_400 + 1_000);
        let mut come = |future: u64| {
            let mut arrivals = Vec::new();
            past.arrivals(&submission(4, now.0, 1, None), now, future, &mut arrivals);
            arrivals.iter().map(|job| ((job.arrives - now).0, job.run.0)).collect::<Vec<_>>()
        };
        assert_eq!(come(0), [(500, 500)], "yesterday; it has not ended");
        assert_eq!(come(1), [(1_000, 40)], "the day before");
        assert_eq!(come(2), come(0));
    }

    #[test]
    fn who_was_only_asked_about_does_not_come_again() {
        let mut past = PastArrivals::new(PastArrivalsParameters { days: 1, horizon: Seconds(3_600) });
        let asked = submission(0, 100, 3, Some(500));
        past.on_arrival(&asked, Time(100));
        past.on_withdrawn(&asked);
        let mut arrivals = Vec::new();
        past.arrivals(&submission(1, 86_400, 1, None), Time(86_400), 0, &mut arrivals);
        assert_eq!(arrivals, []);
    }
}
