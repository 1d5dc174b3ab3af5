//! Any bytes into the decoder of Slurm's JSON, read as a document of every kind: no panic.

#![no_main]

#[path = "../../crates/slurm/tests/it/any_bytes.rs"]
#[allow(dead_code, reason = "the other target uses the rest")]
mod any_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_bytes::read_json(bytes));
