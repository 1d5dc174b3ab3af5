//! Any bytes as a script for sbatch: no panic, and a question that can be checked or a refusal with its line.

#![no_main]
#![allow(dead_code, unused_imports, reason = "the program that this is part of uses the rest")]

#[path = "../../crates/cli/src/ask/script/any_script.rs"]
mod any_script;
mod ask;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_script::read_any_script(bytes);
});
