//! Any bytes as a token, and a token made of any bytes and signed: believed only if it says what it must.

#![no_main]

#[path = "../../crates/daemon/tests/it/api_support/mod.rs"]
mod api_support;
#[path = "../../crates/daemon/tests/it/fuzz_support/mod.rs"]
mod fuzz_support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzz_support::believe_anything(bytes);
});
