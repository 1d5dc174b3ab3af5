//! The simulated daemon under faults.

mod seeds;
mod store_on_disk;
