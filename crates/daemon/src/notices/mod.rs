//! Notices: what users have asked to be told of their jobs, kept, watched and sent while nobody's terminal is open.
//!
//! For: `qcast notify`. Everything is seen through the user's own view of the board, so that a message tells nobody what an answer
//! would not; Slurm is asked nothing for it.
//!
//! Not for: what a message says and how it travels (`queuecast-notify`).
//!
//! What the daemon does for a user is narrow: it mails to the address that the administrator's rule gives the job's own user, posts to
//! hosts that the administrator lists, and runs the one program that the administrator names. The rule is looked at when a notice
//! is asked for and again before each message. See ADR 0019.

mod allowed;
mod folder;
mod notice;
mod sending;
mod shelf;

pub use self::allowed::{MailRule, NoticeSettings};
pub(crate) use self::notice::{Notice, Owner};
pub(crate) use self::sending::{Counts, Sender};
pub(crate) use self::shelf::{Shelf, ShelfError};
