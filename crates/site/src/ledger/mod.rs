//! The ledger: how readings that repeat, overlap, come late, twice or out of order become facts exactly once.
//!
//! For: one pure step ([`advance`]) from what is known of an attempt and one more record of it to what is known then, and
//! the facts that are new.
//!
//! Not for: keeping anything (`queuecast_daemon::store`); telling one attempt from another (that is its key); deciding which seconds of
//! accounting to read (`queuecast_daemon::store::CatchUp`).
//!
//! What is decided here:
//!
//! * **Two things can be known of an attempt**: that it started, and that it left. Each is learnt once, from whoever says
//!   so first, and never unlearnt. The stage follows from the two, so the order of readings cannot matter.
//! * **Corrections change what is kept and are no facts.** Accounting may tell a start or an end some seconds beside what the
//!   queue told. The times kept are then accounting's, and nothing is told again: whoever has counted the start has counted
//!   it. What is read back from the store later (history, scores after a restart) has the corrected times.
//! * **Whose description is kept.** The one furthest along; of a job that waits or runs the queue's, because accounting lags;
//!   of one that has left accounting's, because it knows suspension and resizes; then the later one.
//! * **Who vanishes is lost, not ended** ([`lose`]). A record that says something new of a lost attempt, or its sight in a
//!   later queue, is believed instead. Accounting that goes on calling a vanished job running says nothing new.
//! * **REVOKED** siblings of a federated job have left without a start, whatever times they carry. Seen first as revoked they
//!   arrive and are withdrawn at once; the record says why.
//!
//! Source: what Slurm 22.05 did in our lab (`tests/golden`), F6, F7 and F13 of the reliability list.

mod advance;
mod claim;
mod known;
#[cfg(test)]
mod properties;

pub use advance::{FactKind, Step, advance, lose};
pub use known::{Absence, Known, Stage, Teller, Telling};

/// A job's row: the same for as long as the job is kept, and never another job's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoredJobId(pub i64);
