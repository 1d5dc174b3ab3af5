//! One machine with its queue, its scheduler and its predictor: everything that happens on it in one second.

use queuecast_predict::{Outlived, Revision, Revisions, RuntimePredictor};
use queuecast_schedule::{Decisions, JobKey, PlannedJob, Scheduler};
use queuecast_workload::{JobId, Machine, Outcome, Seconds, Time, TracedJob};

use crate::accuracy::AccuracyTrack;
use crate::active::{ActiveJob, ActiveJobs};
use crate::events::Events;
use crate::{FinishedJob, Observer, Rules};

/// A cluster in simulated time.
#[derive(Clone, Debug)]
pub struct SimulatedCluster<P, S> {
    machine: Machine,
    rules: Rules,
    predictor: P,
    scheduler: S,
    active: ActiveJobs,
    ends: Events,
    /// Plans that will be outlived. The loop knows the run times, so only these are scheduled; one that a later
    /// revision made stale is passed over when it comes up.
    outlived: Events,
    revisions: Revisions,
    decisions: Decisions,
    /// Whether a job was withdrawn since the last pass, which may let others start.
    withdrawn: bool,
}

impl<P: RuntimePredictor, S: Scheduler> SimulatedCluster<P, S> {
    /// An idle cluster.
    pub fn new(machine: Machine, rules: Rules, predictor: P, scheduler: S) -> Self {
        Self {
            machine,
            rules,
            predictor,
            scheduler,
            active: ActiveJobs::default(),
            ends: Events::default(),
            outlived: Events::default(),
            revisions: Revisions::default(),
            decisions: Decisions::default(),
            withdrawn: false,
        }
    }

    /// How many jobs wait.
    pub fn waiting(&self) -> usize {
        self.scheduler.waiting()
    }

    /// A waiting job leaves without having started; what that lets others do is seen at the next [`advance`](Self::advance),
    /// which the caller sees to. False if the job is not waiting here.
    pub fn withdraw(&mut self, job: JobId, now: Time) -> bool {
        let Some(key) = self.active.find(job).filter(|key| self.active.get(*key).started.is_none()) else {
            return false;
        };
        self.scheduler.withdraw(key, now);
        self.active.remove(key);
        self.withdrawn = true;
        true
    }

    /// When something will happen here if nothing more arrives.
    #[inline]
    pub fn next_event(&self) -> Option<Time> {
        let on_its_own = earliest(self.ends.next_time(), self.outlived.next_time());
        earliest(on_its_own, self.scheduler.next_appointment())
    }

    /// Everything that happens at `now`: what is due here, and the jobs that arrive.
    pub fn advance(&mut self, now: Time, arrivals: &[TracedJob], observer: &mut impl Observer) {
        match self.rules {
            Rules::Clean => self.advance_clean(now, arrivals, observer),
            Rules::Pyss => self.advance_pyss(now, arrivals, observer),
        }
    }

    fn advance_clean(&mut self, now: Time, arrivals: &[TracedJob], observer: &mut impl Observer) {
        let mut pass_due = self.appointment_due(now) | std::mem::take(&mut self.withdrawn);
        while let Some(key) = self.ends.take_due(now) {
            self.end(key, now, observer);
            pass_due = true;
        }
        self.correct_outlived(now);
        for job in arrivals {
            self.arrive(job, now);
            pass_due = true;
        }
        if pass_due {
            self.pass(now, observer);
        }
    }

    fn advance_pyss(&mut self, now: Time, arrivals: &[TracedJob], observer: &mut impl Observer) {
        self.correct_outlived(now);
        for job in arrivals {
            let key = self.arrive(job, now);
            if self.scheduler.submission_matters(key, now) {
                self.pass(now, observer);
            }
        }
        while let Some(key) = self.ends.take_due(now) {
            self.end(key, now, observer);
            self.pass(now, observer);
        }
        if self.appointment_due(now) | std::mem::take(&mut self.withdrawn) {
            self.pass(now, observer);
        }
    }

    #[inline]
    fn appointment_due(&self, now: Time) -> bool {
        self.scheduler.next_appointment().is_some_and(|appointment| appointment <= now)
    }

    fn arrive(&mut self, job: &TracedJob, now: Time) -> JobKey {
        let submission = &job.submission;
        assert!(
            self.machine.can_hold(submission.request),
            "job {} asks for {} processors of {}",
            job.number,
            submission.request.processors,
            self.machine.processors
        );
        self.revisions.clear();
        let first = self.predictor.on_arrival(submission, now, &mut self.revisions);
        assert!(first >= Seconds(1), "job {} was planned to run for {first}", job.number);
        let key = self.active.insert(ActiveJob {
            submission: *submission,
            number: job.number,
            run: job.recorded.run,
            status: job.recorded.status,
            planned: first,
            started: None,
            ended: false,
            backfilled: false,
            promised: None,
            misses: 0,
            track: AccuracyTrack::new(first, submission.submitted),
        });
        let planned = PlannedJob { key, submitted: submission.submitted, request: submission.request, planned: first };
        self.scheduler.submit(planned, now);
        self.carry_out_revisions(now);
        key
    }

    fn end(&mut self, key: JobKey, now: Time, observer: &mut impl Observer) {
        self.scheduler.end(key, now);
        let job = self.active.get(key);
        let started = job.started.expect("only running jobs end");
        let outcome = Outcome { started, ended: now, status: job.status };
        self.revisions.clear();
        self.predictor.on_end(&job.submission, &outcome, &mut self.revisions);
        observer.finished(&FinishedJob {
            number: job.number,
            submission: &job.submission,
            outcome,
            backfilled: job.backfilled,
            promised: job.promised,
            accuracy: job.track.finish(job.run, job.misses, job.submission.submitted, now),
        });
        self.active.remove(key);
        self.carry_out_revisions(now);
    }

    #[inline]
    fn correct_outlived(&mut self, now: Time) {
        while let Some(key) = self.outlived.take_due(now) {
            self.correct(key, now);
        }
    }

    fn correct(&mut self, key: JobKey, now: Time) {
        let job = self.active.get(key);
        let age = job.started.map(|started| now - started);
        // Stale: the key has passed to another job, or the plan was revised in between.
        let Some(age) = age.filter(|age| *age == job.planned && job.run > job.planned) else { return };
        let submission = job.submission;
        let miss = Outlived { age, first: job.track.first(), previous: job.planned, earlier_misses: job.misses };
        self.active.get_mut(key).misses += 1;
        self.revisions.clear();
        let planned = self.predictor.on_outlived(&submission, &miss, now, &mut self.revisions);
        self.revise(key, planned, now);
        self.carry_out_revisions(now);
    }

    /// Carries out what the predictor said of other jobs than the event's own.
    #[inline]
    fn carry_out_revisions(&mut self, now: Time) {
        for index in 0..self.revisions.as_slice().len() {
            let Revision { job, planned } = self.revisions.as_slice()[index];
            if let Some(key) = self.active.find(job) {
                self.revise(key, planned, now);
            }
        }
    }

    fn revise(&mut self, key: JobKey, planned: Seconds, now: Time) {
        let job = self.active.get_mut(key);
        assert!(planned >= Seconds(1), "job {} was planned to run for {planned}", job.number);
        if job.planned == planned {
            return;
        }
        if let Some(started) = job.started {
            if started + job.run <= now {
                // It ends in this very second, and its processors may be spoken for already.
                return;
            }
            assert!(planned > now - started, "job {} of age {} was planned for {planned}", job.number, now - started);
        }
        job.track.revise(planned, job.run, now);
        job.planned = planned;
        self.scheduler.replan(key, planned, now);
        self.watch(key);
    }

    /// Notes when a running job will outlive its plan, if it will.
    fn watch(&mut self, key: JobKey) {
        let job = self.active.get(key);
        if let Some(started) = job.started.filter(|_| job.planned < job.run) {
            self.outlived.schedule(started + job.planned, key);
        }
    }

    fn pass(&mut self, now: Time, observer: &mut impl Observer) {
        self.decisions.clear();
        self.scheduler.pass(now, &mut self.decisions);
        for promised in &self.decisions.promised_starts {
            self.active.get_mut(promised.key).promised = Some(promised.start);
        }
        for index in 0..self.decisions.starts.len() {
            let start = self.decisions.starts[index];
            let job = self.active.get_mut(start.key);
            job.started = Some(now);
            job.backfilled = start.backfilled;
            self.ends.schedule(now + job.run, start.key);
            self.revisions.clear();
            self.predictor.on_start(&job.submission, now, &mut self.revisions);
            observer.started(&job.submission, now);
            self.watch(start.key);
            self.carry_out_revisions(now);
        }
    }
}

/// The earlier of two times, of which either may not come.
#[inline]
pub fn earliest(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
