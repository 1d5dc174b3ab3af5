//! What is known, made answers of the wire's types (`queuecast-api`).
//!
//! Not for: who may see it (`view`); where it comes from (`published`).

mod advice;
pub mod finished;
pub mod freshness;
pub mod health;
pub mod hypothetical;
mod limit;
pub mod observed;
pub mod operations;
mod places;
pub mod problem;
pub mod score;
pub mod setting;
mod settled;
pub mod size;
pub mod small_groups;
pub mod table;
pub mod waits;
mod why;
