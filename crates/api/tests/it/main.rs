//! The types of the interface through their wire format, and what the crate links.

mod links;
mod wire;
