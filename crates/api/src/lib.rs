//! What a queuecast daemon is asked and what it answers, as types, and a client that asks it.
//!
//! For: whoever wants to know when jobs start without running `qcast`: portals, workflow engines, notebooks. The JSON on the wire is
//! the serialisation of these types, the daemon's `OpenAPI` document their description. What is not known is `null`, never left out;
//! a field may be added under `/v1`, none is renamed or removed.
//!
//! Not for: answering. The server is `queuecast-daemon`, and nothing of it is linked here.
//!
//! ```no_run
//! use queuecast_api::forecast::ForecastResponse;
//! use queuecast_api::{Client, DEADLINE, USUAL_SOCKET, route};
//!
//! let client = Client::at_socket(USUAL_SOCKET.as_ref(), DEADLINE)?;
//! let answer: ForecastResponse = client.get(&route::of_job(route::JOB_FORECAST, "1234"))?.read()?;
//! match (answer.start, answer.no_forecast) {
//!     (Some(start), _) => println!("80 % range: {} to {}", start.range80.from.utc, start.range80.to.utc),
//!     (None, Some(none)) => println!("no forecast ({}): {}", none.code, none.message),
//!     (None, None) => println!("an empty forecast"),
//! }
//! # Ok::<(), queuecast_api::AskError>(())
//! ```

pub mod advice;
pub mod changes;
mod client;
pub mod dependency;
pub mod forecast;
pub mod health;
pub mod hypothetical;
pub mod limit;
pub mod notification;
pub mod operations;
pub mod places;
pub mod problem;
pub mod queue;
pub mod ranges;
pub mod request;
pub mod route;
pub mod score;
pub mod size;
pub mod table;
pub mod time;
pub mod waits;
pub mod what_if;
pub mod why;

pub use client::{
    Answer, AskError, Client, DEADLINE, LARGEST_ANSWER, PATIENT_DEADLINE, Reply, Transport, USUAL_SOCKET,
};
