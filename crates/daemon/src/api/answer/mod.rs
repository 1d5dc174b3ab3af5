//! What the interface answers, as types: the JSON is their serialisation, the `OpenAPI` document their description, and
//! the commands that ask the daemon read them again.
//!
//! For: one place that says what an answer looks like. What is not known is `null`, never left out; a field may be added
//! under `/v1`, none is renamed or removed.
//!
//! Not for: who may see it (`view`); where it comes from (`published`).

pub mod advice;
pub mod forecast;
pub mod freshness;
pub mod health;
pub mod hypothetical;
pub mod limit;
pub mod places;
pub mod problem;
pub mod queue;
pub mod ranges;
pub mod score;
pub mod size;
pub mod time;
pub mod why;
