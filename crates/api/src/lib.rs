//! What a queuecast daemon is asked and answers, as types: the JSON is their serialisation, the `OpenAPI` document their description, and
//! whoever asks the daemon reads them again.
//!
//! For: one place that says what an answer looks like. What is not known is `null`, never left out; a field may be added
//! under `/v1`, none is renamed or removed.
//!
//! Not for: answering. The server is `queuecast-daemon`, and nothing of it is linked here.

pub mod advice;
pub mod forecast;
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
