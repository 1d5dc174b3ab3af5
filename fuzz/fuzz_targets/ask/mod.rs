//! The reader of job scripts, which is part of a program and of no library, as that program has it.

#[path = "../../../crates/cli/src/ask/script/mod.rs"]
pub mod script;
#[path = "../../../crates/cli/src/ask/zone.rs"]
pub mod zone;
