//! Any bytes into the decoders of scontrol's, sacctmgr's and sdiag's text: no panic, and no more records than lines.

#![no_main]

#[path = "../../crates/slurm/tests/it/any_bytes.rs"]
#[allow(dead_code, reason = "the other target uses the rest")]
mod any_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_bytes::read_scontrol(bytes));
