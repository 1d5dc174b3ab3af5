//! Rows of a store that hold anything: read without a panic, and found out by its check.

#![no_main]

#[path = "../../crates/daemon/tests/it/api_support/mod.rs"]
mod api_support;
#[path = "../../crates/daemon/tests/it/fuzz_support/mod.rs"]
mod fuzz_support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzz_support::read_anything(bytes);
});
