//! The replay itself: what ran, under three ways to schedule it, as it was and shaken.

use queuecast_api::what_if::{WaitChangeAnswer, WhatIfCompared, WhatIfQuestion, WhatIfResult};
use queuecast_evaluate::{Comparison, Configuration, Shaking, comparable_jobs};
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
) -> Result<WhatIfResult, String> {
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
        wait_change_percent: mean[place].over_baseline.map(|over| WaitChangeAnswer {
            mean: over.mean,
            low95: over.low95,
            high95: over.high95,
        }),
    });
    Ok(WhatIfResult {
        question: question.clone(),
        finished: Time(0).into(),
        problem: None,
        jobs: jobs.len() as u64,
        processors: u64::from(machine.processors),
        compared: compared.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_asked_for_there_is() {
        assert!(POLICIES.iter().all(|policy| policy.parse::<PolicySpecification>().is_ok()));
        assert!(PREDICTORS.iter().all(|predictor| predictor.parse::<PredictorSpecification>().is_ok()));
    }
}
