//! The replay itself: what ran, under three ways to schedule it, as it was and shaken.

use queuecast_api::what_if::{WaitChangeAnswer, WhatIfCompared, WhatIfQuestion};
use queuecast_evaluate::{Comparison, Configuration, OverBaseline, Shaking, comparable_jobs};
use queuecast_predict::PredictorSpecification;
use queuecast_records::history::History;
use queuecast_schedule::PolicySpecification;
use queuecast_workload::{Machine, Seconds, Time, TracedJob};

use crate::store::{Store, StoreError};

/// What can be asked for. Others read files or start programs, which nobody may have done over the network.
pub(crate) const POLICIES: [&str; 4] = ["easy", "easy-sjbf", "conservative", "fcfs"];
/// What can be asked for.
pub(crate) const PREDICTORS: [&str; 3] = ["estimate", "recent:n=2,stat=mean", "perfect"];

/// What is taken for how things are: Slurm's backfill by the limits of users, as far as a replay has it.
const AS_IT_IS: (&str, &str) = ("easy", "estimate");
const BOUND: &str = "perfect";
const REPLICATES: u32 = 10;
const WAYS: u64 = 3;
/// So many replays there are: each way as it was and shaken.
pub(super) const REPLAYS: u64 = WAYS * (1 + REPLICATES as u64);
const SHAKING: Shaking = Shaking { replicates: REPLICATES, jitter: Seconds(60), seed: 1 };

/// What came out of a replay.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    pub jobs: u64,
    pub processors: u64,
    /// As things are, as asked, and with run times known exactly.
    pub compared: Vec<WhatIfCompared>,
}

/// What ran and ended since then, in order of submission.
pub(super) fn jobs(store: &Store, from: Time, most: usize) -> Result<Vec<TracedJob>, StoreError> {
    let mut history = History::new();
    let mut jobs: Vec<TracedJob> = Vec::new();
    store.history(most, |_, record| {
        if record.key.submitted >= from {
            jobs.extend(history.attempt(record).and_then(|attempt| attempt.traced()));
        }
    })?;
    jobs.sort_by_key(|job| (job.submission.submitted, job.number));
    Ok(jobs)
}

/// The most processors that were in use at once, by the starts and ends that were recorded.
fn most_in_use(jobs: &[TracedJob]) -> u32 {
    let mut changes: Vec<(Time, i64)> = Vec::new();
    for job in jobs {
        let Some(wait) = job.recorded.wait else { continue };
        let (start, processors) = (job.submission.submitted + wait, i64::from(job.submission.request.processors));
        changes.extend([(start, processors), (start + job.recorded.run, -processors)]);
    }
    // What ends in a second makes room for what starts in it.
    changes.sort_unstable();
    let (mut used, mut most) = (0, 0);
    for (_, change) in changes {
        used += change;
        most = most.max(used);
    }
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// Plays them as things are, as asked, and with run times known exactly.
pub(super) fn replay(
    jobs: Vec<TracedJob>,
    question: &WhatIfQuestion,
    on_replayed: &(dyn Fn() + Sync),
) -> Result<Replayed, String> {
    let machine = Machine { processors: most_in_use(&jobs) };
    let ways = [AS_IT_IS, (question.policy.as_str(), question.predictor.as_str()), (question.policy.as_str(), BOUND)];
    let configuration = |(policy, predictor): (&str, &str)| {
        let policy: PolicySpecification = policy.parse().map_err(|_| "no such policy")?;
        let predictor: PredictorSpecification = predictor.parse().map_err(|_| "no such predictor")?;
        Ok::<_, &str>(Configuration::new(machine, policy, predictor))
    };
    let configurations: Vec<Configuration> = ways.into_iter().map(configuration).collect::<Result<_, _>>()?;
    let (jobs, _) = comparable_jobs(jobs, &configurations);
    if jobs.is_empty() || machine.processors == 0 {
        return Err("no jobs with a limit ran and ended in these weeks".to_owned());
    }
    let comparison = Comparison::run(&jobs, configurations, 0, SHAKING, on_replayed);
    let figure = |name: &str| comparison.figure(name);
    let (mean, median, slowdown) = (figure("wait.mean"), figure("wait.p50"), figure("bounded_slowdown.mean"));
    let compared = ways.into_iter().enumerate().map(|(place, (policy, predictor))| WhatIfCompared {
        policy: policy.to_owned(),
        predictor: predictor.to_owned(),
        mean_wait_seconds: mean[place].value,
        median_wait_seconds: median[place].value,
        mean_bounded_slowdown: slowdown[place].value,
        wait_change_percent: mean[place].over_baseline.and_then(|over| wait_change(&over)),
    });
    Ok(Replayed { jobs: jobs.len() as u64, processors: u64::from(machine.processors), compared: compared.collect() })
}

/// A change from nothing to something has no percentage, and JSON has no such numbers.
fn wait_change(over: &OverBaseline) -> Option<WaitChangeAnswer> {
    let OverBaseline { mean, low95, high95, .. } = *over;
    [mean, low95, high95].iter().all(|percent| percent.is_finite()).then_some(WaitChangeAnswer { mean, low95, high95 })
}

#[cfg(test)]
mod tests {
    use super::*;

    use queuecast_workload::{Recorded, Submission};

    /// A job of so many processors that ran as long as its limit.
    fn job(submitted: i64, processors: u32, wait: Option<i64>, run: i64) -> TracedJob {
        let limit = Some(Seconds(run));
        TracedJob {
            number: submitted,
            submission: Submission { limit, ..Submission::new(Time(submitted), processors) },
            recorded: Recorded { wait: wait.map(Seconds), ..Recorded::completed(Seconds(run)) },
        }
    }

    fn replayed(jobs: Vec<TracedJob>) -> Replayed {
        let question = WhatIfQuestion { weeks: 1, policy: "fcfs".to_owned(), predictor: "estimate".to_owned() };
        replay(jobs, &question, &|| ()).expect("jobs with a limit ran")
    }

    fn is_near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-4
    }

    #[test]
    fn what_can_be_asked_for_there_is() {
        assert!(POLICIES.iter().all(|policy| policy.parse::<PolicySpecification>().is_ok()));
        assert!(PREDICTORS.iter().all(|predictor| predictor.parse::<PredictorSpecification>().is_ok()));
    }

    /// One processor. The second waits from 10 to 100 for the first, the third from 20 to 105 for both: 0 s, 90 s and 85 s.
    #[test]
    fn each_figure_is_told_under_its_own_name() {
        let found = replayed(vec![job(0, 1, Some(0), 100), job(10, 1, Some(90), 5), job(20, 1, Some(85), 200)]);
        assert_eq!((found.jobs, found.processors, found.compared.len()), (3, 1, 3));
        // The second ran for less than ten seconds and counts as ten: (90 + 5) / 10.
        let slowdown = (1.0 + 9.5 + 285.0 / 200.0) / 3.0;
        for way in &found.compared {
            assert!(is_near(way.mean_wait_seconds, 175.0 / 3.0), "{way:?}");
            assert!(is_near(way.median_wait_seconds, 85.0), "{way:?}");
            assert!(is_near(way.mean_bounded_slowdown, slowdown), "{way:?}");
        }
        let named = found.compared.iter().map(|way| (way.policy.as_str(), way.predictor.as_str()));
        assert_eq!(named.collect::<Vec<_>>(), [("easy", "estimate"), ("fcfs", "estimate"), ("fcfs", "perfect")]);
    }

    #[test]
    fn jobs_that_never_wait_give_no_change() {
        // So far apart that shaking makes none of them wait.
        let found = replayed((0..5).map(|place| job(place * 10_000, 1, Some(0), 100)).collect());
        let none = WaitChangeAnswer { mean: 0.0, low95: 0.0, high95: 0.0 };
        for (place, way) in found.compared.iter().enumerate() {
            assert!(is_near(way.mean_wait_seconds, 0.0), "{way:?}");
            assert_eq!(way.wait_change_percent, (place > 0).then_some(none));
        }
    }

    #[test]
    fn a_change_that_is_no_number_is_not_told() {
        let over = |mean, low95, high95| OverBaseline { mean, low95, high95, win_rate: None };
        let told = wait_change(&over(-8.0, -9.0, -7.0));
        assert_eq!(told, Some(WaitChangeAnswer { mean: -8.0, low95: -9.0, high95: -7.0 }));
        let (nan, infinite) = (f64::NAN, f64::INFINITY);
        for over in [over(nan, nan, nan), over(nan, 0.0, 0.0), over(0.0, -infinite, 0.0), over(0.0, 0.0, infinite)] {
            assert_eq!(wait_change(&over), None);
        }
    }

    #[test]
    fn what_ends_in_a_second_makes_room_for_what_starts_in_it() {
        let first = job(0, 3, Some(0), 100);
        assert_eq!(most_in_use(&[first, job(50, 4, Some(50), 10)]), 4);
        assert_eq!(most_in_use(&[first, job(50, 4, Some(49), 10)]), 7);
    }

    #[test]
    fn who_is_not_known_to_have_waited_is_not_in_use() {
        assert_eq!(most_in_use(&[job(0, 3, Some(0), 100), job(0, 50, None, 100)]), 3);
        assert_eq!(most_in_use(&[job(0, 50, None, 100)]), 0);
    }
}
