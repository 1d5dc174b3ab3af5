//! The reader of PBS accounting logs.

mod fuzz_corpus;
mod properties;
mod records;
mod support;
