//! The store: every attempt at a job that was seen, every forecast that was given, and what was learnt from them, in one `SQLite` file.
//!
//! For: surviving. What [`Store::take_in`] and [`Store::give`] have returned from is on disk, once, whatever happens to the
//! process or the machine afterwards; what they were in the middle of is not there at all.
//!
//! Not for: deciding what is a fact (`queuecast_site::ledger`); asking Slurm; scoring (`queuecast_forecast::score`).
//!
//! One process writes (a lock beside the file says who); others may read the file, or back it up, meanwhile. Calls block.
//! Every statement is fixed text with parameters: nothing that Slurm or a user says becomes SQL.
//!
//! Source: the documentation of `SQLite` on write-ahead logs, `synchronous`, `user_version` and `integrity_check`; F1, F3, F6 to
//! F8, F11 to F13, F17 and U1 of the reliability list. `docs/operations/store.md` has it for operators.

mod catch_up;
mod check;
mod checksum;
mod copy;
mod error;
mod forecasts;
mod forget;
mod history;
mod learnt;
mod lock;
mod marks;
mod open;
mod row;
mod schema;
mod small_rows;
mod take_in;
#[cfg(test)]
pub(crate) mod test_records;
mod vanished;
mod words;

pub use catch_up::{CatchUp, CatchUpSettings};
pub use copy::{Table, kept_before_update};
pub use error::StoreError;
pub use forecasts::KeptForecast;
pub use history::OpenJob;
pub use learnt::KeptLearning;
pub use marks::Gap;
pub use open::Store;
pub use take_in::{Fact, ReadingKind};
pub use vanished::VanishingRules;
pub(crate) use words::state_words;
