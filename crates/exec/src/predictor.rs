//! A program that predicts run times.
//!
//! For: the model behind `--predictor exec:`. It hears of arrivals, starts, ends and outlived plans as our own models do. Limits, fallback,
//! correction and propagation are [`FromHistory`](queuecast_predict::FromHistory)'s, as for those.
//!
//! Not for: lines and pipes (`message`, `conversation`).

use std::cell::RefCell;

use queuecast_predict::{ForeignPredictor, ModelSource, Outlived, RuntimeModel};
use queuecast_workload::{JobId, Outcome, Seconds, Submission, Time};

use crate::conversation::Conversation;
use crate::failure::{ExecFailure, leave};
use crate::message::{Event, Kind, Known, PlannedAnswer};
use crate::program::Program;

/// A predictor that is a program, started once for each replay.
#[derive(Clone, Debug)]
pub struct ProgramPredictor(Program);

impl ProgramPredictor {
    /// This program.
    pub fn new(program: Program) -> Self {
        Self(program)
    }

    /// As predictors are named.
    pub fn into_foreign(self) -> ForeignPredictor {
        ForeignPredictor::new(self)
    }
}

impl ModelSource for ProgramPredictor {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn model(&self) -> Box<dyn RuntimeModel> {
        let conversation = Conversation::begin(&self.0, Kind::Predictor, None).unwrap_or_else(|failure| leave(failure));
        Box::new(ProgramModel(RefCell::new(Asked { conversation, now: Time(0), arriving: None })))
    }
}

/// A model asks nobody to change when it is asked, and a program is changed by it.
struct ProgramModel(RefCell<Asked>);

struct Asked {
    conversation: Conversation,
    /// The latest time that was told.
    now: Time,
    /// Who has come and was not asked about yet: its arrival is the question.
    arriving: Option<JobId>,
}

impl Asked {
    fn predict(&mut self, job: &Submission) -> Result<Option<Seconds>, Box<ExecFailure>> {
        let known = Known::of(job, self.now);
        let is_new = self.arriving.take() == Some(job.job);
        let event = if is_new { Event::Arrival(known) } else { Event::Predict(known) };
        self.conversation.ask(&event, |answer: PlannedAnswer| answer.planned_beyond(None))
    }

    fn tell(&mut self, now: Time, event: &Event) {
        self.now = now;
        self.conversation.tell(event).unwrap_or_else(|failure| leave(failure));
    }
}

impl RuntimeModel for ProgramModel {
    fn predict(&self, job: &Submission) -> Option<Seconds> {
        self.0.borrow_mut().predict(job).unwrap_or_else(|failure| leave(failure))
    }

    fn arrived(&mut self, job: &Submission, now: Time) {
        let asked = self.0.get_mut();
        asked.now = now;
        asked.arriving = Some(job.job);
    }

    fn began(&mut self, job: &Submission, now: Time) {
        self.0.get_mut().tell(now, &Event::Start { time_seconds: now, job: job.job });
    }

    fn ended(&mut self, job: &Submission, outcome: &Outcome) {
        self.0.get_mut().tell(outcome.ended, &Event::end(job, outcome));
    }

    fn plan_anew(&mut self, job: &Submission, miss: &Outlived, now: Time) -> Option<Seconds> {
        let asked = self.0.get_mut();
        asked.now = now;
        let event = Event::outlived(job, miss, now);
        let answered = asked.conversation.ask(&event, |answer: PlannedAnswer| answer.planned_beyond(Some(miss.age)));
        answered.unwrap_or_else(|failure| leave(failure))
    }
}

impl PlannedAnswer {
    /// Whole seconds; of a running job more than its age.
    fn planned_beyond(&self, age: Option<Seconds>) -> Result<Option<Seconds>, String> {
        let Some(planned) = self.planned_seconds else { return Ok(None) };
        if !(0.0..=Seconds::MAX.as_f64()).contains(&planned) {
            return Err(format!("planned_seconds is {planned}; expected 0 to {}", Seconds::MAX.0));
        }
        #[expect(clippy::cast_possible_truncation, reason = "within the range of spans")]
        let planned = Seconds(planned.round() as i64);
        match age {
            Some(age) if planned <= age => Err(format!(
                "planned_seconds is {}, but the job has already run for {} s; answer null to use --correction",
                planned.0, age.0
            )),
            _ => Ok(Some(planned)),
        }
    }
}
