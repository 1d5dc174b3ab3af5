//! Any bytes into the reader of OpenPBS's accounting: no panic, and no duration below zero.

#![no_main]

#[path = "../../crates/openpbs/tests/support/mod.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| support::read_any_bytes(bytes));
