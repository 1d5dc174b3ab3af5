//! What a person sees while a log is read: its bad lines, how far it is, and at its end what was left out.
//!
//! Not for: reading ([`queuecast_logs`]).

use std::fmt;

use queuecast_logs::Listener;
use queuecast_records::log::LeftOut;
use queuecast_workload::files::Input;

use super::problems::{ProblemLimit, Problems};
use super::progress::Progress;
use crate::failure::say;
use crate::output::grouped;

const JOBS_PER_TICK: u64 = 4096;

/// Standard error, while one log is read.
#[derive(Debug)]
pub struct Terminal {
    /// None if bad lines and what is left out are passed over in silence.
    problems: Option<Problems>,
    progress: Progress,
    jobs: u64,
}

impl Terminal {
    /// For this log.
    pub fn new(input: &Input, problems: Option<ProblemLimit>) -> Self {
        Self { problems: problems.map(Problems::new), progress: Progress::of(input), jobs: 0 }
    }
}

impl Listener for Terminal {
    fn bad_line(&mut self, log: &str, bad_line: &dyn fmt::Display) {
        if let Some(problems) = &mut self.problems {
            self.progress.step_aside(|| problems.add(log, bad_line));
        }
    }

    fn job(&mut self) {
        self.jobs += 1;
        if self.jobs.is_multiple_of(JOBS_PER_TICK) {
            self.progress.tick();
        }
    }

    fn end(&mut self, log: &str, left_out: &[LeftOut]) {
        self.progress.finish();
        let Some(problems) = &self.problems else { return };
        problems.conclude(log);
        for LeftOut { count, what } in left_out {
            say(format_args!("{log}: {} {what}", grouped(*count)));
        }
    }
}
