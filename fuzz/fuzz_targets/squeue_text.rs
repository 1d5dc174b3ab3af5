//! Any bytes into the decoder of `squeue --format`: no panic, and no record that is neither read nor told.

#![no_main]

#[path = "../../crates/slurm/tests/it/any_bytes.rs"]
#[allow(dead_code, reason = "the other target uses the rest")]
mod any_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_bytes::read_squeue(bytes));
