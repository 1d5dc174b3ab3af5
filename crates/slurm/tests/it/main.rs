//! The readers of Slurm's dialects, on recordings and on damaged input.

mod any_bytes;
mod damage;
mod fuzz_corpus;
mod golden;
mod lab_recordings;
mod properties;
mod shared_samples;
mod site_recordings;
mod text_recordings;
