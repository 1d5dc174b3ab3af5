//! The replay itself: what ran, under three ways to schedule it, as it was and shaken.

use queuecast_api::what_if::{EndedEarlyResponse, WaitChangeResponse, WhatIfCompared, WhatIfRequest};
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
const AS_IT_IS: Way<'static> = Way { policy: "easy", predictor: "estimate", longest_limit: None };
const EXACT: &str = "perfect";
const REPLICATES: u32 = 10;
const WAYS: u64 = 3;

/// A way to schedule.
#[derive(Clone, Copy)]
struct Way<'a> {
    policy: &'a str,
    predictor: &'a str,
    longest_limit: Option<Seconds>,
}

/// So many replays there are: each way as it was and shaken.
pub(super) const REPLAYS: u64 = WAYS * (1 + REPLICATES as u64);
const SHAKING: Shaking = Shaking { replicates: REPLICATES, jitter: Seconds(60), seed: 1 };

/// What came out of a replay.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    pub jobs: u64,
    pub processors: u64,
    pub ended_early: Option<EndedEarlyResponse>,
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
    question: &WhatIfRequest,
    on_replayed: &(dyn Fn() + Sync),
) -> Result<Replayed, String> {
    let machine = Machine { processors: most_in_use(&jobs) };
    let longest_limit = question.longest_limit_seconds.map(Seconds);
    let asked = Way { policy: &question.policy, predictor: &question.predictor, longest_limit };
    let ways = [AS_IT_IS, asked, Way { predictor: EXACT, ..asked }];
    let configuration = |Way { policy, predictor, longest_limit }: Way<'_>| {
        let policy: PolicySpecification = policy.parse().map_err(|_| "unknown policy")?;
        let predictor: PredictorSpecification = predictor.parse().map_err(|_| "unknown predictor")?;
        Ok::<_, &str>(Configuration { longest_limit, ..Configuration::new(machine, policy, predictor) })
    };
    let configurations: Vec<Configuration> = ways.into_iter().map(configuration).collect::<Result<_, _>>()?;
    let (jobs, _) = comparable_jobs(jobs, &configurations);
    if jobs.is_empty() || machine.processors == 0 {
        return Err("no jobs with a time limit ran and ended in these weeks".to_owned());
    }
    let comparison = Comparison::run(&jobs, configurations, 0, SHAKING, on_replayed);
    let figure = |name: &str| comparison.figure(name);
    let (mean, median, slowdown) = (figure("wait.mean"), figure("wait.p50"), figure("bounded_slowdown.mean"));
    let compared = ways.into_iter().enumerate().map(|(place, way)| WhatIfCompared {
        policy: way.policy.to_owned(),
        predictor: way.predictor.to_owned(),
        longest_limit_seconds: way.longest_limit.map(|limit| limit.0),
        mean_wait_seconds: mean[place].value,
        median_wait_seconds: median[place].value,
        mean_bounded_slowdown: slowdown[place].value,
        wait_change_percent: mean[place].over_baseline.and_then(|over| wait_change(&over)),
    });
    Ok(Replayed {
        jobs: jobs.len() as u64,
        processors: u64::from(machine.processors),
        ended_early: longest_limit.map(|longest| ended_early(&jobs, longest)),
        compared: compared.collect(),
    })
}

/// Those who ran longer than this.
fn ended_early(jobs: &[TracedJob], longest: Seconds) -> EndedEarlyResponse {
    let work = |job: &TracedJob, time: Seconds| f64::from(job.submission.request.processors) * time.as_f64();
    let cut = jobs.iter().filter(|job| job.recorded.run > longest);
    let lost: f64 = cut.clone().map(|job| work(job, job.recorded.run - longest)).sum();
    let all: f64 = jobs.iter().map(|job| work(job, job.recorded.run)).sum();
    EndedEarlyResponse { jobs: cut.count() as u64, work_percent: if all > 0.0 { 100.0 * lost / all } else { 0.0 } }
}

/// A change from nothing to something has no percentage, and JSON has no such numbers.
fn wait_change(over: &OverBaseline) -> Option<WaitChangeResponse> {
    let OverBaseline { mean, low95, high95, .. } = *over;
    [mean, low95, high95].iter().all(|percent| percent.is_finite()).then_some(WaitChangeResponse {
        mean,
        low95,
        high95,
    })
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
        replayed_within(jobs, None)
    }

    fn replayed_within(jobs: Vec<TracedJob>, longest_limit_seconds: Option<i64>) -> Replayed {
        let (policy, predictor) = ("fcfs".to_owned(), "estimate".to_owned());
        let question = WhatIfRequest { weeks: 1, policy, predictor, longest_limit_seconds };
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

    /// One processor. With at most 50 s the second waits from 10 to 50, the third from 20 to 55; the first loses 50 s and the third 150 s of 305 s.
    #[test]
    fn a_longest_limit_counts_for_what_is_asked_and_not_for_how_things_are() {
        let jobs = vec![job(0, 1, Some(0), 100), job(10, 1, Some(90), 5), job(20, 1, Some(85), 200)];
        let found = replayed_within(jobs, Some(50));
        let limits: Vec<_> = found.compared.iter().map(|way| way.longest_limit_seconds).collect();
        assert_eq!(limits, [None, Some(50), Some(50)]);
        let waits: Vec<_> = found.compared.iter().map(|way| way.mean_wait_seconds * 3.0).collect();
        assert!(is_near(waits[0], 175.0) && is_near(waits[1], 75.0) && is_near(waits[2], 75.0), "{waits:?}");
        let ended = found.ended_early.expect("there is a longest limit");
        assert!(ended.jobs == 2 && is_near(ended.work_percent, 100.0 * 200.0 / 305.0), "{ended:?}");
        assert_eq!(replayed(vec![job(0, 1, Some(0), 100)]).ended_early, None);
    }

    #[test]
    fn jobs_that_never_wait_give_no_change() {
        // So far apart that shaking makes none of them wait.
        let found = replayed((0..5).map(|place| job(place * 10_000, 1, Some(0), 100)).collect());
        let none = WaitChangeResponse { mean: 0.0, low95: 0.0, high95: 0.0 };
        for (place, way) in found.compared.iter().enumerate() {
            assert!(is_near(way.mean_wait_seconds, 0.0), "{way:?}");
            assert_eq!(way.wait_change_percent, (place > 0).then_some(none));
        }
    }

    #[test]
    fn a_change_that_is_no_number_is_not_told() {
        let over = |mean, low95, high95| OverBaseline { mean, low95, high95, win_rate: None };
        let told = wait_change(&over(-8.0, -9.0, -7.0));
        assert_eq!(told, Some(WaitChangeResponse { mean: -8.0, low95: -9.0, high95: -7.0 }));
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
