//! One replay: policy, predictor and rules put together, and the jobs played through them.

use queuecast_predict::{Correction, PredictorSpecification};
use queuecast_schedule::{PolicySpecification, Scheduler};
use queuecast_simulate::{Dropped, Observer, Overrun, Replay, Rules, SimulatedCluster, simulate};
use queuecast_workload::{Machine, Seconds, TracedJob};

use crate::{Measures, ReplayPolicy, Summary};

/// Everything that decides what comes out of a replay, but the jobs.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// What the jobs run on.
    pub machine: Machine,
    /// Who starts when.
    pub policy: ReplayPolicy,
    /// How long jobs are planned to run.
    pub predictor: PredictorSpecification,
    /// What is planned for a job that outlived its plan.
    pub correction: Correction,
    /// Whether an end or a miss revises the plans of the user's other jobs.
    pub propagate: bool,
    /// What comes first within one second.
    pub rules: Rules,
    /// What happens at a job's limit.
    pub overrun: Overrun,
    /// The longest limit that is taken, if there is one: whoever asks for more gets this, and is ended there unless jobs run on.
    pub longest_limit: Option<Seconds>,
    /// Run times below this count as this in bounded slowdown.
    pub slowdown_threshold: Seconds,
}

impl Configuration {
    /// The policy and the predictor with its own correction, and everything else as the command line has it when
    /// nothing is said: clean rules, jobs killed at their limit, a slowdown threshold of ten seconds.
    pub fn new(machine: Machine, policy: PolicySpecification, predictor: PredictorSpecification) -> Self {
        Self {
            machine,
            policy: policy.into(),
            correction: predictor.default_correction(),
            predictor,
            propagate: false,
            rules: Rules::Clean,
            overrun: Overrun::Kill,
            longest_limit: None,
            slowdown_threshold: Seconds(10),
        }
    }

    /// Replays jobs that come in order of submission, and measures what comes out.
    pub fn replay(&self, jobs: impl Iterator<Item = TracedJob>, observer: &mut impl Observer) -> (Summary, Dropped) {
        let mut measures = Measures::new(self.machine, self.slowdown_threshold);
        let dropped = self.simulate(jobs, &mut (&mut measures, observer));
        (measures.summary(), dropped)
    }

    /// Only simulates.
    pub fn simulate(&self, jobs: impl Iterator<Item = TracedJob>, observer: &mut impl Observer) -> Dropped {
        self.simulate_hearing(jobs, |_| {}, observer)
    }

    /// Simulates and calls `hear` with each replayed job when it arrives.
    pub(crate) fn simulate_hearing(
        &self,
        jobs: impl Iterator<Item = TracedJob>,
        hear: impl FnMut(&TracedJob),
        observer: &mut impl Observer,
    ) -> Dropped {
        match &self.policy {
            ReplayPolicy::Ours(policy) => self.simulate_under(policy.build(self.machine), jobs, hear, observer),
            ReplayPolicy::Foreign(policy) => self.simulate_under(policy.build(self.machine), jobs, hear, observer),
        }
    }

    /// Simulates with one scheduler. Generic, so that the innermost loop makes no dynamic calls to our own schedulers.
    fn simulate_under(
        &self,
        scheduler: impl Scheduler,
        jobs: impl Iterator<Item = TracedJob>,
        hear: impl FnMut(&TracedJob),
        observer: &mut impl Observer,
    ) -> Dropped {
        let (predictor, foresight) = self.predictor.build(self.correction, self.propagate);
        let jobs = jobs.map(|mut job| {
            self.shorten_limit(&mut job);
            job
        });
        let replay = Replay::new(jobs, self.machine, self.overrun, self.predictor.needs_limit());
        let mut replay = replay.overheard_by(foresight);
        let mut cluster = SimulatedCluster::new(self.machine, self.rules, predictor, scheduler);
        simulate(replay.by_ref().inspect(hear), &mut cluster, observer);
        replay.dropped()
    }

    /// Gives the job the limit that it would have under `longest_limit`.
    #[inline]
    fn shorten_limit(&self, job: &mut TracedJob) {
        if let Some(longest) = self.longest_limit {
            job.submission.limit = Some(job.submission.limit.map_or(longest, |asked| asked.min(longest)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queuecast_workload::{Recorded, Submission, Time};

    /// One processor; each job comes at its number and waits for those before it.
    #[test]
    fn whoever_asks_for_more_than_the_longest_limit_is_ended_there() {
        let job = |number: i64, limit: Option<i64>, run: i64| TracedJob {
            number,
            submission: Submission { limit: limit.map(Seconds), ..Submission::new(Time(number), 1) },
            recorded: Recorded::completed(Seconds(run)),
        };
        let jobs = [job(0, Some(900), 800), job(1, Some(50), 40), job(2, None, 300), job(3, Some(5), 5)];
        let waits = |longest_limit: Option<i64>| {
            let (policy, predictor) = ("fcfs".parse().expect("ours"), PredictorSpecification::Perfect);
            let machine = Machine { processors: 1 };
            let longest_limit = longest_limit.map(Seconds);
            let configuration = Configuration { longest_limit, ..Configuration::new(machine, policy, predictor) };
            let (summary, _) = configuration.replay(jobs.into_iter(), &mut ());
            summary.wait.mean * 4.0
        };
        assert!((waits(None) - (799.0 + 838.0 + 1_137.0)).abs() < 1e-6);
        assert!((waits(Some(100)) - (99.0 + 138.0 + 237.0)).abs() < 1e-6, "the first and the third end after 100 s");
        assert!((waits(Some(900)) - waits(None)).abs() < 1e-6);
    }
}
