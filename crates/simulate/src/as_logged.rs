//! A log replayed as it happened: every job starts when the log says it did, and nobody decides anything (R-K1).
//!
//! For: what predictors would have said on the machine the log was recorded on, without a scheduler in between.
//!
//! Not for: comparing policies; that needs a schedule that the policy made.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

use queuecast_predict::{Foresight, RuntimePredictor};
use queuecast_schedule::{Decisions, JobKey, PlannedJob, Scheduler, Start};
use queuecast_workload::{Machine, Seconds, Time, TracedJob};

use crate::{Dropped, Observer, Overrun, Replay, Rules, SimulatedCluster, simulate};

/// When a predictor is asked for its first prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AskedAt {
    /// When the job is submitted: what a scheduler and a user need.
    #[default]
    Submission,
    /// When it starts, with everything learnt while it waited: what Smith et al. measure.
    Start,
}

/// The jobs as a predictor asked at `asked_at` meets them, in that order. A job whose wait the log does not know started
/// when it was submitted.
pub fn as_logged(jobs: &[TracedJob], asked_at: AskedAt) -> Vec<TracedJob> {
    let mut jobs = jobs.to_vec();
    for job in &mut jobs {
        let wait = job.recorded.wait.unwrap_or(Seconds::ZERO).max(Seconds::ZERO);
        job.recorded.wait = Some(wait);
        if asked_at == AskedAt::Start {
            job.submission.submitted = job.submission.submitted + wait;
            job.recorded.wait = Some(Seconds::ZERO);
        }
    }
    jobs.sort_by_key(|job| job.submission.submitted);
    jobs
}

/// Plays the jobs, in order of submission, through a predictor with the waits they have on record.
pub fn replay_as_logged<P: RuntimePredictor>(
    jobs: impl Iterator<Item = TracedJob>,
    overrun: Overrun,
    (predictor, foresight): (P, Option<Foresight>),
    observer: &mut impl Observer,
) -> Dropped {
    // Whatever ran, fitted.
    let machine = Machine { processors: u32::MAX };
    let starts = LoggedStarts::default();
    let waits = Rc::clone(&starts.waits);
    let mut replay = Replay::new(jobs, machine, overrun, false).overheard_by(foresight);
    let heard = replay.by_ref().inspect(|job| {
        waits.borrow_mut().push_back(job.recorded.wait.unwrap_or(Seconds::ZERO));
    });
    simulate(heard, &mut SimulatedCluster::new(machine, Rules::Clean, predictor, starts), observer);
    replay.dropped()
}

/// Starts every job when the log says so. The waits come in order of submission, beside the events, because no
/// scheduler is told what is on record.
#[derive(Clone, Debug, Default)]
struct LoggedStarts {
    waits: Rc<RefCell<VecDeque<Seconds>>>,
    waiting: BinaryHeap<Reverse<(Time, JobKey)>>,
}

impl Scheduler for LoggedStarts {
    fn submit(&mut self, job: PlannedJob, _now: Time) {
        let wait = self.waits.borrow_mut().pop_front().expect("every job was heard before it arrived");
        self.waiting.push(Reverse((job.submitted + wait, job.key)));
    }

    fn end(&mut self, _key: JobKey, _now: Time) {}

    fn replan(&mut self, _key: JobKey, _planned: Seconds, _now: Time) {}

    fn withdraw(&mut self, key: JobKey, _now: Time) {
        self.waiting.retain(|Reverse((_, waiting))| *waiting != key);
    }

    fn pass(&mut self, now: Time, decisions: &mut Decisions) {
        while let Some(Reverse((start, key))) = self.waiting.peek().copied() {
            if start > now {
                break;
            }
            self.waiting.pop();
            decisions.starts.push(Start { key, backfilled: false });
        }
    }

    fn next_appointment(&self) -> Option<Time> {
        self.waiting.peek().map(|Reverse((start, _))| *start)
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use queuecast_predict::{Correction, PredictorSpecification};
    use queuecast_workload::{JobId, Recorded, Request, Status, Submission, UserId};

    use super::*;
    use crate::FinishedJob;

    fn job(number: i64, submitted: i64, wait: Option<i64>, run: i64) -> TracedJob {
        TracedJob {
            number,
            submission: Submission {
                job: JobId(0),
                submitted: Time(submitted),
                request: Request { processors: 1 },
                limit: Some(Seconds(1_000)),
                user: Some(UserId(1)),
                group: None,
                program: None,
                queue: None,
                partition: None,
            },
            recorded: Recorded { wait: wait.map(Seconds), run: Seconds(run), status: Status::Completed },
        }
    }

    #[derive(Default)]
    struct Record(Vec<(i64, i64, i64)>);

    impl Observer for Record {
        fn finished(&mut self, job: &FinishedJob<'_>) {
            self.0.push((job.number, job.outcome.started.0, job.accuracy.first.0));
        }
    }

    /// Job 2 is submitted before job 1 ends and starts after that.
    #[test]
    fn jobs_start_as_logged_and_are_predicted_when_asked() {
        let jobs = [job(1, 0, Some(5), 100), job(2, 50, Some(60), 30), job(3, 500, None, 10)];
        for (asked_at, second_job_is_told) in [(AskedAt::Submission, 1_000), (AskedAt::Start, 100)] {
            let last: PredictorSpecification = "recent:n=1".parse().unwrap();
            let mut record = Record::default();
            let predictor = last.build(Correction::Raise, false);
            replay_as_logged(as_logged(&jobs, asked_at).into_iter(), Overrun::RunOn, predictor, &mut record);
            assert_eq!(record.0, [(1, 5, 1_000), (2, 110, second_job_is_told), (3, 500, 30)], "{asked_at:?}");
        }
    }
}
