//! What people can act on: which limit to ask for, on how many nodes, in which place, and what would let a job start earlier.
//!
//! For: what a limit risks ([`limit`]), how a job gets faster on more ([`width`]), which of two comes first ([`choice`]), what a change
//! does to a start ([`change`]); and the values in which advice is given ([`Adviser`] and what it returns).
//!
//! Not for: one site's queue and who may run where (`queuecast-site`, whose adviser puts these together); how it is told
//! (`queuecast-api`).

mod advice;
mod adviser;
pub mod change;
pub mod choice;
pub mod limit;
mod request;
pub mod width;

pub use advice::{
    Ahead, AheadClass, AheadCount, ChangeAdvice, Hold, Holder, JobChange, LawUsed, LimitAdvice, LimitChoice, Place,
    SizeAdvice, SizeQuestion, Subject, TableCell, TableRequest, TableRow, Why, Width, WidthUnit,
};
pub use adviser::{Adviser, HypotheticalJob};
pub use request::{ArrayAsked, GresAsked, GresPer, Layout, MemoryAsked, Naming};
