//! Any bytes into the decoder of `sacct -P`: no panic, and no duration below zero.

#![no_main]

#[path = "../../crates/slurm/tests/it/any_bytes.rs"]
#[allow(dead_code, reason = "the other target uses the rest")]
mod any_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_bytes::read_text(bytes));
