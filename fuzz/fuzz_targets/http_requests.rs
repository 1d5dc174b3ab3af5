//! Any bytes to the socket of a daemon: no panic, and every answer is one of HTTP.

#![no_main]

use std::time::Duration;

#[path = "../../crates/daemon/tests/it/api_support/mod.rs"]
mod api_support;
#[path = "../../crates/daemon/tests/it/fuzz_support/mod.rs"]
mod fuzz_support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzz_support::ask_anything(bytes, Duration::from_millis(3));
});
