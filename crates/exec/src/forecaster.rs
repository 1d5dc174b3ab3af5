//! A program that says how long jobs wait.
//!
//! For: `wait --method exec:`. It hears of arrivals, starts and ends, so it can keep a picture of the site itself; what it says is taken as
//! it is, without calibration.
//!
//! Not for: lines and pipes (`message`, `conversation`).

use queuecast_forecast::{SiteState, WaitDistribution, WaitForecast, WaitForecaster};
use queuecast_workload::{Machine, Outcome, Seconds, Submission, Time};

use crate::conversation::Conversation;
use crate::failure::leave;
use crate::message::{Event, Kind, Known, WaitResponse};
use crate::program::Program;

/// More waits than this say no more of a distribution.
const MOST_WAITS: usize = 10_000;

/// A wait forecaster that is a program.
pub struct ProgramForecaster(Conversation);

impl ProgramForecaster {
    /// Starts the program for a machine. What it does wrong comes out of [`caught`](crate::caught).
    pub fn begin(program: &Program, machine: Machine) -> Self {
        let begun = Conversation::begin(program, Kind::Forecaster, Some(machine.processors));
        Self(begun.unwrap_or_else(|failure| leave(failure)))
    }

    fn tell(&mut self, event: &Event) {
        self.0.tell(event).unwrap_or_else(|failure| leave(failure));
    }
}

impl WaitForecaster for ProgramForecaster {
    fn on_arrival(&mut self, job: &Submission, _state: &SiteState, now: Time) -> WaitForecast {
        let answered = self.0.ask(&Event::Arrival(Known::of(job, now)), |answer: WaitResponse| answer.distribution());
        WaitForecast::from_distribution(answered.unwrap_or_else(|failure| leave(failure)))
    }

    fn on_start(&mut self, job: &Submission, now: Time) {
        self.tell(&Event::Start { time_seconds: now, job: job.job });
    }

    fn on_end(&mut self, job: &Submission, outcome: &Outcome) {
        self.tell(&Event::end(job, outcome));
    }

    fn on_withdrawn(&mut self, job: &Submission) {
        self.tell(&Event::Withdrawal { time_seconds: None, job: job.job.0 });
    }
}

impl WaitResponse {
    fn distribution(&self) -> Result<WaitDistribution, String> {
        let waits = &self.wait_seconds;
        if waits.is_empty() || waits.len() > MOST_WAITS {
            return Err(format!("wait_seconds has {} values; expected 1 to {MOST_WAITS}", waits.len()));
        }
        match waits.iter().find(|wait| !(0.0..=Seconds::MAX.as_f64()).contains(*wait)) {
            Some(wrong) => Err(format!("wait_seconds contains {wrong}; expected 0 to {}", Seconds::MAX.0)),
            None => Ok(WaitDistribution::of(waits.iter().copied())),
        }
    }
}
