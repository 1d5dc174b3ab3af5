//! The reader and the generators of workload logs.

mod archive;
mod fuzz_corpus;
mod resample;
mod round_trip;
