//! Any bytes into the SWF reader: no panic, and what it takes for good survives being written and read again.

#![no_main]

#[path = "../../crates/workload/tests/it/round_trip.rs"]
mod round_trip;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| round_trip::read_write_read(bytes));
