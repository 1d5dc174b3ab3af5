//! The ways by which a message gets to its reader.
//!
//! Not for: when it is tried again (`outbox`); which ways are allowed to whom, which is the caller's, except that a host can be checked
//! against a list ([`AllowedHost`]).

mod mail;
mod program;
mod webhook;

use std::time::Duration;

use jiff::tz::TimeZone;

pub use self::mail::{MailServer, Mailer};
pub use self::program::Program;
pub use self::webhook::{AllowedHost, Hook};
use crate::event::Message;
use crate::words::in_words;

/// Whoever takes longer is tried again.
const DEADLINE: Duration = Duration::from_secs(10);

/// Why nothing can be sent this way at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Setup(pub String);

/// Why a message was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotDelivered {
    /// In words.
    pub why: String,
    /// Whether trying again is of no use.
    pub is_final: bool,
}

impl NotDelivered {
    /// It may be taken later.
    fn for_now(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_final: false }
    }
}

/// One way to one reader.
#[derive(Debug)]
pub enum Carrier {
    /// By POST.
    Webhook(Hook),
    /// By mail.
    Mail(Mailer),
    /// By a program.
    Program(Program),
}

impl Carrier {
    /// Sends it, within ten seconds or so. Times in it are those of this zone.
    pub fn deliver(&self, message: &Message, zone: &TimeZone) -> Result<(), NotDelivered> {
        let words = in_words(message, zone);
        match self {
            Self::Webhook(hook) => hook.post(message, &words),
            Self::Mail(mailer) => mailer.send(message, &words),
            Self::Program(program) => program.run(message, &words),
        }
    }
}
