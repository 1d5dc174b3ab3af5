//! What the site lately did: to this user, in this queue, to jobs like this one; and who used how much.
//!
//! Not for: examples to learn from ([`super::examples`]).

use std::collections::VecDeque;
use std::hash::Hash;

use queuecast_workload::{GroupId, JobId, Outcome, QueueId, Seconds, Submission, Time, UserId};
use rustc_hash::FxHashMap;

use super::shape::Shape;

/// The last waits of one kind of job are kept, so many.
const LAST_WAITS: usize = 10;
/// Use is forgotten at this pace: schedulers' fair share commonly is, within a week or two.
const USE_FADES: Seconds = Seconds(7 * 86_400);

/// The last waits of some jobs, as logarithms of seconds and one more.
#[derive(Clone, Debug, Default)]
struct LastWaits {
    ln: VecDeque<f64>,
    /// When the last of them started.
    started: Time,
}

/// What is to be seen of them; `NAN` where there are none, which trees take as "not known".
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenWaits {
    pub(crate) last_ln: f64,
    pub(crate) mean_ln: f64,
    pub(crate) seconds_since: f64,
}

/// Last waits by kind of job.
#[derive(Clone, Debug)]
struct WaitsBy<K>(FxHashMap<K, LastWaits>);

impl<K: Hash + Eq> WaitsBy<K> {
    fn new() -> Self {
        Self(FxHashMap::default())
    }

    fn note(&mut self, kind: K, wait_ln: f64, started: Time) {
        let waits = self.0.entry(kind).or_default();
        if waits.ln.len() == LAST_WAITS {
            waits.ln.pop_front();
        }
        waits.ln.push_back(wait_ln);
        waits.started = started;
    }

    fn seen(&self, kind: &K, now: Time) -> SeenWaits {
        let nothing = SeenWaits { last_ln: f64::NAN, mean_ln: f64::NAN, seconds_since: f64::NAN };
        self.0.get(kind).map_or(nothing, |waits| SeenWaits {
            last_ln: waits.ln.back().copied().unwrap_or(f64::NAN),
            mean_ln: waits.ln.iter().sum::<f64>() / waits.ln.len() as f64,
            seconds_since: (now - waits.started).as_f64(),
        })
    }
}

/// Processor-seconds that fade.
#[derive(Clone, Copy, Debug, Default)]
struct FadingUse {
    processor_seconds: f64,
    at: Time,
}

impl FadingUse {
    fn now(self, now: Time) -> f64 {
        self.processor_seconds * (-(now - self.at).as_f64() / USE_FADES.as_f64()).exp()
    }

    fn add(&mut self, processor_seconds: f64, now: Time) {
        *self = Self { processor_seconds: self.now(now) + processor_seconds, at: now };
    }
}

/// What somebody has running.
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    jobs: u64,
    processors: u64,
}

/// What is remembered.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    of_all: WaitsBy<()>,
    of_user: WaitsBy<Option<UserId>>,
    of_queue: WaitsBy<Option<QueueId>>,
    of_shape: WaitsBy<Shape>,
    of_user_and_shape: WaitsBy<(Option<UserId>, Shape)>,
    running: FxHashMap<Option<UserId>, Running>,
    /// Whose they are and how many processors they hold, as it was when they started: a live record may change meanwhile.
    runs: FxHashMap<JobId, (Option<UserId>, u32)>,
    last_end: Option<Time>,
    use_of_user: FxHashMap<Option<UserId>, FadingUse>,
    use_of_group: FxHashMap<Option<GroupId>, FadingUse>,
    use_of_all: FadingUse,
}

/// What a job that is about to arrive finds in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remembered {
    pub(crate) of_all: SeenWaits,
    pub(crate) of_user: SeenWaits,
    pub(crate) of_queue: SeenWaits,
    pub(crate) of_shape: SeenWaits,
    pub(crate) of_user_and_shape: SeenWaits,
    pub(crate) user_running_jobs: f64,
    pub(crate) user_running_processors: f64,
    pub(crate) seconds_since_end: f64,
    pub(crate) user_share_of_use: f64,
    pub(crate) group_share_of_use: f64,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            of_all: WaitsBy::new(),
            of_user: WaitsBy::new(),
            of_queue: WaitsBy::new(),
            of_shape: WaitsBy::new(),
            of_user_and_shape: WaitsBy::new(),
            running: FxHashMap::default(),
            runs: FxHashMap::default(),
            last_end: None,
            use_of_user: FxHashMap::default(),
            use_of_group: FxHashMap::default(),
            use_of_all: FadingUse::default(),
        }
    }

    pub(crate) fn started(&mut self, job: &Submission, shape: Shape, now: Time) {
        let wait_ln = (now - job.submitted).as_f64().max(0.0).ln_1p();
        self.of_all.note((), wait_ln, now);
        self.of_user.note(job.user, wait_ln, now);
        self.of_queue.note(job.queue, wait_ln, now);
        self.of_shape.note(shape, wait_ln, now);
        self.of_user_and_shape.note((job.user, shape), wait_ln, now);
        self.left(job.job);
        self.runs.insert(job.job, (job.user, job.request.processors));
        let running = self.running.entry(job.user).or_default();
        running.jobs += 1;
        running.processors += u64::from(job.request.processors);
    }

    /// It does not run, or not any more, and nothing else is known of it.
    pub(crate) fn left(&mut self, job: JobId) {
        let Some((user, processors)) = self.runs.remove(&job) else { return };
        if let Some(running) = self.running.get_mut(&user) {
            running.jobs -= 1;
            running.processors -= u64::from(processors);
            if running.jobs == 0 {
                self.running.remove(&user);
            }
        }
    }

    pub(crate) fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        let now = outcome.ended;
        self.last_end = Some(now);
        self.left(job.job);
        let used = f64::from(job.request.processors) * outcome.run().as_f64();
        self.use_of_user.entry(job.user).or_default().add(used, now);
        self.use_of_group.entry(job.group).or_default().add(used, now);
        self.use_of_all.add(used, now);
    }

    pub(crate) fn remembered(&self, job: &Submission, shape: Shape, now: Time) -> Remembered {
        let running = self.running.get(&job.user).copied().unwrap_or_default();
        let all = self.use_of_all.now(now).max(1.0);
        let of_all = |used: Option<&FadingUse>| used.map_or(0.0, |used| used.now(now) / all);
        Remembered {
            of_all: self.of_all.seen(&(), now),
            of_user: self.of_user.seen(&job.user, now),
            of_queue: self.of_queue.seen(&job.queue, now),
            of_shape: self.of_shape.seen(&shape, now),
            of_user_and_shape: self.of_user_and_shape.seen(&(job.user, shape), now),
            user_running_jobs: running.jobs as f64,
            user_running_processors: running.processors as f64,
            seconds_since_end: self.last_end.map_or(f64::NAN, |ended| (now - ended).as_f64()),
            user_share_of_use: of_all(self.use_of_user.get(&job.user)),
            group_share_of_use: of_all(self.use_of_group.get(&job.group)),
        }
    }
}

#[cfg(test)]
mod tests {
    use queuecast_workload::Status;

    use super::*;
    use crate::features::Demand;
    use queuecast_testkit::submission;

    #[test]
    fn waits_and_use_are_those_of_the_same_user_and_fade() {
        let mut memory = Memory::new();
        let shape = Shape::of(Demand { processors: 2, estimate: Seconds(600) });
        let of = |id, user| Submission { user: Some(UserId(user)), ..submission(id, 0, 2, Some(600)) };
        memory.started(&of(0, 1), shape, Time(99));
        memory.started(&of(1, 2), shape, Time(999));
        let seen = memory.remembered(&of(2, 1), shape, Time(1_000));
        assert!(
            (seen.of_user.last_ln - 100.0_f64.ln()).abs() < 1e-12 && (seen.of_user.seconds_since - 901.0).abs() < 1e-9
        );
        assert!((seen.of_shape.last_ln - 1_000.0_f64.ln()).abs() < 1e-12);
        assert!((seen.user_running_processors - 2.0).abs() < 1e-12);
        let ended = Outcome { started: Time(99), ended: Time(1_099), status: Status::Completed };
        memory.ended(&of(0, 1), &ended);
        let ended = Outcome { started: Time(999), ended: Time(1_099), status: Status::Completed };
        memory.ended(&of(1, 2), &ended);
        let seen = memory.remembered(&of(2, 1), shape, Time(1_099));
        assert!((seen.user_share_of_use - 1_000.0 / 1_100.0).abs() < 1e-9, "{}", seen.user_share_of_use);
        assert!(seen.user_running_jobs.abs() < 1e-12);
        assert!(memory.remembered(&of(3, 7), shape, Time(2_000)).of_user.mean_ln.is_nan(), "a stranger");
    }

    /// Who started twice, as another's or larger, and who vanished, leaves nothing behind.
    #[test]
    fn a_record_that_changes_while_its_job_runs_takes_its_use_along() {
        let mut memory = Memory::new();
        let shape = Shape::of(Demand { processors: 2, estimate: Seconds(600) });
        let of = |id, user, processors| Submission { user: Some(UserId(user)), ..submission(id, 0, processors, None) };
        memory.started(&of(0, 1, 2), shape, Time(10));
        memory.started(&of(0, 2, 8), shape, Time(20));
        memory.started(&of(1, 2, 4), shape, Time(20));
        assert!(memory.remembered(&of(9, 1, 1), shape, Time(30)).user_running_jobs.abs() < 1e-12);
        assert!((memory.remembered(&of(9, 2, 1), shape, Time(30)).user_running_processors - 12.0).abs() < 1e-12);
        memory.left(JobId(1));
        let ended = Outcome { started: Time(20), ended: Time(40), status: Status::Completed };
        memory.ended(&of(0, 1, 2), &ended);
        assert!(memory.running.is_empty() && memory.runs.is_empty());
    }
}
