//! A log gone through more than once: a file is read again, so that it may be of any length; what comes through a pipe
//! is held.

use queuecast_workload::swf::{SwfHeader, SwfRecord};

use crate::failure::Failure;
use crate::input::source::{SourceArgs, TraceSource};

/// A log that can be gone through again.
pub struct Passes<'a> {
    arguments: &'a SourceArgs,
    pub header: SwfHeader,
    /// The file's name for messages.
    pub name: String,
    /// The first pass, until it is made.
    opened: Option<TraceSource>,
    /// What cannot be read again.
    held: Option<Vec<SwfRecord>>,
}

impl<'a> Passes<'a> {
    pub fn open(arguments: &'a SourceArgs) -> Result<Self, Failure> {
        let mut opened = arguments.open()?;
        let header = opened.header().clone();
        let name = opened.name().to_owned();
        let held = if arguments.is_file() { None } else { Some(opened.by_ref().collect::<Result<_, _>>()?) };
        Ok(Self { arguments, header, name, opened: Some(opened), held })
    }

    /// All jobs once more, from the first.
    pub fn pass(&mut self, mut visit: impl FnMut(SwfRecord) -> Result<(), Failure>) -> Result<(), Failure> {
        if let Some(held) = &self.held {
            return held.iter().copied().try_for_each(visit);
        }
        let mut source = match self.opened.take() {
            Some(opened) => opened,
            None => self.arguments.open_again()?,
        };
        source.try_for_each(|record| visit(record?))
    }
}
