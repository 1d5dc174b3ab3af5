//! Messages about a job: when one is due, what it says, and how it gets to its reader.
//!
//! For: `qcast notify` in a terminal and the daemon, which sends for those who have closed theirs. Both watch, word and deliver in the
//! same way.
//!
//! Not for: who may order messages, and whereto (`queuecast-daemon`); looking at the queue, which is the caller's.
//!
//! A message is sent at least once: until it is taken, with the same key every time, so that a receiver can leave out what it has seen.

mod deliver;
mod event;
mod outbox;
#[cfg(test)]
mod sample;
mod template;
mod words;

pub use deliver::{AllowedHost, Carrier, Hook, MailServer, Mailer, NotDelivered, Program, Setup};
pub use event::{Kind, Message, Seen, Watch};
pub use outbox::{NotTaken, Outbox};
pub use words::{Words, in_words};
