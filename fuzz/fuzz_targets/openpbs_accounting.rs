//! Any bytes as an accounting log of PBS: no panic, and no negative duration.

#![no_main]

#[path = "../../crates/openpbs/tests/it/support/mod.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| support::read_any_bytes(bytes));
