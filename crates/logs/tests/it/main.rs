//! Logs of every format, opened from files.

mod catalogue;
mod open;
