//! A job that does not exist, as sbatch would take it: in any of several partitions, not before a time or another job, and not at all
//! where nobody can say.
//!
//! Not for: what it asks a partition for (`cluster`); what is said of jobs that wait (`forecasting`).
//!
//! Source: sbatch(1) `--partition`, `--begin`, `--dependency`.

use queuecast_advise::HypotheticalJob;
use queuecast_forecast::estimate::{JobForecast, NoForecast, TimeRange};
use queuecast_forecast::score::SHARES;
use queuecast_workload::{Seconds, Submission, Time};

use super::OpenAdviser;
use crate::cluster::Imagined;
use crate::forecasting::not_before;

impl OpenAdviser {
    /// What is said of it: where several partitions would do, it starts in whichever lets it first, future by future.
    pub(super) fn supposed(&self, job: &HypotheticalJob) -> JobForecast {
        let (starts, there, planned) = match self.starts_of(job) {
            Ok(found) => found,
            Err(none) => return JobForecast::NoForecast(none),
        };
        let submission = self.submission(&there, planned);
        let distribution = self.distribution(&submission);
        let mut forecast = self.said(&submission, &starts, |share| distribution.sample(share).min(planned));
        self.not_before_it_may(job, &mut forecast);
        forecast
    }

    /// The same job in the one partition of those it names in which it would start first; as it is, if it names one or none.
    pub(super) fn where_it_would_run(&self, job: &HypotheticalJob) -> Result<HypotheticalJob, NoForecast> {
        if job.partitions().len() < 2 {
            return Ok(job.clone());
        }
        self.starts_of(job).map(|(_, there, _)| there)
    }

    /// When it would start in each future, in which partition mostly, and how long it would be planned to run there.
    fn starts_of(&self, job: &HypotheticalJob) -> Result<(Vec<Option<Time>>, HypotheticalJob, Seconds), NoForecast> {
        let in_one = |there: HypotheticalJob| {
            let imagined = self.situation.hypothetical(&there)?;
            let starts = self.starts_after(job, &imagined, self.submission(&there, imagined.planned));
            Ok((starts, there, imagined.planned))
        };
        let names = job.partitions();
        let [first, others @ ..] = names.as_slice() else { return in_one(job.clone()) };
        let mut found = in_one(job.in_partition(first));
        for name in others {
            let Ok((starts, there, planned)) = in_one(job.in_partition(name)) else { continue };
            found = match found {
                // One that takes it is enough for sbatch.
                Err(_) => Ok((starts, there, planned)),
                Ok((best, best_there, best_planned)) => {
                    let is_first = |(one, other): &(&Option<Time>, &Option<Time>)| starts_before(**one, **other);
                    let sooner = starts.iter().zip(&best).filter(is_first).count();
                    let both = best
                        .iter()
                        .zip(&starts)
                        .map(|(one, other)| if starts_before(*other, *one) { *other } else { *one });
                    let both = both.collect();
                    if sooner * 2 > best.len() {
                        Ok((both, there, planned))
                    } else {
                        Ok((both, best_there, best_planned))
                    }
                }
            };
        }
        found
    }

    /// Before when it cannot start, whatever else.
    pub(super) fn not_before(&self, job: &HypotheticalJob) -> Time {
        job.begin.unwrap_or(self.now()).max(self.now())
    }

    /// Nothing is said before it may begin, or before the earliest moment at which what it waits for is over.
    pub(super) fn not_before_it_may(&self, job: &HypotheticalJob, forecast: &mut JobForecast) {
        if let JobForecast::Estimate(estimate) = forecast {
            let after = job.after.map_or(Time(i64::MIN), |after| after.times[0]);
            not_before(estimate, self.not_before(job).max(after));
        }
    }

    /// When it starts, behind other jobs if it waits for some: they are over in the middle of what is said of them, and in each future as
    /// much earlier or later as that says.
    pub(super) fn starts_after(
        &self,
        job: &HypotheticalJob,
        imagined: &Imagined,
        submission: Submission,
    ) -> Vec<Option<Time>> {
        let Some(after) = &job.after else { return self.starts(imagined, submission) };
        let middle = at_share(after, 0.5);
        let starts = self.starts(&imagined.not_before(middle), submission);
        let futures = starts.len();
        let moved = starts.into_iter().enumerate().map(|(future, start)| {
            let over = at_share(after, (future as f64 + 0.5) / futures as f64);
            start.map(|start| (start + (over - middle)).max(over).max(self.not_before(job)))
        });
        moved.collect()
    }
}

fn starts_before(one: Option<Time>, other: Option<Time>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one < other,
        (one, None) => one.is_some(),
        (None, Some(_)) => false,
    }
}

/// The time at a share, between those that are said.
fn at_share(range: &TimeRange, share: f64) -> Time {
    let above = SHARES.iter().position(|known| *known >= share).unwrap_or(SHARES.len() - 1);
    let Some(below) = above.checked_sub(1) else { return range.times[0] };
    let (from, to) = (range.times[below], range.times[above]);
    let way = ((share - SHARES[below]) / (SHARES[above] - SHARES[below])).clamp(0.0, 1.0);
    #[expect(clippy::cast_possible_truncation, reason = "a part of a span is a span")]
    let part = ((to - from).as_f64() * way) as i64;
    from + Seconds(part)
}

/// What of a job has no part in its forecast, by the names of the interface.
pub(super) fn not_modelled(job: &HypotheticalJob) -> Vec<&'static str> {
    let has_others = job.layout.gres.iter().any(|gres| gres.name != "gpu");
    [(job.exclusive_user, "exclusive_user"), (has_others, "gres")]
        .into_iter()
        .filter_map(|(is_asked, name)| is_asked.then_some(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_at_a_share_lies_between_those_that_are_said() {
        let range = TimeRange { times: std::array::from_fn(|place| Time(1_000 * place as i64)) };
        assert_eq!(
            (at_share(&range, 0.0), at_share(&range, 0.5), at_share(&range, 1.0)),
            (Time(0), Time(4_000), Time(8_000))
        );
        let between = at_share(&range, 0.6);
        assert!(between > Time(4_000) && between < Time(5_000), "{between:?}");
    }
}
