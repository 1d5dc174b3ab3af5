//! The simulator against references, stored schedules and its own rules.

mod agreement;
mod conformance;
mod golden;
mod leak;
mod mouldable;
mod properties;
mod reference;
mod sessions;
mod sites;
mod support;
