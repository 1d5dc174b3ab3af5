//! Any bytes as one of Slurm's lists of nodes: no panic, as many names as it says, and never more than a list may have.

#![no_main]

#[path = "../../crates/slurm/tests/it/any_bytes.rs"]
#[allow(dead_code, reason = "the other target uses the rest")]
mod any_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_bytes::read_node_list(bytes));
