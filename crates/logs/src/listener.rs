//! Who is told while a log is read.

use std::fmt;

use queuecast_records::log::LeftOut;

/// Somebody who hears of what is not handed out, as it is met. What a [`crate::trace::TraceSource`] hands out does not depend on it.
pub trait Listener: fmt::Debug + Send {
    /// A line of this log is bad: `LINE:FIELD: reason`.
    fn bad_line(&mut self, log: &str, bad_line: &dyn fmt::Display);
    /// One more job was read.
    fn job(&mut self);
    /// The log is at its end; so much of it was left out on purpose.
    fn end(&mut self, log: &str, left_out: &[LeftOut]);
}

/// Nobody.
impl Listener for () {
    fn bad_line(&mut self, _log: &str, _bad_line: &dyn fmt::Display) {}
    fn job(&mut self) {}
    fn end(&mut self, _log: &str, _left_out: &[LeftOut]) {}
}
